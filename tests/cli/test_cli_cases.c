/* Command lines and all that they print, byte for byte: tests/golden/cli/NAME.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "program.h"
#include "runner.h"

static const struct {
    const char *name; /* of the golden file */
    int status;
    struct program program;
} cases[] = {
    {"run-single", 0, {.args = {"run", "single", "--dim-in", "3"}}},
    {"run-cross", 0, {.args = {"run", "cross", "--memory-length=2", "--batch=2", "--mask=causal"}}},
    {"run-v1", 0, {.args = {"run", "v1", "--seed", "7", "--length", "3"}}},
    {"run-v2", 0, {.args = {"run", "v2", "--batch", "2", "--length", "2"}}},
    {"run-v3-dropout", 0, {.args = {"run", "v3", "--train", "--dropout", "0.5", "--length", "3"}}},
    {"run-v3-mkl",
     0,
     {.args = {"run", "v3", "--train", "--torch-dropout=mkl", "--only", "dropped"}}},
    {"run-loaded", 0, {.args = {"run", "v3", "--load", "v3.npz", "--verbose"}}},
    {"run-multihead-names",
     0,
     {.args = {"run", "v3", "--load", "multihead.npz", "--only", "output"}}},
    {"run-keep", 0, {.args = {"run", "v3", "--load", "keep.npz", "--only", "dropped"}}},
    {"run-q-k-v",
     0,
     {.args = {"run", "single", "--load=q=q.npy", "--load=k=k.npy", "--load=v=v.npy"}}},
    {"run-standard-input",
     0,
     {.args = {"run", "v1", "--load", "x=-", "--only=x"}, .input = "x.npy"}},
    {"run-nan", 0, {.args = {"run", "v3", "--load", "x=nan.npy", "--mask", "causal"}}},
    {"run-nan-input", 0, {.args = {"run", "v3", "--load", "x=nan.npy", "--only", "x"}}},
    {"run-empty-row", 0, {.args = {"run", "v3", "--mask", "mask-empty-row.npy", "--only=weights"}}},
    {"run-empty-row-nan",
     0,
     {.args = {"run", "v3", "--mask=mask-empty-row.npy", "--empty-row=nan", "--only=weights"}}},
    {"run-finite-fill",
     0,
     {.args = {"run", "v3", "--mask=mask-empty-row.npy", "--mask-fill", "-1e9", "--only=weights"}}},
    {"run-leaking-fill",
     0,
     {.args = {"run", "v3", "--mask=causal", "--mask-fill=1e-20", "--only=masked"}}},
    {"run-mask-keeps-0",
     0,
     {.args = {"run", "v3", "--mask=mask.npy", "--mask-keeps=0", "--only=mask"}}},
    {"run-padding",
     0,
     {.args = {"run", "v3", "--mask=padding:1,3", "--batch=2", "--only=weights"}}},
    {"run-bottom-right",
     0,
     {.args = {"run", "cross", "--length=2", "--memory-length=5", "--mask=causal",
               "--causal-align=bottom-right", "--only=masked"}}},
    {"load-device", 1, {.args = {"run", "single", "--load=x=/dev/zero"}}},
    {"export-small", 2, {.args = {"export", "v3", "--cast=small.cast", "--size=20x5"}}},
    {"run-no-scale", 0, {.args = {"run", "v1", "--no-scale", "--only", "scaled"}}},
    {"run-bug", 0, {.args = {"run", "v3", "--mask=causal", "--bug=mask-tiny-fill"}}},
    {"run-two-bugs",
     0,
     {.args = {"run", "v2", "--bug=qkv-order+softmax-queries", "--only=weights"}}},
    {"run-json-bug", 0, {.args = {"run", "v1", "--bug=no-bias", "--json", "--only=q"}}},
    {"run-only-weight", 0, {.args = {"run", "v1", "--only", "q_proj.weight"}}},
    {"run-only-bias", 0, {.args = {"run", "v3", "--only", "proj.bias"}}},
    {"run-tokens-of-a-file", 0, {.args = {"run", "v3", "--tokens=@tokens.txt", "--only=weights"}}},
    {"run-json",
     0,
     {.args = {"run", "v3", "--length=2", "--dim=2", "--tokens=the café", "--json"}}},
    {"run-json-c", 0, {.args = {"run", "v1", "--tokens=é", "--json", "--only=x"}, .locale = "C"}},
    {"run-json-flags",
     0,
     {.args = {"run", "v3", "--load=x=nan.npy", "--mask=mask-empty-row.npy", "--json",
               "--only=weights"}}},
    {"run-ambiguous-mask",
     0,
     {.args = {"run", "v3", "--mask=mask.npy", "--batch=4", "--length=4", "--only=context"}}},
    {"lesson-check", 1, {.args = {"lesson", "check", "sound.md", "broken.md"}, .reports = true}},
    {"lesson-check-all", 0, {.args = {"lesson", "check", "sound.md", "some/README.md"}}},
    {"lesson-check-c",
     1,
     {.args = {"lesson", "check", "broken.md"}, .locale = "C", .reports = true}},
    {"worksheet", 0, {.args = {"worksheet", "./sound.md", "--seed=3"}}},
    {"worksheet-key", 0, {.args = {"worksheet", "./sound.md", "--seed=3", "--key"}}},
    {"worksheet-broken", 1, {.args = {"worksheet", "./broken.md"}, .reports = true}},
    {"worksheet-of-none", 2, {.args = {"worksheet"}}},
    {"lab", 0, {.args = {"lab"}}},
    {"lab-unknown", 2, {.args = {"lab", "scalling"}}},
    {"lab-scaling", 0, {.args = {"lab", "scaling", "--length=4", "--plain"}}},
    {"lab-scaling-screen",
     0,
     {.args = {"lab", "scaling", "--keys", "Left Left", "--size=80x24"}, .locale = "C.UTF-8"}},
    {"lab-masks", 0, {.args = {"lab", "masks", "--mask=causal", "--mask-fill=1e-20", "--plain"}}},
    {"lab-masks-screen", 0, {.args = {"lab", "masks", "--keys=m Down Enter", "--size=80x24"}}},
    {"lab-cost", 0, {.args = {"lab", "cost", "--dim=128", "--no-measure", "--plain"}}},
    {"lab-cost-screen",
     0,
     {.args = {"lab", "cost", "--no-measure", "--keys=Down", "--size=100x36"}}},
    {"lab-scaling-c", 0, {.args = {"lab", "scaling", "--size=60x20"}, .locale = "C"}},
    {"lesson-none", 1, {.args = {"lesson", "check", "there-is-none.md"}}},
    {"lesson-action", 2, {.args = {"lesson", "chek"}}},
    {"walk-plain-long", 0, {.args = {"walk", "single", "--length=20", "--dim=2", "--plain"}}},
    {"explain-scores", 0, {.args = {"explain", "v3", "scores", "2", "1", "--mask", "causal"}}},
    {"explain-weights", 0, {.args = {"explain", "v3", "weights", "2", "1", "--mask", "causal"}}},
    {"explain-masked", 0, {.args = {"explain", "v3", "masked[0,1,2]", "--mask=causal"}}},
    {"explain-empty-row",
     0,
     {.args = {"explain", "v3", "weights[1,0]", "--mask=mask-empty-row.npy"}}},
    {"explain-dropped", 0, {.args = {"explain", "v3", "dropped", "0", "1", "2", "--train"}}},
    {"explain-output", 0, {.args = {"explain", "v3", "output", "3", "3"}}},
    {"explain-input", 0, {.args = {"explain", "v3", "x", "3", "1"}}},
    {"explain-loaded-weight",
     0,
     {.args = {"explain", "v3", "w_qkv", "5", "1", "--load", "v3.npz"}}},
    {"explain-json", 0, {.args = {"explain", "v3", "scores[1,2]", "--json"}}},
    {"explain-slopes",
     0,
     {.args = {"explain", "v3", "output[0,0]", "--mask=causal", "--slopes", "12"}}},
    {"explain-slopes-json",
     0,
     {.args = {"explain", "cross", "weights[1,0]", "--batch=1", "--slopes=3", "--json"}}},
    {"explain-slopes-bug",
     0,
     {.args = {"explain", "v3", "output[1,0]", "--bug=no-scale", "--slopes=5"}}},
    {"explain-slopes-input", 2, {.args = {"explain", "v3", "x[1,0]", "--slopes=5"}}},
    {"explain-slopes-none", 2, {.args = {"explain", "v3", "output[1,0]", "--slopes=0"}}},
    {"explain-c", 0, {.args = {"explain", "v3", "weights[1,2]"}, .locale = "C"}},
    {"code-pytorch", 0, {.args = {"code", "v3", "--mask", "causal", "--train"}}},
    {"code-pytorch-loaded",
     0,
     {.args = {"code", "v3", "--load", "v3.npz", "--mask", "causal+padding:2", "--scale", "0.5"}}},
    {"code-pytorch-c", 0, {.args = {"code", "cross", "--mask=padding:3"}, .locale = "C"}},
    {"code-numpy", 0, {.args = {"code", "v1", "--dim", "2", "--lang", "numpy"}}},
    {"code-numpy-empty-row",
     0,
     {.args = {"code", "single", "--mask=mask-empty-row.npy", "--lang=numpy"}}},
    {"code-c", 0, {.args = {"code", "v2", "--dim=2", "--length=2", "--lang", "c"}}},
    {"code-c-mask",
     0,
     {.args = {"code", "v3", "--dim=2", "--mask=causal+padding:4,2,0", "--batch=3", "--lang=c"}}},
    {"code-q-k-v",
     0,
     {.args = {"code", "single", "--load=q=q.npy", "--load=k=k.npy", "--load=v=v.npy"}}},
    {"version", 0, {.args = {"--version"}}},
    {"help", 0, {.args = {"help"}}},
    {"help-run", 0, {.args = {"run", "v3", "--help"}}},
    {"help-explain", 0, {.args = {"help", "explain"}}},
    {"help-code", 0, {.args = {"code", "--help"}}},
    {"help-policies", 0, {.args = {"help", "policies"}}},
    {"help-variants", 0, {.args = {"help", "variants"}}},
    {"help-variant", 0, {.args = {"help", "v3"}}},
    {"help-bugs", 0, {.args = {"help", "bugs"}}},
    {"help-check", 0, {.args = {"help", "check"}}},
    {"check-starter-numpy", 0, {.args = {"check", "v3", "--starter", "numpy"}}},
    {"check-starter-pytorch", 0, {.args = {"check", "cross", "--starter", "pytorch"}}},
    {"check-starter-c", 0, {.args = {"check", "v2", "--starter=c"}}},
    {"help-option", 0, {.args = {"help", "mask-fill"}}},
    {"help-keys", 0, {.args = {"help", "keys"}}},
    {"help-key", 0, {.args = {"help", "Enter"}}},
    {"help-letter", 0, {.args = {"help", "/"}}},
    {"help-stage", 0, {.args = {"help", "Softmax"}}},
    {"help-tensor", 0, {.args = {"help", "weights"}}},
    {"help-weight", 0, {.args = {"help", "output_proj.bias"}}},
    {"help-dash-option", 0, {.args = {"help", "--mask"}}},
    {"help-capital-variant", 0, {.args = {"help", "V3"}}},
    {"help-stages-c", 0, {.args = {"help", "stages"}, .locale = "C"}},

    {"unknown-command", 2, {.args = {"rnu"}}},
    {"unknown-option", 2, {.args = {"run", "v3", "--mask-fil", "3"}}},
    {"unknown-variant", 2, {.args = {"run", "singel"}}},
    {"unknown-language", 2, {.args = {"code", "v3", "--lang", "numpi"}}},
    {"unknown-tensor", 2, {.args = {"run", "v3", "--only", "wieghts"}}},
    {"unknown-topic", 2, {.args = {"help", "polcies"}}},
    {"variant-missing", 2, {.args = {"run"}}},
    {"variant-as-command", 2, {.args = {"v3"}}},
    {"value-missing", 2, {.args = {"run", "v3", "--seed"}}},
    {"value-too-many", 2, {.args = {"run", "v3", "--json=yes"}}},
    {"word-too-many", 2, {.args = {"run", "v3", "v2"}}},
    {"dash-dash", 2, {.args = {"run", "--", "--json"}}},
    {"dim-zero", 2, {.args = {"run", "v3", "--dim", "0"}}},
    {"dropout-above-one", 2, {.args = {"run", "v3", "--dropout", "1.5"}}},
    {"dropout-comma", 2, {.args = {"run", "v3", "--dropout", "0,5"}}},
    {"mask-for-v1", 2, {.args = {"run", "v1", "--mask", "causal"}}},
    {"mask-for-v2-c", 2, {.args = {"run", "v2", "--load", "mask=mask.npy"}, .locale = "C"}},
    {"dropout-for-single", 2, {.args = {"run", "single", "--dropout", "0.5"}}},
    {"size-against-file", 2, {.args = {"run", "v3", "--load=v3.npz", "--dim=8"}}},
    {"tokens-against-file", 2, {.args = {"run", "v3", "--load=v3.npz", "--tokens=a b"}}},
    {"memory-for-v3", 2, {.args = {"run", "v3", "--memory-length", "3"}}},
    {"masked-without-mask", 2, {.args = {"run", "v3", "--only", "masked"}}},
    {"bug-unknown", 2, {.args = {"run", "v3", "--bug", "no-scael"}}},
    {"bug-without-effect", 2, {.args = {"run", "v1", "--bug", "no-output"}}},
    {"bugs-that-exclude", 2, {.args = {"run", "v1", "--bug", "no-scale+scale-dk"}}},
    {"check-what", 2, {.args = {"check", "v3"}}},
    {"check-two-ways", 2, {.args = {"check", "v3", "--got=x.npy", "--starter=c"}}},
    {"check-no-program", 2, {.args = {"check", "v3", "--"}}},
    {"check-with-bug", 2, {.args = {"check", "v3", "--bug=no-scale", "--got=x.npy"}}},
    {"check-tolerance", 2, {.args = {"check", "v3", "--got=x.npy", "--tol", "0"}}},
    {"check-timeout", 2, {.args = {"check", "v3", "--timeout=0", "--", "true"}}},
    {"check-language", 2, {.args = {"check", "v3", "--starter", "nunpy"}}},
    {"check-no-such-tensor", 2, {.args = {"check", "v3", "--got", "outptu=x.npy"}}},
    {"index-outside", 2, {.args = {"explain", "v3", "weights", "0", "4"}}},
    {"index-missing", 2, {.args = {"explain", "v3", "weights", "1"}}},
    {"index-not-ended", 2, {.args = {"explain", "v3", "weights[0,1"}}},
    {"save-unknown-ending", 2, {.args = {"run", "v3", "--save", "out.txt"}}},
    {"stdin-without-name", 2, {.args = {"run", "v3", "--load", "-"}}},

    {"check-no-such-program", 3, {.args = {"check", "v3", "--", "./no-such-program"}}},
    {"check-no-file", 3, {.args = {"check", "v3", "--got", "absent.npz"}}},
    {"check-shape", 3, {.args = {"check", "v3", "--got", "output=x.npy"}}},
    {"check-nothing", 3, {.args = {"check", "v3", "--got", "two.npz"}}},
    {"shape-misfit", 1, {.args = {"run", "v3", "--load", "misfit.npz"}}},
    {"shape-merged", 1, {.args = {"run", "v2", "--load", "merged-7.npz"}}},
    {"shape-of-x", 1, {.args = {"run", "v3", "--load", "x=line.npy"}}},
    {"shape-of-values",
     1,
     {.args = {"run", "v3", "--load=q=q.npy", "--load=k=k.npy", "--load=v=v.npy"}}},
    {"shape-of-mask", 1, {.args = {"run", "v3", "--mask=mask-2x4.npy", "--batch=2"}}},
    {"mask-of-tenths", 1, {.args = {"run", "v3", "--mask=mask-tenths.npy"}}},
    {"nothing-fits", 1, {.args = {"run", "v3", "--load", "nothing.npz"}}},
    {"twice-the-same", 1, {.args = {"run", "v2", "--load", "two.npz"}}},
    {"no-such-file", 1, {.args = {"run", "v3", "--load", "absent.npz"}}},
    {"cut-file", 1, {.args = {"run", "v3", "--load", "cut.npz"}}},
    {"too-large", 1, {.args = {"run", "v3", "--length", "60000"}}},
    {"save-nowhere", 1, {.args = {"run", "v3", "--save", "absent/out.npz"}}},
    {"full", 1, {.args = {"run", "v3"}, .sink = PROGRAM_FULL}},
    {"full-help", 1, {.args = {"help"}, .sink = PROGRAM_FULL}},
    {"shut", 1, {.args = {"--version"}, .sink = PROGRAM_SHUT}},
};

