"""The pretrained half of the fixed part of the patch classifier: what the lower MobileNetV2 of `ssd` (pretrained.py) says of a nozzle
camera's picture, averaged over the grid of 16 px. Nothing in it is learnt here."""

import numpy as np
import onnx
import torch

from .first_layer_model import DEEP, FEATURES, Front
from .pretrained import Builder, nodes_of, session

BACKBONE = "ssd"
#: Nodes that are read and the places of theirs that make one of the grid: at strides 4 and 8 the widened maps, at stride 16 a block's end.
TAPS = (("t158", 4), ("t169", 2), ("t194", 1))


def add_deep(b: Builder, picture: str, out: str) -> str:
    """The backbone up to its last tap; `out` is [n,432,16,16]."""
    b.backbone(BACKBONE, picture, 2)
    place, maps = {n["name"]: f"{BACKBONE}.{i}" for i, n in enumerate(nodes_of(BACKBONE, 2))}, []
    for name, step in TAPS:
        tap = place[name]
        maps.append(tap if step == 1 else b.add("AveragePool", [tap], f"{tap}.mean", kernel_shape=[step] * 2, strides=[step] * 2))
    b.add("Concat", maps, out, axis=1)
    wanted, kept = {out}, []
    for n in reversed(b.nodes):
        if wanted & set(n.output):
            kept.append(n)
            wanted |= set(n.input)
    b.nodes, b.weights = kept[::-1], [w for w in b.weights if w.name in wanted]
    return out


class Fixed:
    """Both halves of the fixed part: pictures uint8 [n,256,256,3] to float16 [n,16,16,499], the Gabor front's channels first."""

    def __init__(self):
        b = Builder()
        add_deep(b, "input", "deep")
        self.front, self.deep = Front(), session(b.model("side", ["deep"], "batch"))

    def __call__(self, pictures):
        x = np.ascontiguousarray(pictures.astype(np.float32).transpose(0, 3, 1, 2) / np.float32(255))
        with torch.no_grad():
            near = self.front(torch.from_numpy(x)).numpy()
        both = np.concatenate([near, self.deep.run(None, {"input": x})[0]], 1)
        assert both.shape[1] == FEATURES + DEEP
        return both.transpose(0, 2, 3, 1).astype(np.float16)


def whole(learnt: onnx.ModelProto) -> onnx.ModelProto:
    """What ships: `learnt` (inputs `input` and `deep`, output `cells`) on the backbone, whose weights are at half precision."""
    b = Builder(half=True)
    add_deep(b, "input", "deep")
    own = lambda n: n if n in ("", "input", "deep", "cells") else f"learnt.{n}"
    for w in learnt.graph.initializer:
        w.name = own(w.name)
    for n in learnt.graph.node:
        n.name = own(n.name)
        n.input[:], n.output[:] = [own(i) for i in n.input], [own(o) for o in n.output]
    b.weights += learnt.graph.initializer
    b.nodes += learnt.graph.node
    return b.model(learnt.graph.input[0].type.tensor_type.shape.dim[2].dim_value, ["cells"])
