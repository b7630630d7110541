"""The light head: what the frozen backbone says of a whole picture, by a logistic regression on the mean and the spread of its maps.

Tuning taught the upper part our pictures and took away what the backbone knew of cameras that it never saw; this keeps it. The regression
says one number a picture, which is added to every cell of the tuned net's map, so that it moves the score and leaves places as they are.
It may speak for a failure and hardly against one: below `least` it says no more, so a picture that is like none it knows (a render) is judged
as by the tuned net alone.
"""

import hashlib

import numpy as np
import onnx

from .letterbox import PAD, inside_cells
from .present import kept
from .pretrained import SOURCES, Builder, nodes_of

#: The model that the head stands on, as git keeps it.
COMMIT, PATH = "611e84bc", "server/engines/inference/model/vigil-strands-6.onnx"
SHA256 = "a45dd86d77d6adb2ee44121d3809007f44415ce7e228d3d0a71725185e24e6d9"
STRIDES = (16, 32)
#: The node up to which the tuned net and the frozen one are the same (stride 8), and its place among the nodes.
CUT, PLACE = "t159", 11
#: Directions of the features that the regression sees, and how strongly its weights are held down.
DIRECTIONS, HOLD = 220, 0.02


def six() -> onnx.ModelProto:
    """The graph of vigil-strands-6, checked."""
    data = kept(PATH, COMMIT)
    digest = hashlib.sha256(data).hexdigest()
    if digest != SHA256:
        raise ValueError(f"{PATH} of {COMMIT} has SHA-256 {digest}, not {SHA256}")
    return onnx.load_from_string(data)


def above(b: Builder, cut: str) -> list[str]:
    """The frozen backbone from the cut on; returns its maps at strides 16 and 32."""
    nodes = nodes_of("ssd")
    assert nodes[PLACE]["name"] == CUT
    upper = [{**n, "in": ["input" if k == CUT else k for k in n["in"]]} for n in nodes[PLACE + 1 :]]
    return b.chain("ssd", cut, upper, SOURCES["ssd"]["taps"][1:], {})


def pooled(maps, rect, side: int) -> np.ndarray:
    """Mean and deviation of each channel of the maps at strides 16 and 32 over the cells inside the picture."""
    means, spreads = [], []
    for m, stride in zip(maps, STRIDES):
        inside = inside_cells(rect, stride, side)
        v = m[0][:, inside] if inside.any() else m[0].reshape(len(m[0]), -1)
        means.append(v.mean(1))
        spreads.append(v.std(1))
    return np.concatenate(means + spreads)


class Space:
    """Features brought to mean 0 and deviation 1, seen along their strongest directions; no label plays a part in it."""

    def __init__(self, x: np.ndarray, count: int = DIRECTIONS):
        self.mean, spread = x.mean(0), x.std(0)
        self.times = 1 / (spread + 0.1 * spread.mean()) / np.sqrt(x.shape[1])
        z = (x - self.mean) * self.times
        drawn = z @ np.random.default_rng(0).standard_normal((x.shape[1], count + 20)).astype(np.float32)
        q, _ = np.linalg.qr(z @ (z.T @ drawn))
        b = q.T @ z
        strength, v = np.linalg.eigh(b @ b.T)
        self.way = b.T @ (v[:, ::-1][:, :count] / np.sqrt(strength[::-1][:count]))

    def __call__(self, x: np.ndarray) -> np.ndarray:
        return ((x - self.mean) * self.times) @ self.way

    def plain(self, weights: np.ndarray) -> tuple[np.ndarray, float]:
        """(weights, bias) on features as they come, of weights [directions + 1] whose last is the bias."""
        own = (self.way @ weights[:-1]) * self.times
        return own, float(weights[-1] - own @ self.mean)


