/* The code of a stage, and messages. */
#include <stdio.h>
#include <string.h>

#include "attn/trace.h"
#include "core_rig.h"
#include "runner.h"

START_TEST(every_snippet_is_filled_in_whole)
{
    const enum attn_variant variant = (enum attn_variant)(_i / ATTN_N_LANGS);
    const enum attn_lang lang = (enum attn_lang)(_i % ATTN_N_LANGS);
    rig_start(variant, 1, 3, 3, 4, 4);
    attn_trace *const trace = rig_trace();
    for (int i = 0; i < attn_trace_n_stages(trace); i++) {
        char code[1024];
        const int lines =
            attn_trace_snippet(trace, attn_trace_stage(trace, i), lang, code, sizeof code);
        int counted = 1;
        for (const char *p = code; *p != '\0'; p++) {
            counted += *p == '\n';
        }
        ck_assert_int_eq(lines, counted);
        ck_assert_msg(strpbrk(code, "{}") == NULL, "%s", code);
        ck_assert_msg(strstr(code, "()") == NULL && strstr(code, ", ,") == NULL, "%s", code);
        for (const char *line = code; line != NULL; line = strchr(line + 1, '\n')) {
            ck_assert_msg(strcspn(line + 1, "\n") < 80, "too long: %s", code);
        }
        char small[8];
        (void)attn_trace_snippet(trace, attn_trace_stage(trace, i), lang, small, sizeof small);
        ck_assert_msg(strncmp(small, code, 7) == 0 && strlen(small) <= 7, "%s", small);
    }
    attn_trace_destroy(trace);
}
END_TEST

static void check_code(const attn_trace *trace, enum attn_stage stage, enum attn_lang lang,
                       const char *expected)
{
    char code[1024];
    (void)attn_trace_snippet(trace, stage, lang, code, sizeof code);
    ck_assert_str_eq(code, expected);
}

START_TEST(a_snippet_says_what_this_trace_did)
{
    rig_start_empty_rows();
    (void)rig_give(ATTN_KEEP);
    rig.config.training = true;
    rig.config.dropout_p = 0.3;
    attn_trace *trace = rig_trace();
    check_code(trace, ATTN_STAGE_PROJECT_MERGED, ATTN_LANG_PYTORCH, "qkv = self.proj(x)");
    check_code(trace, ATTN_STAGE_PROJECT_MERGED, ATTN_LANG_NUMPY, "qkv = x @ w_qkv.T + b_qkv");
    check_code(trace, ATTN_STAGE_SCALE, ATTN_LANG_PYTORCH,
               "scaled = scores / math.sqrt(q.size(-1))");
    check_code(trace, ATTN_STAGE_MASK, ATTN_LANG_PYTORCH,
               "masked = scaled.masked_fill(mask == 0, float('-inf'))");
    check_code(trace, ATTN_STAGE_SOFTMAX, ATTN_LANG_PYTORCH,
               "weights = F.softmax(masked, dim=-1)\n"
               "weights = weights.masked_fill(masked.isneginf().all(-1, True), 0)");
    check_code(trace, ATTN_STAGE_DROP, ATTN_LANG_PYTORCH,
               "dropped = F.dropout(weights, p=0.3, training=self.training)");
    check_code(trace, ATTN_STAGE_DROP, ATTN_LANG_NUMPY,
               "dropped = weights * (keep / np.float32(1 - 0.3))");
    check_code(trace, ATTN_STAGE_MIX, ATTN_LANG_MATH, "context = dropped V");
    check_code(trace, ATTN_STAGE_OUTPUT, ATTN_LANG_PYTORCH, "output = self.output_proj(context)");
    attn_trace_destroy(trace);
    rig.config.mask_fill = -1e9F;
    rig.config.training = false;
    rig.config.scale_given = true;
    rig.config.scale = 0.1F;
    trace = rig_trace();
    check_code(trace, ATTN_STAGE_SCALE, ATTN_LANG_NUMPY, "scaled = scores * np.float32(0.1)");
    check_code(trace, ATTN_STAGE_SCALE, ATTN_LANG_MATH, "scaled = scores · 0.1");
    check_code(trace, ATTN_STAGE_MASK, ATTN_LANG_C,
               "for (int t = 0; t < T; t++) for (int s = 0; s < S; s++)\n"
               "    masked[b][t][s] = mask[b][t][s] == 0 ? -1e9f : scaled[b][t][s];");
    check_code(trace, ATTN_STAGE_SOFTMAX, ATTN_LANG_PYTORCH, "weights = F.softmax(masked, dim=-1)");
    check_code(trace, ATTN_STAGE_MIX, ATTN_LANG_NUMPY, "context = weights @ v");
    attn_trace_destroy(trace);
    rig_start(ATTN_CROSS, 1, 3, 4, 4, 2);
    trace = rig_trace();
    check_code(trace, ATTN_STAGE_PROJECT, ATTN_LANG_PYTORCH,
               "q = self.w_q(x)\nk = self.w_k(memory)\nv = self.w_v(memory)");
    check_code(trace, ATTN_STAGE_PROJECT, ATTN_LANG_MATH, "Q = X W_qᵀ\nK = Y W_kᵀ\nV = Y W_vᵀ");
    check_code(trace, ATTN_STAGE_SOFTMAX, ATTN_LANG_MATH,
               "weights = softmax(scaled), over the keys");
    attn_trace_destroy(trace);
}
END_TEST

START_TEST(a_message_is_one_clean_line_whatever_is_put_into_it)
{
    struct attn_error err = {.line = 3, .column = 4};
    ck_assert_int_eq(
        attn_fail(&err, ATTN_E_IO, "a\x1b[2J\nb\x7f\xc2\x9b", "bad %s", "x\ty\xc3\xa4"), ATTN_E_IO);
    ck_assert_str_eq(err.what, "a?[2J?b???");
    ck_assert_str_eq(err.message, "bad x?y\xc3\xa4");
    ck_assert(err.line == 0 && err.column == 0 && err.status == ATTN_E_IO);
    ck_assert_int_eq(attn_fail(&err, ATTN_E_VALUE, err.what, "again: %s", err.message),
                     ATTN_E_VALUE);
    ck_assert_str_eq(err.message, "again: bad x?y\xc3\xa4");
    ck_assert_str_eq(err.what, "a?[2J?b???");
    char name[2000];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    memcpy(name + 254, "\xe2\x88\x9e", 3); /* An ∞ across the end of what. */
    memcpy(name + 1022, "\xe2\x88\x9e", 3);
    (void)attn_fail(&err, ATTN_E_IO, name, "%s", name);
    ck_assert_uint_eq(strlen(err.what), 254);
    ck_assert_uint_eq(strlen(err.message), 1022);
    ck_assert_int_eq(attn_fail(NULL, ATTN_E_NOMEM, NULL, "%d", 1), ATTN_E_NOMEM);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("core words");
    TCase *const words = tcase_create("words");
    tcase_add_loop_test(words, every_snippet_is_filled_in_whole, 0, ATTN_N_VARIANTS * ATTN_N_LANGS);
    tcase_add_test(words, a_snippet_says_what_this_trace_did);
    tcase_add_test(words, a_message_is_one_clean_line_whatever_is_put_into_it);
    suite_add_tcase(s, words);
    return s;
}
