/* From options and files to the inputs of a trace: sizes, names, masks, draws. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attn/attn.h"
#include "config.h"
#include "config_files.h"
#include "io.h"
#include "runner.h"
#include "torch.h"

/* What is refused: the options, who is at fault ("@" a file), and words of the message. */
static const struct {
    enum attn_variant variant;
    const char *options[CONFIG_OPTIONS_MAX];
    enum attn_status status;
    const char *what;
    const char *words[4];
} refusals[] = {
    {ATTN_V1, {"--mask=causal"}, ATTN_E_UNSUPPORTED, "--mask", {"v1", "single, cross and v3"}},
    {ATTN_V2, {"--dropout=0.1"}, ATTN_E_UNSUPPORTED, "--dropout", {"v2", "v3"}},
    {ATTN_SINGLE, {"--train"}, ATTN_E_UNSUPPORTED, "--train", {"single", "v3"}},
    {ATTN_V1, {"--load=@mask.npz"}, ATTN_E_UNSUPPORTED, "--load", {"mask.npz", "v1", "v3"}},
    {ATTN_V2, {"--load=keep=@keep.npz"}, ATTN_E_UNSUPPORTED, "--load", {"keep.npz", "v3"}},
    {ATTN_V3, {"--load=@misfit.npz"}, ATTN_E_SHAPE, "@misfit.npz", {"[1,3,4]", "[6,2]", "[1,3,2]"}},
    {ATTN_V2, {"--load=@merged.npz"}, ATTN_E_SHAPE, "@merged.npz", {"[7,2]", "3×d", "[6,2]"}},
    {ATTN_V3, {"--load=@gpt2.npz"}, ATTN_E_VALUE, "@gpt2.npz", {"--prefix h.0.attn."}},
    {ATTN_V3,
     {"--load=@gpt2.npz", "--prefix=h.0.attn."},
     ATTN_E_SHAPE,
     "@gpt2.npz",
     {"--layout in-out"}},
    {ATTN_V2,
     {"--load=@turned.npz"},
     ATTN_E_SHAPE,
     "@turned.npz",
     {"[2,6]", "[6,2]", "--layout in-out"}},
    {ATTN_V2, {"--load=@bias.npz"}, ATTN_E_SHAPE, "@bias.npz", {"[7]", "3×d"}},
    {ATTN_V1, {"--load=@wide.npz"}, ATTN_E_SHAPE, "@wide.npz", {"[4,2]", "v1", "[4,4]"}},
    {ATTN_V3, {"--load=@nothing.npz"}, ATTN_E_VALUE, "@nothing.npz", {"meta [5]", "scores [3,3]"}},
    {ATTN_V3, {"--load=@two.npz"}, ATTN_E_VALUE, "@two.npz", {"proj.weight", "qkv.weight"}},
    {ATTN_V3, {"--load=@x.npy"}, ATTN_E_VALUE, "@x.npy", {"[3,2]", "x=FILE"}},
    {ATTN_V3, {"--load=x=@line.npy"}, ATTN_E_SHAPE, "@line.npy", {"[3]", "[B,T,d_in]"}},
    {ATTN_V3, {"--load=proj.weight=@x3.npy"}, ATTN_E_SHAPE, "@x3.npy", {"[2,3,2]", "[3d,d_in]"}},
    {ATTN_V3, {"--load=wieght=@x.npy"}, ATTN_E_VALUE, "--load", {"'wieght'", "proj.weight"}},
    {ATTN_V3, {"--load=scores=@x.npy"}, ATTN_E_VALUE, "--load", {"scores", "computed"}},
    {ATTN_V3, {"--load=keep=@v3.npz"}, ATTN_E_VALUE, "@v3.npz", {"'keep'", "x [1,3,2]"}},
    {ATTN_V3, {"--load=@half.npz"}, ATTN_E_VALUE, "@half.npz", {"keep[0,0,0]", "0.01"}},
    {ATTN_V3, {"--load=@p.npz"}, ATTN_E_VALUE, "@p.npz", {"1.51", "0 to 1"}},
    {ATTN_V3, {"--load=q=@q.npy", "--load=k=@k.npy"}, ATTN_E_VALUE, "--load", {"v is missing"}},
    {ATTN_V3, {"--load=q=@q.npy"}, ATTN_E_VALUE, "--load", {"k and v are missing"}},
    {ATTN_V3, {"--load=v=@q.npy"}, ATTN_E_VALUE, "--load", {"q and k are missing"}},
    {ATTN_V3, {"--load=@true.json"}, ATTN_E_VALUE, "@true.json", {"x is true and false"}},
    {ATTN_V3, {"--load=proj.bias=@x.npy"}, ATTN_E_SHAPE, "@x.npy", {"[3,2]", "[3d]"}},
    {ATTN_V3,
     {"--load=q=@q.npy", "--load=k=@k.npy", "--load=v=@v.npy"},
     ATTN_E_SHAPE,
     "@v.npy",
     {"[4,5]", "[4,3]"}},
    {ATTN_V3,
     {"--load=@v3.npz", "--dim=8"},
     ATTN_E_VALUE,
     "--dim",
     {"8", "proj.weight [6,2]", "gives 2"}},
    {ATTN_V3, {"--load=x=@x3.npy", "--batch=3"}, ATTN_E_VALUE, "--batch", {"3", "[2,3,2]", "2"}},
    {ATTN_V3,
     {"--load=x=@x.npy", "--tokens=a b"},
     ATTN_E_VALUE,
     "--tokens",
     {"2 tokens", "3 queries"}},
    {ATTN_V3, {"--tokens=a b c", "--length=4"}, ATTN_E_VALUE, "--tokens", {"3 tokens", "4"}},
    {ATTN_V3, {"--memory-length=4"}, ATTN_E_UNSUPPORTED, "--memory-length", {"v3", "cross"}},
    {ATTN_V1, {"--memory-tokens=a"}, ATTN_E_UNSUPPORTED, "--memory-tokens", {"cross"}},
    {ATTN_V2, {"--dim-in=6"}, ATTN_E_UNSUPPORTED, "--dim-in", {"6", "v2", "4", "single and cross"}},
    {ATTN_V3, {"--mask=padding:5"}, ATTN_E_VALUE, "--mask", {"5"}},
    {ATTN_V3, {"--mask=padding:1,2"}, ATTN_E_SHAPE, "--mask", {"2", "batch of 1"}},
    {ATTN_V3, {"--mask=@tenth.npy"}, ATTN_E_VALUE, "@tenth.npy", {"0.01", "0 and 1"}},
    {ATTN_V3,
     {"--mask=@mask24.npy", "--batch=2"},
     ATTN_E_SHAPE,
     "@mask24.npy",
     {"[2,4]", "[B,1,S]"}},
    {ATTN_V3, {"--load=mask=@mask44.npy", "--length=5"}, ATTN_E_SHAPE, "@mask44.npy", {"[4,4]"}},
    {ATTN_V3, {"--load=@none.npz"}, ATTN_E_IO, "@none.npz", {"No such file"}},
    {ATTN_V3, {"--max-memory=1K"}, ATTN_E_LIMIT, "", {"1.0 KiB", "--max-memory"}},
    {ATTN_V3, {"--length=65536", "--dim=65536"}, ATTN_E_LIMIT, "", {"GiB", "4.0 GiB"}},
};

