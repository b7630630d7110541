"""Export the patch classifier: fit the thresholds on fresh renders, write ONNX, card and parity vectors."""

import argparse
import hashlib
import json
from datetime import datetime, timezone

import cv2
import numpy as np
import torch

from .data import RUNS
from .first_layer_infer import FOLDER, ISSUES, NAMES, Judge
from .first_layer_model import Head, Patches
from .first_layer_render import CELL, CLASSES, SIZE, render
from .infer import read

NAME, VERSION = "vigil-first-layer", "2"
#: This share of sound rendered pictures may be told to show an issue, over all issues together.
FALSE_SHARE = 0.05


def fitted(card, each):
    """The card with thresholds and the lines' scale from `each` fresh pictures of every class."""
    judge = Judge(card)
    seen = {k: [judge.raw(render(500000 + 1000 * c + i, k)[0]) for i in range(each * (3 if k == "ok" else 1))]
            for c, k in enumerate(CLASSES[:-1])}
    lines = {k: [r for _, r in rows if r is not None] for k, rows in seen.items()}
    low, high = float(np.quantile(lines["rough"], 0.25)), float(np.quantile(lines["ok"], 0.3))
    card["lines"] = {"low": round(low, 4), "high": round(max(high, low + 0.05), 4), "share": 0.1}
    tops = [[judge.highest(p[i + 1]) for i in range(len(ISSUES))] for p, _ in seen["ok"]]
    issue = {k: [judge.issue(p) for p, _ in rows] for k, rows in seen.items()}
    bad = np.concatenate([v for k, v in issue.items() if k != "ok"])
    card["issue"] = {"low": round(float(np.quantile(issue["ok"], 0.78)), 4), "high": round(float(np.quantile(bad, 0.5)), 4)}
    # One quantile for all issues, so that together they stay at the wanted share.
    cuts = np.quantile(tops, np.linspace(0.9, 1, 101), axis=0)
    for cut in cuts:
        if (np.asarray(tops) >= np.maximum(cut, 0.3)).any(1).mean() <= FALSE_SHARE:
            break
    card["thresholds"] = {n: round(float(max(c, 0.3)), 4) for n, c in zip(ISSUES, cut)}
    return card


def vectors(judge):
    """A few rendered pictures with the numbers that another implementation must reach."""
    folder = FOLDER / "vectors"
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, seed, kind, width, height in (("sound", 900001, "ok", 320, 240), ("gaps", 900007, "gaps", 256, 256),
                                            ("rough", 900005, "rough", 640, 360)):
        picture = cv2.resize(render(seed, kind)[0], (width, height), interpolation=cv2.INTER_LINEAR)
        picture = (picture // 12) * 12 + 6
        path = folder / f"{name}.png"
        cv2.imwrite(str(path), picture[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 9])
        seen = judge.look(read(path))
        round_all = lambda v: None if v is None else round(v, 5)
        rows.append({"file": path.name, "score": round_all(seen["score"]), "lines": round_all(seen["lines"]),
                     "labels": seen["labels"], "notANozzleCam": round_all(seen["notANozzleCam"]),
                     "shares": {k: round_all(v) for k, v in seen["shares"].items()}})
    text = {"sha256": judge.card["sha256"], "tolerance": {"score": 1, "lines": 0.01, "share": 0.01}, "vectors": rows}
    (folder / "vectors.json").write_text(json.dumps(text, indent=1) + "\n")


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--each", type=int, default=40, help="fresh pictures of every class to fit thresholds on")
    ap.add_argument("--checkpoint", default="first_layer")
    args = ap.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    head = Head()
    head.load_state_dict(torch.load(RUNS / f"{args.checkpoint}.pt", map_location="cpu"))
    model = Patches(head).eval()
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{NAME}-{VERSION}.onnx"
    torch.onnx.export(model, (torch.rand(1, 3, SIZE, SIZE),), str(path), opset_version=17, input_names=["input"],
                      output_names=["cells"], do_constant_folding=True, dynamo=False)
    card = {
        "name": NAME, "version": VERSION, "file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "created": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "classes": list(NAMES), "input": {"size": SIZE, "pad": 114, "resize": "bilinear"}, "cell": CELL, "top": 6,
        "notANozzleCam": 0.5,
    }
    card = fitted(card, args.each)
    (FOLDER / "card.json").write_text(json.dumps(card, indent=2) + "\n")
    vectors(Judge())
    print(json.dumps(card, indent=1))
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
