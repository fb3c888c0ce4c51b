/* Steps, and what they write and read, as properties of random computations. */
#include <stdlib.h>

#include "runner.h"
#include "walk_case.h"

enum { N_GROUPS = 20 };

/** For each cell of each tensor, how often it was written. */
struct ledger {
    unsigned char *count[ATTN_N_TENSORS];
};

static size_t place(const attn_trace *trace, struct attn_cell cell)
{
    const attn_tensor *const t = attn_trace_tensor(trace, cell.tensor);
    return ((size_t)cell.at[0] * (size_t)t->dims[1] + (size_t)cell.at[1]) * (size_t)t->dims[2] +
           (size_t)cell.at[2];
}

/** Inputs count as written once. */
static struct ledger open_ledger(const attn_trace *trace)
{
    struct ledger ledger = {{NULL}};
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        const attn_tensor *const t = attn_trace_tensor(trace, (enum attn_tensor_id)id);
        if (t == NULL) {
            continue;
        }
        const size_t n = attn_tensor_count(t);
        ledger.count[id] = calloc(n, 1);
        ck_assert_ptr_nonnull(ledger.count[id]);
        for (size_t i = 0; i < n; i++) {
            ledger.count[id][i] =
                attn_trace_writer(trace, (enum attn_tensor_id)id) == ATTN_NO_STAGE ? 1 : 0;
        }
    }
    return ledger;
}

static void close_ledger(struct ledger *ledger)
{
    for (int id = 0; id < ATTN_N_TENSORS; id++) {
        free(ledger->count[id]);
    }
}

/** The i-th cell of a region. @return false beyond the last. */
static bool cell_of(const struct walk_region *region, size_t i, struct attn_cell *cell)
{
    const size_t columns = (size_t)(region->hi[2] - region->lo[2]);
    const size_t rows = (size_t)(region->hi[1] - region->lo[1]);
    *cell = (struct attn_cell){.tensor = region->tensor,
                               .at = {region->lo[0] + (int)(i / columns / rows),
                                      region->lo[1] + (int)(i / columns % rows),
                                      region->lo[2] + (int)(i % columns)}};
    return cell->at[0] < region->hi[0];
}

static void check_reads_are_there(const struct walk_case *c, const struct ledger *ledger,
                                  const struct walk_step *step)
{
    struct walk_region reads[WALK_REGIONS_MAX];
    const int n = walk_reads(c->trace, step, reads);
    walk_case_check(c, n > 0, "a step reads nothing");
    struct attn_cell cell;
    for (int i = 0; i < n; i++) {
        for (size_t j = 0; cell_of(&reads[i], j, &cell); j++) {
            walk_case_check(c,
                            walk_has(c->trace, cell) &&
                                ledger->count[cell.tensor][place(c->trace, cell)] == 1,
                            "step %zu reads %s[%d,%d,%d] too early", walk_index(c->trace, step),
                            attn_tensors[cell.tensor].name, cell.at[0], cell.at[1], cell.at[2]);
        }
    }
}

static void write_cells(const struct walk_case *c, struct ledger *ledger,
                        const struct walk_step *step)
{
    struct walk_region writes[WALK_REGIONS_MAX];
    const int n = walk_writes(c->trace, step, writes);
    struct attn_cell cell;
    size_t written = 0;
    for (int i = 0; i < n; i++) {
        for (size_t j = 0; cell_of(&writes[i], j, &cell); j++) {
            walk_case_check(c, walk_region_has(&writes[i], cell),
                            "a region does not hold its own cell");
            ledger->count[cell.tensor][place(c->trace, cell)]++;
            written++;
        }
    }
    const bool idle = attn_trace_idle(c->trace, attn_trace_stage(c->trace, step->stage));
    walk_case_check(c,
                    idle                       ? written == 0
                    : step->grain == WALK_CELL ? written == 1
                                               : written >= 1,
                    "a %s step writes %zu cells", walk_grain_names[step->grain], written);
}

/** A few random cells: computed says what the ledger says. */
static void check_computed(struct walk_case *c, const struct ledger *ledger,
                           const struct walk_step *step)
{
    for (int i = 0; i < 6; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)walk_case_below(c, ATTN_N_TENSORS);
        const attn_tensor *const t = attn_trace_tensor(c->trace, id);
        if (t == NULL) {
            walk_case_check(c, !walk_computed(c->trace, step, (struct attn_cell){.tensor = id}),
                            "a tensor that is not there is computed");
            continue;
        }
        const struct attn_cell cell = {.tensor = id,
                                       .at = {walk_case_below(c, t->dims[0]),
                                              walk_case_below(c, t->dims[1]),
                                              walk_case_below(c, t->dims[2])}};
        walk_case_check(c,
                        walk_computed(c->trace, step, cell) ==
                            (ledger->count[id][place(c->trace, cell)] > 0),
                        "%s after step %zu", attn_tensors[id].name, walk_index(c->trace, step));
    }
}