enum { N_REFUSALS = sizeof refusals / sizeof refusals[0] };

START_TEST(what_does_not_fit_is_refused_with_both_sides_named)
{
    struct config config;
    struct setup setup;
    struct attn_error err = {.message = ""};
    char what[256];
    const char *const w = refusals[_i].what;
    snprintf(what, sizeof what, "%s%s%s", w[0] == '@' ? config_files_directory() : "",
             w[0] == '@' ? "/" : "", w[0] == '@' ? w + 1 : w);
    config_files_config(&config, refusals[_i].variant, refusals[_i].options);
    memset(&setup, 0x5a, sizeof setup);
    const struct setup before = setup;
    const enum attn_status status = config_build(&setup, &config, &err);
    ck_assert_msg(status == refusals[_i].status, "%s: status %d: %s", refusals[_i].options[0],
                  (int)status, err.message);
    ck_assert_str_eq(err.what, what);
    for (int k = 0; k < 4 && refusals[_i].words[k] != NULL; k++) {
        ck_assert_msg(strstr(err.message, refusals[_i].words[k]) != NULL, "%s: no '%s' in: %s",
                      refusals[_i].options[0], refusals[_i].words[k], err.message);
    }
    ck_assert_msg(memcmp(&setup, &before, sizeof setup) == 0, "the setup was touched");
    config_finish(&config);
}
END_TEST

