/* Every row of every table is complete, and agrees with the others. */
#include <stdio.h>
#include <string.h>

#include "attn/tables.h"
#include "attn/tensor.h"
#include "runner.h"

static bool filled(const char *text)
{
    return text != NULL && text[0] != '\0';
}

START_TEST(every_tensor_row_is_complete_and_its_name_its_own)
{
    const struct attn_tensor_info *const row = &attn_tensors[_i];
    ck_assert_msg(filled(row->name), "tensor %d has no name", _i);
    ck_assert_msg(filled(row->symbol) && filled(row->meaning), "%s", row->name);
    ck_assert_msg(row->axes[2] != ATTN_AXIS_NONE, "%s has no columns", row->name);
    ck_assert_msg(row->axes[1] != ATTN_AXIS_NONE || row->axes[0] == ATTN_AXIS_NONE, "%s: a gap",
                  row->name);
    for (int i = 0; i < _i; i++) {
        ck_assert_msg(strcmp(row->name, attn_tensors[i].name) != 0, "%s twice", row->name);
        ck_assert_msg(strcmp(row->symbol, attn_tensors[i].symbol) != 0, "%s twice", row->symbol);
    }
}
END_TEST

START_TEST(a_tensor_is_written_by_a_stage_exactly_if_it_is_a_stage_tensor)
{
    const struct attn_tensor_info *const row = &attn_tensors[_i];
    bool written = false;
    for (int s = 0; s < ATTN_N_STAGES; s++) {
        for (const enum attn_tensor_id *id = attn_stages[s].outputs; *id != ATTN_NO_TENSOR; id++) {
            written |= (int)*id == _i;
        }
    }
    ck_assert_msg(written == (row->group == ATTN_GROUP_STAGE), "%s", row->name);
    ck_assert_msg((row->stage != ATTN_NO_STAGE) == written, "%s", row->name);
    ck_assert_msg((row->layer != ATTN_N_LAYERS) == (row->group == ATTN_GROUP_WEIGHT), "%s",
                  row->name);
}
END_TEST

START_TEST(a_fallback_has_the_same_shape_and_an_end)
{
    const struct attn_tensor_info *row = &attn_tensors[_i];
    for (int steps = 0; row->fallback != ATTN_NO_TENSOR; steps++) {
        const struct attn_tensor_info *const next = &attn_tensors[row->fallback];
        ck_assert_msg(steps < ATTN_N_TENSORS, "%s goes round", row->name);
        ck_assert_msg(row->kind == next->kind, "%s falls back to %s", row->name, next->name);
        row = next;
    }
}
END_TEST

START_TEST(every_stage_row_is_complete)
{
    static const char *const keys = " project split score scale mask softmax drop mix output ";
    const struct attn_stage_info *const row = &attn_stages[_i];
    ck_assert_msg(filled(row->key), "stage %d has no key", _i);
    char word[32];
    (void)snprintf(word, sizeof word, " %s ", row->key);
    ck_assert_msg(strstr(keys, word) != NULL, "%s is no key of the contract", row->key);
    ck_assert_msg(filled(row->title) && filled(row->box) && filled(row->formula), "%s", row->key);
    ck_assert_msg(filled(row->box_ascii), "%s", row->key);
    for (const char *p = row->box_ascii; *p != '\0'; p++) {
        ck_assert_msg(*p >= ' ' && *p <= '~', "%s: %s", row->key, row->box_ascii);
    }
    ck_assert_msg(row->run != NULL, "%s does not run", row->key);
    ck_assert_msg(row->inputs[0] != ATTN_NO_TENSOR && row->outputs[0] != ATTN_NO_TENSOR, "%s",
                  row->key);
    ck_assert_int_eq(row->inputs[ATTN_STAGE_INPUTS_MAX] == ATTN_NO_TENSOR ||
                         row->inputs[ATTN_STAGE_INPUTS_MAX] == 0,
                     true);
    bool used = false;
    for (int v = 0; v < ATTN_N_VARIANTS; v++) {
        used |= attn_variant_has((enum attn_variant)v, (enum attn_stage)_i);
    }
    ck_assert_msg(used, "no variant has stage %d (%s)", _i, row->key);
}
END_TEST

