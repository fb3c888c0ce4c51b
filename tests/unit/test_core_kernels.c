/* The kernels keep their order of operations to the bit, on every kind of CPU. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "attn/kernels.h"
#include "kernel_set.h"
#include "runner.h"

enum { MOST = 80, CPUS = 2 };

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The same bits, or both NaN: which NaN an operation gives is the CPU's own affair. */
static bool same(float a, float b)
{
    return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b));
}

static uint32_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32U);
}

/* Numbers in -1 … 1 whose sums depend on the order. */
static void fill(float *out, size_t n, uint64_t *state)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = (float)(int32_t)next_random(state) * 0x1p-31F;
    }
}

/* The kernels of one kind of CPU; this machine's best where it lacks that kind. */
static const struct core_kernels *kernels(int i)
{
    static const enum attn_cpu cpus[CPUS] = {ATTN_CPU_BASELINE, ATTN_CPU_AVX2};
    const struct core_kernels *const set = core_kernels_for(cpus[i]);
    ck_assert_msg((set != NULL) == attn_cpu_supported(cpus[i]), "cpu %d", i);
    return set != NULL ? set : core_kernels_for(ATTN_CPU_AUTO);
}

/* The orders as their definition reads, term by term. */
static float defined_sum(enum attn_order order, const float *a, const float *b, int n, int b_step)
{
    float l[16] = {0};
    for (int k = 0; k < n; k++) {
        const float y = b != NULL ? b[k * b_step] : 1.0F;
        if (order == ATTN_ORDER_PLAIN) {
            const float product = a[k] * y;
            l[0] = l[0] + product;
        } else if (order == ATTN_ORDER_FMA) {
            l[0] = fmaf(a[k], y, l[0]);
        } else if (order == ATTN_ORDER_LANES16) {
            l[k % 16] = fmaf(a[k], y, l[k % 16]);
        } else {
            l[k % 8] = l[k % 8] + a[k];
        }
    }
    if (order == ATTN_ORDER_LANES8) {
        return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]));
    }
    if (order != ATTN_ORDER_LANES16) {
        return l[0];
    }
    const float g0 = (l[0] + l[1]) + (l[2] + l[3]);
    const float g1 = (l[4] + l[5]) + (l[6] + l[7]);
    const float g2 = (l[8] + l[9]) + (l[10] + l[11]);
    const float g3 = (l[12] + l[13]) + (l[14] + l[15]);
    return (g0 + g1) + (g2 + g3);
}

START_TEST(an_order_changes_where_torch_changes_its_kernel)
{
    ck_assert_int_eq(attn_order_linear(31), ATTN_ORDER_FMA);
    ck_assert_int_eq(attn_order_linear(32), ATTN_ORDER_LANES16);
    ck_assert_int_eq(attn_order_scores(7, 19, 3), ATTN_ORDER_PLAIN); /* 399 products */
    ck_assert_int_eq(attn_order_scores(10, 20, 2), ATTN_ORDER_FMA);  /* 400 */
    ck_assert_int_eq(attn_order_scores(1, 2, 199), ATTN_ORDER_PLAIN);
    ck_assert_int_eq(attn_order_scores(8, 8, 31), ATTN_ORDER_FMA);
    ck_assert_int_eq(attn_order_scores(8, 8, 32), ATTN_ORDER_LANES16);
    ck_assert_int_eq(attn_order_scores(65536, 65536, 1), ATTN_ORDER_FMA);
    ck_assert_int_eq(attn_order_softmax(7), ATTN_ORDER_PLAIN);
    ck_assert_int_eq(attn_order_softmax(8), ATTN_ORDER_LANES8);
    ck_assert_int_eq(attn_order_mix(7, 3, 19), ATTN_ORDER_PLAIN);
    ck_assert_int_eq(attn_order_mix(10, 4, 10), ATTN_ORDER_FMA);
    ck_assert_int_eq(attn_order_mix(64, 64, 64), ATTN_ORDER_FMA);
}
END_TEST