/* What the sizes become: B, T, S, d_in, d, d_v. */
static const struct {
    enum attn_variant variant;
    const char *options[CONFIG_OPTIONS_MAX];
    int sizes[6];
} sized[] = {
    {ATTN_V3, {NULL}, {1, 4, 4, 4, 4, 4}},
    {ATTN_CROSS, {"--length=6"}, {1, 6, 4, 4, 4, 4}},
    {ATTN_SINGLE, {"--length=6"}, {1, 6, 6, 4, 4, 4}},
    {ATTN_SINGLE, {"--dim=3", "--dim-in=5"}, {1, 4, 4, 5, 3, 3}},
    {ATTN_V2, {"--dim=3", "--dim-in=3", "--batch=2"}, {2, 4, 4, 3, 3, 3}},
    {ATTN_V3, {"--tokens=a b c"}, {1, 3, 3, 4, 4, 4}},
    {ATTN_V3, {"--tokens=a b c", "--length=3"}, {1, 3, 3, 4, 4, 4}},
    {ATTN_CROSS, {"--tokens=a", "--memory-tokens=b c"}, {1, 1, 2, 4, 4, 4}},
    {ATTN_V3, {"--load=@v3.npz"}, {1, 3, 3, 2, 2, 2}},
    {ATTN_V3, {"--load=@v3.npz", "--dim=2", "--length=3"}, {1, 3, 3, 2, 2, 2}},
    {ATTN_V3, {"--load=@torch.npz", "--length=5"}, {1, 5, 5, 2, 2, 2}},
    {ATTN_V3, {"--load=x=@x.npy"}, {1, 3, 3, 2, 2, 2}},
    {ATTN_SINGLE, {"--load=x=@x3.npy", "--dim=7"}, {2, 3, 3, 2, 7, 7}},
    {ATTN_SINGLE, {"--load=x=@x3.npy", "--load=x=@x.npy"}, {1, 3, 3, 2, 4, 4}},
    {ATTN_CROSS, {"--load=memory=@x3.npy"}, {2, 4, 3, 2, 4, 4}},
    {ATTN_SINGLE, {"--load=q=@q.npy", "--load=k=@k.npy", "--load=v=@v.npy"}, {1, 2, 4, 3, 3, 5}},
    {ATTN_V3, {"--load=@keep.npz"}, {1, 2, 2, 4, 4, 4}},
    {ATTN_SINGLE, {"--load=@mask.npz"}, {1, 4, 4, 2, 4, 4}},
    {ATTN_CROSS, {"--load=mask=@mask24.npy"}, {1, 2, 4, 4, 4, 4}},
};

enum { N_SIZED = sizeof sized / sizeof sized[0] };

START_TEST(sizes_come_from_files_then_from_options_then_from_defaults)
{
    struct config config;
    struct setup setup;
    struct attn_error err = {.message = ""};
    config_files_config(&config, sized[_i].variant, sized[_i].options);
    ck_assert_msg(config_build(&setup, &config, &err) == ATTN_OK, "%s", err.message);
    const attn_sizes *const z = &setup.config.sizes;
    const int got[] = {z->B, z->T, z->S, z->d_in, z->d, z->d_v};
    for (int k = 0; k < 6; k++) {
        ck_assert_msg(got[k] == sized[_i].sizes[k], "%d of row %d is %d", k, _i, got[k]);
    }
    attn_trace *trace = NULL;
    ck_assert_msg(attn_trace_create(&trace, &setup.config, setup.inputs, &err) == ATTN_OK, "%s",
                  err.message);
    attn_trace_destroy(trace);
    setup_finish(&setup);
    config_finish(&config);
}
END_TEST

