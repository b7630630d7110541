"""Sums of parts beside each other, and each printer judged by heads that never saw it: what an owner with one camera gets.

An owner has one camera, not an average. So for every printer with 20 sound webcam frames or more the share of them at or above the one
shipped threshold is counted, with heads that were trained without that printer; the other printers are pooled. A head's scores are
brought to the shipped one's by the median and the spread that it has on calibration's sound pictures.
"""

import argparse
from itertools import combinations

import numpy as np
import torch

from .data import load
from .heads import blindness, maps_of, restore, score, table
from .metrics import auroc, count_interval

#: Sound frames from which on a printer is judged by itself.
OWN = 20
#: The threshold of the network that shipped before, as a logit.
BEFORE = 2.35379 / 1.27479


def spread_of(scores: dict, items) -> tuple[float, float]:
    """Median, and distance from it to the 90th percentile, of the sound calibration pictures."""
    v = [scores[i.file] for i in items if i.fold == "calibration" and i.label in ("good", "defect_other")]
    middle, high = np.quantile(v, [0.5, 0.9])
    return float(middle), float(high - middle)


def summed(maps: dict, head: str, weights: dict, k: int | None = None) -> dict:
    """Score of every judged picture by the weighted sum of a head's parts."""
    first = maps[head, next(iter(weights))]
    return {f: score(sum(w * maps[head, part][f][0] for part, w in weights.items()), first[f][1], k) for f in first}


def even(maps: dict, parts: list, items) -> dict:
    """Weights that give every part's score the same spread over sound calibration pictures; they sum to 1 over their number."""
    raw = {p: 1 / np.std([score(*maps["main", p][i.file]) for i in items if i.fold == "calibration" and i.label in ("good", "defect_other")]) for p in parts}
    return {p: round(float(v / sum(raw.values())), 4) for p, v in raw.items()}


def blind_head(printer: str, blind: dict) -> str:
    """The head that never saw a printer, and saw as much else as possible."""
    return min((h for h, printers in blind.items() if printer in printers), key=lambda h: len(blind[h]), default="main")


def on_scale(maps: dict, weights: dict, items, blind: dict, k: int | None = None) -> dict:
    """Score of every webcam picture by a head that is blind to its printer, on the scale of `main`."""
    by_head = {h: summed(maps, h, weights, k) for h in blind}
    middle, spread = spread_of(by_head["main"], items)
    out = {}
    for i in items:
        if i.view == "webcam" and i.file in by_head["main"]:
            head = "main" if i.fold != "train" else blind_head(i.printer, blind)
            m, s = spread_of(by_head[head], items)
            out[i.file] = (by_head[head][i.file] - m) / s * spread + middle
    return out


def rows(logit: dict, items, threshold: float) -> list[dict]:
    """False frames of each printer with enough sound frames, worst first, and of the rest together."""
    sound = {}
    for i in items:
        if i.view == "webcam" and i.label in ("good", "defect_other") and i.file in logit:
            sound.setdefault(i.printer, []).append(logit[i.file])
    pooled = [v for p, vs in sound.items() if len(vs) < OWN for v in vs]
    named = {p: vs for p, vs in sound.items() if len(vs) >= OWN} | {f"the other {sum(len(v) < OWN for v in sound.values())} printers": pooled}
    found = [{"printer": p, "false": int(sum(v >= threshold for v in vs)), "of": len(vs), "middle": float(np.median(vs)), "highest": float(max(vs))} for p, vs in named.items()]
    return sorted(found, key=lambda r: -r["false"] / r["of"])


def blinded(maps: dict, items) -> dict:
    """The heads that there are, and what they never saw; the one that saw obico-white is not among them."""
    return {k: v for k, v in blindness(items).items() if any(h == k for h, _ in maps) and k != "with-white"}


def report(items, card: dict) -> dict:
    """The report's figures of unseen printers: of what ships, each printer by heads that never saw it, and of the network that shipped
    before, which saw most of them, at its own threshold."""
    made, s = card["made"], card["score"]
    maps = maps_of([n for name in made["blind"] for n in restore(name) if n.backbone in made["parts"]], card["input"]["width"])
    blind, threshold = blinded(maps, items), -s["b"] / s["a"]
    logit = on_scale(maps, made["parts"], items, blind, s["k"])
    before = summed(maps, "main", {"present": 1.0}, 12)
    out = {"ours": rows(logit, items, threshold), "before": rows(before, items, BEFORE), "withWhite": None}
    if ("with-white", next(iter(made["parts"]))) in maps:
        seen = summed(maps, "with-white", made["parts"], s["k"])
        (m, spread), (middle, usual) = spread_of(seen, items), spread_of(summed(maps, "main", made["parts"], s["k"]), items)
        pink = [i for i in items if i.file.startswith("obico-pink") and i.label in ("good", "failure")]
        for key, scores in (("withWhite", {f: (v - m) / spread * usual + middle for f, v in seen.items()}), ("withoutWhite", logit)):
            bad, good = ([scores[i.file] for i in pink if i.label == label] for label in ("failure", "good"))
            out[key] = {"auroc": round(auroc(bad, good), 4), "recall": [sum(v >= threshold for v in bad), len(bad)], "false": [sum(v >= threshold for v in good), len(good)]}
    return out


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--heads", nargs="+", default=["heads"])
    ap.add_argument("--parts", nargs="+", default=["ssd", "nanodet", "present"])
    ap.add_argument("--side", type=int, default=288)
    ap.add_argument("--false", type=float, default=0.01, help="share of calibration's sound pictures at the threshold")
    ap.add_argument("--look", action="store_true")
    ap.add_argument("--without-licence", action="append", default=[])
    args = ap.parse_args()
    torch.set_num_threads(1)
    items = load(tuple(args.without_licence))
    maps = maps_of([n for name in args.heads for n in restore(name)], args.side)
    blind = blinded(maps, items)
    kept = {}
    for r in range(1, len(args.parts) + 1):
        for parts in combinations(args.parts, r):
            weights = even(maps, list(parts), items)
            name = " + ".join(parts)
            kept[name] = summed(maps, "main", weights)
            calib = [kept[name][i.file] for i in items if i.fold == "calibration" and i.label in ("good", "defect_other")]
            threshold = float(np.quantile(calib, 1 - args.false))
            print(name, weights)
            for row in rows(on_scale(maps, weights, items, blind), items, threshold):
                lo, hi = count_interval(row["false"], row["of"])
                print(f"   {row['printer']:28} {row['false']:3} of {row['of']:3} ({row['false'] / row['of']:.3f}; {lo:.3f} to {hi:.3f}), highest {row['highest'] - threshold:+.2f}, middle {row['middle'] - threshold:+.2f}")
    table(kept, items, args.look)


if __name__ == "__main__":
    main()
