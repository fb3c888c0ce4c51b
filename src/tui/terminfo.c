#include "terminfo.h"

#include <string.h>

#include <curses.h>
/* after curses.h, which it needs */
#include <term.h>

/** Append a capability without its padding ("$<2>"), which only a printing terminal waits for. */
static void append(struct tui_terminfo *info, const char *text)
{
    while (*text != '\0' && info->restore_size + 1 < sizeof info->restore) {
        if (text[0] == '$' && text[1] == '<') {
            const char *const end = strchr(text, '>');
            if (end != NULL) {
                text = end + 1;
                continue;
            }
        }
        info->restore[info->restore_size++] = *text++;
    }
}

static const char *capability(const char *name)
{
    const char *const text = tigetstr(name);
    return text != NULL && text != (char *)-1 ? text : NULL;
}

enum tui_terminfo_status tui_terminfo_look(const char *name, int fd, struct tui_terminfo *info)
{
    static const char *const restoring[] = {"rmacs", "sgr0", "op", "cnorm", "rmcup"};
    int error = 0;
    if (setupterm(name, fd, &error) != OK) {
        return TUI_TERMINFO_UNKNOWN;
    }
    const bool places = capability("cup") != NULL;
    if (places) {
        const int colors = tigetnum("colors");
        *info = (struct tui_terminfo){.colors = colors > 0 ? colors : 0};
        info->has_mouse = capability("kmous") != NULL;
        for (size_t i = 0; i < sizeof restoring / sizeof restoring[0]; i++) {
            const char *const text = capability(restoring[i]);
            append(info, text != NULL ? text : "");
        }
        append(info, capability("rmcup") != NULL ? "\r" : "\r\n");
    }
    del_curterm(cur_term);
    return places ? TUI_TERMINFO_OK : TUI_TERMINFO_DUMB;
}