static void build(struct setup *setup, enum attn_variant variant,
                  const char *const options[CONFIG_OPTIONS_MAX])
{
    struct config config;
    struct attn_error err = {.message = ""};
    config_files_config(&config, variant, options);
    ck_assert_msg(config_build(setup, &config, &err) == ATTN_OK, "%s", err.message);
    config_finish(&config);
}

static bool equal(const attn_tensor *a, const attn_tensor *b)
{
    const size_t n = attn_tensor_count(a);
    return a->data != NULL && b->data != NULL && n == attn_tensor_count(b) &&
           memcmp(a->data, b->data, n * sizeof *a->data) == 0;
}

START_TEST(draws_are_made_in_the_order_of_the_program)
{
    struct setup s;
    float w[48];
    float b[12];
    float wo[16];
    float bo[4];
    float x[16];
    float keep[16];
    struct torch_generator g;
    torch_seed(&g, 7);
    torch_linear(&g, w, b, 4, 12);
    torch_linear(&g, wo, bo, 4, 4);
    torch_randn(&g, x, 16);
    torch_dropout_keep(&g, keep, 16, 0.5, TORCH_DROPOUT_MT);
    build(&s, ATTN_V3,
          (const char *const[CONFIG_OPTIONS_MAX]){"--seed=7", "--train", "--dropout=0.5"});
    ck_assert_mem_eq(s.inputs[ATTN_W_QKV].data, w, sizeof w);
    ck_assert_mem_eq(s.inputs[ATTN_B_QKV].data, b, sizeof b);
    ck_assert_mem_eq(s.inputs[ATTN_W_OUT].data, wo, sizeof wo);
    ck_assert_mem_eq(s.inputs[ATTN_B_OUT].data, bo, sizeof bo);
    ck_assert_mem_eq(s.inputs[ATTN_X].data, x, sizeof x);
    ck_assert_mem_eq(s.inputs[ATTN_KEEP].data, keep, sizeof keep);
    ck_assert(s.config.training && s.config.dropout_p == 0.5 && !s.loaded);
    setup_finish(&s);
}
END_TEST

START_TEST(what_is_loaded_moves_no_draw)
{
    struct setup plain;
    struct setup loaded;
    build(&plain, ATTN_V3,
          (const char *const[CONFIG_OPTIONS_MAX]){"--length=3", "--dim=2", "--train",
                                                  "--dropout=0.5"});
    build(&loaded, ATTN_V3,
          (const char *const[CONFIG_OPTIONS_MAX]){
              "--load=x=@x.npy", "--load=proj.weight=@torch.npz", "--train", "--dropout=0.5"});
    ck_assert(!equal(&plain.inputs[ATTN_X], &loaded.inputs[ATTN_X]));
    ck_assert(!equal(&plain.inputs[ATTN_W_QKV], &loaded.inputs[ATTN_W_QKV]));
    ck_assert(equal(&plain.inputs[ATTN_B_QKV], &loaded.inputs[ATTN_B_QKV]));
    ck_assert(equal(&plain.inputs[ATTN_W_OUT], &loaded.inputs[ATTN_W_OUT]));
    ck_assert(equal(&plain.inputs[ATTN_KEEP], &loaded.inputs[ATTN_KEEP]));
    ck_assert(loaded.loaded && loaded.loaded_tensor[ATTN_X] && !loaded.loaded_tensor[ATTN_B_QKV]);
    setup_finish(&plain);
    setup_finish(&loaded);
}
END_TEST

/** x and what v3's layers hold are the same. */
static void check_same_inputs(const struct setup *ours, const struct setup *theirs)
{
    const enum attn_tensor_id ids[] = {ATTN_X, ATTN_W_QKV, ATTN_B_QKV, ATTN_W_OUT, ATTN_B_OUT};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        ck_assert_msg(equal(&ours->inputs[ids[i]], &theirs->inputs[ids[i]]), "%d", (int)ids[i]);
    }
}

static const char *const modules[] = {"--load=@torch.npz", "--load=@timm.npz"};

START_TEST(the_names_of_others_modules_and_our_own_load_the_same)
{
    struct setup ours;
    struct setup theirs;
    build(&ours, ATTN_V3, (const char *const[CONFIG_OPTIONS_MAX]){"--load=@v3.npz"});
    build(&theirs, ATTN_V3,
          (const char *const[CONFIG_OPTIONS_MAX]){modules[_i], "--load=x=@v3.npz"});
    ck_assert_int_eq(theirs.n_notes, 0);
    check_same_inputs(&ours, &theirs);
    setup_finish(&ours);
    setup_finish(&theirs);
}
END_TEST

