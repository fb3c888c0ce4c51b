#!/usr/bin/python3
"""What `attn code` writes, run: it must print what `attn run` prints.

usage: test_code.py ATTN COMPILER…

Random configurations of every variant: masks of all kinds, fills, rows without a key, other scales,
training, tensors from files of every format. Weights, inputs and dropout's pattern must have the same
bits; of the printed numbers at least 99.5 % must be the same, and the rest off by one in the last
place. Each program runs without a warning, the C programs compile without one.

ATTN_CODE_SEED chooses other configurations, ATTN_CODE_COUNT another number of them. PyTorch's part is
left out where there is no torch (or none with AVX2 kernels, whose draws are the ones that are promised);
without numpy the test is skipped.
"""

import contextlib
import io
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings

os.environ["ATEN_CPU_CAPABILITY"] = "avx2"
os.environ["OMP_NUM_THREADS"] = "1"

try:
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing} (Debian: apt install python3-numpy)")
    sys.exit(77)
try:
    import torch
    LIVE = "AVX2" in torch.__config__.show()
except ImportError:
    LIVE = False

ALIKE = 0.995
MASKS = ("single", "cross", "v3")


def random_sizes(rng, variant):
    width = rng.choice((4, 16, 31, 64))
    d, T = rng.randint(1, width), rng.randint(1, 12)
    sizes = dict(B=rng.randint(1, 3), T=T, S=T, d=d, d_in=d)
    if variant == "cross":
        sizes["S"] = rng.randint(1, 12)
    if variant in ("single", "cross"):
        sizes["d_in"] = rng.randint(1, width)
    return sizes


def size_options(variant, z):
    args = ["--batch", z["B"], "--length", z["T"], "--dim", z["d"]]
    if variant == "cross":
        args += ["--memory-length", z["S"]]
    if variant in ("single", "cross"):
        args += ["--dim-in", z["d_in"]]
    return [str(word) for word in args]


def random_mask(rng, variant, z, folder):
    if variant not in MASKS or rng.random() < 0.3:
        return []
    parts, args = [], []
    if rng.random() < 0.6:
        parts.append("causal")
        args += rng.choice(([], ["--causal-align", "bottom-right"]))
    if rng.random() < 0.4:
        lengths = [rng.randint(0, z["S"]) for _ in range(rng.choice((1, z["B"])))]
        parts.append("padding:" + ",".join(map(str, lengths)))
    if rng.random() < 0.4 or not parts:
        shape = rng.choice(((z["S"],), (z["T"], z["S"]), (z["B"], 1, z["S"]), (z["B"], z["T"], z["S"])))
        drawn = np.array([rng.random() < 0.7 for _ in range(int(np.prod(shape)))]).reshape(shape)
        path = folder / rng.choice(("mask.npy", "mask.npz"))
        if path.suffix == ".npy":
            np.save(path, drawn.astype(rng.choice((bool, np.uint8, np.float32))))
        else:
            np.savez(path, mask=drawn, other=drawn[..., :1])
        parts.append(str(path))
        args += rng.choice(([], ["--mask-keeps", "0"]))
    args += rng.choice(([], [], ["--mask-fill", rng.choice(("-1e9", "-10000", "1e-20", "0"))]))
    args += rng.choice(([], ["--empty-row", "nan"]))
    return ["--mask", "+".join(parts), *args]


def write_arrays(rng, arrays, folder, i):
    """Arrays to a file, and the option that loads it."""
    kind = rng.choice(("npz", "npz64", *FORMATS))
    if kind not in ("npz", "npz64", "csv"):
        path = folder / f"load{i}.{kind}"
        FORMATS[kind](path, arrays)
        return ["--load", str(path)]
    if kind == "csv" and all(a.ndim == 2 and np.isfinite(a).all() for a in arrays.values()):
        args = []
        for name, array in arrays.items():
            path = folder / f"{name}{i}.csv"
            np.savetxt(path, array, fmt="%.9g", delimiter=",")
            args += ["--load", f"{name}={path}"]
        return args
    if len(arrays) == 1 or rng.random() < 0.3:
        args = []
        for name, array in arrays.items():
            path = folder / f"{name}{i}.npy"
            np.save(path, np.asfortranarray(array) if rng.random() < 0.3 else array.astype(">f4"))
            args += ["--load", f"{name}={path}"]
        return args
    path = folder / f"load{i} \"é\".npz"
    wide = np.float64 if kind == "npz64" else np.float32
    np.savez(path, **{name: array.astype(wide) for name, array in arrays.items()})
    return ["--load", str(path)]


