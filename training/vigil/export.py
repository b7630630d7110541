"""Export a checkpoint: fit the score, write ONNX, card, attribution and parity vectors."""

import argparse
import hashlib
import json
from collections import Counter
from datetime import datetime, timezone

import cv2
import numpy as np
import onnxruntime as ort
import torch

from .augment import photometric
from .data import RUNS, cache, load
from .infer import MODEL_DIR, Detector, read
from .letterbox import inside_cells, topk_mean
from .metrics import auroc
from .model import STRIDE, Strands
from .render import Scene, single

NAME, VERSION = "vigil-strands", "1"


def calibration_rows(model, items, renders: int = 240):
    """Maps of pictures nobody trained on: the calibration fold as it is and once more under other
    light, and fresh renders. Yields (heat, inside, failing, weight class)."""
    pictures, rects = cache()
    rng = np.random.default_rng(99)
    stack = []
    for it in items:
        kind = "webcam" if it.view == "webcam" else "photo"
        inside = inside_cells(tuple(rects[it.index]), STRIDE)
        stack.append((pictures[it.index], inside, it.label == "failure", kind))
        for _ in range(4 if kind == "webcam" else 1):
            other = photometric(np.ascontiguousarray(pictures[it.index]), rng)
            stack.append((other, inside, it.label == "failure", kind))
    for i in range(renders):
        square, mask = single(900000 + i)
        covered = (mask > 60).mean()
        if 0 < covered < 0.004:
            continue
        inside = (square != 114).any(2)[4::8, 4::8]
        stack.append((photometric(square, rng), inside, covered > 0, "render"))
    out = []
    for square, inside, failing, kind in stack:
        x = torch.from_numpy(square.transpose(2, 0, 1)[None].copy()).float().div_(255)
        with torch.no_grad():
            out.append((model(x)[0, 0].numpy(), inside, failing, kind))
    return out


def fit(scores, failing, kinds, prior: float = 0.2):
    """Platt scaling by Newton steps. Each kind of picture weighs the same; `prior` is the share of
    failures that makes 0.5 the point where a warning is worth it."""
    w = np.zeros(len(scores))
    for k in set(kinds):
        for f in (True, False):
            here = np.array([a == k and b == f for a, b in zip(kinds, failing)])
            if here.any():
                w[here] = 1.0 / here.sum()
    for f, share in ((True, prior), (False, 1 - prior)):
        w[failing == f] *= share / w[failing == f].sum()
    x = np.stack([scores, np.ones(len(scores))], 1)
    theta = np.array([1.0, 0.0])
    for _ in range(50):
        p = 1 / (1 + np.exp(-(x @ theta)))
        g = x.T @ (w * (p - failing)) + 1e-4 * theta * [1, 0]
        h = (x.T * (w * p * (1 - p))) @ x + np.diag([1e-4, 1e-9])
        theta = theta - np.clip(np.linalg.solve(h, g), -2, 2)
    return float(theta[0]), float(theta[1])


def choose(rows):
    """K, A, B: the top-k that ranks the calibration rows best, then its Platt scale."""
    failing = np.array([r[2] for r in rows])
    kinds = [r[3] for r in rows]
    best = None
    for k in (8, 12, 16):
        s = np.array([topk_mean(r[0], r[1], k) for r in rows])
        parts = [auroc(s[failing & (np.array(kinds) == a)], s[~failing & (np.array(kinds) == b)])
                 for a in ("photo", "render") for b in ("photo", "webcam", "render")]
        value = float(np.mean(parts))
        print(f"k {k}: mean ranking {value:.4f}")
        if best is None or value > best[0] + 5e-3:
            best = (value, k, s)
    a, b = fit(best[2], failing, kinds)
    return best[1], a, b


