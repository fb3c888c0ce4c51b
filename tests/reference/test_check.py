#!/usr/bin/python3
"""`attn check` as a learner meets it: starters filled in, lines broken, results out of other programs.

usage: test_check.py ATTN COMPILER…

The starters, filled in from `attn code`, pass on every built-in case; with one line broken, the mistake
is named. What `attn run --bug` saves is named after it, and what PyTorch computed is never accused.

The learner's Python programs run inside this process: a shell passes each case on, so that numpy and
torch are imported once. Without numpy the test is skipped; without torch its starters are left out.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import threading

os.environ["OMP_NUM_THREADS"] = "1"

try:
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing} (Debian: apt install python3-numpy)")
    sys.exit(77)
try:
    import torch
except ImportError:
    torch = None

DATA = pathlib.Path(__file__).parent / "data" / "attention"
VARIANTS = ("single", "cross", "v1", "v2", "v3")
MASKED = ("single", "cross", "v3")

# Of the program from `attn code v3 --lang numpy` a line (the softmax has two) as people get it wrong.
BROKEN = (
    ("no-scale", ["scaled = scores"]),
    ("scale-dk", ["scaled = scores / q.shape[-1]"]),
    ("scale-inverse", ["scaled = scores / q.shape[-1] ** -0.5"]),
    ("softmax-queries", ["e = np.exp(masked - masked.max(axis=-2, keepdims=True))",
                         "weights = e / e.sum(axis=-2, keepdims=True)"]),
    ("softmax-queries", ["weights = e / e.sum(axis=-2, keepdims=True)"]),
    ("softmax-unsafe", ["e = np.exp(masked)"]),
    ("no-mask", ["masked = scaled"]),
    ("mask-after-softmax", ["masked = scaled", "weights = e / e.sum(axis=-1, keepdims=True) * mask"]),
    ("mask-tiny-fill", ["masked = np.where(mask == 0, np.float32(1e-20), scaled)"]),
    ("mask-inverted", ["masked = np.where(mask == 1, np.float32(-np.inf), scaled)"]),
    ("mask-inverted", ["masked = np.where(mask == 1, np.float32(-1e9), scaled)"]),
    ("mask-added", ["masked = scaled + mask"]),
    ("no-transpose", ["scores = q @ k.reshape(k.shape[0], k.shape[2], k.shape[1])"]),
    ("qkv-order", ["k, q, v = np.split(qkv, 3, axis=-1)"]),
    ("qkv-interleaved", ["q, k, v = qkv[..., 0::3], qkv[..., 1::3], qkv[..., 2::3]"]),
    ("no-bias", ["qkv = x @ w_qkv.T", "output = context @ w_out.T"]),
    ("no-bias", ["qkv = x @ w_qkv.T"]),
    ("weight-transposed", ["output = context @ w_out + b_out"]),
    ("weight-transposed", ["qkv = x @ w_qkv.reshape(w_qkv.shape[::-1]) + b_qkv"]),
    ("dropout-unscaled", ["dropped = weights * keep if training else weights"]),
    ("dropout-eval", ["dropped = weights * keep / (1 - p)"]),
    ("no-output", ["output = context"]),
)


def attn(program, *args):
    return subprocess.run([program, *args], capture_output=True, text=True, check=False,
                          env={**os.environ, "LC_ALL": "C.UTF-8"})


def printed(program, *args):
    done = attn(program, *args)
    if done.returncode != 0:
        raise AssertionError(f"attn {' '.join(args)}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def expect(done, diagnosis, what):
    """The last lines, and the exit status that goes with them; None: right."""
    last = done.stdout.splitlines()[-2:]
    want = ["verdict: wrong", f"diagnosis: {diagnosis}"] if diagnosis else ["verdict: right"]
    if last[-len(want):] != want or done.returncode != (1 if diagnosis else 0):
        raise AssertionError(f"{what}: exit {done.returncode}, want {want}:\n{done.stdout}{done.stderr}")


class Learner:
    """Runs Python source as the learner's program, for cases that come through a pipe."""

    def __init__(self, folder):
        self.asked, self.answered = folder / "asked", folder / "answered"
        self.program = None
        os.mkfifo(self.asked)
        os.mkfifo(self.answered)
        script = f'echo "$ATTN_CASE $ATTN_OUT" >"{self.asked}"; read -r s <"{self.answered}"; exit "$s"'
        self.command = ["--", "sh", "-c", script]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            os.environ["ATTN_CASE"], os.environ["ATTN_OUT"] = self.asked.read_text().split()
            status = 0
            try:
                with np.errstate(all="ignore"):
                    exec(self.program, {"__name__": "__main__"})
            except Exception as why:
                print(f"the program: {type(why).__name__}: {why}", flush=True)
                status = 1
            self.answered.write_text(f"{status}\n")

    def check(self, program, variant, source):
        self.program = compile(source, "program", "exec")
        return attn(program, "check", variant, *self.command)


