#!/bin/sh
# Writes files as C arrays: bytes, since a string literal may not be longer than 4095 characters.
#
# usage: embed.sh [NAME FILE]… >OUTPUT
set -eu
LC_ALL=C
export LC_ALL
printf '/* Made by embed.sh. */\n#include <stddef.h>\n'
while [ $# -ge 2 ]; do
    printf '\nextern const unsigned char %s[];\nextern const size_t %s_size;\n' "$1" "$1"
    printf 'const unsigned char %s[] = {\n' "$1"
    od -An -v -tu1 "$2" | sed -e 's/^ *//' -e 's/ *$//' -e 's/  */, /g' -e 's/$/,/'
    printf '0};\nconst size_t %s_size = sizeof %s - 1;\n' "$1" "$1"
    shift 2
done
