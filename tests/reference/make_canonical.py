#!/usr/bin/python3
"""Write data/canonical: what PyTorch draws and computes for a seed, every stage.

Run it with Debian 12's python3-torch and OpenBLAS on a CPU with AVX-512 (or with
OPENBLAS_CORETYPE=SkylakeX). The order of a product's sum is the BLAS's, so the script first computes
data/attention again, and stops if a single bit of it comes out otherwise.
"""

import json
import pathlib
import sys

import numpy as np
import torch

sys.dont_write_bytecode = True
from variants import Attention, arguments, canonical  # noqa: E402

DATA = pathlib.Path(__file__).parent / "data"
SEEDS = (0, 42, -1, 2**64 - 1)
# B, T, S, d_in, d. The numbers of elements of x and memory are below, at and above 16, odd and even.
SMALL = ((1, 2, 2, 2, 2), (1, 4, 4, 4, 4), (1, 3, 5, 5, 5), (2, 5, 3, 3, 3))


def case(variant, seed, sizes, causal=False, train=False, p=0.1):
    B, T, S, d_in, d = sizes
    if variant != "cross":
        S = T
    if variant not in ("single", "cross"):
        d_in = d
    return dict(variant=variant, seed=seed, B=B, T=T, S=S, d_in=d_in, d=d, causal=causal,
                train=train, p=p)


def cases():
    for v, variant in enumerate(("single", "cross", "v1", "v2", "v3")):
        for s, seed in enumerate(SEEDS):
            yield case(variant, seed, SMALL[(s + v) % len(SMALL)])
    yield case("v3", 42, (1, 4, 4, 4, 4), causal=True, train=True)
    yield case("v3", 0, (2, 5, 5, 6, 6), causal=True, train=True, p=0.5)
    yield case("v3", -1, (3, 3, 3, 5, 5), train=True, p=0.25)
    yield case("v3", 2**64 - 1, (1, 3, 3, 3, 3), train=True, p=0.9)
    yield case("v3", 42, (1, 3, 3, 4, 4), train=True, p=1.0)
    yield case("v3", 42, (1, 3, 3, 4, 4), train=True, p=0.0)
    yield case("v3", 42, (1, 3, 3, 4, 4), causal=True, p=0.5)
    yield case("single", 7, (1, 5, 5, 7, 3), causal=True)
    yield case("single", 123, (2, 16, 16, 20, 17), causal=True)
    yield case("cross", 7, (2, 3, 6, 5, 4), causal=True)
    yield case("cross", 123, (1, 9, 4, 6, 11), causal=True)
    yield case("v1", 123, (1, 9, 9, 31, 31))
    yield case("v2", 123, (2, 7, 7, 24, 24))
    yield case("v3", 123, (1, 12, 12, 30, 30), causal=True, train=True)
    yield case("single", 9, (1, 6, 6, 40, 33))
    yield case("v1", 9, (1, 5, 5, 32, 32))
    yield case("v3", 9, (1, 10, 10, 48, 48), causal=True, train=True)


def check_this_torch():
    """Does this PyTorch give the bits of data/attention?"""
    for row in json.loads((DATA / "attention/index.json").read_text()):
        stored = {k: v for k, v in np.load(DATA / "attention" / row["file"]).items() if k != "meta"}
        given = {k: torch.from_numpy(np.array(v)) for k, v in stored.items()}
        module = Attention(row["variant"], row["d_in"], row["d"], 0.0)
        module.load_state_dict({k: given[k] for k in module.state_dict()})
        with torch.no_grad():
            stages = module(given["x"], given.get("memory"), given.get("mask"))
        for name, tensor in stages.items():
            if name == "context" and "dropped" in stored:
                break  # its dropout pattern is given, not drawn
            if name in stored and tensor.numpy().tobytes() != stored[name].tobytes():
                sys.exit(f"{row['file']}: {name}: this PyTorch and its BLAS give other bits (use "
                         "OpenBLAS and OPENBLAS_CORETYPE=SkylakeX)")


def main():
    check_this_torch()
    out = DATA / "canonical"
    out.mkdir(exist_ok=True)
    index = []
    for i, one in enumerate(cases()):
        name = f"{one['variant']}-{i:03d}.npz"
        np.savez_compressed(out / name, **{k: v.numpy() for k, v in canonical(one).items()})
        index.append(dict(file=name, variant=one["variant"], args=arguments(one),
                          exact=max(one["d"], one["d_in"]) < 32))
    rows = ",\n".join("  " + json.dumps(row) for row in index)
    about = json.dumps(f"torch {torch.__version__}, OpenBLAS, SkylakeX kernels")
    (out / "index.json").write_text(f'{{"made with": {about},\n "cases": [\n{rows}\n]}}\n')


if __name__ == "__main__":
    main()