START_TEST(fma_is_rounded_once_for_any_three_floats)
{
    const struct core_kernels *const set = kernels(_i);
    uint64_t state = 1;
    for (int i = 0; i < 400000; i++) {
        const float a = float_of(next_random(&state));
        const float b = float_of(next_random(&state));
        float c = float_of(next_random(&state));
        if (i % 4 == 1) {
            c = -(a * b); /* What is left is the rounding error. */
        } else if (i % 4 == 2) {
            c = a * b * float_of(0x33800000U + next_random(&state) % 0x02000000U);
        } else if (i % 4 == 3) {
            c = float_of(next_random(&state) % 0x01000000U); /* Subnormal, or nearly. */
        }
        const float got = set->fma(a, b, c);
        if (!same(got, fmaf(a, b, c))) { /* An assertion each time would take minutes. */
            ck_abort_msg("cpu %d: fma(%a, %a, %a) = %a", _i, (double)a, (double)b, (double)c,
                         (double)got);
        }
    }
    /* One and a half of the smallest float is a tie; a trifle less or more is none. */
    ck_assert(same(set->fma(0x1p-75F, 0x1p-75F, 0x1p-149F), 0x1p-148F));
    ck_assert(same(set->fma(0x1p-75F, 0x1.fffffep-76F, 0x1p-149F), 0x1p-149F));
    ck_assert(same(set->fma(0x1p-75F, 0x1p-75F, 0x1p-148F), 0x1p-148F));
    ck_assert(same(set->fma(0x1p-75F, 0x1.000002p-75F, 0x1p-148F), 0x1.8p-148F));
    ck_assert(same(set->fma(-0.0F, 1.0F, -0.0F), -0.0F));
    ck_assert(same(set->fma(-0.0F, 1.0F, 0.0F), 0.0F));
    ck_assert(isnan(set->fma(INFINITY, 0.0F, 1.0F)));
}
END_TEST

START_TEST(exp_is_within_its_error_of_the_true_value)
{
    const struct core_kernels *const set = kernels(_i);
    double worst = 0.0;
    /* Every 977th float from -103 up to -2^-30, and from 2^-30 up to 88.7. */
    for (uint32_t bits = 0x30800000U; bits < 0x42CE0000U; bits += 977U) {
        for (int sign = 0; sign < 2; sign++) {
            const float x = sign != 0 ? -float_of(bits) : float_of(bits);
            if (x > 88.7F) {
                continue;
            }
            const double exact = exp((double)x);
            const float got = set->exp(x);
            const double ulp = exact < 0x1p-126 ? 0x1p-149 : ldexp(1.0, ilogb(exact) - 23);
            const double error = fabs((double)got - exact) / ulp;
            worst = error > worst ? error : worst;
            if (!(error <= 1.3)) {
                ck_abort_msg("cpu %d: exp(%a) = %a is %.3f ulp off", _i, (double)x, (double)got,
                             error);
            }
        }
    }
    ck_assert_msg(worst > 0.5, "worst %.3f: nothing was tried", worst);
}
END_TEST

START_TEST(exp_keeps_its_edges)
{
    const struct core_kernels *const set = kernels(_i);
    static const struct {
        float x, y;
    } rows[] = {{0.0F, 1.0F},      {-0.0F, 1.0F},        {-INFINITY, 0.0F},   {-104.1F, 0.0F},
                {-1e30F, 0.0F},    {-3e38F, 0.0F},       {89.0F, INFINITY},   {100.5F, INFINITY},
                {3e38F, INFINITY}, {INFINITY, INFINITY}, {-103.9F, 0x1p-149F}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_msg(same(set->exp(rows[i].x), rows[i].y), "cpu %d: exp(%g) = %a", _i,
                      (double)rows[i].x, (double)set->exp(rows[i].x));
    }
    ck_assert(isnan(set->exp(NAN)) && isnan(set->exp(-NAN)));
}
END_TEST