static void case_steps_read_what_is_there_and_write_each_cell_once(struct walk_case *c)
{
    for (int grain = 0; grain < WALK_N_GRAINS; grain++) {
        struct ledger ledger = open_ledger(c->trace);
        struct walk_step step = walk_first(c->trace, (enum walk_grain)grain);
        do {
            check_reads_are_there(c, &ledger, &step);
            write_cells(c, &ledger, &step);
            check_computed(c, &ledger, &step);
        } while (walk_next(c->trace, &step));
        for (int id = 0; id < ATTN_N_TENSORS; id++) {
            const attn_tensor *const t = attn_trace_tensor(c->trace, (enum attn_tensor_id)id);
            for (size_t i = 0; t != NULL && i < attn_tensor_count(t); i++) {
                walk_case_check(c, ledger.count[id][i] == 1, "%s is written %d times",
                                attn_tensors[id].name, ledger.count[id][i]);
            }
        }
        close_ledger(&ledger);
    }
}

START_TEST(steps_read_what_is_there_and_write_each_cell_once)
{
    walk_case_each(_i, case_steps_read_what_is_there_and_write_each_cell_once);
}
END_TEST

static bool same(const struct walk_step *a, const struct walk_step *b)
{
    return a->stage == b->stage && a->grain == b->grain && a->output == b->output &&
           a->at[0] == b->at[0] && a->at[1] == b->at[1] && a->at[2] == b->at[2];
}

static void case_n_steps_forward_and_n_back_is_where_one_was(struct walk_case *c)
{
    for (int grain = 0; grain < WALK_N_GRAINS; grain++) {
        const size_t count = walk_count(c->trace, (enum walk_grain)grain);
        const struct walk_step start =
            walk_seek(c->trace, (enum walk_grain)grain, (size_t)walk_case_below(c, (int)count));
        struct walk_step step = start;
        const int n = walk_case_below(c, 50);
        int moved = 0;
        while (moved < n && walk_next(c->trace, &step)) {
            moved++;
        }
        for (int i = 0; i < moved; i++) {
            walk_case_check(c, walk_prev(c->trace, &step), "the start is reached too early");
        }
        walk_case_check(c, same(&start, &step), "%s, %d steps", walk_grain_names[grain], moved);
    }
}

START_TEST(n_steps_forward_and_n_back_is_where_one_was)
{
    walk_case_each(_i, case_n_steps_forward_and_n_back_is_where_one_was);
}
END_TEST

static void case_seek_and_index_undo_each_other_and_the_ends_hold(struct walk_case *c)
{
    for (int grain = 0; grain < WALK_N_GRAINS; grain++) {
        const size_t count = walk_count(c->trace, (enum walk_grain)grain);
        struct walk_step step = walk_first(c->trace, (enum walk_grain)grain);
        struct walk_step before = step;
        ck_assert(!walk_prev(c->trace, &step) && same(&step, &before));
        for (size_t i = 0; i < count; i++) {
            const struct walk_step sought = walk_seek(c->trace, (enum walk_grain)grain, i);
            walk_case_check(c, same(&step, &sought), "step %zu", i);
            walk_case_check(c, walk_index(c->trace, &step) == i, "index of step %zu", i);
            walk_case_check(c, walk_next(c->trace, &step) == (i + 1 < count),
                            "the end is not after step %zu", count - 1);
        }
        before = walk_last(c->trace, (enum walk_grain)grain);
        walk_case_check(c, same(&step, &before), "the last step");
        before = walk_seek(c->trace, (enum walk_grain)grain, count + 7);
        walk_case_check(c, same(&step, &before), "beyond the end");
    }
}

START_TEST(seek_and_index_undo_each_other_and_the_ends_hold)
{
    walk_case_each(_i, case_seek_and_index_undo_each_other_and_the_ends_hold);
}
END_TEST

static void case_steps_go_by_batch_element_then_output_then_row_then_column(struct walk_case *c)
{
    struct walk_step before = walk_first(c->trace, WALK_CELL);
    struct walk_step step = before;
    while (walk_next(c->trace, &step)) {
        const int a[] = {before.stage, before.at[0], before.output, before.at[1], before.at[2]};
        const int b[] = {step.stage, step.at[0], step.output, step.at[1], step.at[2]};
        int i = 0;
        while (i < 4 && a[i] == b[i]) {
            i++;
        }
        walk_case_check(c, b[i] == a[i] + 1, "after stage %d", before.stage);
        before = step;
    }
}

