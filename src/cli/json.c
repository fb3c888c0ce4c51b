#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "io.h"

static void escape(uint32_t c)
{
    if (c >= 0x10000) {
        cli_printf("\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10), 0xdc00 + (c & 0x3ff));
    } else {
        cli_printf("\\u%04x", c);
    }
}

void cli_json_string(const char *text)
{
    const bool utf8 = cli_is_utf8();
    cli_write("\"");
    while (*text != '\0') {
        uint32_t c = 0xfffd;
        const size_t n = io_utf8(text, strnlen(text, 4), &c);
        c = n == 0 ? 0xfffd : c;
        if (c == '"' || c == '\\') {
            cli_printf("\\%c", (char)c);
        } else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || n == 0 || (c >= 0x80 && !utf8)) {
            escape(c);
        } else {
            cli_printf("%.*s", (int)n, text);
        }
        text += n > 0 ? n : 1;
    }
    cli_write("\"");
}

void cli_json_key(bool first, const char *name)
{
    if (!first) {
        cli_write(", ");
    }
    cli_json_string(name);
    cli_write(": ");
}
