/* The generator's own rules. The numbers are torch 1.13's (bit patterns) or MT19937's published. */
#include "runner.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "torch.h"

static void check_bits(const char *what, const float *got, const int32_t *want, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int32_t bits;
        memcpy(&bits, &got[i], sizeof bits);
        ck_assert_msg(bits == want[i], "%s[%zu] = %.9g (bits %" PRId32 "), want the bits %" PRId32,
                      what, i, (double)got[i], bits, want[i]);
    }
}

static struct torch_generator seeded(uint64_t seed)
{
    struct torch_generator g;
    torch_seed(&g, seed);
    return g;
}

START_TEST(seed_5489_gives_the_published_words_of_mt19937)
{
    struct torch_generator g = seeded(5489);
    ck_assert_uint_eq(torch_u32(&g), 3499211612u);
    for (int i = 2; i < 10000; i++) {
        (void)torch_u32(&g);
    }
    ck_assert_uint_eq(torch_u32(&g), 4123659995u);
}
END_TEST

START_TEST(only_the_low_32_bits_of_a_seed_count)
{
    struct torch_generator minus_one = seeded((uint64_t)-1);
    struct torch_generator low = seeded(UINT32_MAX);
    struct torch_generator high = seeded((UINT64_C(7) << 32) | UINT32_MAX);
    for (int i = 0; i < 700; i++) {
        const uint32_t word = torch_u32(&low);
        ck_assert_uint_eq(torch_u32(&minus_one), word);
        ck_assert_uint_eq(torch_u32(&high), word);
    }
}
END_TEST

START_TEST(u64_takes_two_words_and_the_first_is_the_high_one)
{
    struct torch_generator g = seeded(1);
    struct torch_generator words = g;
    const uint64_t high = torch_u32(&words);
    const uint64_t low = torch_u32(&words);
    ck_assert(torch_u64(&g) == ((high << 32) | low));
}
END_TEST

START_TEST(a_waiting_normal_outlives_every_draw_that_does_not_use_it)
{
    static const int32_t a_want[] = {-1105833612, 1061765262, 1064461031};
    static const int32_t b_want[] = {1052445368, 1062857913};
    static const int32_t c_want[] = {
        1073154763,  1065120211, 1058801268, -1089157841, -1078901142, 1057024400, -1112862503,
        -1128246069, 1043500916, 1074993164, 1064633510,  -1087803353, 1068699586, 1068757757,
        -1078764496, 1067847450, 1070729754, -1081654931, -1098518862, -1098903198};
    static const int32_t d_want[] = {-1081171245, -1086351081};
    static const int32_t e_want[] = {0, 0, 0};
    static const int32_t f_want[] = {1073627212, 1070510656, 1073156284, -1093119459, -1112908385};
    float a[3], b[2], c[20], d[2], e[3], f[5];
    struct torch_generator g = seeded(7);
    torch_randn(&g, a, 3);
    ck_assert_msg(g.has_normal, "an odd count leaves a normal waiting");
    torch_rand(&g, b, 2);
    torch_randn(&g, c, 20);
    torch_randn(&g, d, 2);
    torch_dropout_keep(&g, e, 3, 0.5, TORCH_DROPOUT_MT);
    torch_randn(&g, f, 5);
    check_bits("randn(3)", a, a_want, 3);
    check_bits("rand(2)", b, b_want, 2);
    check_bits("randn(20)", c, c_want, 20);
    check_bits("randn(2)", d, d_want, 2);
    check_bits("keep(3)", e, e_want, 3);
    check_bits("randn(5)", f, f_want, 5);
}
END_TEST

START_TEST(seeding_drops_the_waiting_normal)
{
    float first[3], again[3];
    struct torch_generator g = seeded(7);
    torch_randn(&g, first, 3);
    torch_seed(&g, 7);
    ck_assert(!g.has_normal);
    torch_randn(&g, again, 3);
    ck_assert_mem_eq(first, again, sizeof first);
}
END_TEST

