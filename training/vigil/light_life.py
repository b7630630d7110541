"""Whether the light head gains by frames with strands from life and their decoys (`life.py`): judged by folds, as all of it is.

Each drawn frame is looked at once by the frozen backbone and kept with the folds that it shows, in `runs/life_rows.npz`.
"""

import argparse
import time

import cv2
import numpy as np

from .data import RUNS, cache, load
from .folds import FOLDS, Table, table
from .letterbox import PAD, to_input
from .life import SIDE, LifeFrames, heats
from .light import CUT, PLACE, STRIDES, regress
from .folds import weights
from .pretrained import SOURCES, Builder, nodes_of, session

MIX = {"life": 0.5, "decoy": 0.3, "webcam": 0.2}


def frozen():
    """The backbone as it came: its maps at strides 16 and 32."""
    b = Builder()
    taps = b.chain("ssd", b.scaled("ssd", "input"), nodes_of("ssd"), SOURCES["ssd"]["taps"], {})
    return session(b.model("side", [b.add("Identity", [t], f"map{s}") for t, s in zip(taps[1:], STRIDES)], "batch"))


def features(maps, picture) -> np.ndarray:
    """`light.pooled` of a frame whose middle pixels of the cells outside are the letterbox's grey."""
    means, spreads = [], []
    for m, stride in zip(maps, STRIDES):
        inside = (picture[stride // 2 :: stride, stride // 2 :: stride] != PAD).any(2)
        v = m[0][:, inside]
        means.append(v.mean(1))
        spreads.append(v.std(1))
    return np.concatenate(means + spreads)


def drawn(count: int) -> dict:
    """Features, folds and labels of so many frames, drawn once."""
    path = RUNS / "life_rows.npz"
    if not path.exists():
        items, net, rng, begin = [i for i in load() if i.label != "ignore" and i.licence != "validation-only"], frozen(), np.random.default_rng(11), time.time()
        frames, out = LifeFrames(items, *cache(), heats(), mix=MIX, seed=11), {"features": [], "bits": [], "failing": []}
        while len(out["bits"]) < count:
            picture, *_, label, bits = frames.sample(rng)
            picture = picture.transpose(1, 2, 0)
            if label < 0 or (picture[SIDE // 2] == PAD).all():
                continue
            out["features"].append(features(net.run(None, {"input": to_input(picture.astype(np.float32))}), picture).astype(np.float16))
            out["bits"].append(bits)
            out["failing"].append(int(label))
            if len(out["bits"]) % 500 == 0:
                print(f"{len(out['bits'])} frames, {time.time() - begin:.0f} s", flush=True)
        np.savez(path, **{k: np.array(v) for k, v in out.items()})
    with np.load(path) as kept:
        return {k: kept[k] for k in kept.files}


def out_of_fold(t: Table, rows: dict, z, share: float, hold: float) -> np.ndarray:
    """`Table.out_of_fold` where drawn frames weigh `share` of what pictures do."""
    out = np.zeros(len(t.items))
    for k in range(FOLDS):
        some, also = (t.fold != k) & t.teach, (rows["bits"] >> k) & 1 == 0
        own = weights([i for i, s in zip(t.items, some) if s], t.failing[some])
        failing = rows["failing"][also]
        extra = np.where(failing == 1, 0.5 / max(failing.mean(), 1e-6), 0.5 / max(1 - failing.mean(), 1e-6))
        extra = extra / extra.sum() * own.sum() * share
        b = regress(np.vstack([t.z[some], z[also]]), np.concatenate([t.failing[some], failing]), np.concatenate([own, extra]), hold)
        out[t.fold == k] = t.z[t.fold == k] @ b[:-1] + b[-1]
    return out


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--count", type=int, default=5000)
    args = ap.parse_args()
    cv2.setNumThreads(1)
    t, rows = Table(), drawn(args.count)
    z, six, found = t.space(rows["features"].astype(np.float32)), t.even(t.rows["strands-6"].astype(float)), {}
    for hold in (0.02, 0.06):
        for share in (0, 0.1, 0.25, 0.5, 1, 2):
            g = t.even(out_of_fold(t, rows, z, share, hold))
            found[f"light head, drawn frames {share:g}, held {hold:g}"] = g
            found[f"strands-6 + that, 25% floor ({share:g}, {hold:g})"] = six + np.maximum(g, np.quantile(g[t.sound()], 0.25))
    print("\n".join(table(t, found)))


if __name__ == "__main__":
    main()
