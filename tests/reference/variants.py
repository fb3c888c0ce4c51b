"""The five variants as PyTorch modules, each handing out every stage. For the scripts beside it."""

import math

import torch
from torch import nn


class Attention(nn.Module):
    """One head. forward() returns a dict of every stage tensor, in order."""

    def __init__(self, variant, d_in, d, p):
        super().__init__()
        self.variant, self.d, self.p = variant, d, p
        if variant in ("single", "cross"):
            for name in ("w_q", "w_k", "w_v"):
                setattr(self, name, nn.Linear(d_in, d, bias=False))
        elif variant == "v1":
            for name in ("query_proj", "key_proj", "value_proj"):
                setattr(self, name, nn.Linear(d, d))
        else:
            self.proj = nn.Linear(d, 3 * d)
            if variant == "v3":
                self.output_proj = nn.Linear(d, d)

    def project(self, x, memory):
        if self.variant in ("single", "cross"):
            return {"q": self.w_q(x), "k": self.w_k(memory), "v": self.w_v(memory)}
        if self.variant == "v1":
            return {"q": self.query_proj(x), "k": self.key_proj(x), "v": self.value_proj(x)}
        qkv = self.proj(x)
        q, k, v = torch.split(qkv, self.d, dim=-1)
        return {"qkv": qkv, "q": q, "k": k, "v": v}

    def forward(self, x, memory=None, mask=None):
        out = self.project(x, x if memory is None else memory)
        out["scores"] = out["q"] @ out["k"].transpose(-2, -1)
        last = out["scaled"] = out["scores"] / math.sqrt(self.d)
        if mask is not None:
            last = out["masked"] = last.masked_fill(mask == 0, -math.inf)
        last = out["weights"] = torch.softmax(last, dim=-1)
        if self.variant == "v3" and self.training and self.p > 0:
            last = out["dropped"] = nn.functional.dropout(last, self.p, training=True)
        out["context"] = last @ out["v"]
        if self.variant == "v3":
            out["output"] = self.output_proj(out["context"])
        return out


def canonical(case, mask=None, double=False):
    """The program that --seed stands for: seed, module, x, memory, forward.

    Returns every tensor by name. With double, the same draws computed on in float64.
    """
    torch.manual_seed(case["seed"])
    module = Attention(case["variant"], case["d_in"], case["d"], case["p"])
    module.train(case["train"])
    x = torch.randn(case["B"], case["T"], case["d_in"])
    memory = None
    if case["variant"] == "cross":
        memory = torch.randn(case["B"], case["S"], case["d_in"])
    if case["causal"]:
        mask = torch.tril(torch.ones(case["T"], case["S"]))
    drawn = {"x": x} if memory is None else {"x": x, "memory": memory}
    drawn.update(module.state_dict())
    before_dropout = torch.get_rng_state()
    with torch.no_grad():
        if double:
            module = module.double()
            memory = memory if memory is None else memory.double()
            stages = module(x.double(), memory, mask)
        else:
            stages = module(x, memory, mask)
    if "dropped" in stages and case["p"] < 1:
        torch.set_rng_state(before_dropout)
        ones = torch.ones(case["B"], case["T"], case["S"])
        drawn["keep"] = (nn.functional.dropout(ones, case["p"]) > 0).float()
    return {**drawn, **stages}


def arguments(case):
    """The same case as options of the program."""
    names = {"B": "--batch", "T": "--length", "d": "--dim", "seed": "--seed"}
    args = [word for key, option in names.items() for word in (option, str(case[key]))]
    if case["variant"] == "cross":
        args += ["--memory-length", str(case["S"])]
    if case["variant"] in ("single", "cross"):
        args += ["--dim-in", str(case["d_in"])]
    if case["causal"]:
        args += ["--mask", "causal"]
    if case["variant"] == "v3":
        args += ["--dropout", str(case["p"])]
    return args + (["--train"] if case["train"] else [])
