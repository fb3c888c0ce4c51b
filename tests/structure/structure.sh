#!/bin/sh
# The rules that the whole tree keeps. Each rule is a function that prints what breaks it, and a
# row of the table at the end; a rule that prints nothing holds. Needs neither git nor Python.
#
# usage: structure.sh SOURCE_ROOT BUILD_ROOT COMPILER [flags…]
set -u
cd "$1" || exit 1
build=$2
shift 2
LC_ALL=C
export LC_ALL

# Who may include whom: a folder, and whose headers it may name. attn/*.h are core's.
may_include() {
    cat <<'TABLE'
core
torch     core
io        core
config    core torch io
walk      core config
lab       core torch config walk
lesson    core config walk lab
practice  core torch io config walk lab lesson
frame
view      core walk lab lesson practice frame
app       core torch io config walk lab lesson practice frame view
tui       app frame
cli       core torch io config walk lab lesson practice frame view app tui
TABLE
}

sources() {
    find src include tests \( -name '*.[ch]' -o -name '*.sh' \) | sort
}

includes() { # files → FILE:HEADER, the quoted ones
    grep -HE '^ *# *include *"' "$@" /dev/null | sed 's/^\([^:]*\):[^"]*"\([^"]*\)".*/\1:\2/'
}

includes_follow_the_layers() {
    may_include >"$scratch/may"
    find src -name '*.h' >"$scratch/headers"
    includes $(find src -name '*.[ch]') | awk -v may="$scratch/may" -v headers="$scratch/headers" '
        BEGIN {
            while ((getline line <may) > 0) {
                folder = line
                sub(/ .*/, "", folder)
                allowed[folder] = " " line " "
            }
            while ((getline line <headers) > 0) {
                n = split(line, part, "/")
                owner[part[n]] = part[2]
            }
        }
        {
            split($0, pair, ":")
            split(pair[1], part, "/")
            of = pair[2] ~ /^attn\// ? "core" : owner[pair[2]]
            if (of == "" || index(allowed[part[2]], " " of " ") == 0) {
                print pair[1] " includes " pair[2] " of " (of == "" ? "nobody" : of)
            }
        }'
}

every_folder_has_its_layer() {
    find src -mindepth 2 -name '*.[ch]' | cut -d/ -f2 | sort -u | while read -r folder; do
        may_include | grep -q "^$folder\( \|$\)" || echo "src/$folder has no row in may_include"
    done
}

headers_are_included_by_name() {
    includes $(sources | grep '\.[ch]$') | grep -E ':.*/' | grep -v ':attn/[a-z_]*\.h$'
    grep -nE '^ *# *include *<.*\.\./' $(sources | grep '\.[ch]$')
}

a_header_name_is_used_once() {
    find src -name '*.h' | sed 's,.*/,,' | sort | uniq -d
}

only_tui_names_curses() {
    grep -rniE 'curses|<term\.h>' src include --include='*.[ch]' --include=meson.build |
        grep -v '^src/tui/'
}

no_flag_breaks_infinities() {
    grep -rnE -e '-Ofast|-ffast-math|-ffinite-math' meson.build src include tests dev .ci \
        --include='*.[ch]' --include=meson.build --include=dev --include=run
}

a_file_has_at_most_500_lines() {
    sources | while read -r file; do
        lines=$(wc -l <"$file")
        [ "$lines" -le 500 ] || echo "$file has $lines lines"
    done
    [ "$(wc -l <meson.build)" -lt 120 ] || echo 'meson.build has 120 lines or more'
}