START_TEST(a_dot_and_a_sum_keep_their_order)
{
    const struct core_kernels *const set = kernels(_i);
    float a[MOST];
    float b[3 * MOST];
    uint64_t state = 7;
    int distinct = 0;
    for (int n = 0; n <= MOST; n++) {
        fill(a, MOST, &state);
        fill(b, sizeof b / sizeof *b, &state);
        for (int order = ATTN_ORDER_PLAIN; order <= ATTN_ORDER_LANES16; order++) {
            const enum attn_order o = (enum attn_order)order;
            ck_assert_msg(same(set->dot(o, a, 1, b, 3, n), defined_sum(o, a, b, n, 3)),
                          "cpu %d, order %d, %d terms", _i, order, n);
            ck_assert(same(attn_dot(o, a, 1, b, 3, n), defined_sum(o, a, b, n, 3)));
        }
        distinct += !same(set->dot(ATTN_ORDER_PLAIN, a, 1, b, 1, n),
                          set->dot(ATTN_ORDER_FMA, a, 1, b, 1, n)) &&
                    !same(set->dot(ATTN_ORDER_FMA, a, 1, b, 1, n),
                          set->dot(ATTN_ORDER_LANES16, a, 1, b, 1, n));
        ck_assert(
            same(set->sum(ATTN_ORDER_PLAIN, a, n), defined_sum(ATTN_ORDER_PLAIN, a, NULL, n, 1)));
        ck_assert(
            same(set->sum(ATTN_ORDER_LANES8, a, n), defined_sum(ATTN_ORDER_LANES8, a, NULL, n, 1)));
    }
    ck_assert_msg(distinct > 40, "the data tell the orders apart only %d times", distinct);
}
END_TEST

/* Sizes that meet every edge of the tiles: rows by 4, columns by 4 and 16, depth by 8, 16, 256. */
START_TEST(a_product_is_a_dot_for_each_cell)
{
    const struct core_kernels *const set = kernels(_i % CPUS);
    static const struct {
        int M, N, K;
    } sizes[] = {{1, 1, 1},    {1, 5, 31},  {3, 17, 32},  {4, 16, 33}, {5, 15, 39}, {7, 33, 40},
                 {9, 4, 41},   {2, 18, 47}, {6, 7, 48},   {1, 3, 257}, {5, 2, 300}, {13, 1, 64},
                 {20, 20, 20}, {8, 31, 1},  {1, 80, 256}, {66, 6, 35}, {4, 3, 513}, {11, 13, 15}};
    const int M = sizes[_i / CPUS].M;
    const int N = sizes[_i / CPUS].N;
    const int K = sizes[_i / CPUS].K;
    enum { ROOM = 20480 };
    static float a[ROOM];
    static float b[ROOM];
    static float out[ROOM];
    float bias[MOST];
    ck_assert_int_le(M * K, ROOM);
    ck_assert_int_le(N * K, ROOM);
    uint64_t state = (uint64_t)_i + 1;
    fill(a, (size_t)(M * K), &state);
    fill(b, (size_t)(N * K), &state);
    fill(bias, MOST, &state);
    for (int order = ATTN_ORDER_PLAIN; order <= ATTN_ORDER_LANES16; order++) {
        const enum attn_order o = (enum attn_order)order;
        set->product_nt(o, out, a, b, bias, (size_t)M, N, K);
        for (int i = 0; i < M * N; i++) {
            const float expected = defined_sum(o, a + i / N * K, b + i % N * K, K, 1) + bias[i % N];
            ck_assert_msg(same(out[i], expected), "nt: cpu %d, order %d, %dx%dx%d, cell %d",
                          _i % CPUS, order, M, N, K, i);
        }
        if (o == ATTN_ORDER_LANES16) {
            continue;
        }
        set->product_nn(o, out, a, b, (size_t)M, N, K);
        for (int i = 0; i < M * N; i++) {
            ck_assert_msg(same(out[i], defined_sum(o, a + i / N * K, b + i % N, K, N)),
                          "nn: cpu %d, order %d, %dx%dx%d, cell %d", _i % CPUS, order, M, N, K, i);
        }
    }
}
END_TEST

