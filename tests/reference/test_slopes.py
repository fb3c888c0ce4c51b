#!/usr/bin/python3
"""The slopes of `attn explain --slopes` against torch.autograd, on random configurations.

usage: test_slopes.py ATTN

Inputs, weights, the mask and the dropout pattern are those that the program saves, so that only the
gradients are compared: with autograd in float64, every input number that has one, its rank too.
ATTN_SLOPES_SEED chooses other configurations than the usual ones. Exits with 77, and says so, where
there is no torch.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import torch
except ImportError as missing:
    print(f"skipped: {missing} (Debian: apt install python3-torch python3-numpy)")
    sys.exit(77)

sys.dont_write_bytecode = True
from variants import Attention, arguments  # noqa: E402

CONFIGURATIONS = 40
MOST = 1000  # that the program lists
STAGES = "qkv q k v scores scaled masked weights dropped context output".split()


def random_case(rng):
    variant = rng.choice(("single", "cross", "v1", "v2", "v3", "v3", "v3"))
    T, d = rng.randint(1, 5), rng.randint(1, 6)
    return dict(variant=variant, seed=rng.randint(0, 10**6), B=rng.randint(1, 2), T=T,
                S=rng.randint(1, 5) if variant == "cross" else T, d=d,
                d_in=rng.randint(1, 6) if variant in ("single", "cross") else d,
                causal=variant not in ("v1", "v2") and rng.random() < 0.6,
                train=variant == "v3" and rng.random() < 0.5, p=rng.choice((0.25, 0.5)))


def attn(program, *args):
    done = subprocess.run([program, *args], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def forward(case, saved):
    """The leaves by name, and every stage, in float64 and with gradients."""
    module = Attention(case["variant"], case["d_in"], case["d"], case["p"]).double()
    module.load_state_dict({name: torch.from_numpy(saved[name]) for name in module.state_dict()})
    module.train(case["train"])
    leaves = dict(module.named_parameters())
    for name in ("x", "memory"):
        if name in saved:
            leaves[name] = torch.from_numpy(saved[name]).double().requires_grad_()
    mask = torch.from_numpy(saved["mask"]) if "mask" in saved else None
    draw = torch.nn.functional.dropout
    if "keep" in saved:  # the pattern that was drawn, in the place of another
        keep = torch.from_numpy(saved["keep"]).double()
        torch.nn.functional.dropout = lambda w, p, training: w * keep / (1 - p)
    stages = module(leaves["x"], leaves.get("memory"), mask)
    torch.nn.functional.dropout = draw
    return leaves, stages


def gradients(leaves, cell):
    found = torch.autograd.grad(cell, list(leaves.values()), allow_unused=True)
    return {(name, *index): value for name, gradient in zip(leaves, found) if gradient is not None
            for index, value in np.ndenumerate(gradient.numpy())}


def compare(program, case, args, rng, folder):
    archive = folder / "saved.npz"
    attn(program, "run", case["variant"], *args, "--save", str(archive))
    leaves, stages = forward(case, dict(np.load(archive)))
    tensor = rng.choice((list(stages)[-1], rng.choice([n for n in STAGES if n in stages])))
    at = [rng.randrange(n) for n in stages[tensor].shape]
    told = json.loads(attn(program, "explain", case["variant"], tensor, *map(str, at), *args,
                           "--slopes", str(MOST), "--json"))
    want = gradients(leaves, stages[tensor][tuple(at)])
    got = {(one["tensor"], *one["at"]): one["slope"] for one in told["slopes"]}
    if told["inputs"] != sum(leaf.numel() for leaf in leaves.values()):
        raise AssertionError(f"{tensor}{at}: {told['inputs']} inputs")
    largest = max(map(abs, want.values()), default=0)
    for name in want.keys() | got.keys():
        ours, torchs = got.get(name, 0), want.get(name, 0)
        if not abs(ours - torchs) <= 2e-5 * abs(torchs) + 2e-6 * largest:
            raise AssertionError(f"{tensor}{at} by {name}: {ours}, autograd has {torchs}")
    sizes = [abs(one["slope"]) for one in told["slopes"]]
    if sizes != sorted(sizes, reverse=True):
        raise AssertionError(f"{tensor}{at}: not the largest first")
    return len(want)


def main():
    program = sys.argv[1]
    seed = os.environ.get("ATTN_SLOPES_SEED", "1")
    rng = random.Random(seed)
    print(f"torch {torch.__version__}, ATTN_SLOPES_SEED={seed}")
    failures = total = 0
    with tempfile.TemporaryDirectory() as name:
        for i in range(CONFIGURATIONS):
            case = random_case(rng)
            args = arguments(case)
            try:
                total += compare(program, case, args, rng, pathlib.Path(name))
            except AssertionError as why:
                failures += 1
                print(f"{i}: attn {case['variant']} {' '.join(args)}: {why}")
    print(f"{total} slopes held against autograd")
    print(f"Checks: {CONFIGURATIONS}, Failures: {failures}, Errors: 0")
    return 1 if failures or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