enum { N_CASES = sizeof cases / sizeof cases[0] };

/** A refusal prints nothing else, and its one line says who speaks. */
static void check_refusal(const char *name, const struct program_result *r)
{
    ck_assert_msg(r->n_out == 0, "%s prints %s", name, r->out);
    ck_assert_msg(strncmp(r->err, "attn: ", 6) == 0, "%s: %s", name, r->err);
    ck_assert_msg(strchr(r->err, '\n') == r->err + strlen(r->err) - 1, "%s: %s", name, r->err);
}

START_TEST(a_command_line_prints_what_it_always_did)
{
    struct program_result r;
    char name[64];
    program_run(&cases[_i].program, &r);
    ck_assert_msg(r.status == cases[_i].status, "%s: exit %d: %s", cases[_i].name, r.status, r.err);
    if (r.status != 0 && !cases[_i].program.reports) {
        check_refusal(cases[_i].name, &r);
    }
    const size_t size = strlen(r.out) + strlen(r.err) + 64;
    char *const text = malloc(size);
    ck_assert_ptr_nonnull(text);
    snprintf(text, size, "%s== standard error, exit %d\n%s", r.out, r.status, r.err);
    snprintf(name, sizeof name, "cli/%s.txt", cases[_i].name);
    golden_check(name, text);
    free(text);
    program_finish(&r);
}
END_TEST

START_TEST(in_the_c_locale_no_byte_is_beyond_ascii)
{
    struct program program = cases[_i].program;
    struct program_result r;
    if (program.locale != NULL) {
        return; /* the golden file shows it */
    }
    program.locale = "C";
    program_run(&program, &r);
    for (const char *text = r.out; *text != '\0'; text++) {
        ck_assert_msg((unsigned char)*text < 0x80, "%s: %s", cases[_i].name, text);
    }
    for (const char *text = r.err; *text != '\0'; text++) {
        ck_assert_msg((unsigned char)*text < 0x80, "%s: %s", cases[_i].name, text);
    }
    program_finish(&r);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("command lines");
    TCase *const t = tcase_create("cases");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, a_command_line_prints_what_it_always_did, 0, N_CASES);
    tcase_add_loop_test(t, in_the_c_locale_no_byte_is_beyond_ascii, 0, N_CASES);
    suite_add_tcase(s, t);
    return s;
}
