"""How well nets rank pictures that they never saw, and what each unseen printer's owner would get, sums of nets beside each other.

Judged are calibration, validation (only with `--look`: the report says that it was looked at), the webcams of the printer that training
leaves out, failing crops laid on calibration's webcams, and fresh renders.
"""

import argparse
import hashlib
import json
from itertools import combinations

import cv2
import numpy as np

from .augment import paste, photometric
from .data import HERE, RUNS, cache, load
from .infer import MODEL_DIR, read_item
from .letterbox import inside_cells, letterbox, resized, to_input, topk_mean
from .metrics import auroc, count_interval, recall_at
from .present import kept
from .pretrained import session
from .render import single
from .tune import LEFT_OUT
from .tuned import graph, part_of
from .windows import Windows

#: Share of the cells inside the picture whose mean is a picture's score.
SHARE = 0.009
#: The commit that has the model which shipped before.
BEFORE = "164da01"
#: Sound frames from which on a printer is judged by itself.
OWN = 20


def laid(items, side: int, count: int = 240):
    """Failing crops and decoys of calibration photos laid on calibration's sound webcams, each under other light: failing webcams that
    nobody trained on are four, too few to choose by. Yields (name, square, rect): `laid-N-failing` and `laid-N-sound`."""
    pictures, rects = cache()
    items = [i for i in items if i.fold == "calibration"]
    crops, rng = Windows([i for i in items if i.view == "photo"], pictures, rects), np.random.default_rng(99)
    cameras = {}
    for i in items:
        if i.view == "webcam" and i.label == "good":
            cameras.setdefault(i.printer, []).append(i)
    cameras, n = list(cameras.values()), 0
    while n < count:
        some, failing = cameras[n // 2 % len(cameras)], n % 2 == 0
        it = some[rng.integers(len(some))]
        crop = crops.crop(crops.crops if failing else crops.decoys, rng)
        left, top, nw, nh = rect = rects[it.index]
        if crop is None:
            continue
        where = [left + nw * rng.uniform(0.25, 0.75), top + nh * rng.uniform(0.4, 0.8)]
        picture, over = paste(pictures[it.index], crop, rng, where, np.exp(rng.uniform(np.log(45), np.log(140))))
        if (over > 0.4).mean() < 0.004:
            continue
        yield (f"laid-{n}-{'failing' if failing else 'sound'}", *resized(photometric(picture, rng), rect, side))
        n += 1


def fresh(side: int, count: int = 300):
    """Renders that nobody trained on, as `laid` yields: `render-N-failing` where strands cover 1 % or more, `render-N-sound` where none are."""
    path = RUNS / "fresh.npz"
    if not path.exists():
        rows = [single(900000 + i) for i in range(count)]
        np.savez(path, pictures=np.stack([p for p, _ in rows]), covered=np.array([(m > 60).mean() for _, m in rows]))
    rows = np.load(path)
    for n, (picture, covered) in enumerate(zip(rows["pictures"], rows["covered"])):
        if covered == 0 or covered >= 0.01:
            ys, xs = np.nonzero((picture != 114).any(2))
            rect = (xs.min(), ys.min(), xs.max() + 1 - xs.min(), ys.max() + 1 - ys.min())
            yield (f"render-{n}-{'sound' if covered == 0 else 'failing'}", *resized(picture, rect, side))


def judged(items) -> list:
    """Pictures that no net was trained on."""
    return [i for i in items if i.label not in ("ignore", "nozzle_cam") and (i.fold != "train" or (i.view == "webcam" and i.printer in LEFT_OUT))]


def heats(model: bytes, items, side: int) -> dict:
    """{name: (logits, inside)} of everything judged; kept by model."""
    path = RUNS / f"heats-{hashlib.sha256(model).hexdigest()[:12]}-{side}.npz"
    if not path.exists():
        net, names, maps, insides = session(model), [], [], []

        def take(name, square, rect):
            names.append(name)
            maps.append(net.run(None, {"input": to_input(square.astype(np.float32))})[0][0, 0].astype(np.float16))
            insides.append(inside_cells(rect, 8, side))

        for it in judged(items):
            take(it.file, *letterbox(read_item(it), side))
        for row in (*laid(items, side), *fresh(side)):
            take(*row)
        np.savez(path, names=names, maps=maps, insides=insides)
    told = np.load(path)
    return {n: (m.astype(np.float32), i) for n, m, i in zip(told["names"].tolist(), told["maps"], told["insides"])}


def score(heat, inside, k: int | None = None) -> float:
    """Mean of the `k` hottest cells of a picture, or of the usual share of them."""
    return topk_mean(heat, inside, k or max(1, round(SHARE * heat.size)))


def calibration_sound(items) -> list:
    return [i.file for i in items if i.fold == "calibration" and i.label in ("good", "defect_other")]


def even(parts: list, items, lean: list | None = None) -> list:
    """Weights that give every part's score the same spread over sound calibration pictures, or as many times that as `lean` says; they
    sum to 1."""
    raw = [n / np.std([score(*p[f]) for f in calibration_sound(items)]) for p, n in zip(parts, lean or [1] * len(parts))]
    return [round(float(v / sum(raw)), 4) for v in raw]


def summed(parts: list, weights: list, k: int | None = None) -> dict:
    """Score of everything judged by the weighted sum of parts."""
    return {f: score(sum(w * p[f][0] for p, w in zip(parts, weights)), parts[0][f][1], k) for f in parts[0]}


def sets(scores: dict, items, look: bool) -> dict:
    """Sets to rank: name to (failing, sound) scores."""
    out = {what: ([v for f, v in scores.items() if f.startswith(what) and f.endswith("failing")], [v for f, v in scores.items() if f.startswith(what) and f.endswith("sound")]) for what in ("laid", "render")}
    for fold in ("calibration", "validation") if look else ("calibration",):
        for view in ("photo", "webcam"):
            some = [i for i in items if i.fold == fold and i.view == view and i.label in ("failure", "good", "defect_other") and (fold == "calibration" or i.split == "validation")]
            out[f"{fold[:5]} {view}s"] = ([scores[i.file] for i in some if i.label == "failure"], [scores[i.file] for i in some if i.label != "failure"])
    return out


def printers(scores: dict, items, threshold: float) -> list[dict]:
    """False frames of each unseen printer with enough sound frames, worst first, and of the rest together."""
    sound = {}
    for i in items:
        if i.view == "webcam" and i.label in ("good", "defect_other") and i.file in scores:
            sound.setdefault(i.printer, []).append(scores[i.file])
    rest = [v for v in sound.values() if len(v) < OWN]
    named = {p: v for p, v in sound.items() if len(v) >= OWN} | {f"the other {len(rest)} unseen printers": sum(rest, [])}
    found = [{"printer": p, "false": int(sum(x >= threshold for x in v)), "of": len(v), "middle": float(np.median(v)), "highest": float(max(v))} for p, v in named.items()]
    return sorted(found, key=lambda r: -r["false"] / r["of"])


def say(name: str, scores: dict, items, look: bool) -> None:
    """A line of rankings (AUROC, recall at 0, 1 and 5 % false) and one of unseen printers, at a threshold that 1 % of sound calibration
    webcams reach, in deviations of those."""
    cells = []
    for what, (bad, good) in sets(scores, items, look).items():
        cells.append(f"{what} {auroc(bad, good):.3f} " + "/".join(f"{recall_at(bad, good, r):.2f}" for r in (0, 0.01, 0.05)))
    print(f"{name:34} " + " | ".join(cells))
    sound = [scores[i.file] for i in items if i.fold == "calibration" and i.view == "webcam" and i.label in ("good", "defect_other")]
    threshold, spread = float(np.quantile(sound, 0.99)), float(np.std(sound))
    rows = printers(scores, items, threshold)
    print(" " * 34, "; ".join(f"{r['printer']} {r['false']}/{r['of']} high {(r['highest'] - threshold) / spread:+.1f}" for r in rows), flush=True)


def unseen(items, det) -> dict:
    """The report's figures of unseen printers: of what ships and of the network that came before it, each at its own threshold."""
    folder = str(MODEL_DIR.relative_to(HERE.parent))
    before = json.loads(kept(f"{folder}/card.json", BEFORE))
    files = {"ours": (det.card, (MODEL_DIR / det.card["file"]).read_bytes()), "before": (before, kept(f"{folder}/{before['file']}", BEFORE))}
    out = {}
    for key, (card, model) in files.items():
        k, a, b = (card["score"][n] for n in ("k", "a", "b"))
        out[key] = printers({f: score(*v, k) for f, v in heats(model, items, card["input"]["width"]).items()}, items, -b / a)
    return out


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("nets", nargs="+", help="parts as `tuned.part_of` has them")
    ap.add_argument("--side", type=int, default=288)
    ap.add_argument("--most", type=int, default=3, help="nets in a sum")
    ap.add_argument("--look", action="store_true")
    ap.add_argument("--without-licence", action="append", default=[])
    args = ap.parse_args()
    cv2.setNumThreads(1)
    items, parts = load(tuple(args.without_licence)), {}
    for name in args.nets:
        parts[name] = heats(graph([part_of(name)], [1.0], args.side).SerializeToString(), items, args.side)
    for r in range(1, args.most + 1):
        for some in combinations(parts, r):
            chosen = [parts[s] for s in some]
            say(" + ".join(some), summed(chosen, even(chosen, items)), items, args.look)


if __name__ == "__main__":
    main()
