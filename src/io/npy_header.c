#include "npy.h"

#include <stdint.h>
#include <string.h>

/** Where the parser stands. The text ends with a 0, which no rule accepts. */
struct parser {
    const struct io_archive *archive;
    const char *entry;
    const char *start;
    const char *end;
    const char *at;
    struct attn_error *err;
};

#define FIX "(save the file again with numpy.save)"

static enum attn_status damaged(const struct parser *parser, const char *why)
{
    const bool at_end = parser->at == parser->end;
    why = at_end ? "it ends before its braces close" : why;
    return io_fail(parser->archive, parser->entry, parser->err, ATTN_E_FORMAT,
                   "its header is damaged at byte %td: %s " FIX, parser->at - parser->start, why);
}

static void skip_space(struct parser *parser)
{
    parser->at += strspn(parser->at, " \t\r\n\f");
}

/** Take one character if it is next, after white space. */
static bool take(struct parser *parser, char c)
{
    skip_space(parser);
    if (*parser->at != c) {
        return false;
    }
    parser->at++;
    return true;
}

static bool take_word(struct parser *parser, const char *word)
{
    skip_space(parser);
    const size_t length = strlen(word);
    if (strncmp(parser->at, word, length) != 0) {
        return false;
    }
    parser->at += length;
    return true;
}

/** A quoted string without escapes. @param out  Out: cut off where it is longer than size − 1. */
static enum attn_status parse_string(struct parser *parser, char *out, size_t size)
{
    skip_space(parser);
    const char quote = *parser->at;
    if (quote != '\'' && quote != '"') {
        return damaged(parser, "a quoted string is expected");
    }
    const char *const begin = ++parser->at;
    while (*parser->at != quote) {
        if (*parser->at == '\0' || *parser->at == '\n' || *parser->at == '\\') {
            return damaged(parser, "a string does not end");
        }
        parser->at++;
    }
    const size_t length = (size_t)(parser->at - begin);
    const size_t kept = length < size ? length : size - 1;
    memcpy(out, begin, kept);
    out[kept] = '\0';
    parser->at++;
    return ATTN_OK;
}

/** What numpy kinds are not read, and what a person does instead. */
static const struct {
    char kind;
    const char *words;
} refused_kinds[] = {
    {'O', "Python objects (save plain numbers: numpy.save(f, a.astype('float32')))"},
    {'c', "complex numbers (save a.real, or a.imag)"},
    {'V', "structured or raw records (save one field by itself, as float32)"},
    {'U', "text (save numbers: a.astype('float32'))"},
    {'S', "text (save numbers: a.astype('float32'))"},
    {'a', "text (save numbers: a.astype('float32'))"},
    {'M', "dates (save numbers)"},
    {'m', "time spans (save numbers)"},
};

static enum attn_status refuse_kind(const struct parser *parser, const char *descr, char kind)
{
    char shown[IO_QUOTE_MAX];
    io_quote(shown, descr, strlen(descr));
    for (size_t i = 0; i < sizeof refused_kinds / sizeof refused_kinds[0]; i++) {
        if (refused_kinds[i].kind == kind) {
            return io_fail(parser->archive, parser->entry, parser->err, ATTN_E_UNSUPPORTED,
                           "its type '%s' holds %s", shown, refused_kinds[i].words);
        }
    }
    return io_fail(parser->archive, parser->entry, parser->err, ATTN_E_FORMAT,
                   "its type '%s' is none that is read: f2 f4 f8, i1 to i8, u1 to u8 and b1, each "
                   "with <, >, = or | before it (save a.astype('float32'))",
                   shown);
}

static bool host_is_big_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 0;
}

/** "<f8": a byte order, a kind and a size. */
static enum attn_status parse_descr(struct parser *parser, struct npy_header *header)
{
    skip_space(parser);
    if (*parser->at == '[' || *parser->at == '(') {
        return refuse_kind(parser, "[…]", 'V');
    }
    char descr[64];
    const enum attn_status status = parse_string(parser, descr, sizeof descr);
    if (status != ATTN_OK) {
        return status;
    }
    const char *at = descr;
    const char order = *at != '\0' && strchr("<>=|", *at) != NULL ? *at++ : '=';
    const char kind = *at != '\0' ? *at++ : '\0';
    if (kind == '?' && *at == '\0') {
        at = "1"; /* numpy reads '|?' as b1. */
    }
    for (int i = 0; i < IO_N_ELEMENTS; i++) {
        const struct io_element_info *const element = &io_elements[i];
        const bool same_kind =
            element->numpy != 0 && (kind == element->numpy || (kind == '?' && i == IO_BOOL));
        if (same_kind && at[0] == (char)('0' + element->size) && at[1] == '\0') {
            header->element = (enum io_element)i;
            header->big_endian = order == '>' || (order == '=' && host_is_big_endian());
            memcpy(header->descr, descr, strlen(descr) + 1);
            return ATTN_OK;
        }
    }
    return refuse_kind(parser, descr, kind);
}

