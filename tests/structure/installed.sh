#!/bin/sh
# What is installed can be used: the library by another program, found by pkg-config, shared and
# static; the program with the lessons beside it; what the program wrote of itself. All is installed
# into a directory of its own, which goes again.
#
# usage: installed.sh SOURCE_ROOT BUILD_ROOT MESON PKG_CONFIG COMPILER [flags…]
set -u
source=$1
build=$2
meson=$3
pkg_config=$4
shift 4
compiler=$*
example=$source/tests/structure/example.c

stage=$(mktemp -d) || exit 1
trap 'rm -rf "$stage"' EXIT
if ! DESTDIR=$stage $meson install -C "$build" --no-rebuild >"$stage/log" 2>&1; then
    cat "$stage/log"
    exit 1
fi

find_one() { # a name below the stage
    find "$stage" -name "$1" | head -n 1
}

pkg() {
    PKG_CONFIG_SYSROOT_DIR=$stage PKG_CONFIG_LIBDIR=$(dirname "$(find_one attn.pc)") \
        PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 $pkg_config "$@" attn
}

prints_what_it_should() { # a program
    LD_LIBRARY_PATH=$libraries sh "$source/tests/structure/example.sh" "$1"
}

# The name for the linker is gone when it runs: a program asks for the name with the version.
the_example_runs_on_the_shared_library() {
    # shellcheck disable=SC2046,SC2086  # lists of flags
    $compiler "$example" $(pkg --cflags --libs) -o "$stage/shared" || exit
    rm "$libraries/libattn.so"
    prints_what_it_should "$stage/shared"
}

the_example_runs_on_the_static_library() {
    # shellcheck disable=SC2046,SC2086
    $compiler "$example" $(pkg --cflags) "$libraries/libattn.a" \
        $(pkg --static --libs-only-l | sed 's/-lattn//') -o "$stage/static" || exit
    LD_LIBRARY_PATH='' sh "$source/tests/structure/example.sh" "$stage/static"
}

the_shared_library_gives_away_only_attn() {
    names=$(nm -D --defined-only "$(find_one 'libattn.so.0')" 2>/dev/null | awk '{ print $3 }')
    echo "$names" | grep -q '^attn_trace_create$' || echo 'attn_trace_create is not exported'
    echo "$names" | grep -v '^attn_'
}

every_public_header_is_there() {
    (cd "$source/include" && find attn -name '*.h') | while read -r header; do
        cmp "$source/include/$header" "$(dirname "$headers")/$header"
    done
}

the_program_finds_its_lessons() {
    (
        unset ATTN_LESSONS
        XDG_DATA_HOME=$stage/none XDG_DATA_DIRS=$stage/none "$program" lesson list
    ) >"$stage/lessons" 2>&1 || exit
    grep -q '^ *1 ' "$stage/lessons" || echo 'the first lesson is not listed'
    grep 'looked in' "$stage/lessons" # where it had to fall back on the one that is built in
}

# A file in the C locale's letters, as the build writes it; none where the build cannot run programs.
is_what_the_program_says() { # a place below share, arguments
    file=$(find "$stage" -path "*/share/$1")
    shift
    [ -n "$file" ] || return 0
    LC_ALL=C "$program" "$@" | cmp - "$file"
}

the_manual_and_completion_are_the_programs() {
    is_what_the_program_says man/man1/attn.1 help --man
    is_what_the_program_says bash-completion/completions/attn.bash help --completion bash
    is_what_the_program_says zsh/site-functions/_attn help --completion zsh
    is_what_the_program_says fish/vendor_completions.d/attn.fish help --completion fish
}

page() {
    find "$stage" -path '*/share/man/man1/attn.1'
}

the_manual_is_good_roff() {
    [ -n "$(page)" ] || return 0
    if command -v mandoc >/dev/null; then
        mandoc -Tlint -Wstyle "$(page)"
    elif command -v groff >/dev/null; then
        groff -mandoc -Tutf8 -ww -z "$(page)"
    fi
}

# Each in the shell, after the one before it; what would open the screen prints lines instead.
the_examples_of_the_manual_run() {
    [ -n "$(page)" ] || return 0
    mkdir "$stage/examples" && cd "$stage/examples" || exit
    sed -n -e 's/\\-/-/g' -e 's/\\(dq/"/g' -e 's/^\.Dl attn //p' "$(page)" >lines
    grep -q . lines || echo 'the manual has no example'
    while read -r line; do
        case $line in
        walk*--frame* | run* | explain*) ;;
        *) line="$line --plain" ;;
        esac
        eval "'$program' $line" </dev/null >out 2>&1 || echo "attn $line: $(cat out)"
    done <lines
}

libraries=$(dirname "$(find_one libattn.a)")
headers=$(dirname "$(find_one attn.h)")
program=$(find "$stage" -path '*/bin/attn')
checks=0
failures=0
for rule in the_shared_library_gives_away_only_attn the_example_runs_on_the_shared_library \
    the_example_runs_on_the_static_library every_public_header_is_there \
    the_program_finds_its_lessons the_manual_and_completion_are_the_programs \
    the_manual_is_good_roff the_examples_of_the_manual_run; do
    checks=$((checks + 1))
    broken=$($rule 2>&1)
    [ -n "$broken" ] || continue
    failures=$((failures + 1))
    printf '%s does not hold:\n%s\n' "$rule" "$broken"
done
# In Check's words, so that ./dev counts each rule as a test.
printf 'Checks: %d, Failures: %d, Errors: 0\n' "$checks" "$failures"
[ "$failures" -eq 0 ]
