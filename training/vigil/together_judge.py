"""Judges what `together` brought back, by folds: every picture is scored by the net that saw nothing of its printer or group, alone and in sums
with the light head, `present` and vigil-strands-6, all the way and part of it. What the nets say is kept beside their weights."""

import argparse

import numpy as np

from .data import RUNS
from .folds import FOLDS, Table, figures
from .infer import read_item
from .letterbox import inside_cells, letterbox, to_input, topk_mean
from .light import CUT, PLACE
from .pretrained import SOURCES, Builder, nodes_of, session
from .rows import SIDE
from .together_kept import states
from .together_look import HOTTEST
from .tuned import Tuned, mixed



def net_of(some: list[dict], way: float = 1.0) -> Tuned:
    """The mean of some nets that began alike, so far on the way from where their upper part began."""
    net = Tuned("ssd", some[0]["hidden"])
    came = net.state_dict()
    ends = came | mixed([s["mean"] for s in some])
    begun = came | mixed([s["start"] for s in some])
    net.load_state_dict({k: begun[k].float().lerp(v, way) for k, v in ends.items()})
    return net.eval()


def lower():
    """What lies below stride 8, which no net changed."""
    b = Builder()
    b.add("Identity", b.chain("ssd", b.scaled("ssd", "input"), nodes_of("ssd")[: PLACE + 1], [CUT], {}), "cut")
    return session(b.model("side", ["cut"], "batch"))


def heat_of(net: Tuned):
    """A net from the cut on."""
    b, nodes = Builder(), nodes_of("ssd")
    own = [{**n, "in": ["input" if k == CUT else k for k in n["in"]]} for n in nodes[PLACE + 1 :]]
    taps = b.chain("ssd", "input", own, SOURCES["ssd"]["taps"], net.weights())
    model = b.model("side", [net.head.build(b, taps, "heat")], "batch")
    model.graph.input[0].type.tensor_type.shape.dim[1].dim_value = nodes[PLACE]["w"].shape[0]
    return session(model)


class Cuts:
    """What lies at stride 8 of every picture, looked at once, and the cells inside it."""

    def __init__(self, t: Table):
        path, net = RUNS / "cuts.npy", lower()
        squares = [letterbox(read_item(i), SIDE) for i in t.items] if not path.exists() else None
        if squares:
            np.save(path, np.stack([net.run(None, {"input": to_input(s)})[0][0] for s, _ in squares]).astype(np.float16))
            np.save(RUNS / "cut_rects.npy", np.array([r for _, r in squares]))
        self.at, self.rects = np.load(path, mmap_mode="r"), np.load(RUNS / "cut_rects.npy")

    def look(self, net, some) -> np.ndarray:
        """Scores of some pictures, by number of hottest cells."""
        run, scores = heat_of(net), []
        for i in some:
            heat = run.run(None, {"input": self.at[i][None].astype(np.float32)})[0][0, 0]
            inside = inside_cells(tuple(self.rects[i]), 8, SIDE)
            scores.append([topk_mean(heat, inside, k) for k in HOTTEST])
        return np.array(scores)


def judged(t: Table, cuts: Cuts, name: str, recipe: str, way: float) -> dict:
    """Scores of all pictures out of fold, kept in runs/."""
    path = RUNS / f"{name}-{recipe}-{way:g}.npz"
    if not path.exists():
        nets, scores = [s for s in states(name) if s["recipe"] == recipe], np.full((len(t.items), len(HOTTEST)), np.nan)
        for k in sorted({s["fold"] for s in nets if s["fold"] < FOLDS}):
            net, there = net_of([s for s in nets if s["fold"] == k], way), t.fold == k
            scores[there] = cuts.look(net, np.nonzero(there)[0])
            print(f"{recipe} {way:g}: fold {k}", flush=True)
        np.savez(path, scores=scores)
    with np.load(path) as kept:
        return {k: kept[k] for k in kept.files}


def line(t: Table, name: str, s) -> str:
    """A row of the table."""
    return f"| {name} | " + " | ".join(f"{v:.3f}" if isinstance(v, float) else ", ".join(f"{x:.2f}" for x in v) for v in figures(t, s).values()) + " |"


def sums(t: Table, s, light, floor: float = 0.25) -> dict:
    """A net's score alone and beside others; each part is weighted so that they spread alike over sound webcams."""
    n, g, six, present = t.even(s), t.even(light), t.even(t.rows["strands-6"].astype(float)), t.even(t.rows["present"].astype(float))
    low = np.maximum(g, np.quantile(g[t.sound()], floor))
    return {"alone": n, "+ light": n + low, "+ 0.5 light": n + 0.5 * low, "+ present": n + 0.7 * present, "+ present + light": t.even(n + 0.7 * present) + low, "+ strands-6": n + six, "+ strands-6 + light": t.even(n + six) + low}


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--name", default="together")
    ap.add_argument("--recipes", nargs="+", help="those of the run unless told")
    ap.add_argument("--ways", type=float, nargs="+", default=[0.5, 0.75, 1.0])
    args = ap.parse_args()
    t = Table()
    cuts, light = Cuts(t), t.out_of_fold()
    six = t.even(t.rows["strands-6"].astype(float))
    g = t.even(light)
    print("| recipe | " + " | ".join(figures(t, six)) + " |")
    print(line(t, "vigil-strands-7", six + np.maximum(g, np.quantile(g[t.sound()], 0.25))), flush=True)
    for recipe in args.recipes or dict.fromkeys(s["recipe"] for s in states(args.name)):
        for way in args.ways:
            scores = judged(t, cuts, args.name, recipe, way)["scores"]
            for column, k in enumerate(HOTTEST):
                for what, s in sums(t, scores[:, column], light).items():
                    print(line(t, f"{recipe} {way:g}, {k} cells {what}", s), flush=True)


if __name__ == "__main__":
    main()
