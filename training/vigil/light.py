"""The light head: what the frozen backbone says of a picture, by a logistic regression on the mean and the spread of its maps and on what it
sees in the cells that the tuned net finds hottest.

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
STRIDES, PLACES = (16, 32), (8, 16, 32)
#: How many of the hottest cells make a score, and are looked at.
HOTTEST = 12
#: The node up to which the tuned net and the frozen one are the same (stride 8), and its place among the nodes.
CUT, PLACE = "t159", 11
#: Directions of the features that the regression sees, and how strongly its weights are held down.
DIRECTIONS, HOLD = 220, 0.4


def six() -> onnx.ModelProto:
    """The graph of vigil-strands-6, checked."""
    data = kept(PATH, COMMIT)
    digest = hashlib.sha256(data).hexdigest()
    if digest != SHA256:
        raise ValueError(f"{PATH} of {COMMIT} has SHA-256 {digest}, not {SHA256}")
    return onnx.load_from_string(data)


def above(b: Builder, cut: str) -> list[str]:
    """The frozen backbone from the cut on; returns its maps at strides 8, 16 and 32."""
    nodes = nodes_of("ssd")
    assert nodes[PLACE]["name"] == CUT
    upper = [{**n, "in": ["input" if k == CUT else k for k in n["in"]]} for n in nodes[PLACE + 1 :]]
    return b.chain("ssd", cut, upper, SOURCES["ssd"]["taps"], {})


def pooled(maps, rect, side: int) -> np.ndarray:
    """Mean and deviation of each channel of the maps at strides 16 and 32 over the cells inside the picture."""
    means, spreads = [], []
    for m, stride in zip(maps, STRIDES):
        inside = inside_cells(rect, stride, side)
        v = m[0][:, inside] if inside.any() else m[0].reshape(len(m[0]), -1)
        means.append(v.mean(1))
        spreads.append(v.std(1))
    return np.concatenate(means + spreads)


def hottest(maps, heat, inside) -> np.ndarray:
    """The maps at strides 8, 16 and 32 in the hottest cells of a map at stride 8, channel by channel their mean."""
    there = np.argsort(np.where(inside, heat, -np.inf), axis=None)[-min(HOTTEST, int(inside.sum())) :]
    rows, columns = np.unravel_index(there, heat.shape)
    return np.concatenate([m[0][:, rows * 8 // s, columns * 8 // s].mean(1) for m, s in zip(maps, PLACES)])


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


class Spaces:
    """Some kinds of features side by side, each in a space of its own."""

    def __init__(self, *kinds: np.ndarray, count: int = DIRECTIONS):
        self.parts = [Space(x, count) for x in kinds]

    def __call__(self, *kinds: np.ndarray) -> np.ndarray:
        return np.hstack([space(x) for space, x in zip(self.parts, kinds)])

    def plain(self, weights: np.ndarray) -> tuple[np.ndarray, float]:
        """(weights, bias) on features as they come, one kind behind the other."""
        ends = np.cumsum([space.way.shape[1] for space in self.parts])[:-1]
        own = [space.plain(np.append(w, 0)) for space, w in zip(self.parts, np.split(weights[:-1], ends))]
        return np.concatenate([w for w, _ in own]), float(weights[-1] + sum(b for _, b in own))


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


def add_lit(b: Builder, stride: int) -> str:
    """1 for each cell inside the picture: those whose middle pixel is not the letterbox's grey."""
    own, half = f"light.{stride}", stride // 2
    for name, values in (("from", [half, half]), ("to", [1 << 30] * 2), ("axes", [2, 3]), ("step", [stride] * 2)):
        b.weights.append(onnx.numpy_helper.from_array(np.array(values, np.int64), f"{own}.{name}"))
    middle = b.add("Slice", ["input", *(f"{own}.{n}" for n in ("from", "to", "axes", "step"))], f"{own}.middle")
    away = b.add("Abs", [b.add("Sub", [middle, b.weight(f"{own}.grey", np.float32(PAD / 255))], f"{own}.off")], f"{own}.away")
    most = b.add("ReduceMax", [away], f"{own}.most", axes=[1], keepdims=1)
    return b.add("Cast", [b.add("Greater", [most, b.weight(f"{own}.least", np.float32(1e-5))], f"{own}.is")], f"{own}.lit", to=onnx.TensorProto.FLOAT)