def computation(program, variant, lang, folder):
    """The lines between the inputs and the printing, with a mask and dropout where there can be."""
    args = ["--mask", "causal"] if variant in MASKED else []
    args += ["--load", f"keep={folder}/keep.npy"] if variant == "v3" else []
    source = printed(program, "code", variant, "--lang", lang, *args)
    if lang == "c":
        helpers = source[source.index("static float dot("):source.index("static void print(")]
        stages = re.findall(r"^static (float (?:qkv|q|k|v|scores|scaled|masked|weights|dropped|context)\[.*)$",
                            source, re.M)
        lines = source[source.rindex("    for (int b = 0; b < B; b++) {\n"):source.index("    print(")]
        lines = lines.replace("(keep[b][t][s] / (float)(1 - 0.1))",
                              "(training ? keep[b][t][s] / (1 - p) : 1)")
        if variant == "v3":
            clear = "    memset(context, 0, sizeof context);\n"
        else:  # the context is a parameter, and not an array here
            stages = [stage for stage in stages if not stage.startswith("float context[")]
            clear = "    memset(context, 0, (size_t)B * T * D * sizeof(float));\n"
        return helpers, "".join(f"    {stage}\n" for stage in stages) + clear + lines
    body = textwrap.dedent(re.search(r"^ *# project:.*?(?=^ *return dict|^stages = )", source, re.M | re.S)[0])
    return re.sub(r"^dropped = (.*)$", r"dropped = \1 if training else weights", body, flags=re.M)


def fill(starter, lines, last):
    """The starter with these lines in the place of its blank."""
    blank = re.search(r"^( *)raise NotImplementedError.*\n", starter, re.M)
    return starter.replace(blank[0], textwrap.indent(lines + f"return {last}\n", blank[1]))


def check_python_starters(program, folder, learner, lang):
    for variant in VARIANTS:
        lines = computation(program, variant, lang, folder)
        if lang == "pytorch":
            lines = lines.replace("if training", "if self.training")
        starter = printed(program, "check", variant, "--starter", lang)
        source = fill(starter, lines, "output" if variant == "v3" else "context")
        expect(learner.check(program, variant, source), None, f"{variant}, the starter in {lang}")
        done = learner.check(program, variant, starter)
        if done.returncode != 3:
            raise AssertionError(f"{variant}: an empty starter in {lang} exits {done.returncode}")
        yield


def check_c_starters(program, compiler, folder):
    for variant in VARIANTS:
        helpers, lines = computation(program, variant, "c", folder)
        starter = printed(program, "check", variant, "--starter", "c")
        source = starter.replace("static void attention(", helpers + "static void attention(")
        source = source.replace("    /* your code here */\n", lines)
        path = folder / f"{variant}.c"
        path.write_text(source)
        built = subprocess.run([*compiler, "-std=c99", "-o", folder / variant, path, "-lm"],
                               capture_output=True, text=True, check=False)
        if built.returncode != 0 or built.stderr:
            raise AssertionError(f"{variant}: the compiler says {built.stderr[:2000]}")
        expect(attn(program, "check", variant, "--", str(folder / variant)), None,
               f"{variant}, the starter in C")
        yield