no_path_of_a_machine_is_named() {
    grep -rnIE '/(home|root|Users|[w]ork|tmp/[w]t)/' meson.build meson_options.txt dev .ci src include tests \
        lessons ./*.md 2>/dev/null
}

nothing_is_left_to_do() {
    grep -nE '(TO[D]O|FIX[M]E|\<X[X]X\>|HA[C]K)' $(sources)
}

every_test_is_a_row() {
    for file in $(find tests -name 'test_*.c' | sort); do
        grep -qF "${file#tests/}" tests/meson.build || echo "$file is not in tests/meson.build"
    done
}

# The map names each file once, under the heading of its folder, and nothing else.
mapped() {
    awk '
        /^## / { folder = $2; sub(/:$/, "", folder) }
        /^    [a-z]/ && folder != "tests" { print folder "/" $1 }' src/CODE-MAP.md | sort
}

every_file_is_on_the_map() {
    find src include -name '*.[ch]' | sort >"$scratch/files"
    mapped | diff "$scratch/files" - | sed -n \
        -e 's/^< /src\/CODE-MAP.md lacks /p' -e 's/^> /src\/CODE-MAP.md names, but there is no /p'
}

# What the build found, ./dev must know how to install.
every_dependency_can_be_installed() {
    found=$build/meson-info/intro-dependencies.json
    grep -q '"name"' "$found" || echo "$found names no dependency"
    grep -oE '"name": "[^"]*"' "$found" | cut -d'"' -f4 | sort -u | while read -r name; do
        case $name in
        threads | m | dl) continue ;;
        ncursesw | ncurses | curses) probe='[ ]curses ' ;;
        *) probe="pc:$name " ;;
        esac
        grep -q "$probe" dev || echo "./dev has no row for $name"
        # What the program itself needs, ./dev run has to install.
        grep -rqF "dependency('$name'" meson.build src --include=meson.build || continue
        grep -q "^run *$probe" dev || echo "./dev has no row of level run for $name"
    done
}

# The header's example is the program that is compiled and run as a test.
example() { # the text between @code and @endcode
    sed -n '/@code/,/@endcode/p' "$1" | sed '1d;$d' | sed -e 's/^ \* \{0,1\}//' -e 's/^ \*$//'
}

the_umbrella_header_shows_the_example() {
    example include/attn/attn.h >"$scratch/shown"
    grep -q 'int main' "$scratch/shown" || echo 'include/attn/attn.h has no example'
    diff "$scratch/shown" tests/structure/example.c
}

compile() { # language, standard, header, flags of the preprocessor: it compiles alone, and twice
    language=$1
    standard=$2
    header=$3
    shift 3
    printf '#include "%s"\n#include "%s"\n' "$header" "$header" >"$scratch/alone.c"
    $compiler -x "$language" "-std=$standard" -pedantic -Wall -Wextra -Werror -fsyntax-only \
        -D_XOPEN_SOURCE=700 -D_XOPEN_SOURCE_EXTENDED "$@" "$scratch/alone.c" 2>&1
}

public_headers() {
    find include -name '*.h' | sed 's,^include/,,' | sort
}

a_public_header_compiles_alone() {
    public_headers | while read -r header; do
        compile c c11 "$header" -Iinclude
    done
}

a_public_header_compiles_as_cpp() {
    echo 'int main() { return 0; }' >"$scratch/probe.c"
    $compiler -x c++ -fsyntax-only "$scratch/probe.c" 2>/dev/null || return 0
    public_headers | while read -r header; do
        compile c++ c++11 "$header" -Iinclude
    done
}

a_private_header_compiles_alone() {
    paths=$(find src -mindepth 1 -maxdepth 1 -type d | sed 's/^/-I/')
    find src -name '*.h' | sort | while read -r header; do
        # shellcheck disable=SC2086  # a list of flags
        compile c c11 "$(basename "$header")" -Iinclude "-I$(dirname "$header")" $paths
    done
}

rules='
includes_follow_the_layers
every_folder_has_its_layer
headers_are_included_by_name
a_header_name_is_used_once
only_tui_names_curses
no_flag_breaks_infinities
a_file_has_at_most_500_lines
no_path_of_a_machine_is_named
nothing_is_left_to_do
every_test_is_a_row
every_file_is_on_the_map
every_dependency_can_be_installed
the_umbrella_header_shows_the_example
a_public_header_compiles_alone
a_public_header_compiles_as_cpp
a_private_header_compiles_alone
'

compiler=$*
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
checks=0
failures=0
for rule in $rules; do
    checks=$((checks + 1))
    broken=$($rule)
    [ -n "$broken" ] || continue
    failures=$((failures + 1))
    printf '%s does not hold:\n%s\n' "$rule" "$broken"
done
# In Check's words, so that ./dev counts each rule as a test.
printf 'Checks: %d, Failures: %d, Errors: 0\n' "$checks" "$failures"
[ "$failures" -eq 0 ]