def add_mean(b: Builder, tap: str, share: str, own: str) -> str:
    """The mean of a map's channels over cells by their share."""
    count = b.add("Max", [b.add("ReduceSum", [share, "light.over"], f"{own}.sum", keepdims=1), "light.one"], f"{own}.count")
    return b.add("Div", [b.add("ReduceSum", [b.add("Mul", [tap, share], f"{own}.in"), "light.over"], f"{own}.all", keepdims=1), count], f"{own}.mean")


def add_pooled(b: Builder, tap: str, stride: int, lit: str) -> tuple[str, str]:
    """Mean and deviation of a map's channels over the cells inside the picture."""
    own = f"light.{stride}"
    mean = add_mean(b, tap, lit, own)
    off = b.add("Sub", [tap, mean], f"{own}.by")
    return mean, b.add("Sqrt", [add_mean(b, b.add("Mul", [off, off], f"{own}.square"), lit, f"{own}.variance")], f"{own}.spread")


def add_hottest(b: Builder, taps: list, heat: str, lit: str) -> list[str]:
    """`hottest` as nodes: how many of the hottest cells lie in each cell of a map is the share that it counts by."""
    b.weights.append(onnx.numpy_helper.from_array(np.array([HOTTEST], np.int64), "hot.k"))
    b.weights.append(onnx.numpy_helper.from_array(np.array([1, -1], np.int64), "hot.flat"))
    cold = b.add("Where", [b.add("Cast", [lit], "hot.inside", to=onnx.TensorProto.BOOL), heat, b.weight("hot.cold", np.float32(-1e9))], "hot.of")
    b.add("TopK", [b.add("Reshape", [cold, "hot.flat"], "hot.row"), "hot.k"], "hot.top")
    b.nodes[-1].output.append("hot.at")
    level = b.add("ReduceMin", ["hot.top"], "hot.level", axes=[1], keepdims=1)
    share = b.add("Mul", [b.add("Cast", [b.add("GreaterOrEqual", [cold, level], "hot.is")], "hot.are", to=onnx.TensorProto.FLOAT), lit], "hot.share")
    found = []
    for tap, stride in zip(taps, PLACES):
        n = stride // 8
        own = share if n == 1 else b.add("Mul", [b.add("AveragePool", [share], f"hot.{stride}.part", kernel_shape=[n, n], strides=[n, n]), b.weight(f"hot.{stride}.cells", np.float32(n * n))], f"hot.{stride}.share")
        found.append(add_mean(b, tap, own, f"hot.{stride}"))
    return found


def graph(weights: np.ndarray, bias: float, least: float, side: int) -> onnx.ModelProto:
    """What ships: the map of vigil-strands-6 with the light head's number (`weights` on features as they come, `least` at the least) added to each cell."""
    b = Builder(half=True)
    heat = add_six(b)
    taps = above(b, f"six.ssd.{PLACE}")
    b.weights.append(onnx.numpy_helper.from_array(np.array([2, 3], np.int64), "light.over"))
    b.weight("light.one", np.float32(1))
    lit = {s: add_lit(b, s) for s in PLACES}
    found = [add_pooled(b, tap, s, lit[s]) for tap, s in zip(taps[1:], STRIDES)]
    features = b.add("Concat", [m for m, _ in found] + [s for _, s in found] + add_hottest(b, taps, heat, lit[8]), "light.features", axis=1)
    b.weights.append(onnx.numpy_helper.from_array(weights.astype(np.float32).reshape(1, -1, 1, 1), "light.w"))
    number = b.add("Conv", [features, "light.w", b.weight("light.b", np.float32([bias]))], "light.number")
    b.add("Add", [heat, b.add("Max", [number, b.weight("light.least", np.float32(least))], "light")], "heat")
    return b.model(side, ["heat"])
