#!/bin/sh
# What the README shows is what the program prints: each block of "$ attn ..." is run again.
# ./dev golden (ATTN_GOLDEN=write) writes the outputs anew.
#
# usage: readme.sh SOURCE_ROOT PROGRAM
set -u
readme=$(cd "$1" && pwd)/README.md
PATH=$(cd "$(dirname "$2")" && pwd):$PATH
LC_ALL=C.UTF-8
TERM=dumb
export PATH LC_ALL TERM
unset COLUMNS LINES NO_COLOR CLICOLOR_FORCE

# What the commands write goes into a directory of its own.
scratch=$(mktemp -d) && cd "$scratch" || exit 1
now=$scratch/README.now
trap 'rm -rf "$scratch"' EXIT

# The README with every output as it is now.
in_output=false
blocks=0
while IFS= read -r line; do
    case $line in
    '```') in_output=false ;;
    esac
    $in_output || printf '%s\n' "$line" >>"$now"
    case $line in
    '$ attn '*)
        in_output=true
        blocks=$((blocks + 1))
        sh -c "${line#??}" </dev/null >>"$now" 2>&1
        ;;
    esac
done <"$readme"

if [ "$blocks" -eq 0 ]; then
    echo 'the README shows no command'
    exit 1
fi
if [ "${ATTN_GOLDEN-}" = write ]; then
    cat "$now" >"$readme"
fi
failures=$(diff "$readme" "$now" | grep -cE '^[0-9,]+[acd]')
diff "$readme" "$now"
printf 'Checks: %d, Failures: %d, Errors: 0\n' "$blocks" "$((failures > blocks ? blocks : failures))"
[ "$failures" -eq 0 ]
