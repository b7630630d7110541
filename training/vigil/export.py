"""Export a checkpoint: fit the score, write ONNX, card, attribution and parity vectors."""

import argparse
import hashlib
import io
import json
from datetime import datetime, timezone
from pathlib import Path

import cv2
import numpy as np
import torch

from .augment import paste, photometric
from .data import RUNS, cache, load
from .infer import MODEL_DIR, Detector
from .judge import even, heats
from .letterbox import inside_cells, resized, to_input, topk_mean
from .metrics import auroc
from .model import STRIDE, Strands
from .present import present_pictures
from .pretrained import SOURCES, session
from .render import single
from .shipping import pictures_table, vectors
from .tune import trainable
from .tuned import graph, part_of
from .windows import Windows

NAME, VERSION = "vigil-strands", "6"


def calibration_rows(net, items, size: int, renders: int = 60):
    """Maps of pictures nobody trained on: the calibration fold as it is and once more under other
    light, its failure and decoy crops laid on its webcams, and fresh renders.
    Returns (heat, inside, failing, kind) for each."""
    pictures, rects = cache()
    rng = np.random.default_rng(99)
    stack = []
    for it in items:
        kind = "webcam" if it.view == "webcam" else "photo"
        rect = tuple(rects[it.index])
        stack.append((pictures[it.index], rect, it.label == "failure", kind))
        for _ in range(4 if kind == "webcam" else 1):
            other = photometric(np.ascontiguousarray(pictures[it.index]), rng)
            stack.append((other, rect, it.label == "failure", kind))
    crops = Windows([i for i in items if i.view == "photo"], pictures, rects)
    webcams = [i for i in items if i.view == "webcam"]
    for n in range(120):
        it, failing = webcams[n % len(webcams)], n % 2 == 0
        crop = crops.crop(crops.crops if failing else crops.decoys, rng)
        if crop is None:
            continue
        left, top, nw, nh = rects[it.index]
        where = [left + nw * rng.uniform(0.25, 0.75), top + nh * rng.uniform(0.4, 0.8)]
        window, laid = paste(pictures[it.index], crop, rng, where, np.exp(rng.uniform(np.log(50), np.log(150))))
        if (laid > 0.4).mean() > 0.005:
            stack.append((photometric(window, rng), (left, top, nw, nh), failing, "composite"))
    for i in range(renders):
        square, mask = single(900000 + i)
        covered = (mask > 60).mean()
        if 0 < covered < 0.004:
            continue
        ys, xs = np.nonzero((square != 114).any(2))
        rect = (xs.min(), ys.min(), xs.max() + 1 - xs.min(), ys.max() + 1 - ys.min())
        stack.append((photometric(square, rng), rect, covered > 0, "render"))
    out = []
    for square, rect, failing, kind in stack:
        square, rect = resized(square, rect, size)
        z = net.run(None, {"input": to_input(square.astype(np.float32))})[0][0, 0]
        out.append((z, inside_cells(rect, STRIDE, size), failing, kind))
    return out


def anchor(scores, failing, kinds, usual: float = 0.08, share: float = 0.05):
    """A, B of the logistic that gives 0.5 at the level which `share` of the sound webcam rows (as they are and under other light) reach
    and no more of the sound photos, and `usual` at the median of the webcams. 38 pictures are too few for a smaller share: it would be
    the hottest of them alone that sets the scale. An order, not a probability: a Platt scale of so weak a ranking would squeeze all
    frames into the middle."""
    sound = {k: scores[~failing & (np.array(kinds) == k)] for k in ("webcam", "photo")}
    top, middle = max(np.quantile(v, 1 - share) for v in sound.values()), np.median(sound["webcam"])
    a = float(np.log(1 / usual - 1) / (top - middle))
    return a, float(-a * top)


def choose(rows):
    """K, A, B: the top-k that ranks the calibration rows best, then the scale of its score."""
    failing = np.array([r[2] for r in rows])
    kinds = [r[3] for r in rows]
    best = None
    for k in (12, 18, 8):
        s = np.array([topk_mean(r[0], r[1], k) for r in rows])
        parts = [auroc(s[failing & (np.array(kinds) == a)], s[~failing & (np.array(kinds) == b)])
                 for a in ("photo", "composite", "render") for b in ("photo", "composite", "webcam", "render")]
        value = float(np.mean(parts))
        print(f"k {k}: mean ranking {value:.4f}")
        if best is None or value > best[0] + 5e-3:
            best = (value, k, s)
    a, b = anchor(best[2], failing, kinds)
    p = 1 / (1 + np.exp(-(a * best[2] + b)))
    for kind in sorted(set(kinds)):
        here = np.array(kinds) == kind
        for f in (False, True):
            v = p[here & (failing == f)]
            if len(v):
                print(f"{kind:9} {'failing' if f else 'sound':7} {len(v):4}: median {np.median(v):.2f}, 95 % under {np.quantile(v, 0.95):.2f}, at or above 0.5: {(v >= 0.5).mean():.3f}")
    return best[1], a, b