START_TEST(every_snippet_names_its_outputs_and_only_known_placeholders)
{
    static const char *const known = " q k v qkv out kv logits probs scale_expr fill p b_q b_k b_v"
                                     " b_qkv b_out drop_expr empty ";
    const struct attn_stage_info *const row = &attn_stages[_i];
    for (int lang = 0; lang < ATTN_N_LANGS; lang++) {
        const char *const text = row->snippet[lang];
        ck_assert_msg(filled(text), "%s has no %s", row->key, attn_lang_names[lang]);
        for (const char *open = strchr(text, '{'); open != NULL; open = strchr(open + 1, '{')) {
            const char *const close = strchr(open, '}');
            ck_assert_ptr_nonnull(close);
            char word[32];
            (void)snprintf(word, sizeof word, " %.*s ", (int)(close - open - 1), open + 1);
            ck_assert_msg(strstr(known, word) != NULL, "%s, %s: {%s}", row->key,
                          attn_lang_names[lang], word);
        }
        for (const enum attn_tensor_id *id = row->outputs;
             *id != ATTN_NO_TENSOR && lang != ATTN_LANG_MATH; id++) {
            ck_assert_msg(strstr(text, attn_tensors[*id].name) != NULL, "%s, %s: no %s", row->key,
                          attn_lang_names[lang], attn_tensors[*id].name);
        }
    }
}
END_TEST

START_TEST(every_layer_row_has_a_weight_a_bias_and_names)
{
    const struct attn_layer_info *const row = &attn_layers[_i];
    ck_assert_msg(filled(row->role), "layer %d", _i);
    ck_assert_int_eq(attn_tensors[row->weight].layer, _i);
    ck_assert_int_eq(attn_tensors[row->bias].layer, _i);
    ck_assert_int_eq(attn_tensors[row->bias].axes[1], ATTN_AXIS_NONE);
    ck_assert_int_eq(attn_tensors[row->bias].axes[2], attn_tensors[row->weight].axes[1]);
    ck_assert_msg(row->aliases[0] != NULL && row->weight_names[0] != NULL &&
                      row->bias_names[0] != NULL,
                  "%s", row->role);
}
END_TEST

START_TEST(every_variant_row_is_complete)
{
    const struct attn_variant_info *const row = &attn_variants[_i];
    ck_assert_msg(filled(row->name) && filled(row->title) && filled(row->summary), "%d", _i);
    ck_assert_msg(filled(row->class_name), "%s", row->name);
    ck_assert_int_eq(attn_variant_find(row->name), _i);
    for (int l = 0; l < ATTN_N_LAYERS; l++) {
        ck_assert_msg(attn_variant_has_layer((enum attn_variant)_i, (enum attn_layer)l) ==
                          (row->layer_names[l] != NULL),
                      "%s, layer %s", row->name, attn_layers[l].role);
    }
}
END_TEST

START_TEST(every_stage_of_a_variant_reads_what_is_there_by_then)
{
    const enum attn_variant variant = (enum attn_variant)_i;
    bool there[ATTN_N_TENSORS] = {false};
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        there[i] = attn_tensors[i].group != ATTN_GROUP_STAGE;
    }
    const enum attn_stage *stage = attn_variants[variant].stages;
    for (; *stage != ATTN_NO_STAGE; stage++) {
        const struct attn_stage_info *const info = &attn_stages[*stage];
        ck_assert_int_eq(attn_stage_find(variant, info->key), *stage);
        for (const enum attn_tensor_id *id = info->inputs; *id != ATTN_NO_TENSOR; id++) {
            enum attn_tensor_id source = *id;
            while (source != ATTN_NO_TENSOR && !there[source]) {
                source = attn_tensors[source].fallback;
            }
            ck_assert_msg(source != ATTN_NO_TENSOR, "%s: %s reads %s", attn_variants[variant].name,
                          info->key, attn_tensors[*id].name);
        }
        for (const enum attn_tensor_id *id = info->outputs; *id != ATTN_NO_TENSOR; id++) {
            there[*id] = true;
        }
    }
    ck_assert(there[ATTN_Q] && there[ATTN_K] && there[ATTN_V] && there[ATTN_CONTEXT]);
}
END_TEST

START_TEST(every_tensor_of_a_variant_is_found_by_its_names_and_no_other_tensor_is)
{
    const enum attn_variant variant = (enum attn_variant)_i;
    for (int i = 0; i < ATTN_N_TENSORS; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)i;
        const bool has = attn_variant_has_tensor(variant, id);
        char name[64];
        (void)attn_tensor_name(variant, id, name, sizeof name);
        const enum attn_tensor_id expected = has ? id : ATTN_NO_TENSOR;
        ck_assert_msg(attn_tensor_find(variant, attn_tensors[i].name) == expected, "%s: %s",
                      attn_variants[variant].name, attn_tensors[i].name);
        ck_assert_msg(attn_tensor_find(variant, name) == expected, "%s: %s",
                      attn_variants[variant].name, name);
    }
    ck_assert_int_eq(attn_tensor_find(variant, "nonsense"), ATTN_NO_TENSOR);
    ck_assert_int_eq(attn_tensor_find(variant, ""), ATTN_NO_TENSOR);
    ck_assert_int_eq(attn_tensor_find(variant, ".weight"), ATTN_NO_TENSOR);
    ck_assert_int_eq(attn_tensor_find(variant, "w_q.weights"), ATTN_NO_TENSOR);
}
END_TEST