static enum attn_status parse_bool(struct parser *parser, bool *value)
{
    if (take_word(parser, "True")) {
        *value = true;
    } else if (take_word(parser, "False")) {
        *value = false;
    } else {
        return damaged(parser, "fortran_order is neither True nor False");
    }
    return ATTN_OK;
}

static enum attn_status parse_dimension(struct parser *parser, size_t *dim)
{
    skip_space(parser);
    if (*parser->at == '-') {
        return damaged(parser, "a dimension of the shape is negative");
    }
    if (*parser->at < '0' || *parser->at > '9') {
        return damaged(parser, "a dimension of the shape is no whole number");
    }
    size_t value = 0;
    for (; *parser->at >= '0' && *parser->at <= '9'; parser->at++) {
        const size_t digit = (size_t)(*parser->at - '0');
        if (value > (SIZE_MAX - digit) / 10) {
            return damaged(parser, "a dimension of the shape is too large for any memory");
        }
        value = value * 10 + digit;
    }
    if (*parser->at == 'L') {
        parser->at++; /* As Python 2 wrote it. */
    }
    *dim = value;
    return ATTN_OK;
}

/** "(2, 3)", "(3,)", "()". */
static enum attn_status parse_shape(struct parser *parser, struct io_shape *shape)
{
    *shape = (struct io_shape){.rank = 0};
    if (!take(parser, '(')) {
        return damaged(parser, "the shape is no tuple in parentheses");
    }
    bool comma = true;
    while (!take(parser, ')')) {
        if (!comma) {
            return damaged(parser, "a comma or a closing parenthesis is expected in the shape");
        }
        if (shape->rank == IO_RANK_MAX) {
            return damaged(parser, "the shape has more than 32 dimensions");
        }
        const enum attn_status status = parse_dimension(parser, &shape->dims[shape->rank]);
        if (status != ATTN_OK) {
            return status;
        }
        shape->rank++;
        comma = take(parser, ',');
    }
    if (shape->rank == 1 && !comma) {
        return damaged(parser, "a shape of one dimension needs a comma: (3,)");
    }
    return ATTN_OK;
}

enum key { KEY_DESCR, KEY_FORTRAN, KEY_SHAPE, N_KEYS };

static const char *const key_names[N_KEYS] = {
    [KEY_DESCR] = "descr",
    [KEY_FORTRAN] = "fortran_order",
    [KEY_SHAPE] = "shape",
};

static enum attn_status parse_value(struct parser *parser, enum key key, struct npy_header *header)
{
    switch (key) {
    case KEY_DESCR:
        return parse_descr(parser, header);
    case KEY_FORTRAN:
        return parse_bool(parser, &header->fortran);
    case KEY_SHAPE:
        return parse_shape(parser, &header->shape);
    case N_KEYS:
        break;
    }
    return damaged(parser, "it has a key other than descr, fortran_order and shape");
}

/** One "'key': value". */
static enum attn_status parse_item(struct parser *parser, bool seen[N_KEYS],
                                   struct npy_header *header)
{
    char name[32];
    const enum attn_status status = parse_string(parser, name, sizeof name);
    if (status != ATTN_OK) {
        return status;
    }
    if (!take(parser, ':')) {
        return damaged(parser, "a colon is expected after a key");
    }
    enum key key = KEY_DESCR;
    while (key < N_KEYS && strcmp(name, key_names[key]) != 0) {
        key++;
    }
    if (key < N_KEYS && seen[key]) {
        return damaged(parser, "a key stands twice");
    }
    if (key < N_KEYS) {
        seen[key] = true;
    }
    return parse_value(parser, key, header);
}

enum attn_status npy_header_parse(const struct io_archive *archive, const char *entry,
                                  const char *text, size_t length, struct npy_header *header,
                                  struct attn_error *err)
{
    struct parser parser = {archive, entry, text, text + length, text, err};
    const size_t end = strlen(text);
    if (end != length) {
        parser.at = text + end;
        return damaged(&parser, "there is a NUL in it");
    }
    if (!take(&parser, '{')) {
        return damaged(&parser, "it does not start with a brace");
    }
    *header = (struct npy_header){.fortran = false};
    bool seen[N_KEYS] = {false};
    bool comma = true;
    while (!take(&parser, '}')) {
        if (!comma) {
            return damaged(&parser, "a comma or a closing brace is expected");
        }
        const enum attn_status status = parse_item(&parser, seen, header);
        if (status != ATTN_OK) {
            return status;
        }
        comma = take(&parser, ',');
    }
    skip_space(&parser);
    if (*parser.at != '\0') {
        return damaged(&parser, "something follows the closing brace");
    }
    for (enum key key = KEY_DESCR; key < N_KEYS; key++) {
        if (!seen[key]) {
            return io_fail(archive, entry, err, ATTN_E_FORMAT, "its header has no '%s' " FIX,
                           key_names[key]);
        }
    }
    return ATTN_OK;
}
