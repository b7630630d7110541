"""A pretrained backbone whose upper part learns too, with one of our heads on it; and the graph that ships, made of such nets.

The part below stride 8 stays as it came and runs in onnxruntime, which is quicker; what learns is what lies above it.
"""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from .data import RUNS
from .head import Head
from .present import add_present
from .pretrained import SOURCES, Builder, nodes_of, session

STRIDES = (8, 16, 32)


def cut_of(nodes) -> int:
    """How many nodes lead up to the first place of stride 8."""
    stride = {"input": 1}
    for i, n in enumerate(nodes):
        stride[n["name"]] = stride[n["in"][0]] * (n["stride"][0] if n.get("stride") else 1)
        if stride[n["name"]] == 8:
            return i + 1
    raise ValueError("nothing here comes to stride 8")


def padded(x: torch.Tensor, n: dict, k, border: float = 0.0) -> torch.Tensor:
    """With the border that a node wants: TensorFlow's SAME puts the odd pixel at the end."""
    if n["pad"] != "same":
        return F.pad(x, n["pad"], value=border) if any(n["pad"]) else x
    rims = []
    for size, step, kernel in zip(x.shape[:1:-1], n["stride"][::-1], k[::-1]):
        rim = max((-(-size // step) - 1) * step + kernel - size, 0)
        rims += [rim // 2, rim - rim // 2]
    return F.pad(x, rims, value=border) if any(rims) else x


class Tuned(nn.Module):
    """Pictures [B,3,S,S] in 0..1 to logits [B,1,S/8,S/8]: `low` to what lies at the cut, `forward` from there."""

    def __init__(self, name: str, hidden: int = 64, strides=STRIDES):
        super().__init__()
        self.name, self.strides = name, tuple(strides)
        nodes = nodes_of(name, len(self.strides))
        cut = cut_of(nodes)
        self.under, self.nodes, self.ends = nodes[:cut], nodes[cut:], SOURCES[name]["taps"][: len(self.strides)]
        made = {n["name"] for n in self.under}
        self.place = {n["name"]: i for i, n in enumerate(nodes)}
        wanted = [k for n in self.nodes for k in n["in"]] + list(self.ends)
        self.given = [k for k in dict.fromkeys(wanted) if k in made]
        b = Builder()
        outs = b.chain(name, b.scaled(name, "input"), self.under, self.given, {})
        self.lower = session(b.model("side", [b.add("Identity", [o], f"out{i}") for i, o in enumerate(outs)], "batch"))
        for n in (n for n in nodes if n["op"] == "conv"):
            w = n["w"][:, ::-1] if SOURCES[name]["bgr"] and n["in"] == ["input"] else n["w"]
            for kind, v in (("w", w), ("b", n["b"])):
                if v is not None:
                    v = torch.from_numpy(np.array(v, np.float32))
                    v = v.contiguous(memory_format=torch.channels_last) if v.dim() == 4 else v
                    if n["name"] in made:
                        self.register_buffer(self.own(n, kind), v, persistent=False)
                    else:
                        self.register_parameter(self.own(n, kind), nn.Parameter(v))
        with torch.no_grad():
            maps = self.maps(self.low(np.random.default_rng(0).random((1, 3, 64, 64), np.float32)))
        self.head = Head({s: maps[s].shape[1] for s in self.strides}, hidden)

    @property
    def body(self) -> list:
        """What is pretrained and learns."""
        return [p for n, p in self.named_parameters() if not n.startswith("head.")]

    def own(self, n: dict, kind: str) -> str:
        """What a weight of a node is called here: names of nodes hold dots and slashes."""
        return f"{kind}{self.place[n['name']]}"

    @torch.no_grad()
    def low(self, x: np.ndarray, device="cpu") -> dict:
        """What lies at the cut, by node."""
        if device != "cpu":
            return self.plain_low(torch.from_numpy(x).to(device).contiguous(memory_format=torch.channels_last))
        outs = self.lower.run(None, {"input": x})
        return {k: torch.from_numpy(v).contiguous(memory_format=torch.channels_last) for k, v in zip(self.given, outs)}

    @torch.no_grad()
    def plain_low(self, x: torch.Tensor) -> dict:
        """The same in torch, which a GPU is quick at."""
        mean, deviation = (torch.tensor(SOURCES[self.name][k], device=x.device).view(1, 3, 1, 1) for k in ("mean", "deviation"))
        at = self.walk(self.under, {"input": (x - mean) / deviation})
        return {k: at[k] for k in self.given}

    def maps(self, at: dict) -> dict:
        """The taps by stride, from what lies at the cut."""
        at = self.walk(self.nodes, at)
        return {s: at[e] for s, e in zip(self.strides, self.ends)}

    def walk(self, nodes, at: dict) -> dict:
        """What each node makes, beside what was there."""
        at = dict(at)
        for n in nodes:
            x = [at[k] for k in n["in"]]
            if n["op"] == "conv":
                w, b = getattr(self, self.own(n, "w")), getattr(self, self.own(n, "b"), None)
                y = F.conv2d(padded(x[0], n, w.shape[2:]), w, b, n["stride"], groups=n["groups"])
            elif n["op"] == "max":
                y = F.max_pool2d(padded(x[0], n, n["k"], -torch.inf), n["k"], n["stride"])
            else:
                y = x[0] if n["op"] == "act" else x[0] + x[1] if n["op"] == "add" else torch.cat(x, 1)
            act = n.get("act")
            at[n["name"]] = y if act is None else F.relu6(y) if act == "relu6" else F.leaky_relu(y, n["alpha"]) if act == "leaky" else F.relu(y)
        return at

    def forward(self, at: dict) -> torch.Tensor:
        return self.head(self.maps(at))

    def weights(self) -> dict:
        """What takes the place of the pretrained weights, by node, as `Builder.backbone` wants it."""
        out = {}
        for n in (n for n in self.nodes if n["op"] == "conv"):
            b = getattr(self, self.own(n, "b"), None)
            out[n["name"]] = (getattr(self, self.own(n, "w")).detach().numpy(), None if b is None else b.detach().numpy())
        return out


def mixed(states: list) -> dict:
    """The mean of several states of one net."""
    return {k: torch.stack([s[k].float() for s in states]).mean(0) for k in states[0]}


def restore(name: str, backbone: str, key: str = "mean", share: float = 1.0) -> Tuned:
    """A net as runs of `tune` kept it: `name` may be several with + between, whose mean it is. `share` goes only so far from where
    the backbone began to learn."""
    states = []
    for one in name.split("+"):
        kept = torch.load(RUNS / f"{one}.tuned.pt", map_location="cpu")[backbone]
        state = kept[key] if share == 1 else {k: kept["start"][k].lerp(v, share) for k, v in kept[key].items()}
        states.append(state)
    net = Tuned(backbone, kept["hidden"], kept["strides"])
    net.load_state_dict(mixed(states))
    return net.eval()


def part_of(name: str):
    """A part of a sum by its name: RUN:BACKBONE of `tune`, with + between runs whose mean it is and @SHARE behind to go only so far
    from where the backbone began to learn; or `present`."""
    if name == "present":
        return name
    run, backbone = name.split(":")
    backbone, _, share = backbone.partition("@")
    return restore(run, backbone, share=float(share or 1))


def graph(parts: list, shares: list, side, half: bool = True, batch=1):
    """One ONNX model: the sum of `shares` times the map of each part (a net, or `present`)."""
    b, total = Builder(half), None
    for i, (part, share) in enumerate(zip(parts, shares)):
        if part == "present":
            at = add_present(b, "present.heat")
        else:
            at = part.head.build(b, b.backbone(part.name, "input", len(part.strides), part.weights()), f"{part.name}{i}.head")
        last = i == len(parts) - 1
        at = b.add("Mul", [at, b.weight(f"share{i}", np.float32(share))], "heat" if last and total is None else f"part{i}")
        total = at if total is None else b.add("Add", [total, at], "heat" if last else f"total{i}")
    return b.model(side, ["heat"], batch)
