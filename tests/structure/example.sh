#!/bin/sh
# The example of the umbrella header prints what it should.
# With two equal unit vectors, weights[0,1] = 1 / (1 + exp(1/√2)).
expected='token 0 attends to itself with 0.6698, to token 1 with 0.3302'
printed=$("$@")
[ "$printed" = "$expected" ] && exit 0
printf 'expected: %s\nprinted:  %s\n' "$expected" "$printed"
exit 1
