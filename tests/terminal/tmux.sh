#!/bin/sh
# A new user's way in a real terminal, by the keys that the screen itself names: from the home screen
# to V3's softmax, into a cell, back to x number by number, and the same way back.
#
# usage: tmux.sh PROGRAM
set -u
program=$1
if ! command -v tmux >/dev/null 2>&1; then
    echo 'skipped: tmux is not installed'
    exit 77
fi
unset TMUX
scratch=$(mktemp -d) || exit 1
LC_ALL=C.UTF-8
XDG_STATE_HOME=$scratch # nothing was left to go on with
export LC_ALL XDG_STATE_HOME
trap 'tmux -S "$scratch/socket" kill-server 2>/dev/null; rm -rf "$scratch"' EXIT

terminal() {
    tmux -S "$scratch/socket" -f /dev/null "$@"
}

screen() {
    terminal capture-pane -p
}

# Fail, with what was waited for and what is there instead.
fail() {
    echo "$1"
    screen
    echo "Checks: $checks, Failures: 1, Errors: 0"
    exit 1
}

# Wait until the text is on the screen; the deadline is far beyond what it takes.
checks=0
see() {
    checks=$((checks + 1))
    for _ in $(seq 600); do
        screen | grep -qF -e "$1" && return 0
        sleep 0.05
    done
    fail "not shown: $1"
}

press() {
    terminal send-keys "$@"
}

# Press a key again and again until the text is there.
press_until() {
    checks=$((checks + 1))
    for _ in $(seq 30); do
        screen | grep -qF -e "$2" && return 0
        before=$(screen)
        press "$1"
        for _ in $(seq 100); do
            [ "$(screen)" != "$before" ] && break
            sleep 0.05
        done
    done
    fail "not reached with $1: $2"
}

terminal new-session -d -x 80 -y 24 "'$program' 2>&1; echo ended with \$?; sleep 600" || exit 1

see '▶ v3'
see 'Enter walk'
press Enter
see 'stage 1 of 9'
see '────────'
press_until Space 'stage 6 of 9'
see '▐6 softmax▌'
see 'Enter open'

press Enter
see "e^(masked[0,0] - max)"
see 'Enter source'
press_until Enter 'x[0,0] = 0.0109'
see 'An input'
press_until Escape 'stage 6 of 9'
see '▐6 softmax▌'

# The real cursor stands on the cell under the cursor, for those who read by it.
checks=$((checks + 1))
press Down
column=$(terminal display-message -p '#{cursor_x}')
row=$(terminal display-message -p '#{cursor_y}')
if [ "$row" -le 3 ] || [ "$column" -le 3 ]; then
    fail "the cursor is at $column,$row"
fi

terminal resize-window -x 40 -y 12
terminal resize-window -x 120 -y 40
see 'stage 6 of 9'
press q
see 'ended with 0'
echo "Checks: $checks, Failures: 0, Errors: 0"