START_TEST(steps_go_by_batch_element_then_output_then_row_then_column)
{
    walk_case_each(_i, case_steps_go_by_batch_element_then_output_then_row_then_column);
}
END_TEST

/** Does every region of a lie within some region of b? */
static bool within(const struct walk_case *c, const struct walk_step *a, const struct walk_step *b)
{
    struct walk_region inner[WALK_REGIONS_MAX], outer[WALK_REGIONS_MAX];
    const int n = walk_writes(c->trace, a, inner);
    const int m = walk_writes(c->trace, b, outer);
    for (int i = 0; i < n; i++) {
        bool found = false;
        struct attn_cell first = {.tensor = inner[i].tensor}, last = {.tensor = inner[i].tensor};
        for (int x = 0; x < 3; x++) {
            first.at[x] = inner[i].lo[x];
            last.at[x] = inner[i].hi[x] - 1;
        }
        for (int j = 0; j < m; j++) {
            found =
                found || (walk_region_has(&outer[j], first) && walk_region_has(&outer[j], last));
        }
        if (!found) {
            return false;
        }
    }
    return n == 0 || m > 0;
}

static void case_a_coarser_step_contains_the_finer_one(struct walk_case *c)
{
    struct walk_step cell = walk_first(c->trace, WALK_CELL);
    do {
        const struct walk_step row = walk_regrain(c->trace, &cell, WALK_ROW);
        const struct walk_step stage = walk_regrain(c->trace, &row, WALK_STAGE);
        walk_case_check(c, within(c, &cell, &row) && within(c, &row, &stage),
                        "stage %d: a cell is outside its row, or a row outside its stage",
                        cell.stage);
        const struct walk_step start = walk_regrain(c->trace, &row, WALK_CELL);
        walk_case_check(c, within(c, &start, &row), "stage %d: a row does not hold its first cell",
                        cell.stage);
        const struct walk_step first = walk_regrain(c->trace, &stage, WALK_CELL);
        const struct walk_step start_of_stage = walk_stage_start(c->trace, stage.stage, WALK_CELL);
        walk_case_check(c, same(&first, &start_of_stage),
                        "stage %d does not start at its first cell", cell.stage);
    } while (walk_next(c->trace, &cell));
}

START_TEST(a_coarser_step_contains_the_finer_one)
{
    walk_case_each(_i, case_a_coarser_step_contains_the_finer_one);
}
END_TEST

static void case_the_writer_of_a_cell_writes_it(struct walk_case *c)
{
    for (int i = 0; i < 200; i++) {
        const enum attn_tensor_id id = (enum attn_tensor_id)walk_case_below(c, ATTN_N_TENSORS);
        const attn_tensor *const t = attn_trace_tensor(c->trace, id);
        if (t == NULL) {
            continue;
        }
        const struct attn_cell cell = {.tensor = id,
                                       .at = {walk_case_below(c, t->dims[0]),
                                              walk_case_below(c, t->dims[1]),
                                              walk_case_below(c, t->dims[2])}};
        const enum walk_grain grain = (enum walk_grain)walk_case_below(c, WALK_N_GRAINS);
        struct walk_step step;
        const bool computed = attn_trace_writer(c->trace, id) != ATTN_NO_STAGE;
        walk_case_check(c, walk_writer(c->trace, cell, grain, &step) == computed,
                        "%s has a writer, or has none", attn_tensors[id].name);
        if (!computed) {
            continue;
        }
        struct walk_region writes[WALK_REGIONS_MAX];
        const int n = walk_writes(c->trace, &step, writes);
        bool found = false;
        for (int j = 0; j < n; j++) {
            found = found || walk_region_has(&writes[j], cell);
        }
        walk_case_check(c, found && step.grain == grain, "%s", attn_tensors[id].name);
    }
}

START_TEST(the_writer_of_a_cell_writes_it)
{
    walk_case_each(_i, case_the_writer_of_a_cell_writes_it);
}
END_TEST

Suite *suite(void)
{
    Suite *const s = suite_create("walk: steps");
    TCase *const tc = tcase_create("steps");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, steps_read_what_is_there_and_write_each_cell_once, 0, N_GROUPS);
    tcase_add_loop_test(tc, n_steps_forward_and_n_back_is_where_one_was, 0, N_GROUPS);
    tcase_add_loop_test(tc, seek_and_index_undo_each_other_and_the_ends_hold, 0, N_GROUPS);
    tcase_add_loop_test(tc, steps_go_by_batch_element_then_output_then_row_then_column, 0,
                        N_GROUPS);
    tcase_add_loop_test(tc, a_coarser_step_contains_the_finer_one, 0, N_GROUPS);
    tcase_add_loop_test(tc, the_writer_of_a_cell_writes_it, 0, N_GROUPS);
    suite_add_tcase(s, tc);
    return s;
}