def check_broken(program, folder, learner):
    starter = printed(program, "check", "v3", "--starter", "numpy")
    right = computation(program, "v3", "numpy", folder)
    for bug, wrong in BROKEN:
        lines = right
        for line in wrong:
            begins = "q, k, v" if ", " in line.split(" = ")[0] else line.split(" = ")[0]
            lines, n = re.subn(rf"^{begins} = .*$", line, lines, flags=re.M)
            if n != 1:
                raise AssertionError(f"{bug}: {n} lines begin {begins}")
        expect(learner.check(program, "v3", fill(starter, lines, "output")), bug, bug)
        yield


def check_saved(program, folder):
    """Each classic bug by --bug, in the first variant that can have it, from the last tensor alone."""
    sizes = ["--batch", "2", "--length", "4", "--dim", "5"]
    masked = [*sizes, "--mask", "causal+padding:3,1"]
    variants = (["v3", *masked, "--train", "--dropout", "0.4"], ["v3", *masked],
                ["cross", *sizes, "--dim-in", "6", "--mask", "padding:2"], ["v1", *sizes, "--scale", "900"])
    listed = printed(program, "help", "bugs").splitlines()
    for bug in (line.split(":")[0] for line in listed if line[:1].islower() and ":" in line):
        for args in variants:
            result = "output" if args[0] == "v3" else "context"
            path = folder / f"{bug}.npy"
            if attn(program, "run", *args, "--bug", bug, "--only", result, "--save", str(path)).returncode:
                continue
            done = attn(program, "check", *args, "--got", str(path))
            names = done.stdout.splitlines()[-1].removeprefix("diagnosis: ").split(", ")
            if done.returncode != 1 or bug not in names:
                raise AssertionError(f"{bug}, {args}:\n{done.stdout}{done.stderr}")
            yield
            break
        else:
            raise AssertionError(f"no case for --bug {bug}")


def check_torch_results(program):
    """What PyTorch computed, in files: every stage is right."""
    for row in json.loads((DATA / "index.json").read_text()):
        path = str(DATA / row["file"])
        args = ["check", row["variant"], "--load", path, "--got", path]
        if row["fill"] != "-inf":
            args += ["--mask-fill", row["fill"]]
        expect(attn(program, *args), None, row["file"])
        yield


def check_state_dict(program, folder):
    """A module as `numpy.savez(**state_dict)` leaves it needs --load and nothing else."""
    for variant, layers in (("v2", {"proj": (6, 18)}), ("v3", {"proj": (6, 18), "output_proj": (6, 6)})):
        torch.manual_seed(7)
        module = torch.nn.ModuleDict({name: torch.nn.Linear(*size) for name, size in layers.items()})
        saved = folder / f"{variant}.npz"
        np.savez(saved, **module.state_dict())
        walked = attn(program, "walk", variant, "--load", str(saved), "--plain")
        if walked.returncode != 0 or "context" not in walked.stdout:
            raise AssertionError(f"{variant}: the walk says {walked.stderr}")
        bias = printed(program, "run", variant, "--load", str(saved), "--only", "proj.bias").split()[-18:]
        if not np.allclose([float(word) for word in bias], module["proj"].bias.detach().numpy(), atol=1e-4):
            raise AssertionError(f"{variant}: other weights than those of the module")
        yield


def main():
    program, compiler = sys.argv[1], sys.argv[2:]
    checks = failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        np.save(folder / "keep.npy", np.ones((1, 4, 4), np.float32))
        learner = Learner(folder)
        groups = [check_python_starters(program, folder, learner, "numpy"),
                  check_broken(program, folder, learner), check_c_starters(program, compiler, folder),
                  check_saved(program, folder), check_torch_results(program)]
        if torch is not None:
            groups += [check_python_starters(program, folder, learner, "pytorch"),
                       check_state_dict(program, folder)]
        for group in groups:
            try:
                checks += sum(1 for _ in group)
            except AssertionError as why:
                failures += 1
                print(why)
    print(f"Checks: {checks}, Failures: {failures}, Errors: 0")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
