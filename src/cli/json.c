#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

/** One character of UTF-8. @return its bytes, or 0 where it is malformed. */
static int decode(const unsigned char *s, uint32_t *out)
{
    const int n = s[0] < 0x80   ? 1
                  : s[0] < 0xc2 ? 0
                  : s[0] < 0xe0 ? 2
                  : s[0] < 0xf0 ? 3
                  : s[0] < 0xf5 ? 4
                                : 0;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    static const unsigned char bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    if (n == 0) {
        return 0;
    }
    uint32_t value = s[0] & bits[n];
    for (int i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
        value = value << 6 | (s[i] & 0x3fu);
    }
    if (value < least[n] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) {
        return 0;
    }
    *out = value;
    return n;
}

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
        const int n = decode((const unsigned char *)text, &c);
        if (c == '"' || c == '\\') {
            cli_printf("\\%c", (char)c);
        } else if (c < 0x20 || c == 0x7f || n == 0 || (c >= 0x80 && !utf8)) {
            escape(c);
        } else {
            cli_printf("%.*s", n, text);
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
