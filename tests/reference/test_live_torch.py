#!/usr/bin/python3
"""The built program against the PyTorch of this machine, on random configurations.

usage: test_live_torch.py ATTN

Weights, inputs and dropout patterns must have the same bits; every stage must be within
2e-6 + 1e-5·|ref| of float64; and what is printed must be what torch's float32 prints, but for at
most 0.5 % of the numbers, which may be off by one in the last place (torch's BLAS sums in an order
of its own). ATTN_LIVE_SEED chooses other configurations than the usual ones. Exits with 77, and says
so, where there is no torch, or none with AVX2 kernels: their draws are the ones that are promised.
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile

# The draws are those of the AVX2 kernels, whatever else this CPU could do.
os.environ["ATEN_CPU_CAPABILITY"] = "avx2"

try:
    import numpy as np
    import torch
except ImportError as missing:
    print(f"skipped: {missing} (Debian: apt install python3-torch python3-numpy)")
    sys.exit(77)

sys.dont_write_bytecode = True
from variants import arguments, canonical  # noqa: E402

if "AVX2" not in torch.__config__.show():
    print(f"skipped: this torch {torch.__version__} does not run its AVX2 kernels here")
    sys.exit(77)

CONFIGURATIONS = 60
ALIKE = 0.995
STAGES = "qkv q k v scores scaled masked weights dropped context output".split()


def random_case(rng):
    variant = rng.choice(("single", "cross", "v1", "v2", "v3", "v3"))
    width = rng.choice((4, 16, 31, 64))
    d = rng.randint(1, width)
    T = rng.randint(1, 12)
    train = variant == "v3" and rng.random() < 0.6
    return dict(variant=variant, seed=rng.choice((0, 42, rng.randint(-2**63, 2**64 - 1))),
                B=rng.randint(1, 3), T=T, S=rng.randint(1, 12) if variant == "cross" else T, d=d,
                d_in=rng.randint(1, width) if variant in ("single", "cross") else d,
                causal=False, train=train, p=rng.choice((0.1, 0.25, 0.5)))


def random_mask(rng, case, folder):
    """A mask tensor and the option for it; every row keeps its first key."""
    B, T, S = case["B"], case["T"], case["S"]
    mask, parts = torch.ones(B, T, S), []
    if case["variant"] not in ("single", "cross", "v3") or rng.random() < 0.3:
        return None, []
    if rng.random() < 0.6:
        mask, parts = mask * torch.tril(torch.ones(T, S)), parts + ["causal"]
    if rng.random() < 0.4:
        lengths = [rng.randint(1, S) for _ in range(B)]
        for b, length in enumerate(lengths):
            mask[b, :, length:] = 0
        parts.append("padding:" + ",".join(map(str, lengths)))
    if rng.random() < 0.4 or not parts:
        drawn = [[1 if s == 0 else rng.randint(0, 1) for s in range(S)] for _ in range(T)]
        np.save(folder / "mask.npy", np.array(drawn, np.uint8))
        mask, parts = mask * torch.tensor(drawn), parts + [str(folder / "mask.npy")]
    return mask, ["--mask", "+".join(parts)]


def run(program, *args):
    done = subprocess.run([program, "run", *args], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def printed(tensors):
    """The lines that `attn run` should print for these stages."""
    for name in (name for name in STAGES if name in tensors):
        for b, matrix in enumerate(tensors[name]):
            yield f"{name} [{b}] {matrix.shape[0]}x{matrix.shape[1]}"
            for row in matrix.tolist():
                numbers = (f"{value:9.4f}" for value in row)
                yield " ".join("   0.0000" if n == "  -0.0000" else n for n in numbers)


def compare_text(text, want):
    """Line by line, number by number. Returns how many were alike, and of how many."""
    lines = text.splitlines()
    if len(lines) != len(want):
        raise AssertionError(f"{len(lines)} lines are printed, want {len(want)}")
    alike = total = 0
    heading = ""
    for ours, torchs in zip(lines, want):
        if "[" in torchs:
            heading = torchs
            if ours != torchs:
                raise AssertionError(f"printed {ours!r}, want {torchs!r}")
            continue
        if len(ours) != len(torchs):
            raise AssertionError(f"{heading}: printed {ours!r}, want {torchs!r}")
        for a, b in zip(ours.split(), torchs.split()):
            if a != b and not abs(float(a) - float(b)) < 1.5e-4:
                raise AssertionError(f"{heading}: printed {a}, torch prints {b}")
            alike, total = alike + (a == b), total + 1
    return alike, total


def compare(program, case, mask, args, folder):
    exact = canonical(case, mask)
    double = canonical(case, mask, double=True)
    archive = folder / "saved.npz"
    text = run(program, case["variant"], *args)
    run(program, case["variant"], *args, "--save", str(archive))
    saved = dict(np.load(archive))
    for name, tensor in exact.items():
        if name not in saved:
            raise AssertionError(f"{name} was not saved (saved: {' '.join(saved)})")
        ours = saved[name]
        if ours.shape != tuple(tensor.shape):
            raise AssertionError(f"{name}: shape {ours.shape}, torch has {tuple(tensor.shape)}")
        if name not in STAGES:
            if ours.tobytes() != tensor.numpy().tobytes():
                raise AssertionError(f"{name}: other bits than torch's")
            continue
        ref = double[name].numpy()
        finite = np.isfinite(ref)
        off = np.abs(ours[finite] - ref[finite]) - (2e-6 + 1e-5 * np.abs(ref[finite]))
        if not (ours[~finite] == ref[~finite]).all() or not (off <= 0).all():
            raise AssertionError(f"{name}: beyond the tolerance by {off.max(initial=0):.3g}")
    stages = {name: tensor for name, tensor in exact.items() if name in STAGES}
    return compare_text(text, list(printed(stages)))


def main():
    program = sys.argv[1]
    seed = os.environ.get("ATTN_LIVE_SEED", "1")
    rng = random.Random(seed)
    build = ["--torch-dropout", "mkl" if torch.backends.mkl.is_available() else "mt"]
    print(f"torch {torch.__version__}, dropout {build[1]}, ATTN_LIVE_SEED={seed}")
    failures = alike = total = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for i in range(CONFIGURATIONS):
            case = random_case(rng)
            mask, option = random_mask(rng, case, folder)
            args = arguments(case) + option + build
            try:
                got = compare(program, case, mask, args, folder)
                alike, total = alike + got[0], total + got[1]
            except AssertionError as why:
                failures += 1
                print(f"{i}: attn run {case['variant']} {' '.join(args)}: {why}")
    share = alike / max(total, 1)
    print(f"{alike} of {total} printed numbers are torch's ({share:.4%})")
    if total == 0 or share < ALIKE:
        failures += 1
        print(f"at least {ALIKE:.1%} must be")
    print(f"Checks: {CONFIGURATIONS + 1}, Failures: {failures}, Errors: 0")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