START_TEST(a_weight_without_its_bias_is_told)
{
    struct setup s;
    build(&s, ATTN_V3, (const char *const[CONFIG_OPTIONS_MAX]){"--load=proj.weight=@v3.npz"});
    ck_assert_int_eq(s.n_notes, 1);
    ck_assert_ptr_nonnull(strstr(s.notes[0], "v3.npz: a weight without its bias"));
    ck_assert_ptr_nonnull(strstr(s.notes[0], "the seed gives proj.bias"));
    setup_finish(&s);
}
END_TEST

START_TEST(a_prefix_and_a_layout_load_what_gpt2_keeps)
{
    struct setup ours;
    struct setup theirs;
    build(&ours, ATTN_V3, (const char *const[CONFIG_OPTIONS_MAX]){"--load=@v3.npz"});
    build(&theirs, ATTN_V3,
          (const char *const[CONFIG_OPTIONS_MAX]){"--load=@gpt2.npz", "--prefix=h.0.attn.",
                                                  "--layout=in-out", "--load=x=@v3.npz"});
    check_same_inputs(&ours, &theirs);
    setup_finish(&ours);
    setup_finish(&theirs);
}
END_TEST

START_TEST(what_is_left_out_is_listed_only_when_asked)
{
    struct setup quiet;
    struct setup verbose;
    build(&quiet, ATTN_V3, (const char *const[CONFIG_OPTIONS_MAX]){"--load=@v3.npz"});
    build(&verbose, ATTN_V3,
          (const char *const[CONFIG_OPTIONS_MAX]){"--load=@v3.npz", "--verbose"});
    ck_assert_int_eq(quiet.n_notes, 0);
    ck_assert_int_eq(verbose.n_notes, 2);
    ck_assert_ptr_nonnull(strstr(verbose.notes[0], "'weights'"));
    ck_assert_ptr_nonnull(strstr(verbose.notes[1], "'meta'"));
    setup_finish(&quiet);
    setup_finish(&verbose);
    build(&quiet, ATTN_V3, (const char *const[CONFIG_OPTIONS_MAX]){"--load=@words.json"});
    build(&verbose, ATTN_V3,
          (const char *const[CONFIG_OPTIONS_MAX]){"--load=@words.json", "--verbose"});
    ck_assert_int_eq(quiet.n_notes, 0);
    ck_assert_int_eq(verbose.n_notes, 1);
    ck_assert_ptr_nonnull(strstr(verbose.notes[0], "words.json: title is no array"));
    setup_finish(&quiet);
    setup_finish(&verbose);
}
END_TEST

START_TEST(a_bias_is_a_row_or_a_column_of_a_table)
{
    static const char *const files[] = {"--load=proj.bias=@row.csv",
                                        "--load=proj.bias=@column.csv"};
    struct setup s;
    for (int i = 0; i < 2; i++) {
        build(&s, ATTN_V3, (const char *const[CONFIG_OPTIONS_MAX]){files[i]});
        ck_assert_int_eq(s.config.sizes.d, 2);
        for (int k = 0; k < 6; k++) {
            ck_assert(s.inputs[ATTN_B_QKV].data[k] == (float)(k + 1));
        }
        setup_finish(&s);
    }
}
END_TEST

START_TEST(a_loaded_pattern_means_training_and_brings_its_rate)
{
    struct setup s;
    build(&s, ATTN_V3, (const char *const[CONFIG_OPTIONS_MAX]){"--load=@keep.npz"});
    ck_assert(s.config.training && s.config.dropout_p == 0.1);
    ck_assert_float_eq(s.inputs[ATTN_KEEP].data[3], 1);
    setup_finish(&s);
    build(&s, ATTN_V3,
          (const char *const[CONFIG_OPTIONS_MAX]){"--load=keep=@keep.npz", "--dropout=0.3"});
    ck_assert(s.config.training && s.config.dropout_p == 0.3);
    setup_finish(&s);
    build(&s, ATTN_V3, (const char *const[CONFIG_OPTIONS_MAX]){"--load=@keep.json", "--prefix=h."});
    ck_assert(s.config.training && s.config.dropout_p == 0.25);
    ck_assert(s.inputs[ATTN_KEEP].data[1] == 0 && s.inputs[ATTN_KEEP].data[2] == 1);
    setup_finish(&s);
    build(&s, ATTN_V3, (const char *const[CONFIG_OPTIONS_MAX]){"--load=@keep.npz", "--eval"});
    ck_assert(!s.config.training && s.inputs[ATTN_KEEP].data == NULL);
    setup_finish(&s);
}
END_TEST

