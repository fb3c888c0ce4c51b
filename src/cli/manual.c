/* The manual page, in mdoc: the tables of the commands, the options and the keys, in ASCII whatever
 * the locale. */
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "cli.h"
#include "io.h"

enum { LINE_COLUMNS = 76, WORD_BYTES = 512 };

/* Of the text below, not of the day on which the page is written: the same program, the same page.
 */
static const char page_date[] = "November 30, 2026";

/* ---- roff ---- */

/** What stands for itself nowhere, or not everywhere, in roff. */
static const struct {
    char letter;
    const char *roff;
} escapes[] = {{'\\', "\\e"},  {'-', "\\-"},   {'"', "\\(dq"}, {'\'', "\\(aq"},
               {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};

static const char *escape_of(char letter)
{
    for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; i++) {
        if (escapes[i].letter == letter) {
            return escapes[i].roff;
        }
    }
    return NULL;
}

/** A character of UTF-8 at *text, which is moved past it. */
static unsigned long decode(const char **text)
{
    const unsigned char first = (unsigned char)*(*text)++;
    unsigned long c = first < 0xe0 ? first & 0x1fU : first < 0xf0 ? first & 0x0fU : first & 0x07U;
    while (((unsigned char)**text & 0xc0) == 0x80) {
        c = c << 6 | ((unsigned char)*(*text)++ & 0x3fU);
    }
    return c;
}

/** The n bytes of text as roff. @return out, cut at a character where it is too small. */
static char *roff(char out[WORD_BYTES], const char *text, size_t n)
{
    const char *const end = text + n;
    size_t used = 0;
    while (text < end && used + 16 < WORD_BYTES) {
        const char *const escape = escape_of(*text);
        if ((unsigned char)*text >= 0x80) {
            used += (size_t)snprintf(out + used, WORD_BYTES - used, "\\[u%04lX]", decode(&text));
        } else if (escape != NULL) {
            used += (size_t)snprintf(out + used, WORD_BYTES - used, "%s", escape);
            text++;
        } else {
            out[used++] = *text++;
        }
    }
    out[used] = '\0';
    return out;
}

/** An argument of a macro: one, whatever is in it, and never taken for a macro or punctuation. */
static void argument(const char *macro, const char *text)
{
    char word[WORD_BYTES];
    cli_printf(" %s \"\\&%s\"", macro, roff(word, text, strlen(text)));
}

static void section(const char *title)
{
    cli_printf(".Sh %s\n", title);
}

static void list_begin(void)
{
    cli_write(".Bl -tag -width Ds\n");
}

static void list_end(void)
{
    cli_write(".El\n");
}

/** An item of a list: what it is about, and of which kind that is. */
static void item(const char *macro, const char *name)
{
    cli_write(".It");
    argument(macro, name);
    cli_write("\n");
}

/** Has this word a full stop at its end, or what else ends a sentence? */
static bool has_stop(const char *word, size_t n)
{
    while (n > 1 && strchr(")\"`", word[n - 1]) != NULL) {
        n--;
    }
    return strchr(".?!", word[n - 1]) != NULL;
}

/** Does a sentence begin here, or nothing more? Then it begins a line, as roff wants it. */
static bool begins_sentence(const char *next)
{
    next += strspn(next, " ");
    next += strspn(next, "`\"(");
    return *next == '\0' || *next == '\n' || (*next >= 'A' && *next <= 'Z');
}

/** One word, with what is between grave accents in quotes. */
static const char *word_of(char out[WORD_BYTES], const char *text, size_t n, bool *quoted)
{
    out[0] = '\0';
    for (size_t done = 0; done < n;) {
        char part[WORD_BYTES];
        const char *const mark = memchr(text + done, '`', n - done);
        const size_t length = mark != NULL ? (size_t)(mark - text) - done : n - done;
        const size_t used = strlen(out);
        const char *const sign = mark == NULL ? "" : *quoted ? "\\(rq" : "\\(lq";
        snprintf(out + used, WORD_BYTES - used, "%s%s", roff(part, text + done, length), sign);
        *quoted = mark != NULL ? !*quoted : *quoted;
        done += length + (mark != NULL ? 1 : 0);
    }
    return out;
}

/** A paragraph. */
static void paragraph(const char *text, size_t n)
{
    const char *const end = text + n;
    size_t column = 0;
    bool quoted = false;
    while (text < end) {
        char word[WORD_BYTES];
        size_t length = strcspn(text, " \n");
        length = length < (size_t)(end - text) ? length : (size_t)(end - text);
        word_of(word, text, length, &quoted);
        const size_t columns = strlen(word);
        if (column > 0 && column + 1 + columns > LINE_COLUMNS) {
            cli_write("\n");
            column = 0;
        }
        cli_printf("%s%s%s", column > 0 ? " " : "", column == 0 && word[0] == '.' ? "\\&" : "",
                   word);
        column += columns + (column > 0 ? 1 : 0);
        if (has_stop(text, length)) {
            const bool ends = begins_sentence(text + length);
            cli_write(ends ? "\n" : "\\&");
            column = ends ? 0 : column;
        }
        text += length;
        text += text < end ? strspn(text, " ") : 0;
    }
    cli_write(column > 0 ? "\n" : "");
}

/** Paragraphs separated by '\n'. */
static void paragraphs(const char *text)
{
    while (*text != '\0') {
        const size_t n = strcspn(text, "\n");
        paragraph(text, n);
        text += n;
        if (*text == '\n') {
            cli_write(".Pp\n");
            text++;
        }
    }
}