def regress(z: np.ndarray, failing: np.ndarray, weight: np.ndarray, hold: float = HOLD) -> np.ndarray:
    """Logistic regression by Newton's method; returns weights [directions + 1], the last of which is the bias."""
    x = np.hstack([z, np.ones((len(z), 1))]).astype(np.float64)
    b, rein = np.zeros(x.shape[1]), np.full(x.shape[1], hold)
    rein[-1] = 1e-6
    for _ in range(15):
        p = 1 / (1 + np.exp(-np.clip(x @ b, -30, 30)))
        bend = (x * (weight * p * (1 - p) + 1e-9)[:, None]).T @ x
        bend[np.diag_indices(len(b))] += rein
        step = np.linalg.solve(bend, x.T @ (weight * (p - failing)) + rein * b)
        b -= step
        if np.abs(step).max() < 1e-3:
            break
    return b


def add_six(b: Builder) -> str:
    """The nodes and weights of vigil-strands-6, their names behind `six.`; returns its map."""
    graph = six().graph
    name = lambda n: n if n in ("", "input") else f"six.{n}"
    for w in graph.initializer:
        w.name = name(w.name)
    for n in graph.node:
        n.name = name(n.name)
        n.input[:], n.output[:] = [name(i) for i in n.input], [name(o) for o in n.output]
    b.weights += graph.initializer
    b.nodes += graph.node
    return "six.heat"


def add_pooled(b: Builder, tap: str, stride: int) -> tuple[str, str]:
    """Mean and deviation of a map's channels over the cells inside the picture: those whose middle pixel is not the letterbox's grey."""
    own, half = f"light.{stride}", stride // 2
    for name, values in (("from", [half, half]), ("to", [1 << 30] * 2), ("axes", [2, 3]), ("step", [stride] * 2)):
        b.weights.append(onnx.numpy_helper.from_array(np.array(values, np.int64), f"{own}.{name}"))
    middle = b.add("Slice", ["input", *(f"{own}.{n}" for n in ("from", "to", "axes", "step"))], f"{own}.middle")
    away = b.add("Abs", [b.add("Sub", [middle, b.weight(f"{own}.grey", np.float32(PAD / 255))], f"{own}.off")], f"{own}.away")
    most = b.add("ReduceMax", [away], f"{own}.most", axes=[1], keepdims=1)
    lit = b.add("Cast", [b.add("Greater", [most, b.weight(f"{own}.least", np.float32(1e-5))], f"{own}.is")], f"{own}.lit", to=onnx.TensorProto.FLOAT)
    b.weights.append(onnx.numpy_helper.from_array(np.array([2, 3], np.int64), f"{own}.over"))
    total = lambda at, out: b.add("ReduceSum", [at, f"{own}.over"], out, keepdims=1)
    count = b.add("Max", [total(lit, f"{own}.sum"), b.weight(f"{own}.one", np.float32(1))], f"{own}.count")
    mean = b.add("Div", [total(b.add("Mul", [tap, lit], f"{own}.in"), f"{own}.all"), count], f"{own}.mean")
    off = b.add("Mul", [b.add("Sub", [tap, mean], f"{own}.by"), lit], f"{own}.beside")
    square = b.add("Div", [total(b.add("Mul", [off, off], f"{own}.square"), f"{own}.squares"), count], f"{own}.variance")
    return mean, b.add("Sqrt", [square], f"{own}.spread")


def graph(weights: np.ndarray, bias: float, least: float, side: int) -> onnx.ModelProto:
    """What ships: the map of vigil-strands-6 with the light head's number (`weights` on features as they come, `least` at the least) added to each cell."""
    b = Builder(half=True)
    heat = add_six(b)
    taps = above(b, f"six.ssd.{PLACE}")
    found = [add_pooled(b, tap, stride) for tap, stride in zip(taps, STRIDES)]
    features = b.add("Concat", [m for m, _ in found] + [s for _, s in found], "light.features", axis=1)
    b.weights.append(onnx.numpy_helper.from_array(weights.astype(np.float32).reshape(1, -1, 1, 1), "light.w"))
    number = b.add("Conv", [features, "light.w", b.weight("light.b", np.float32([bias]))], "light.number")
    b.add("Add", [heat, b.add("Max", [number, b.weight("light.least", np.float32(least))], "light")], "heat")
    return b.model(side, ["heat"])