START_TEST(parts_of_a_mask_hide_together)
{
    struct setup s;
    build(&s, ATTN_V3,
          (const char *const[CONFIG_OPTIONS_MAX]){"--mask=causal+padding:2,4", "--batch=2"});
    const attn_tensor *const m = &s.inputs[ATTN_MASK];
    for (int b = 0; b < 2; b++) {
        for (int t = 0; t < 4; t++) {
            for (int k = 0; k < 4; k++) {
                const bool keep = k <= t && k < (b == 0 ? 2 : 4);
                ck_assert_msg(*attn_tensor_at(m, b, t, k) == (keep ? 1 : 0), "%d %d %d", b, t, k);
            }
        }
    }
    ck_assert_str_eq(s.mask_text, "causal+padding");
    setup_finish(&s);
}
END_TEST

START_TEST(a_mask_file_can_mean_the_opposite)
{
    struct setup s;
    build(&s, ATTN_V3,
          (const char *const[CONFIG_OPTIONS_MAX]){"--mask=@mask44.npy", "--mask-keeps=0"});
    ck_assert_float_eq(s.inputs[ATTN_MASK].data[5], 0);
    ck_assert_str_eq(s.mask_text, "file");
    setup_finish(&s);
    build(&s, ATTN_V3, (const char *const[CONFIG_OPTIONS_MAX]){"--load=mask=@mask44.npy"});
    ck_assert_float_eq(s.inputs[ATTN_MASK].data[5], 1);
    setup_finish(&s);
    build(&s, ATTN_V3, (const char *const[CONFIG_OPTIONS_MAX]){NULL});
    ck_assert_ptr_null(s.inputs[ATTN_MASK].data);
    ck_assert_str_eq(s.mask_text, "none");
    setup_finish(&s);
}
END_TEST

START_TEST(a_mask_that_could_be_read_two_ways_gets_a_note)
{
    struct setup s;
    build(&s, ATTN_V3, (const char *const[CONFIG_OPTIONS_MAX]){"--mask=@mask44.npy", "--batch=4"});
    ck_assert_int_eq(s.n_notes, 1);
    ck_assert_ptr_nonnull(strstr(s.notes[0], "[T,S]"));
    ck_assert_ptr_nonnull(strstr(s.notes[0], "[B,1,S]"));
    setup_finish(&s);
    build(&s, ATTN_V3, (const char *const[CONFIG_OPTIONS_MAX]){"--mask=@mask44.npy", "--batch=2"});
    ck_assert_int_eq(s.n_notes, 0);
    setup_finish(&s);
}
END_TEST

START_TEST(edits_replace_cells_and_one_without_a_place_is_told)
{
    struct config config;
    struct setup s;
    struct config_edit *const edits = calloc(2, sizeof *edits);
    config_init(&config, ATTN_V3);
    edits[0] = (struct config_edit){.cell = {.tensor = ATTN_X, .at = {0, 1, 2}}, .value = 9};
    edits[1] = (struct config_edit){.cell = {.tensor = ATTN_X, .at = {0, 4, 0}}, .value = 9};
    config.edits = edits;
    config.n_edits = 2;
    ck_assert_int_eq(config_build(&s, &config, NULL), ATTN_OK);
    ck_assert_float_eq(*attn_tensor_at(&s.inputs[ATTN_X], 0, 1, 2), 9);
    ck_assert_int_eq(s.n_notes, 1);
    setup_finish(&s);
    config_finish(&config);
}
END_TEST