/* ---- what the page holds ---- */

static void option_item(const char *name, const char *value, const char *summary,
                        const char *fallback)
{
    char text[WORD_BYTES];
    cli_write(".It");
    argument("Fl", name + 1); /* which puts the first hyphen before it */
    if (value != NULL) {
        argument("Ar", value);
    }
    snprintf(text, sizeof text, "%s%s%s%s", summary, fallback != NULL ? " (default: " : "",
             fallback != NULL ? fallback : "", fallback != NULL ? ")" : "");
    cli_write("\n");
    paragraphs(text);
}

static void own_options(const struct cli_command *command)
{
    if (command->options == NULL || command->options[0].name == NULL) {
        return;
    }
    list_begin();
    for (const struct cli_option *o = command->options; o->name != NULL; o++) {
        option_item(o->name, o->argument, o->summary, NULL);
    }
    list_end();
}

static void synopsis(void)
{
    section("SYNOPSIS");
    cli_write(".Nm\n.Op Ar options\n");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        cli_write(".Nm\n.Cm");
        argument("", cli_commands[i]->name);
        if (cli_commands[i]->arguments[0] != '\0') {
            argument("Ar", cli_commands[i]->arguments);
        }
        cli_write("\n.Op Ar options\n");
    }
}

static void description(void)
{
    section("DESCRIPTION");
    paragraphs(
        "attn walks through scaled dot-product attention, one number at a time. It computes what "
        "PyTorch computes, keeps every tensor on the way, and shows where each of their numbers "
        "came from: the projections, the scores, the scaling, the mask, the softmax, dropout, the "
        "context and the output projection.\n"
        "Without a command it opens the home screen; where standard output is no terminal, it "
        "writes the walk of v3 as text.");
    cli_write(".Pp\nThe variants:\n");
    list_begin();
    for (int i = 0; i < ATTN_N_VARIANTS; i++) {
        item("Cm", attn_variants[i].name);
        paragraphs(attn_variants[i].summary);
    }
    list_end();
}

static void commands(void)
{
    section("COMMANDS");
    list_begin();
    for (int i = 0; cli_commands[i] != NULL; i++) {
        const struct cli_command *const command = cli_commands[i];
        cli_write(".It");
        argument("Cm", command->name);
        if (command->arguments[0] != '\0') {
            argument("Ar", command->arguments);
        }
        cli_write("\n");
        paragraphs(command->summary);
        if (command->details[0] != '\0') {
            cli_write(".Pp\n");
            paragraphs(command->details);
        }
        own_options(command);
    }
    list_end();
}

static void options(void)
{
    section("OPTIONS");
    cli_write("What is to be computed is told in the same way to the home screen and to\n");
    const char *separator = "";
    for (int i = 0; cli_commands[i] != NULL; i++) {
        if (cli_commands[i]->computes) {
            cli_write(separator);
            cli_write(".Cm");
            argument("", cli_commands[i]->name);
            separator = " ,\n";
        }
    }
    cli_write(" :\n");
    list_begin();
    for (int i = 0; i < CONFIG_N_OPTIONS; i++) {
        const struct config_option *const o = &config_options[i];
        option_item(o->name, o->argument, o->summary, o->fallback);
    }
    list_end();
    cli_write(".Pp\nThe home screen takes also:\n");
    own_options(&cli_home);
}

static void keys(void)
{
    section("KEYS");
    paragraphs("The keys of the screen, by their names. Its own help, on ?, has the same list.");
    for (int group = 0; group < APP_N_GROUPS; group++) {
        cli_write(".Ss");
        argument("", app_group_names[group]);
        cli_write("\n");
        list_begin();
        for (int i = 0; i < app_n_actions; i++) {
            if (app_actions[i].help != NULL && (int)app_actions[i].group == group) {
                item("Ic", app_actions[i].keys);
                paragraphs(app_actions[i].help);
            }
        }
        list_end();
    }
}

static void facts(const char *title, const char *macro, const struct help_fact *fact)
{
    section(title);
    list_begin();
    for (; fact->name != NULL; fact++) {
        item(macro, fact->name);
        paragraphs(fact->text);
    }
    list_end();
}

static void files(void)
{
    facts("FILES", "Pa", help_places);
    cli_write(".Pp\nTensors are read from, and written into, files whose names end with\n");
    list_begin();
    for (const struct io_format *format = io_formats; format->name != NULL; format++) {
        item("Pa", format->extension);
        paragraphs(format->summary);
    }
    list_end();
}

static void examples(void)
{
    section("EXAMPLES");
    for (const struct help_fact *example = help_examples; example->name != NULL; example++) {
        char line[WORD_BYTES];
        cli_write(example != help_examples ? ".Pp\n" : "");
        paragraphs(example->text);
        cli_printf(".Pp\n.Dl %s\n", roff(line, example->name, strlen(example->name)));
    }
}

void help_manual(void)
{
    cli_printf(".Dd %s\n.Dt ATTN 1\n.Os\n", page_date);
    section("NAME");
    cli_write(".Nm attn\n.Nd scaled dot\\-product attention, one number at a time\n");
    synopsis();
    description();
    commands();
    options();
    keys();
    facts("ENVIRONMENT", "Ev", help_environment);
    files();
    facts("EXIT STATUS", "Sy", help_exits);
    examples();
    section("SEE ALSO");
    paragraphs("`attn help` lists what else there is to read: policies, stages, tensors, files.");
}