START_TEST(every_alias_finds_its_layer_in_the_variants_that_have_it)
{
    const struct attn_layer_info *const layer = &attn_layers[_i];
    for (int v = 0; v < ATTN_N_VARIANTS; v++) {
        const enum attn_variant variant = (enum attn_variant)v;
        const bool has = attn_variant_has_layer(variant, (enum attn_layer)_i);
        const bool bias = has && attn_variants[v].bias;
        for (const char *const *alias = layer->aliases; *alias != NULL; alias++) {
            char name[64];
            (void)snprintf(name, sizeof name, "%s.weight", *alias);
            ck_assert_msg(attn_tensor_find(variant, name) == (has ? layer->weight : ATTN_NO_TENSOR),
                          "%s: %s", attn_variants[v].name, name);
            (void)snprintf(name, sizeof name, "%s.bias", *alias);
            ck_assert_msg(attn_tensor_find(variant, name) == (bias ? layer->bias : ATTN_NO_TENSOR),
                          "%s: %s", attn_variants[v].name, name);
        }
        for (const char *const *whole = layer->weight_names; *whole != NULL; whole++) {
            ck_assert_msg(attn_tensor_find(variant, *whole) ==
                              (has ? layer->weight : ATTN_NO_TENSOR),
                          "%s: %s", attn_variants[v].name, *whole);
        }
        for (const char *const *whole = layer->bias_names; *whole != NULL; whole++) {
            ck_assert_msg(attn_tensor_find(variant, *whole) ==
                              (bias ? layer->bias : ATTN_NO_TENSOR),
                          "%s: %s", attn_variants[v].name, *whole);
        }
    }
}
END_TEST

START_TEST(a_weight_is_called_as_the_module_calls_it)
{
    char name[64];
    ck_assert_str_eq(attn_tensor_name(ATTN_V1, ATTN_W_Q, name, sizeof name), "query_proj.weight");
    ck_assert_str_eq(attn_tensor_name(ATTN_V3, ATTN_B_OUT, name, sizeof name), "output_proj.bias");
    ck_assert_str_eq(attn_tensor_name(ATTN_SINGLE, ATTN_W_V, name, sizeof name), "w_v.weight");
    ck_assert_str_eq(attn_tensor_name(ATTN_V2, ATTN_SCORES, name, sizeof name), "scores");
    char small[4];
    ck_assert_str_eq(attn_tensor_name(ATTN_V2, ATTN_SCORES, small, sizeof small), "sco");
}
END_TEST

START_TEST(masks_and_dropout_are_for_the_variants_that_have_the_stage)
{
    ck_assert(attn_variant_has_tensor(ATTN_SINGLE, ATTN_MASK));
    ck_assert(attn_variant_has_tensor(ATTN_CROSS, ATTN_MEMORY));
    ck_assert(!attn_variant_has_tensor(ATTN_SINGLE, ATTN_MEMORY));
    ck_assert(!attn_variant_has_tensor(ATTN_V1, ATTN_MASK));
    ck_assert(!attn_variant_has_tensor(ATTN_SINGLE, ATTN_KEEP));
    ck_assert(attn_variant_has_tensor(ATTN_V3, ATTN_KEEP));
    ck_assert(!attn_variant_has_tensor(ATTN_V1, ATTN_QKV));
    ck_assert_int_eq(attn_stage_find(ATTN_V2, "project"), ATTN_STAGE_PROJECT_MERGED);
    ck_assert_int_eq(attn_stage_find(ATTN_V1, "mask"), ATTN_NO_STAGE);
    ck_assert_int_eq(attn_variant_find("v4"), -1);
}
END_TEST