START_TEST(every_cpu_gives_the_same_bits)
{
    enum { ROOM = MOST * MOST };
    static float a[ROOM];
    static float b[ROOM];
    static float one[ROOM];
    static float two[ROOM];
    uint64_t state = (uint64_t)_i * 977 + 5;
    const int M = 1 + (int)(next_random(&state) % MOST);
    const int N = 1 + (int)(next_random(&state) % MOST);
    const int K = 1 + (int)(next_random(&state) % MOST);
    fill(a, (size_t)(M * K), &state);
    fill(b, (size_t)(N * K), &state);
    for (int i = 0; i < M * K; i += 17) {
        a[i] *= 0x1p-130F; /* Subnormal products are rounded alike too. */
    }
    for (int order = ATTN_ORDER_PLAIN; order <= ATTN_ORDER_LANES16; order++) {
        const enum attn_order o = (enum attn_order)order;
        kernels(0)->product_nt(o, one, a, b, NULL, (size_t)M, N, K);
        kernels(1)->product_nt(o, two, a, b, NULL, (size_t)M, N, K);
        ck_assert_msg(memcmp(one, two, sizeof *one * (size_t)(M * N)) == 0, "order %d, %dx%dx%d",
                      order, M, N, K);
    }
    kernels(0)->product_nn(ATTN_ORDER_FMA, one, a, b, (size_t)M, N, K);
    kernels(1)->product_nn(ATTN_ORDER_FMA, two, a, b, (size_t)M, N, K);
    ck_assert_msg(memcmp(one, two, sizeof *one * (size_t)(M * N)) == 0, "%dx%dx%d", M, N, K);
    for (int i = 0; i < N * K; i++) {
        b[i] *= 60.0F;
    }
    for (int t = 0; t < N; t++) {
        bool empty = false;
        kernels(0)->softmax_row(one, b + t * K, K, &empty);
        kernels(1)->softmax_row(two, b + t * K, K, &empty);
        ck_assert_msg(memcmp(one, two, sizeof *one * (size_t)K) == 0, "softmax of %d", K);
        ck_assert(!empty);
    }
}
END_TEST

/* Rows whose logits reach beyond what exp can hold, with the weights as float64 gives them. */
static const struct {
    int n;
    float scores[5];
    double weights[5];
} extremes[] = {
    {5,
     {-249.873093F, -424.126709F, -460.292542F, 378.097443F, -292.614532F},
     {0.0, 0.0, 0.0, 1.0, 0.0}},
    {4, {7999.99F, 8000.0F, 2.0F, 1.0F}, {0.49755862, 0.5024414, 0.0, 0.0}},
    {3, {-1000.0F, -1001.0F, -1002.0F}, {0.6652409557748219, 0.24472847105479772, 0.0900305731}},
    {2, {3.4e38F, 3.4e38F}, {0.5, 0.5}},
    {2, {3.4e38F, -3.4e38F}, {1.0, 0.0}},
    {1, {-5.0F}, {1.0}},
    {2, {88.8F, 0.0F}, {1.0, 2.720507998e-39}},
    {2, {-10000.0F, -9998.901387711332F}, {0.25000000000003236, 0.7499999999999676}},
    {2, {-60000.0F, -60001.0F}, {0.7310585786300049, 0.26894142136999516}},
};