def vectors(detector):
    """Small rendered pictures with the expected numbers, for parity tests in other languages."""
    folder = MODEL_DIR / "vectors"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*"):
        old.unlink()
    rows = []
    for name, seed, fails, width in (("sound", 31, False, 150), ("strands", 50002, True, 200), ("wide", 50008, True, 960)):
        scene = Scene(seed, fail=fails or None)
        picture, _ = scene.frame(0.9, 0.3 if fails else None)
        height = round(picture.shape[0] * width / picture.shape[1])
        picture = cv2.resize(cv2.GaussianBlur(picture, (3, 3), 0), (width, height), interpolation=cv2.INTER_LINEAR)
        if width > 416:
            picture = (picture // 24) * 24 + 12
        path = folder / f"{name}.png"
        cv2.imwrite(str(path), picture[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 9])
        z, inside, rect = detector.heat(read(path))
        rows.append({
            "file": path.name, "width": width, "height": height,
            "placement": dict(zip(("left", "top", "width", "height"), rect)),
            "cellsInside": int(inside.sum()),
            "topk": round(topk_mean(z, inside, detector.card["score"]["k"]), 5),
            "maxLogit": round(float(z[inside].max()), 5),
            "score": round(detector.score_of(z, inside), 5),
            "boxes": detector.boxes(z, inside, rect),
        })
    text = {"model": detector.card["file"], "sha256": detector.card["sha256"], "tolerance": {"score": 0.01, "logit": 0.05}, "vectors": rows}
    (folder / "vectors.json").write_text(json.dumps(text, indent=1) + "\n")


def attribution(items):
    """Who made the pictures that the model was trained on."""
    table = Counter((i.source, i.licence) for i in items)
    lines = ["# Attribution", "", "`vigil-strands-1.onnx` was trained on pictures from these sources, and on scenes rendered by",
             "`training/vigil/render.py`. The licence is the uploader's own claim or that of the repository a picture",
             "lies in. No picture is shipped.", "", "| source | licence | pictures |", "| --- | --- | --- |"]
    lines += [f"| {s} | {lic} | {n} |" for (s, lic), n in sorted(table.items(), key=lambda t: -t[1])]
    lines += [f"| in all | | {sum(table.values())} |", ""]
    (MODEL_DIR / "ATTRIBUTION.md").write_text("\n".join(lines))


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--checkpoint", default="main")
    ap.add_argument("--without-licence", action="append", default=[], help="as given to train: for the attribution list")
    args = ap.parse_args()
    torch.set_num_threads(2)
    model = Strands()
    model.load_state_dict(torch.load(RUNS / f"{args.checkpoint}.pt", map_location="cpu"))
    model.eval()
    items = load(tuple(args.without_licence))
    rows = calibration_rows(model, [i for i in items if i.fold == "calibration" and i.label != "ignore"])
    k, a, b = choose(rows)
    MODEL_DIR.mkdir(parents=True, exist_ok=True)
    path = MODEL_DIR / f"{NAME}-{VERSION}.onnx"
    example = torch.rand(1, 3, 416, 416)
    torch.onnx.export(model, (example,), str(path), opset_version=17, input_names=["input"], output_names=["heat"],
                      do_constant_folding=True, dynamo=False)
    with torch.no_grad():
        gap = np.abs(ort.InferenceSession(str(path)).run(None, {"input": example.numpy()})[0] - model(example).numpy()).max()
    assert gap < 1e-3, f"onnxruntime and torch differ by {gap}"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    card = {
        "name": NAME, "version": VERSION, "file": path.name, "sha256": digest,
        "created": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "input": {"width": 416, "height": 416, "pad": 114, "resize": "bilinear"},
        "stride": STRIDE,
        "score": {"kind": "topk-mean-logit", "k": k, "a": round(a, 5), "b": round(b, 5)},
        "box": {"threshold": 0.5, "minCells": 3},
        "operatingPoint": {"warn": 0.5, "description": "a frame at or above 0.5 shows strands: calibrated on pictures kept out of training, failures weighed as one in five"},
    }
    (MODEL_DIR / "card.json").write_text(json.dumps(card, indent=2) + "\n")
    attribution([i for i in items if i.fold == "train" and i.label != "ignore"])
    vectors(Detector())
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, onnx vs torch {gap:.1e}, k {k} a {a:.3f} b {b:.3f}, sha256 {digest}")


if __name__ == "__main__":
    main()
