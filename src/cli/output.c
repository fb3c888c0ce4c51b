#include <errno.h>
#include <langinfo.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "io.h"

enum { LINE_COLUMNS = 79 };

/* The first failure to write to standard output; what comes after it is not written. */
static int write_error;

bool cli_is_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/** How the characters that we use are written in ASCII. */
static const struct {
    const char *utf8, *ascii;
} spellings[] = {
    {"−", "-"},    {"–", "-"},   {"—", "-"},   {"…", "..."}, {"×", "x"},  {"·", "."},  {"÷", "/"},
    {"√", "sqrt"}, {"Σ", "sum"}, {"∞", "inf"}, {"ᵀ", "^T"},  {"⁻", "^-"}, {"ˣ", "^x"}, {"²", "^2"},
    {"ₖ", "_k"},   {"ₒ", "_o"},  {"→", "->"},  {"←", "<-"},  {"≤", "<="}, {"≥", ">="}, {"≠", "!="},
    {"“", "\""},   {"”", "\""},  {"’", "'"},   {"‘", "'"},   {"✓", "ok"}, {"✗", "!!"}, {"≈", "~"},
};

static bool continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/** A character beyond ASCII, in ASCII. */
static const char *ascii(const char *text)
{
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        if (strncmp(text, spellings[i].utf8, strlen(spellings[i].utf8)) == 0) {
            return spellings[i].ascii;
        }
    }
    return "?";
}

/** The name under a root sign: "√d_k" is spelled "sqrt(d_k)". */
static size_t radicand(const char *text)
{
    static const char root[] = "√";
    const size_t length = sizeof root - 1;
    if (strncmp(text, root, length) != 0) {
        return 0;
    }
    return strspn(text + length, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
}

/** What a text is: in a message, which is one line, all that is hidden is shown. */
enum kind { RESULT, MESSAGE };

/** Write one character that is not of printable ASCII. @return its bytes. */
static size_t put_odd(FILE *f, const char *text, enum kind kind)
{
    char shown[IO_SHOWN_MAX];
    uint32_t code = 0;
    const size_t left = strnlen(text, 4);
    const bool whole = io_utf8(text, left, &code) > 0;
    const size_t n = io_shown(text, left, shown);
    if (kind == RESULT && (*text == '\n' || *text == '\t')) {
        putc(*text, f);
        return 1;
    }
    const bool obeyed = !whole || code < 0x20 || (code >= 0x7f && code < 0xa0);
    const bool hidden = shown[0] == '\\';
    if (obeyed || (hidden && kind == MESSAGE)) {
        fputs(shown, f);
    } else if (cli_is_utf8()) {
        fwrite(text, 1, n, f);
    } else {
        const size_t under = radicand(text);
        fputs(ascii(text), f);
        if (under > 0) {
            fprintf(f, "(%.*s)", (int)under, text + n);
        }
        return n + under;
    }
    return n;
}

/** Write text as the locale can show it. All that the program prints goes through here, so that
 * nothing of a file or of the command line reaches a terminal as a command. */
static void put(FILE *f, const char *text, enum kind kind)
{
    while (*text != '\0') {
        size_t plain = 0;
        while (text[plain] >= 0x20 && text[plain] < 0x7f) {
            plain++;
        }
        fwrite(text, 1, plain, f);
        text += plain;
        text += *text != '\0' ? put_odd(f, text, kind) : 0;
    }
}

void cli_write(const char *text)
{
    if (write_error != 0) {
        return;
    }
    errno = 0;
    put(stdout, text, RESULT);
    if (ferror(stdout)) {
        write_error = errno != 0 ? errno : EIO;
    }
}

/** Where a text of which some did not fit ends: with a whole character. */
static void end_whole(char *text, size_t size)
{
    static const char mark[] = "…";
    size_t n = size - sizeof mark;
    while (n > 0 && continues(text[n])) {
        n--;
    }
    memcpy(text + n, mark, sizeof mark);
}

void cli_printf(const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (n >= (int)sizeof text) {
        end_whole(text, sizeof text - 1);
        strcat(text, "\n");
    }
    cli_write(text);
}

void cli_pass(const char *text)
{
    const size_t n = strlen(text);
    put(stderr, text, RESULT);
    if (n > 0 && text[n - 1] != '\n') {
        put(stderr, "\n", RESULT);
    }
}

bool cli_write_failed(void)
{
    return write_error != 0;
}

void cli_flush(void)
{
    errno = 0;
    if (write_error == 0 && (fflush(stdout) != 0 || ferror(stdout))) {
        struct pollfd reader = {.fd = STDOUT_FILENO};
        const bool gone = poll(&reader, 1, 0) > 0 && (reader.revents & POLLERR) != 0;
        write_error = errno != 0 ? errno : gone ? EPIPE : EIO; /* an earlier one left no errno */
    }
}

enum cli_status cli_end_output(enum cli_status status)
{
    cli_flush();
    if (write_error == EPIPE) {
        return status; /* the reader has seen all that it wants */
    }
    if (write_error != 0) {
        cli_message("standard output", "%s (what was written is not complete)",
                    strerror(write_error));
        return CLI_FAILED;
    }
    return status;
}

void cli_message(const char *what, const char *format, ...)
{
    char text[ATTN_MESSAGE_MAX + 512];
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (n >= (int)sizeof text) {
        end_whole(text, sizeof text);
    }
    put(stderr, "attn: ", MESSAGE);
    if (what != NULL) {
        put(stderr, what[0] != '\0' ? what : "''", MESSAGE);
        put(stderr, ": ", MESSAGE);
    }
    put(stderr, text, MESSAGE);
    put(stderr, "\n", RESULT);
}

enum cli_status cli_fail(const struct attn_error *err)
{
    char what[sizeof err->what + 32];
    if (err->line > 0 && err->column > 0) {
        snprintf(what, sizeof what, "%s:%d:%d", err->what, err->line, err->column);
    } else if (err->line > 0) {
        snprintf(what, sizeof what, "%s:%d", err->what, err->line);
    } else {
        snprintf(what, sizeof what, "%s", err->what);
    }
    cli_message(what[0] != '\0' ? what : NULL, "%s", err->message);
    const bool option = strncmp(err->what, "--", 2) == 0;
    return option && err->status != ATTN_E_NOMEM ? CLI_USAGE : CLI_FAILED;
}

int cli_columns(const char *text)
{
    int n = 0;
    for (; *text != '\0'; text++) {
        n += continues(*text) ? 0 : 1;
    }
    return n;
}

/** The bytes and columns of the word at text. */
static size_t word_at(const char *text, int *columns)
{
    const size_t bytes = strcspn(text, " ");
    *columns = 0;
    for (size_t i = 0; i < bytes; i++) {
        *columns += continues(text[i]) ? 0 : 1;
    }
    return bytes;
}

void cli_wrap(const char *text, int first, int indent)
{
    int column = first;
    bool start = true;
    while (*text != '\0') {
        int columns = 0;
        const size_t bytes = word_at(text, &columns);
        if (!start && column + 1 + columns > LINE_COLUMNS) {
            cli_printf("\n%*s", indent, "");
            column = indent;
            start = true;
        }
        cli_printf("%s%.*s", start ? "" : " ", (int)bytes, text);
        column += columns + (start ? 0 : 1);
        start = false;
        text += bytes;
        text += strspn(text, " ");
    }
    cli_write("\n");
}