def attribution(items, parts, folder):
    """Who made the weights that the model is built on, and the pictures that it was trained on."""
    lines = ["# Attribution", "", f"`{NAME}-{VERSION}.onnx` is the sum of the parts below. No picture is shipped.", ""]
    for name in (p for p in parts if p in SOURCES):
        s = SOURCES[name]
        lines += [f"* `{name}`: {s['upstream']}; licence {s['licence']}, text in `LICENSE-APACHE-2.0.txt`. Taken out of the npm package `{s['package']}`",
                  f"  {s['version']}, SHA-256 of the weights `{s['sha256']}`. Changed: batch norm folded as it came, cut after its last map, upper part trained further, weights at half precision, a head of ours on it."]
    lines += ["", "Our heads were trained on pictures from these sources, and on scenes rendered by `training/vigil/render.py`. The licence is the",
              "uploader's own claim or that of the repository a picture lies in.", "", *pictures_table(items)]
    if "present" in parts:
        lines += ["", "The part `present` is our `vigil-strands-4`, trained from nothing on these:", "", *present_pictures()]
    (folder / "ATTRIBUTION.md").write_text("\n".join(lines).rstrip() + "\n")


def built(args, items) -> tuple[bytes, dict]:
    """The ONNX file's bytes and the shares of its parts: a checkpoint of `train`, or a sum of nets."""
    if args.checkpoint:
        model = Strands()
        model.load_state_dict(torch.load(RUNS / f"{args.checkpoint}.pt", map_location="cpu"))
        file = io.BytesIO()
        torch.onnx.export(model.eval(), (torch.rand(1, 3, args.size, args.size),), file, opset_version=17, input_names=["input"], output_names=["heat"],
                          do_constant_folding=True, dynamo=False)
        return file.getvalue(), {}
    parts = [part_of(name) for name in args.parts]
    alone = [heats(graph([p], [1.0], args.size).SerializeToString(), items, args.size) for p in parts]
    shares = even(alone, items, args.lean)
    told = {p if p == "present" else p.name: share for p, share in zip(parts, shares)}
    print(f"shares {told}")
    return graph(parts, shares, args.size).SerializeToString(), told


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--checkpoint", help="of train, for a network trained from nothing")
    ap.add_argument("--parts", nargs="+", default=["tuned:ssd", "tuned:nanodet"], help="as `tuned.part_of` has them")
    ap.add_argument("--lean", type=float, nargs="+", help="how much each part counts beside an even one: 2 1")
    ap.add_argument("--size", type=int, default=288, help="side of the input in px, a multiple of 32")
    ap.add_argument("--out", type=Path, default=MODEL_DIR, help="folder to write; runs/noagpl and runs/again are compared in the report")
    ap.add_argument("--without-licence", action="append", default=[], help="as given to train: for the attribution list")
    args = ap.parse_args()
    torch.set_num_threads(1)
    items = load(tuple(args.without_licence))
    data, parts = built(args, items)
    rows = calibration_rows(session(data), [i for i in items if i.fold == "calibration" and i.label != "ignore"], args.size)
    k, a, b = choose(rows)
    args.out.mkdir(parents=True, exist_ok=True)
    for old in args.out.glob(f"{NAME}-*.onnx"):
        old.unlink()
    path = args.out / f"{NAME}-{VERSION}.onnx"
    path.write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    card = {
        "name": NAME, "version": VERSION, "file": path.name, "sha256": digest,
        "created": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "input": {"width": args.size, "height": args.size, "pad": 114, "resize": "bilinear"},
        "stride": STRIDE,
        "score": {"kind": "topk-mean-logit", "k": k, "a": round(a, 5), "b": round(b, 5)},
        "box": {"threshold": 0.5, "minCells": 3},
        "made": {"parts": parts},
        "operatingPoint": {"warn": 0.5, "description": "of sound pictures kept out of training, some under other light, at most 5 % of webcams and of photos reach 0.5; the median of webcams is 0.08; an order, not a probability"},
    }
    (args.out / "card.json").write_text(json.dumps(card, indent=2) + "\n")
    attribution(trainable(items), parts, args.out)
    vectors(Detector(args.out), args.out)
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, k {k} a {a:.3f} b {b:.3f}, sha256 {digest}")


if __name__ == "__main__":
    main()