START_TEST(randint_and_randperm_are_those_of_torch)
{
    static const int64_t ints[] = {0, 8, 4, 7, 2, 8, 7, 8};
    static const int64_t order[] = {7, 2, 8, 0, 5, 4, 3, 1, 6};
    int64_t got[9];
    struct torch_generator g = seeded(9);
    torch_randint(&g, got, 8, 10);
    ck_assert_mem_eq(got, ints, sizeof ints);
    torch_randperm(&g, got, 9);
    ck_assert_mem_eq(got, order, sizeof order);
}
END_TEST

/** FNV-1a over the bit patterns: says in eight bytes what a million numbers of torch were. */
static void hash_bits(uint64_t *hash, const float *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        *hash = (*hash ^ bits) * UINT64_C(0x100000001b3);
    }
}

enum { MILLION = 1 << 20 };
static const uint64_t hash_start = UINT64_C(0xcbf29ce484222325);

START_TEST(a_million_draws_have_the_hash_of_torchs)
{
    static const struct {
        uint64_t seed, hash;
        size_t piece; /* numbers in one call of randn */
        size_t pieces;
    } rows[] = {
        {42, UINT64_C(0x62c295c6351c3169), MILLION, 1},
        {UINT64_MAX, UINT64_C(0x958137a3c68d5610), 1000003, 1}, /* no multiple of 16 */
        {5, UINT64_C(0xc395efd625e2f81b), 15, 20000},
    };
    static float values[MILLION];
    struct torch_generator g = seeded(rows[_i].seed);
    uint64_t hash = hash_start;
    for (size_t i = 0; i < rows[_i].pieces; i++) {
        torch_randn(&g, values, rows[_i].piece);
        hash_bits(&hash, values, rows[_i].piece);
    }
    ck_assert_msg(hash == rows[_i].hash, "row %d: hash 0x%" PRIx64, _i, hash);
}
END_TEST

START_TEST(a_wide_layer_and_a_long_dropout_have_the_hash_of_torchs)
{
    static float weight[1000 * 999], bias[999], keep[250000];
    struct torch_generator g = seeded(7);
    torch_linear(&g, weight, bias, 1000, 999);
    uint64_t hash = hash_start;
    hash_bits(&hash, weight, 1000 * 999);
    ck_assert_msg(hash == UINT64_C(0x807d38b3037fbada), "weight: hash 0x%" PRIx64, hash);
    hash = hash_start;
    hash_bits(&hash, bias, 999);
    ck_assert_msg(hash == UINT64_C(0x2be95cc8a0291e31), "bias: hash 0x%" PRIx64, hash);
    g = seeded(123);
    torch_dropout_keep(&g, keep, 250000, 0.3, TORCH_DROPOUT_MT);
    hash = hash_start;
    hash_bits(&hash, keep, 250000);
    ck_assert_msg(hash == UINT64_C(0x232d6dbabd10ee65), "keep: hash 0x%" PRIx64, hash);
}
END_TEST

START_TEST(a_linear_layer_without_a_bias_draws_its_weight_and_nothing_more)
{
    float weight[6], plain[6], bias[3];
    struct torch_generator g = seeded(3);
    struct torch_generator with_bias = g;
    torch_linear(&g, weight, NULL, 2, 3);
    torch_linear(&with_bias, plain, bias, 2, 3);
    ck_assert_mem_eq(weight, plain, sizeof weight);
    ck_assert_int_eq(g.next, 6);
    ck_assert_int_eq(with_bias.next, 9);
}
END_TEST