START_TEST(dimensions_stand_at_the_right)
{
    const attn_sizes sizes = {.B = 2, .T = 3, .S = 5, .d_in = 7, .d = 11, .d_v = 13};
    static const struct {
        enum attn_tensor_id id;
        int rank, dims[3];
    } rows[] = {
        {ATTN_X, 3, {2, 3, 7}},       {ATTN_MEMORY, 3, {2, 5, 7}},  {ATTN_B_Q, 1, {1, 1, 11}},
        {ATTN_W_V, 2, {1, 13, 7}},    {ATTN_QKV, 3, {2, 3, 33}},    {ATTN_W_QKV, 2, {1, 33, 7}},
        {ATTN_V, 3, {2, 5, 13}},      {ATTN_WEIGHTS, 3, {2, 3, 5}}, {ATTN_CONTEXT, 3, {2, 3, 13}},
        {ATTN_W_OUT, 2, {1, 11, 13}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int dims[3];
        ck_assert_int_eq(attn_tensor_dims(rows[i].id, &sizes, dims), rows[i].rank);
        ck_assert_msg(memcmp(dims, rows[i].dims, sizeof dims) == 0, "%s",
                      attn_tensors[rows[i].id].name);
    }
    ck_assert_str_eq(attn_axis_name(ATTN_AXIS_T), "queries");
    ck_assert_str_eq(attn_axis_name(ATTN_AXIS_3D), "3d");
    ck_assert_int_eq(attn_axis_size(&sizes, ATTN_AXIS_NONE), 1);
}
END_TEST

START_TEST(a_view_is_row_major_and_its_shape_reads_as_written)
{
    float data[24];
    char text[48];
    for (int i = 0; i < 24; i++) {
        data[i] = (float)i;
    }
    const attn_tensor cube = attn_tensor_view(data, 3, (const int[]){2, 3, 4});
    ck_assert_uint_eq(attn_tensor_count(&cube), 24);
    ck_assert(*attn_tensor_at(&cube, 1, 2, 3) == 23.0F && *attn_tensor_at(&cube, 1, 0, 2) == 14.0F);
    ck_assert_str_eq(attn_tensor_shape(&cube, text, sizeof text), "[2,3,4]");
    const attn_tensor row = attn_tensor_view(data, 1, (const int[]){24});
    ck_assert(*attn_tensor_at(&row, 0, 0, 7) == 7.0F);
    ck_assert_str_eq(attn_tensor_shape(&row, text, sizeof text), "[24]");
    const attn_tensor flat = attn_tensor_view(data, 2, (const int[]){6, 4});
    ck_assert_str_eq(attn_tensor_shape(&flat, text, sizeof text), "[6,4]");
    ck_assert_str_eq(attn_tensor_shape(&cube, text, 4), "[2,");
    attn_tensor turned = cube;
    ck_assert(attn_tensor_contiguous(&turned));
    turned.strides[1] = 1;
    turned.strides[2] = 4;
    ck_assert(!attn_tensor_contiguous(&turned));
    attn_tensor repeated = row;
    repeated.dims[0] = 2;
    repeated.strides[0] = 0;
    ck_assert(!attn_tensor_contiguous(&repeated));
    attn_tensor one = row;
    one.strides[0] = 0;
    ck_assert(attn_tensor_contiguous(&one));
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("core tables");
    TCase *const rows = tcase_create("rows");
    const int n_tensors = ATTN_N_TENSORS;
    tcase_add_loop_test(rows, every_tensor_row_is_complete_and_its_name_its_own, 0, n_tensors);
    tcase_add_loop_test(rows, a_tensor_is_written_by_a_stage_exactly_if_it_is_a_stage_tensor, 0,
                        n_tensors);
    tcase_add_loop_test(rows, a_fallback_has_the_same_shape_and_an_end, 0, n_tensors);
    tcase_add_loop_test(rows, every_stage_row_is_complete, 0, ATTN_N_STAGES);
    tcase_add_loop_test(rows, every_snippet_names_its_outputs_and_only_known_placeholders, 0,
                        ATTN_N_STAGES);
    tcase_add_loop_test(rows, every_layer_row_has_a_weight_a_bias_and_names, 0, ATTN_N_LAYERS);
    tcase_add_loop_test(rows, every_variant_row_is_complete, 0, ATTN_N_VARIANTS);
    tcase_add_loop_test(rows, every_stage_of_a_variant_reads_what_is_there_by_then, 0,
                        ATTN_N_VARIANTS);
    tcase_add_loop_test(rows,
                        every_tensor_of_a_variant_is_found_by_its_names_and_no_other_tensor_is, 0,
                        ATTN_N_VARIANTS);
    tcase_add_loop_test(rows, every_alias_finds_its_layer_in_the_variants_that_have_it, 0,
                        ATTN_N_LAYERS);
    suite_add_tcase(s, rows);
    TCase *const calls = tcase_create("calls");
    tcase_add_test(calls, a_weight_is_called_as_the_module_calls_it);
    tcase_add_test(calls, masks_and_dropout_are_for_the_variants_that_have_the_stage);
    tcase_add_test(calls, dimensions_stand_at_the_right);
    tcase_add_test(calls, a_view_is_row_major_and_its_shape_reads_as_written);
    suite_add_tcase(s, calls);
    return s;
}
