#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "walk.h"

enum { NAME_MAX_BYTES = 64, INDEX_MAX = 3 };

/** A tensor's name and as many indices as were given, from either spelling. */
struct place {
    char name[NAME_MAX_BYTES];
    int at[INDEX_MAX];
    int n;
};

static enum cli_status fail_index(const char *text)
{
    cli_message(text, "not an index (a whole number, from 0)");
    return CLI_USAGE;
}

static enum cli_status add_index(struct place *place, const char *text)
{
    long long index = 0;
    if (!config_parse_int(text, 0, ATTN_DIM_MAX, &index)) {
        return fail_index(text);
    }
    if (place->n == INDEX_MAX) {
        cli_message(place->name, "one index too many (B T S at most)");
        return CLI_USAGE;
    }
    place->at[place->n++] = (int)index;
    return CLI_DONE;
}

/** "[0, 2, 1]" after a name. */
static enum cli_status parse_brackets(struct place *place, const char *whole, const char *text)
{
    char inside[64];
    const size_t length = strlen(text);
    if (text[length - 1] != ']' || length - 1 > sizeof inside) {
        cli_message(whole, "the index does not end (as in weights[0,2,1])");
        return CLI_USAGE;
    }
    snprintf(inside, sizeof inside, "%.*s", (int)(length - 2), text + 1);
    for (char *word = inside; word != NULL;) {
        char *const comma = strchr(word, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        word += strspn(word, " ");
        word[strcspn(word, " ")] = '\0';
        const enum cli_status status = add_index(place, word);
        if (status != CLI_DONE) {
            return status;
        }
        word = comma != NULL ? comma + 1 : NULL;
    }
    return CLI_DONE;
}

static enum cli_status parse_place(const struct cli *cli, struct place *place)
{
    if (cli->n_words < 2) {
        cli_message("explain",
                    "which cell? (as in attn explain %s weights 0 2 1, or "
                    "'weights[0,2,1]')",
                    attn_variants[cli->config.variant].name);
        return CLI_USAGE;
    }
    const char *const word = cli->words[1];
    const size_t length = strcspn(word, "[");
    enum cli_status status = CLI_DONE;
    *place = (struct place){.n = 0};
    snprintf(place->name, sizeof place->name, "%.*s", (int)(length < 64 ? length : 63), word);
    if (word[length] == '[') {
        status = parse_brackets(place, word, word + length);
    }
    for (int i = 2; status == CLI_DONE && i < cli->n_words; i++) {
        status = add_index(place, cli->words[i]);
    }
    return status;
}

/** The cell within the trace; the batch index may be left out where B is 1. */
static enum cli_status find_cell(const attn_trace *trace, const struct place *place,
                                 struct attn_cell *cell)
{
    const attn_tensor *const t = attn_trace_tensor(trace, cell->tensor);
    char shape[48];
    attn_tensor_shape(t, shape, sizeof shape);
    const bool short_form = t->rank == 3 && t->dims[0] == 1 && place->n == 2;
    if (place->n != t->rank && !short_form) {
        cli_message(place->name, "its shape is %s, so it has %d index%s, not %d (as in %s)", shape,
                    t->rank, t->rank == 1 ? "" : "es", place->n,
                    t->rank == 3   ? "0 2 1"
                    : t->rank == 2 ? "2 1"
                                   : "1");
        return CLI_USAGE;
    }
    for (int i = 0; i < place->n; i++) {
        const int axis = 3 - place->n + i;
        if (place->at[i] >= t->dims[axis]) {
            cli_message(place->name, "index %d is outside its shape %s (0 to %d)", place->at[i],
                        shape, t->dims[axis] - 1);
            return CLI_USAGE;
        }
        cell->at[axis] = place->at[i];
    }
    return CLI_DONE;
}

/** "[0,2,1]". */
static void write_at(const attn_trace *trace, struct attn_cell cell)
{
    const int rank = attn_trace_tensor(trace, cell.tensor)->rank;
    for (int i = 3 - rank; i < 3; i++) {
        cli_printf("%s%d", i > 3 - rank ? "," : "[", cell.at[i]);
    }
    cli_write("]");
}

char *explain_cell_name(const attn_trace *trace, struct attn_cell cell, char *out, size_t size)
{
    char name[NAME_MAX_BYTES];
    const int rank = attn_trace_tensor(trace, cell.tensor)->rank;
    attn_tensor_name(attn_trace_config(trace)->variant, cell.tensor, name, sizeof name);
    if (rank == 3) {
        snprintf(out, size, "%s[%d,%d,%d]", name, cell.at[0], cell.at[1], cell.at[2]);
    } else if (rank == 2) {
        snprintf(out, size, "%s[%d,%d]", name, cell.at[1], cell.at[2]);
    } else {
        snprintf(out, size, "%s[%d]", name, cell.at[2]);
    }
    return out;
}

static void print_value(float value)
{
    char text[CLI_NUMBER_MAX];
    const char *const fixed = cli_fixed(value, text);
    cli_write(fixed + strspn(fixed, " "));
}

/** "0.7388 × -0.3979": the numbers behind a label, where they are not the value itself. */
static void print_operands(const struct walk_term *term)
{
    switch (term->kind) {
    case WALK_TERM_PRODUCT:
        print_value(term->operand[0]);
        cli_write(" × ");
        print_value(term->operand[1]);
        cli_write(" = ");
        return;
    case WALK_TERM_DIFFERENCE:
        print_value(term->operand[0]);
        cli_write(" − ");
        print_value(term->operand[1]);
        cli_write(" = ");
        return;
    case WALK_TERM_QUOTIENT:
        print_value(term->operand[0]);
        cli_write(" / ");
        print_value(term->operand[1]);
        cli_write(" = ");
        return;
    case WALK_TERM_BIAS:
    case WALK_TERM_VALUE:
    case WALK_TERM_CONSTANT:
    case WALK_TERM_MAXIMUM:
    case WALK_TERM_EXP:
    case WALK_TERM_SUM:
        return;
    }
}

enum { LABEL_MAX = 256 };

static void print_text(const attn_trace *trace, const struct walk_explanation *e)
{
    int width = 0;
    char label[LABEL_MAX];
    for (int i = 0; i < e->n_terms; i++) {
        const int columns =
            cli_columns(walk_term_text(NULL, trace, &e->terms[i], label, sizeof label));
        width = columns > width ? columns : width;
    }
    char name[96];
    cli_write(explain_cell_name(trace, e->cell, name, sizeof name));
    cli_write(" = ");
    print_value(e->value);
    cli_printf("\n%s\n", e->formula);
    for (int i = 0; i < e->n_terms; i++) {
        const struct walk_term *const term = &e->terms[i];
        walk_term_text(NULL, trace, term, label, sizeof label);
        cli_printf("  %s%*s  ", label, width - cli_columns(label), "");
        print_operands(term);
        print_value(term->value);
        cli_write("\n");
    }
    if (e->note != NULL) {
        cli_printf("%s\n", e->note);
    }
}

static void write_json_cell(const attn_trace *trace, struct attn_cell cell, bool first)
{
    char name[NAME_MAX_BYTES];
    attn_tensor_name(attn_trace_config(trace)->variant, cell.tensor, name, sizeof name);
    cli_json_key(first, "tensor");
    cli_json_string(name);
    cli_json_key(false, "at");
    write_at(trace, cell);
}

static void write_json_value(float value)
{
    char text[CLI_NUMBER_MAX];
    cli_json_key(false, "value");
    cli_write(cli_shortest(value, text));
}

void explain_json_cell(const attn_trace *trace, struct attn_cell cell, float value)
{
    write_json_cell(trace, cell, true);
    write_json_value(value);
}

static void print_json(const attn_trace *trace, const struct walk_explanation *e)
{
    char label[LABEL_MAX];
    cli_write("{");
    explain_json_cell(trace, e->cell, e->value);
    cli_json_key(false, "formula");
    cli_json_string(e->formula);
    cli_json_key(false, "terms");
    cli_write("[");
    for (int i = 0; i < e->n_terms; i++) {
        const struct walk_term *const term = &e->terms[i];
        cli_write(i > 0 ? ",\n{" : "\n{");
        cli_json_key(true, "label");
        cli_json_string(walk_term_text(NULL, trace, term, label, sizeof label));
        write_json_value(term->value);
        cli_json_key(false, "from");
        cli_write("[");
        for (int k = 0; k < term->n_from; k++) {
            cli_write(k > 0 ? ", {" : "{");
            write_json_cell(trace, term->from[k], true);
            cli_write("}");
        }
        cli_write("]}");
    }
    cli_write("]");
    if (e->note != NULL) {
        cli_json_key(false, "note");
        cli_json_string(e->note);
    }
    cli_write("}\n");
}

/** An input has no arithmetic: its value, and where it is from. */
static void make_input(struct walk_explanation *e, const struct setup *setup,
                       const attn_trace *trace, struct attn_cell cell)
{
    const attn_tensor *const t = attn_trace_tensor(trace, cell.tensor);
    const char *const origin = setup->loaded_tensor[cell.tensor] ? "read from a file"
                               : cell.tensor == ATTN_MASK        ? "made by --mask"
                                                                 : NULL;
    *e = (struct walk_explanation){.cell = cell,
                                   .value = *attn_tensor_at(t, cell.at[0], cell.at[1], cell.at[2])};
    if (origin != NULL) {
        snprintf(e->formula, sizeof e->formula, "an input, %s", origin);
    } else {
        snprintf(e->formula, sizeof e->formula, "an input, drawn from seed %s", setup->seed_text);
    }
}

static enum cli_status explain_cell(const struct cli *cli, const struct setup *setup,
                                    const attn_trace *trace, struct attn_cell cell)
{
    struct walk_explanation e = {.terms = NULL};
    const char *const slopes = cli_value(cli, "--slopes");
    if (slopes != NULL) {
        return explain_slopes(cli, trace, cell, slopes);
    }
    if (cli_stage_key(trace, cell.tensor) == NULL) {
        make_input(&e, setup, trace, cell);
    } else {
        struct attn_error err = {.status = ATTN_OK};
        if (walk_explain(trace, cell, &e, &err) != ATTN_OK) {
            return cli_fail(&err);
        }
    }
    if (cli_value(cli, "--json") != NULL) {
        print_json(trace, &e);
    } else {
        print_text(trace, &e);
    }
    walk_explanation_finish(&e);
    return CLI_DONE;
}

static enum cli_status run(struct cli *cli)
{
    struct place place = {.n = 0};
    struct attn_cell cell = {.tensor = ATTN_NO_TENSOR};
    enum cli_status status = cli_take_variant(cli);
    if (status == CLI_DONE) {
        status = parse_place(cli, &place);
    }
    if (status == CLI_DONE) {
        status = cli_find_tensor(cli->config.variant, place.name, &cell.tensor);
    }
    if (status != CLI_DONE) {
        return status;
    }
    struct setup setup = {0};
    attn_trace *trace = NULL;
    status = cli_trace(cli, &setup, &trace);
    if (status == CLI_DONE) {
        status = cli_require_tensor(trace, cell.tensor, place.name);
    }
    if (status == CLI_DONE) {
        status = find_cell(trace, &place, &cell);
    }
    if (status == CLI_DONE) {
        status = explain_cell(cli, &setup, trace, cell);
    }
    attn_trace_destroy(trace);
    setup_finish(&setup);
    return status;
}

static const struct cli_option options[] = {
    {"--json", NULL, "one JSON document in the place of text"},
    {"--slopes", "N", "the N inputs that move the cell the most, in the place of its terms"},
    {0}};

const struct cli_command cli_explain = {
    .name = "explain",
    .arguments = "VARIANT TENSOR [B] T S",
    .summary = "the arithmetic of one cell",
    .details = "Prints the cell's value, its formula, and every term with the numbers that it is "
               "made of. The batch index may be left out where B is 1, and 'TENSOR[b,t,s]' in "
               "quotes says the same in one word.\n"
               "--slopes tells which numbers of x, of the weights and biases (or of q, k and v) "
               "move the cell the most: a slope (its gradient, ∂cell/∂input) is by how much the "
               "cell changes for each +1 on the input, while the change is small.",
    .computes = true,
    .max_words = 5,
    .options = options,
    .run = run};