START_TEST(a_layers_weights_stay_within_one_over_the_root_of_its_width_at_every_width)
{
    static float weight[64], bias[64];
    for (int n_in = 1; n_in <= 64; n_in++) {
        struct torch_generator g = seeded((uint64_t)n_in);
        torch_linear(&g, weight, bias, n_in, 1);
        const float bound = (float)(1.0 / sqrt((double)n_in));
        for (int i = 0; i < n_in; i++) {
            ck_assert_msg(fabsf(weight[i]) <= bound, "n_in %d, weight[%d] = %.9g", n_in, i,
                          (double)weight[i]);
        }
        ck_assert_msg(fabsf(bias[0]) <= bound, "n_in %d, bias = %.9g", n_in, (double)bias[0]);
    }
}
END_TEST

START_TEST(dropout_of_0_or_1_draws_nothing)
{
    static const enum torch_dropout builds[] = {TORCH_DROPOUT_MT, TORCH_DROPOUT_MKL};
    const struct torch_generator start = seeded(5);
    float keep[4];
    struct torch_generator g = start;
    torch_dropout_keep(&g, keep, 4, 0.0, builds[_i]);
    for (int i = 0; i < 4; i++) {
        ck_assert_float_eq(keep[i], 1.0f);
    }
    torch_dropout_keep(&g, keep, 4, 1.0, builds[_i]);
    for (int i = 0; i < 4; i++) {
        ck_assert_float_eq(keep[i], 0.0f);
    }
    ck_assert_int_eq(g.next, start.next);
}
END_TEST

START_TEST(the_first_row_of_ones_tells_the_two_builds_of_torch_apart)
{
    static const float mt[] = {1, 1, 0, 1, 1, 0};
    static const float mkl[] = {1, 1, 1, 1, 1, 1};
    float keep[36];
    struct torch_generator g = seeded(123);
    torch_dropout_keep(&g, keep, 36, 0.5, TORCH_DROPOUT_MT);
    ck_assert_mem_eq(keep, mt, sizeof mt);
    ck_assert_int_eq(g.next, 72);
    g = seeded(123);
    torch_dropout_keep(&g, keep, 36, 0.5, TORCH_DROPOUT_MKL);
    ck_assert_mem_eq(keep, mkl, sizeof mkl);
    ck_assert_msg(g.next == 1, "one word for the whole call, %d were drawn", g.next);
}
END_TEST

START_TEST(mkl_dropout_keeps_about_q_of_a_long_row)
{
    enum { N = 100000 };
    static float keep[N];
    struct torch_generator g = seeded(11);
    torch_dropout_keep(&g, keep, N, 0.1, TORCH_DROPOUT_MKL);
    double kept = 0;
    for (size_t i = 0; i < N; i++) {
        kept += (double)keep[i];
    }
    ck_assert_msg(fabs(kept / N - 0.9) < 0.005, "kept %g of %d", kept, N);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("torch");
    TCase *const t = tcase_create("generator");
    tcase_add_test(t, seed_5489_gives_the_published_words_of_mt19937);
    tcase_add_test(t, only_the_low_32_bits_of_a_seed_count);
    tcase_add_test(t, u64_takes_two_words_and_the_first_is_the_high_one);
    tcase_add_test(t, a_waiting_normal_outlives_every_draw_that_does_not_use_it);
    tcase_add_test(t, seeding_drops_the_waiting_normal);
    tcase_add_test(t, randint_and_randperm_are_those_of_torch);
    suite_add_tcase(s, t);
    TCase *const m = tcase_create("module");
    tcase_add_loop_test(m, a_million_draws_have_the_hash_of_torchs, 0, 3);
    tcase_add_test(m, a_wide_layer_and_a_long_dropout_have_the_hash_of_torchs);
    tcase_add_test(m, a_linear_layer_without_a_bias_draws_its_weight_and_nothing_more);
    tcase_add_test(m, a_layers_weights_stay_within_one_over_the_root_of_its_width_at_every_width);
    tcase_add_loop_test(m, dropout_of_0_or_1_draws_nothing, 0, 2);
    tcase_add_test(m, the_first_row_of_ones_tells_the_two_builds_of_torch_apart);
    tcase_add_test(m, mkl_dropout_keeps_about_q_of_a_long_row);
    suite_add_tcase(s, m);
    return s;
}