START_TEST(softmax_holds_at_the_extremes)
{
    const int row = _i / CPUS;
    const int n = extremes[row].n;
    float weights[5];
    bool empty = false;
    kernels(_i % CPUS)->softmax_row(weights, extremes[row].scores, n, &empty);
    ck_assert(!empty);
    double total = 0.0;
    for (int s = 0; s < n; s++) {
        /* Float32 knows the score near -10000 to 1/1024 only. */
        const double tolerance = row == 7 ? 1e-4 : 2e-6;
        ck_assert_msg(fabs((double)weights[s] - extremes[row].weights[s]) <= tolerance,
                      "row %d, key %d: %.9g", row, s, (double)weights[s]);
        total += (double)weights[s];
    }
    ck_assert_msg(fabs(total - 1.0) < 1e-6, "row %d sums to %.9g", row, total);
}
END_TEST

START_TEST(a_row_without_keys_is_zeros_and_said_to_be_empty)
{
    const struct core_kernels *const set = kernels(_i);
    float row[20];
    for (int n = 1; n <= 20; n++) {
        bool empty = false;
        for (int s = 0; s < n; s++) {
            row[s] = -INFINITY;
        }
        set->softmax_row(row, row, n, &empty);
        ck_assert_msg(empty, "%d keys", n);
        for (int s = 0; s < n; s++) {
            ck_assert(same(row[s], 0.0F));
        }
        row[n - 1] = -3.0F;
        for (int s = 0; s < n - 1; s++) {
            row[s] = -INFINITY;
        }
        set->softmax_row(row, row, n, &empty);
        ck_assert_msg(empty, "the flag is never cleared");
        ck_assert_msg(same(row[n - 1], 1.0F), "the one key that is left, of %d", n);
    }
}
END_TEST

START_TEST(a_nan_or_an_infinity_in_a_row_makes_the_row_nan)
{
    const struct core_kernels *const set = kernels(_i);
    static const float odd[] = {NAN, -NAN, INFINITY};
    for (int n = 1; n <= 20; n++) {
        for (int place = 0; place < n; place++) {
            for (int kind = 0; kind < 6; kind++) {
                float row[20];
                bool empty = false;
                for (int s = 0; s < n; s++) {
                    row[s] = kind < 3 ? (float)s : -INFINITY;
                }
                row[place] = odd[kind % 3];
                set->softmax_row(row, row, n, &empty);
                ck_assert_msg(!empty, "%d keys, place %d", n, place);
                const int first = kind >= 3 && odd[kind % 3] == INFINITY ? place : 0;
                ck_assert_msg(isnan(row[first]), "%d keys, place %d, kind %d", n, place, kind);
                ck_assert_msg(isnan(row[n - 1]), "%d keys, place %d, kind %d", n, place, kind);
            }
        }
    }
}
END_TEST

START_TEST(element_wise_kernels_do_what_they_say_and_may_work_in_place)
{
    const struct core_kernels *const set = kernels(_i);
    float values[3] = {1.0F, -6.0F, INFINITY};
    set->divide(values, values, 3.0F, 3);
    ck_assert(same(values[0], 1.0F / 3.0F) && same(values[1], -2.0F) && isinf(values[2]));
    set->multiply(values, values, 0.1F, 2);
    ck_assert(same(values[0], (1.0F / 3.0F) * 0.1F) && same(values[1], -2.0F * 0.1F));
    const float keep[3] = {0.0F, 1.0F, 0.0F};
    set->mask(values, values, keep, -1e9F, 3);
    ck_assert(same(values[0], -1e9F) && same(values[1], -2.0F * 0.1F) && same(values[2], -1e9F));
}
END_TEST