START_TEST(keys_have_the_labels_of_the_queries_but_in_cross)
{
    struct setup s;
    build(&s, ATTN_V3, (const char *const[CONFIG_OPTIONS_MAX]){"--tokens=a b"});
    ck_assert_str_eq(s.memory_tokens.labels[1], "b");
    setup_finish(&s);
    build(&s, ATTN_CROSS, (const char *const[CONFIG_OPTIONS_MAX]){"--tokens=a b"});
    ck_assert(s.tokens.n == 2 && s.memory_tokens.n == 0 && s.config.sizes.S == 4);
    setup_finish(&s);
}
END_TEST

START_TEST(given_q_k_and_v_stand_in_the_place_of_x)
{
    struct setup s;
    build(&s, ATTN_CROSS,
          (const char *const[CONFIG_OPTIONS_MAX]){"--load=q=@q.npy", "--load=k=@k.npy",
                                                  "--load=v=@v.npy", "--load=x=@x.npy",
                                                  "--verbose"});
    ck_assert_ptr_null(s.inputs[ATTN_X].data);
    ck_assert_ptr_null(s.inputs[ATTN_MEMORY].data);
    ck_assert_ptr_null(s.inputs[ATTN_W_Q].data);
    ck_assert_float_eq(*attn_tensor_at(&s.inputs[ATTN_V], 0, 0, 4), config_files_number(4));
    ck_assert_ptr_nonnull(strstr(s.notes[0], "'x'"));
    setup_finish(&s);
}
END_TEST

/* The walk lets go of the files and builds again at each change: no option may have come to it that
 * the variant refuses. */
START_TEST(what_was_loaded_and_is_held_builds_again_in_every_variant)
{
    float rows[6] = {1, 0, 0, 1, 1, 1};
    const int dims[] = {3, 2};
    const attn_tensor x = attn_tensor_view(rows, 2, dims);
    struct config config;
    config_init(&config, (enum attn_variant)_i);
    ck_assert_int_eq(config_give(&config, ATTN_X, &x, true), ATTN_OK);
    for (int again = 0; again < 2; again++) {
        struct setup setup = {0};
        attn_trace *trace = NULL;
        struct attn_error err = {.message = ""};
        ck_assert_msg(config_trace(&setup, &trace, &config, &err) == ATTN_OK, "%s", err.message);
        ck_assert_int_eq(config_hold(&config, &setup), ATTN_OK);
        attn_trace_destroy(trace);
        setup_finish(&setup);
    }
    config_finish(&config);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("config build");
    TCase *const t = tcase_create("build");
    tcase_add_unchecked_fixture(t, config_files_make, config_files_remove);
    tcase_add_loop_test(t, what_does_not_fit_is_refused_with_both_sides_named, 0, N_REFUSALS);
    tcase_add_loop_test(t, sizes_come_from_files_then_from_options_then_from_defaults, 0, N_SIZED);
    tcase_add_test(t, draws_are_made_in_the_order_of_the_program);
    tcase_add_test(t, what_is_loaded_moves_no_draw);
    tcase_add_loop_test(t, the_names_of_others_modules_and_our_own_load_the_same, 0, 2);
    tcase_add_test(t, a_weight_without_its_bias_is_told);
    tcase_add_test(t, a_prefix_and_a_layout_load_what_gpt2_keeps);
    tcase_add_test(t, what_is_left_out_is_listed_only_when_asked);
    tcase_add_test(t, a_bias_is_a_row_or_a_column_of_a_table);
    tcase_add_test(t, a_loaded_pattern_means_training_and_brings_its_rate);
    tcase_add_test(t, parts_of_a_mask_hide_together);
    tcase_add_test(t, a_mask_file_can_mean_the_opposite);
    tcase_add_test(t, a_mask_that_could_be_read_two_ways_gets_a_note);
    tcase_add_test(t, edits_replace_cells_and_one_without_a_place_is_told);
    tcase_add_test(t, keys_have_the_labels_of_the_queries_but_in_cross);
    tcase_add_test(t, given_q_k_and_v_stand_in_the_place_of_x);
    tcase_add_loop_test(t, what_was_loaded_and_is_held_builds_again_in_every_variant, 0,
                        ATTN_N_VARIANTS);
    suite_add_tcase(s, t);
    return s;
}
