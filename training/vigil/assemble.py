"""One ONNX graph out of the frozen backbones, the heads trained on them, and the network that shipped before."""

import numpy as np
import onnx

from .features import STEPS
from .present import present_network
from .pretrained import Builder

def add_present(b: Builder, out: str) -> str:
    """Its nodes and weights beside the others', reading the same input."""
    graph = present_network().graph
    known = {"": "", graph.input[0].name: "input", graph.output[0].name: out}
    name = lambda n: known.get(n, f"present.{n}")
    for w in graph.initializer:
        copy = onnx.TensorProto()
        copy.CopyFrom(w)
        copy.name = name(w.name)
        b.weights.append(copy)
    for n in graph.node:
        copy = onnx.NodeProto()
        copy.CopyFrom(n)
        copy.name = f"present.{n.name}" if n.name else ""
        del copy.input[:], copy.output[:]
        copy.input.extend(name(i) for i in n.input)
        copy.output.extend(name(o) for o in n.output)
        b.nodes.append(copy)
    return out


def add_head(b: Builder, taps: list, net, index: int, own: str) -> str:
    """One head of a net on a backbone's taps; returns its map of logits."""
    rows, total = slice(index * net.hidden, (index + 1) * net.hidden), None
    steps = STEPS if net.backbone == "ssd" else 1.0
    for tap, stride in zip(taps, net.widths):
        w, bias = (v.detach().numpy()[rows] for v in net.plain(stride))
        if stride == 8:
            bias = bias + net.bias.detach().numpy()[rows]
        y = b.add("Conv", [tap, b.weight(f"{own}.w{stride}", (w * steps)[:, :, None, None]), b.weight(f"{own}.b{stride}", bias)], f"{own}.y{stride}")
        if stride != 8:
            scales = b.weight(f"{own}.times{stride}", [1, 1, stride // 8, stride // 8])
            y = b.add("Resize", [y, "", scales], f"{own}.up{stride}", mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
        total = y if total is None else b.add("Add", [total, y], f"{own}.sum{stride}")
    hot = b.add("Relu", [total], f"{own}.hidden")
    out, level = net.out.detach().numpy()[index][None, :, None, None], net.level.detach().numpy()[index : index + 1]
    return b.add("Conv", [hot, b.weight(f"{own}.out", out), b.weight(f"{own}.level", level)], own)


def assemble(heads: list, weights: dict, side: int, half: bool = True, head: str = "main") -> onnx.ModelProto:
    """The sum of `weights[NAME]` times each part's map: NAME is a backbone, whose nets in `heads` are averaged, or `present`."""
    b, sums = Builder(half), []
    for name in dict.fromkeys(n.backbone for n in heads if n.backbone in weights):
        mine = [n for n in heads if n.backbone == name]
        taps = b.backbone(name, "input", max(len(n.widths) for n in mine))
        for i, net in enumerate(mine):
            sums.append((add_head(b, taps, net, net.names.index(head), f"{name}.head{i}"), weights[name] / len(mine)))
    if "present" in weights:
        sums.append((add_present(b, "present.heat"), weights["present"]))
    total = None
    for i, (at, share) in enumerate(sums):
        last = i == len(sums) - 1
        at = b.add("Mul", [at, b.weight(f"share{i}", np.float32(share))], "heat" if last and total is None else f"part{i}")
        total = at if total is None else b.add("Add", [total, at], "heat" if last else f"total{i}")
    return b.model(side, ["heat"])
