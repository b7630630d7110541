"""What the nets say of every picture, looked at once and kept in `runs/rows.npz`: the frozen backbone's means and spreads, what it sees in the
cells that vigil-strands-6 finds hottest, and the map's score of vigil-strands-6, of its parts and of backbones between the frozen and the tuned one (Wortsman et al. 2022) under its head."""

import time

import cv2
import numpy as np
from onnx import numpy_helper

from .data import RUNS, load
from .infer import read_item
from .letterbox import inside_cells, letterbox, to_input, topk_mean
from .light import CUT, HOTTEST, PLACE, hottest, pooled, six
from .present import present_network
from .pretrained import SOURCES, Builder, nodes_of, session

SIDE = 288
#: How far backbones go from the frozen (0) to the tuned one (1).
WAYS = {"frozen under the tuned head": 0.0, "half way": 0.5, "tuned": 1.0}
SHARES = {"tuned": 0.5676, "present": 0.4324}


class Looks:
    """The nets, cut where they part."""

    def __init__(self):
        graph = six().graph
        self.kept = {w.name: numpy_helper.to_array(w).astype(np.float32) for w in graph.initializer}
        b = Builder()
        b.add("Identity", b.chain("ssd", b.scaled("ssd", "input"), nodes_of("ssd")[: PLACE + 1], [CUT], {}), "cut")
        self.lower = session(b.model("side", ["cut"], "batch"))
        self.uppers = {name: self.upper(way) for name, way in WAYS.items()}
        self.present = session(present_network())

    def of(self, name: str) -> np.ndarray:
        """A weight of vigil-strands-6, which may be kept at half precision."""
        return self.kept[name] if name in self.kept else self.kept[name + "_h"]

    def upper(self, way: float):
        """What lies above the cut so far from frozen to tuned, with the tuned net's head."""
        nodes, b = nodes_of("ssd"), Builder()
        mixed = {n["name"]: tuple((1 - way) * n[k] + way * self.of(f"ssd.{i}.{k}") for k in "wb") for i, n in enumerate(nodes) if n["op"] == "conv"}
        own = [{**n, "in": ["input" if k == CUT else k for k in n["in"]]} for n in nodes[PLACE + 1 :]]
        taps, total = b.chain("ssd", "input", own, SOURCES["ssd"]["taps"], mixed), None
        outs = [b.add("Identity", [t], f"map{s}") for t, s in zip(taps, (8, 16, 32))]
        for tap, s in zip(taps, (8, 16, 32)):
            y = b.add("Conv", [tap, *(b.weight(f"{k}{s}", self.of(f"ssd0.head.{k}{s}")) for k in "wb")], f"y{s}")
            if s > 8:
                y = b.add("Resize", [y, "", b.weight(f"times{s}", [1, 1, s // 8, s // 8])], f"up{s}", mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
            total = y if total is None else b.add("Add", [total, y], f"sum{s}")
        ends = [b.weight(k, self.of(f"ssd0.head.{k}")) for k in ("out", "level")]
        model = b.model("side", [*outs, b.add("Conv", [b.add("Relu", [total], "hidden"), *ends], "heat")], "batch")
        model.graph.input[0].type.tensor_type.shape.dim[1].dim_value = self.of(f"ssd.{PLACE}.b").size
        return session(model)

    def __call__(self, picture) -> dict:
        """Features, and the score of each net, of an RGB picture."""
        square, rect = letterbox(picture, SIDE)
        x, inside = to_input(square), inside_cells(rect, 8, SIDE)
        cut, heats, out = self.lower.run(None, {"input": x})[0], {}, {}
        for name, way in WAYS.items():
            *maps, heat = self.uppers[name].run(None, {"input": cut})
            heats[name] = heat[0, 0]
            if way == 0:
                frozen = maps
                out["features"] = pooled(maps[1:], rect, SIDE).astype(np.float16)
        heats["present"] = self.present.run(None, {"input": x})[0][0, 0]
        heats["strands-6"] = sum(share * heats[n] for n, share in SHARES.items())
        out["hottest"] = hottest(frozen, heats["strands-6"], inside).astype(np.float16)
        return out | {name: np.float32(topk_mean(heat, inside, HOTTEST)) for name, heat in heats.items()}


def rows() -> dict:
    """{name: array} over all pictures that are not to be ignored, in the order of `files`."""
    path = RUNS / "rows.npz"
    if not path.exists():
        cv2.setNumThreads(1)
        looks, found, begin = Looks(), {}, time.time()
        for it in (i for i in load() if i.label != "ignore"):
            found[it.file] = looks(read_item(it))
            if len(found) % 200 == 0:
                print(f"{len(found)} pictures, {time.time() - begin:.0f} s", flush=True)
        keys = next(iter(found.values())).keys()
        np.savez(path, files=list(found), **{k: np.stack([r[k] for r in found.values()]) for k in keys})
    with np.load(path) as kept:
        return {k: kept[k] for k in kept.files}