START_TEST(dropout_scales_the_survivors_and_has_its_edges)
{
    const struct core_kernels *const set = kernels(_i);
    const float weights[3] = {0.2F, -0.3F, 0.5F};
    const float keep[3] = {1.0F, 0.0F, 1.0F};
    float out[3];
    set->dropout(out, weights, keep, 0.1, 3);
    ck_assert(same(out[0], 0.2F * (1.0F / (float)0.9)) && same(out[1], -0.0F));
    ck_assert(fabs((double)out[2] - 0.55555555) < 1e-6);
    set->dropout(out, weights, keep, 0.0, 3);
    ck_assert(same(out[0], 0.2F) && same(out[1], -0.0F) && same(out[2], 0.5F));
    const float odd[3] = {-1.0F, NAN, INFINITY};
    set->dropout(out, odd, NULL, 1.0, 3);
    ck_assert(same(out[0], -0.0F) && isnan(out[1]) && isnan(out[2]));
}
END_TEST

START_TEST(the_public_kernels_take_the_documented_orders)
{
    enum { T = 9, S = 8, D = 33 };
    static float q[T * D];
    static float k[S * D];
    static float scores[T * S];
    static float context[T * D];
    static float linear[T * S];
    uint64_t state = 3;
    fill(q, T * D, &state);
    fill(k, S * D, &state);
    attn_scores(scores, q, k, T, S, D);
    attn_linear(linear, q, k, NULL, T, D, S);
    attn_mix(context, scores, k, T, S, D);
    for (int t = 0; t < T; t++) {
        for (int s = 0; s < S; s++) {
            const float expected = defined_sum(ATTN_ORDER_LANES16, q + t * D, k + s * D, D, 1);
            ck_assert(same(scores[t * S + s], expected) && same(linear[t * S + s], expected));
        }
        for (int j = 0; j < D; j++) {
            ck_assert(
                same(context[t * D + j], defined_sum(ATTN_ORDER_FMA, scores + t * S, k + j, S, D)));
        }
    }
    attn_scores(scores, q, k, 2, 3, 5);
    ck_assert(same(scores[4], defined_sum(ATTN_ORDER_PLAIN, q + 5, k + 5, 5, 1)));
    bool empty = false;
    attn_softmax_row(scores, q, 11, &empty);
    float e[11];
    float most = q[0];
    for (int s = 1; s < 11; s++) {
        most = q[s] > most ? q[s] : most;
    }
    for (int s = 0; s < 11; s++) {
        e[s] = attn_expf(q[s] - most);
    }
    const float r = 1.0F / defined_sum(ATTN_ORDER_LANES8, e, NULL, 11, 1);
    for (int s = 0; s < 11; s++) {
        ck_assert(same(scores[s], e[s] * r));
    }
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("core kernels");
    TCase *const c = tcase_create("kernels");
    tcase_add_test(c, an_order_changes_where_torch_changes_its_kernel);
    tcase_add_loop_test(c, fma_is_rounded_once_for_any_three_floats, 0, CPUS);
    tcase_add_loop_test(c, exp_is_within_its_error_of_the_true_value, 0, CPUS);
    tcase_add_loop_test(c, exp_keeps_its_edges, 0, CPUS);
    tcase_add_loop_test(c, a_dot_and_a_sum_keep_their_order, 0, CPUS);
    tcase_add_loop_test(c, a_product_is_a_dot_for_each_cell, 0, 18 * CPUS);
    tcase_add_loop_test(c, every_cpu_gives_the_same_bits, 0, 60);
    tcase_add_loop_test(c, softmax_holds_at_the_extremes, 0,
                        CPUS * (int)(sizeof extremes / sizeof *extremes));
    tcase_add_loop_test(c, a_row_without_keys_is_zeros_and_said_to_be_empty, 0, CPUS);
    tcase_add_loop_test(c, a_nan_or_an_infinity_in_a_row_makes_the_row_nan, 0, CPUS);
    tcase_add_loop_test(c, element_wise_kernels_do_what_they_say_and_may_work_in_place, 0, CPUS);
    tcase_add_loop_test(c, dropout_scales_the_survivors_and_has_its_edges, 0, CPUS);
    tcase_add_test(c, the_public_kernels_take_the_documented_orders);
    suite_add_tcase(s, c);
    return s;
}
