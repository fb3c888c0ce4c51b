/**
 * Numbers as text in tables: one grammar, whatever the locale.
 */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include "element.h"

struct io_number {
    double value;
    float narrow;           /**< The same as float32. */
    enum io_loss_kind loss; /**< On the way from the text to float32. */
    bool whole;             /**< Written without a point and an exponent. */
};

enum io_number_fault {
    IO_NUMBER_GOOD,
    IO_NUMBER_BAD,  /**< Not a number from end to end. */
    IO_NUMBER_HUGE, /**< Beyond a double. */
    IO_NUMBER_NOMEM
};

/**
 * [+-] digits [. digits] [e [+-] digits] with a digit before or after the point; nan, inf and
 * infinity in any case. All of text, or it is bad. Under io_locale_begin.
 *
 * @param point  The decimal point: '.' or ','.
 */
enum io_number_fault io_number_parse(const char *text, size_t length, char point,
                                     struct io_number *number);

#endif
