#include <errno.h>
#include <langinfo.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

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

/** The character beyond ASCII at *text, in ASCII; *text is moved past it. */
static const char *ascii(const char **text)
{
    const char *const at = *text;
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        const size_t length = strlen(spellings[i].utf8);
        if (strncmp(at, spellings[i].utf8, length) == 0) {
            *text = at + length;
            return spellings[i].ascii;
        }
    }
    do {
        (*text)++;
    } while (continues(**text));
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

/** Write text as the locale can show it. */
static void put(FILE *f, const char *text)
{
    if (cli_is_utf8()) {
        fputs(text, f);
        return;
    }
    while (*text != '\0') {
        size_t plain = 0;
        while (text[plain] != '\0' && (unsigned char)text[plain] < 0x80) {
            plain++;
        }
        fwrite(text, 1, plain, f);
        text += plain;
        if (*text == '\0') {
            break;
        }
        const size_t under = radicand(text);
        fputs(ascii(&text), f);
        if (under > 0) {
            fprintf(f, "(%.*s)", (int)under, text);
            text += under;
        }
    }
}

void cli_write(const char *text)
{
    if (write_error != 0) {
        return;
    }
    errno = 0;
    put(stdout, text);
    if (ferror(stdout)) {
        write_error = errno != 0 ? errno : EIO;
    }
}

void cli_printf(const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cli_write(text);
}

bool cli_write_failed(void)
{
    return write_error != 0;
}

enum cli_status cli_end_output(enum cli_status status)
{
    errno = 0;
    if (write_error == 0 && (fflush(stdout) != 0 || ferror(stdout))) {
        struct pollfd reader = {.fd = STDOUT_FILENO};
        const bool gone = poll(&reader, 1, 0) > 0 && (reader.revents & POLLERR) != 0;
        write_error = errno != 0 ? errno : gone ? EPIPE : EIO; /* an earlier one left no errno */
    }
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
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(stderr, "attn: ");
    if (what != NULL && what[0] != '\0') {
        put(stderr, what);
        put(stderr, ": ");
    }
    put(stderr, text);
    put(stderr, "\n");
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
    cli_message(what, "%s", err->message);
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