def write_json(path, arrays):
    path.write_text(json.dumps({name: array.tolist() for name, array in arrays.items()}))


def write_list(path, arrays):
    """As attn run --json prints."""
    rows = [{"name": n, "shape": a.shape, "data": a.ravel().tolist()} for n, a in arrays.items()]
    path.write_text("\ufeff" + json.dumps({"tensors": rows}))


def write_safetensors(path, arrays):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, array in arrays.items():
        raw = array.astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(array.shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def write_csv(path, arrays):
    np.savetxt(path, arrays["x"], fmt="%.9g", delimiter=",")


FORMATS = {"json": write_json, "list.json": write_list, "safetensors": write_safetensors,
           "csv": write_csv}


def leave_out_unread(program, folder):
    """The formats that this build of the program does not read."""
    for kind in list(FORMATS):
        path = folder / f"probe.{kind}"
        FORMATS[kind](path, {"x": np.ones((2, 4), np.float32)})
        try:
            attn(program, "run", "single", "--load", f"x={path}")
        except AssertionError as why:
            if "these are read" not in str(why):
                raise
            print(f"without .{kind}, which is not read")
            del FORMATS[kind]


ALIASES = {"proj.weight": "in_proj_weight", "proj.bias": "in_proj_bias", "w_q.weight": "W_query",
           "query_proj.weight": "q_proj.weight", "output_proj.weight": "out_proj.weight"}


def shapes(variant, z):
    """What can be loaded, and its shape."""
    d, rows = z["d"], z["d_in"]
    x = {"x": (z["B"], z["T"], rows)}
    if variant in ("single", "cross"):
        weights = {f"w_{name}.weight": (d, rows) for name in "qkv"}
        memory = {"memory": (z["B"], z["S"], rows)} if variant == "cross" else {}
        return {**x, **memory, **weights}
    if variant == "v1":
        names = ("query_proj", "key_proj", "value_proj")
        return {**x, **{f"{n}.weight": (d, d) for n in names}, **{f"{n}.bias": (d,) for n in names}}
    merged = {**x, "proj.weight": (3 * d, d), "proj.bias": (3 * d,)}
    return {**merged, "output_proj.weight": (d, d), "output_proj.bias": (d,)} if variant == "v3" else merged


def random_load(rng, variant, z, train, folder):
    if rng.random() < 0.5:
        return []
    draw = np.random.default_rng(rng.randint(0, 2**31))
    known = shapes(variant, z)
    if rng.random() < 0.2:
        qkv = {"q": (z["B"], z["T"], z["d"]), "k": (z["B"], z["S"], z["d"]),
               "v": (z["B"], z["S"], z["d"] if variant == "v3" else z["d"] + 1)}
        args = []
        for name, shape in qkv.items():
            np.save(folder / f"{name}.npy", draw.standard_normal(shape, dtype=np.float32))
            args += ["--load", f"{name}={folder / name}.npy"]
        return args
    chosen = rng.sample(sorted(known), rng.choice((1, len(known), rng.randint(1, len(known)))))
    arrays = {name: draw.standard_normal(known[name], dtype=np.float32) for name in chosen}
    for name in arrays:
        if "." in name:  # as wide as a real module's, so that four decimals are what float32 has
            arrays[name] /= np.float32(np.sqrt(z["d_in"]))
    if "x" in arrays and rng.random() < 0.15:
        arrays["x"].flat[rng.randrange(arrays["x"].size)] = rng.choice((np.nan, np.inf))
    if z["B"] == 1 and "x" in arrays and rng.random() < 0.5:
        arrays["x"] = arrays["x"][0]
    if train and rng.random() < 0.5:
        arrays["keep"] = (draw.random((z["B"], z["T"], z["S"])) < 0.8).astype(np.float32)
    arrays = {ALIASES.get(name, name) if rng.random() < 0.3 else name: a for name, a in arrays.items()}
    names = list(arrays)
    cut = rng.randint(1, len(names))
    args = write_arrays(rng, {name: arrays[name] for name in names[:cut]}, folder, 0)
    if cut < len(names):
        args += write_arrays(rng, {name: arrays[name] for name in names[cut:]}, folder, 1)
    return args


def random_arguments(rng, folder):
    variant = rng.choice(("single", "cross", "v1", "v2", "v3", "v3"))
    z = random_sizes(rng, variant)
    args = ["--seed", str(rng.choice((0, 42, rng.randint(-2**63, 2**64 - 1))))]
    train = variant == "v3" and rng.random() < 0.6
    if train:
        args += ["--train", "--dropout", rng.choice(("0.1", "0.25", "0.5", "0.9", "0", "1"))]
        args += ["--torch-dropout", "mkl" if LIVE and torch.backends.mkl.is_available() else "mt"]
    args += rng.choice(([], [], [], ["--no-scale"], ["--scale", "0.3"]))
    loads = random_load(rng, variant, z, train, folder)
    if not any(word.startswith("q=") for word in loads):
        args += size_options(variant, z)
    return [variant, *args, *random_mask(rng, variant, z, folder), *loads]


def fixed_cases(folder):
    """What chance would seldom bring: arguments of programs."""
    draw = np.random.default_rng(1)
    merged = draw.standard_normal((4, 12), dtype=np.float32) / 2
    np.savez(folder / "gpt.npz", **{"h.0.attn.c_attn.weight": merged,
                                    "h.0.attn.c_attn.bias": np.zeros(12, np.float32),
                                    "h.0.attn.c_proj.weight": merged[:, :4] / 2,
                                    "h.0.attn.c_proj.bias": np.zeros(4, np.float32)})
    yield ["v3", "--load", f"{folder}/gpt.npz", "--layout", "in-out", "--prefix", "h.0.attn."]
    half = (merged.view(np.uint32) >> 16).astype(np.uint16).tobytes()
    header = json.dumps({"x": {"dtype": "BF16", "shape": [12, 4], "data_offsets": [0, len(half)]}})
    path = folder / "bf16.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header.encode() + half)
    yield ["v1", "--load", str(path)]
    (folder / "comma.csv").write_text("1,5;2;-0,25\n0;1e-3;4\n")
    yield ["single", "--load", f"x={folder}/comma.csv"]
    (folder / "words.json").write_text('{"x": [[1, "nan"], [-Infinity, 2]], "note": "of no use"}')
    yield ["v2", "--load", f"{folder}/words.json"]
    np.save(folder / "keep.npy", draw.random((2, 4, 4)) < 0.5)
    yield ["v3", "--load", f"keep={folder}/keep.npy", "--dropout", "0.3", "--mask", "padding:2,0"]
    yield ["v3", "--load", f"keep={folder}/keep.npy", "--dropout", "1"]
    yield ["v3", "--load", f"keep={folder}/keep.npy", "--eval"]
    np.savez(folder / "mask.npz", mask=np.tri(4), x=draw.standard_normal((4, 4)))
    yield ["single", "--load", f"{folder}/mask.npz", "--mask-keeps", "0", "--mask", "causal"]
    yield ["v3", "--mask", "causal", "--mask-fill", "inf"]
    yield ["v3", "--mask", "causal", "--scale", "1e-40", "--mask-fill", "1e-20"]
    yield ["v1", "--dim", "1", "--length", "1", "--seed", "-5"]


def wrong_cases(program):
    """Each classic bug, in the first variant that can have it."""
    sizes = ["--batch", "2", "--length", "4", "--dim", "4"]
    masked = [*sizes, "--mask", "causal+padding:3,0"]
    variants = (["v3", *masked, "--train", "--dropout", "0.4"], ["v3", *masked],
                ["cross", *sizes, "--dim-in", "6", "--mask", "padding:2"], ["v1", *sizes, "--scale", "90"])
    text = attn(program, "help", "bugs")
    for name in (line.split(":")[0] for line in text.splitlines() if line[:1].islower() and ":" in line):
        for args in variants:
            try:
                attn(program, "run", *args, "--bug", name)
            except AssertionError:
                continue
            yield [*args, "--bug", name]
            break
        else:
            raise AssertionError(f"no case for --bug {name}")


def attn(program, *args):
    done = subprocess.run([program, *args], capture_output=True, text=True, check=False,
                          env={**os.environ, "LC_ALL": "C.UTF-8"})
    if done.returncode != 0:
        raise AssertionError(f"attn {args[0]}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


class Tally:
    """How many numbers were alike, and of how many."""

    def __init__(self):
        self.alike = self.total = 0

    def compare(self, text, want):
        ours, theirs = text.splitlines(), want.splitlines()
        if len(ours) != len(theirs):
            raise AssertionError(f"{len(ours)} lines, want {len(theirs)}")
        heading = ""
        for line, wanted in zip(ours, theirs):
            if "[" in wanted:
                heading = wanted
            if line == wanted:
                count = 0 if "[" in wanted else len(wanted.split())
                self.alike, self.total = self.alike + count, self.total + count
                continue
            if "[" in wanted or len(line) != len(wanted):
                raise AssertionError(f"{heading}: {line!r}, want {wanted!r}")
            for a, b in zip(line.split(), wanted.split()):
                if a != b and not abs(float(a) - float(b)) < 1.5e-4:
                    raise AssertionError(f"{heading}: {a}, want {b}")
                self.alike, self.total = self.alike + (a == b), self.total + 1


def run_python(source):
    """A program's output and its globals."""
    out, names = io.StringIO(), {"__name__": "__main__"}
    np.seterr(all="warn", under="ignore")
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ResourceWarning)
        exec(compile(source, "program", "exec"), names)
    return out.getvalue(), names


def same_bits(name, ours, saved):
    ours = np.ascontiguousarray(ours, dtype=np.float32)
    if ours.tobytes() != saved.tobytes():
        raise AssertionError(f"{name}: other bits")


def compare_inputs(names, saved):
    """Everything that the program drew, read or carried has the bits of `attn run --save`."""
    model = names.get("model")
    state = model.state_dict() if model is not None else {}
    for name, array in saved.items():
        if name in state:
            same_bits(name, state[name].numpy(), array)
        elif name in ("x", "memory", "keep") and name in names:
            same_bits(name, names[name], array)
    if model is not None:
        unknown = set(name for name in saved if "." in name) - set(state)
        if unknown:
            raise AssertionError(f"the module has no {unknown}")
        if "dropped" in saved:
            live = saved["weights"] != 0
            same_bits("dropout's pattern", (names["stages"]["dropped"].numpy() != 0) & live,
                      ((saved["dropped"] != 0) & live).astype(np.float32))


ROLES = {"w_q.weight": "w_q", "w_k.weight": "w_k", "w_v.weight": "w_v", "proj.weight": "w_qkv",
         "proj.bias": "b_qkv", "query_proj.weight": "w_q", "query_proj.bias": "b_q",
         "key_proj.weight": "w_k", "key_proj.bias": "b_k", "value_proj.weight": "w_v",
         "value_proj.bias": "b_v", "output_proj.weight": "w_out", "output_proj.bias": "b_out"}


def compare_weights(names, saved, wrong):
    """NumPy calls the weights by their roles; a bug may leave one out."""
    for name, array in saved.items():
        if "." in name and (ROLES[name] in names or not wrong):
            same_bits(name, names[ROLES[name]], array)


def check(program, args, folder, tallies, number, c_programs):
    want = attn(program, "run", *args)
    archive = folder / "saved.npz"
    attn(program, "run", *args, "--save", str(archive))
    with np.load(archive) as file:
        saved = dict(file)
    for lang in tallies:
        source = attn(program, "code", *args, "--lang", lang)
        if lang == "c":
            c_programs.append((number, source, want))
            continue
        try:
            text, names = run_python(source)
            tallies[lang].compare(text, want)
            compare_inputs(names, saved)
            if lang == "numpy":
                compare_weights(names, saved, "--bug" in args)
        except Exception as why:
            raise AssertionError(f"{lang}: {type(why).__name__}: {why}") from why


def check_c(compiler, c_programs, tally, folder):
    """All programs in one executable: each under a main of its own."""
    sources, table = [], []
    for number, source, _ in c_programs:
        path = folder / f"program{number}.c"
        path.write_text(f"#define main main{number}\nint main(void);\n#line 1 \"program.c\"\n{source}")
        sources.append(str(path))
        table.append(number)
    driver = folder / "driver.c"
    driver.write_text("#include <stdlib.h>\n" + "".join(f"int main{n}(void);\n" for n in table) +
                      "int main(int argc, char **argv)\n{\n    (void)argc;\n" +
                      "    switch (atoi(argv[1])) {\n" +
                      "".join(f"    case {n}: return main{n}();\n" for n in table) + "    }\n    return 1;\n}\n")
    binary = folder / "programs"
    flags = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic"]
    built = subprocess.run([*compiler, *flags, "-o", str(binary), *sources, str(driver), "-lm"],
                           capture_output=True, text=True, check=False)
    if built.returncode != 0 or built.stderr:
        raise AssertionError(f"the compiler says: {built.stderr[:2000]}")
    for number, _, want in c_programs:
        ran = subprocess.run([str(binary), str(number)], capture_output=True, text=True, check=False)
        try:
            tally.compare(ran.stdout, want)
        except AssertionError as why:
            raise AssertionError(f"c: configuration {number}: {why}") from why


def main():
    program, compiler = sys.argv[1], sys.argv[2:]
    seed = os.environ.get("ATTN_CODE_SEED", "1")
    count = int(os.environ.get("ATTN_CODE_COUNT", "200"))
    rng = random.Random(seed)
    tallies = {lang: Tally() for lang in ("pytorch", "numpy", "c") if LIVE or lang != "pytorch"}
    print(f"{count} configurations, {' '.join(tallies)}, ATTN_CODE_SEED={seed}")
    failures, c_programs = 0, []
    with tempfile.TemporaryDirectory() as name:
        leave_out_unread(program, pathlib.Path(name))
        fixed = [*fixed_cases(pathlib.Path(name)), *wrong_cases(program)]
        for i in range(count + len(fixed)):
            folder = pathlib.Path(name) / str(i)
            folder.mkdir()
            args = fixed[i - count] if i >= count else random_arguments(rng, folder)
            try:
                check(program, args, folder, tallies, i, c_programs)
            except AssertionError as why:
                failures += 1
                print(f"{i}: attn code {' '.join(args)}: {why}")
        for start in range(0, len(c_programs), 50):
            try:
                check_c(compiler, c_programs[start:start + 50], tallies["c"], pathlib.Path(name))
            except AssertionError as why:
                failures += 1
                print(why)
    for lang, tally in tallies.items():
        share = tally.alike / max(tally.total, 1)
        print(f"{lang}: {tally.alike} of {tally.total} printed numbers are the same ({share:.4%})")
        if share < ALIKE:
            failures += 1
            print(f"{lang}: at least {ALIKE:.1%} must be")
    print(f"Checks: {count + len(fixed) + len(tallies)}, Failures: {failures}, Errors: 0")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
