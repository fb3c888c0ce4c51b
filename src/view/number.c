#include "view_number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct view_format view_format_for(float max_abs, enum attn_kind kind, enum view_zoom zoom)
{
    if (zoom == VIEW_ZOOM_HEAT) {
        return (struct view_format){.width = 1, .decimals = 0};
    }
    if (kind == ATTN_KIND_MASK) {
        return (struct view_format){.width = 1, .decimals = 0};
    }
    static const struct {
        float below;
        struct view_format digits, short_digits;
    } formats[] = {
        {10.0F, {7, 4}, {5, 2}},      {100.0F, {8, 4}, {6, 2}},    {1000.0F, {9, 4}, {6, 1}},
        {10000.0F, {9, 3}, {6, 0}},   {100000.0F, {9, 2}, {6, 0}}, {1000000.0F, {9, 1}, {6, -1}},
        {INFINITY, {9, -1}, {6, -1}},
    };
    size_t i = 0;
    while (i + 1 < sizeof formats / sizeof formats[0] && !(max_abs < formats[i].below)) {
        i++;
    }
    return zoom == VIEW_ZOOM_SHORT ? formats[i].short_digits : formats[i].digits;
}

struct view_format view_format_fewer(struct view_format format, int decimals, int least)
{
    if (format.decimals <= decimals) {
        return format;
    }
    const int width = format.width - (format.decimals - decimals) - (decimals == 0 ? 1 : 0);
    return (struct view_format){.width = width < least ? least : width, .decimals = decimals};
}

/** "-0.00" reads as a riddle: it is zero. */
static void drop_sign_of_zero(char *text)
{
    if (text[0] == '-' && strspn(text + 1, "0.") == strlen(text + 1)) {
        memmove(text, text + 1, strlen(text));
    }
}

/** "-1e+09" as "-1e9". */
static void brief_exponent(char out[24])
{
    char *const mark = strchr(out, 'e');
    if (mark != NULL) {
        char *digits = mark + 1;
        digits += strspn(digits, "-");
        memmove(digits, digits + strspn(digits, "+0"), strlen(digits + strspn(digits, "+0")) + 1);
    }
}

/** What is too long even so is told by hashes, as spreadsheets do. */
static void fit(char out[24], int width)
{
    if ((int)strlen(out) > width && width > 0 && width < 24) {
        memset(out, '#', (size_t)width);
        out[width] = '\0';
    }
}

void view_number(char out[24], float value, struct view_format format)
{
    if (!isfinite(value)) {
        snprintf(out, 24, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return;
    }
    const double d = (double)value;
    if (format.decimals >= 0) {
        walk_fixed(d, format.decimals, out);
        drop_sign_of_zero(out);
        if (value != 0.0F && strspn(out, "0.") == strlen(out)) {
            snprintf(out, 24, "~0");
        }
    }
    for (int precision = 3;
         (format.decimals < 0 || (int)strlen(out) > format.width) && precision >= 0; precision--) {
        snprintf(out, 24, "%.*e", precision, d);
        if ((int)strlen(out) <= format.width) {
            break;
        }
    }
    brief_exponent(out);
    fit(out, format.width);
}
