"""Export the patch classifier: fit the thresholds on fresh renders, write ONNX, card and parity vectors."""

import argparse
import hashlib
import json
from datetime import datetime, timezone

import cv2
import numpy as np
import torch

from .data import RUNS
from .first_layer_beads import CELL, CLASSES, SIZE
from .first_layer_infer import FOLDER, ISSUES, NAMES, Judge
from .first_layer_model import Head, Patches
from .first_layer_render import shows
from .infer import read

NAME, VERSION = "vigil-first-layer", "4"
#: This share of the sound pictures fitted on may be told to show an issue, over all issues together: less than the
#: one in twenty promised, since thresholds suit the pictures they are fitted on best (by a hundredth, says a fourfold
#: cross-validation).
FALSE_SHARE = 0.035
#: An issue is told from a threshold in this range, and by the mean of so many of its highest cells.
LEAST, MOST, TOPS = 0.25, 0.99, (3, 4, 6, 8)


def cuts(sound, own):
    """(thresholds, mean share of the issues told) from the issues' figures on sound pictures [n,5] and each issue's on
    pictures that show it. From telling nothing, the step that tells most more for the sound pictures it costs is taken
    as long as these stay few enough."""
    cut, false = np.full(len(own), MOST), (sound >= MOST).any(1).mean()
    told = lambda i, value: (own[i] >= value).mean()
    while True:
        best = None
        for i in range(len(own)):
            for value in np.arange(LEAST, cut[i] - 0.005, 0.01):
                tried = np.where(np.arange(len(own)) == i, value, cut)
                costs, gain = (sound >= tried).any(1).mean(), told(i, value) - told(i, cut[i])
                if gain > 0 and costs <= FALSE_SHARE:
                    best = max(best or (0,), (gain / (costs - false + 1e-3), i, value, costs))
        if best is None:
            return cut, np.mean([told(i, c) for i, c in enumerate(cut)])
        _, i, cut[i], false = best


def fitted(card, each):
    """The card with thresholds and the lines' scale from `each` fresh pictures of every class (sound ones: four times)."""
    judge = Judge(card)
    seen = {k: [judge.raw(shows(500000 + 1000 * c + i, k)) for i in range(each * (4 if k == "ok" else 1))]
            for c, k in enumerate(CLASSES[:-1])}
    lines = {k: [r for _, r in rows if r is not None] for k, rows in seen.items()}
    low, high = float(np.quantile(lines["rough"], 0.25)), float(np.quantile(lines["ok"], 0.3))
    card["lines"] = {"low": round(low, 4), "high": round(max(high, low + 0.05), 4), "share": 0.1}
    best = 0
    for top in TOPS:
        judge.card["top"] = top
        of = lambda k: np.array([[judge.highest(p[i + 1]) for i in range(len(ISSUES))] for p, _ in seen[k]])
        cut, told = cuts(of("ok"), [of(k)[:, i] for i, k in enumerate(CLASSES[1:-1])])
        print(f"top {top}: {told:.3f} of the issues told, thresholds {np.round(cut, 2)}", flush=True)
        if told > best:
            best, chosen, thresholds = told, top, cut
    card["top"] = judge.card["top"] = chosen
    card["thresholds"] = {n: round(float(c), 4) for n, c in zip(ISSUES, thresholds)}
    issue = {k: [judge.issue(p) for p, _ in rows] for k, rows in seen.items()}
    bad = np.concatenate([v for k, v in issue.items() if k != "ok"])
    low, high = float(np.quantile(issue["ok"], 0.78)), float(np.quantile(bad, 0.5))
    card["issue"] = {"low": round(low, 4), "high": round(min(1.0, max(high, low + 0.05)), 4)}
    return card


def vectors(judge):
    """A few rendered pictures with the numbers that another implementation must reach."""
    folder = FOLDER / "vectors"
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, seed, kind, width, height in (("sound", 900001, "ok", 320, 240), ("gaps", 900017, "gaps", 256, 256),
                                            ("rough", 900008, "rough", 640, 360)):
        picture = cv2.resize(shows(seed, kind), (width, height), interpolation=cv2.INTER_LINEAR)
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
    ap.add_argument("--each", type=int, default=80, help="fresh pictures of every class to fit thresholds on")
    ap.add_argument("--checkpoint", default="first_layer")
    ap.add_argument("--refit", action="store_true", help="only fit the thresholds of the model that ships anew")
    args = ap.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    card = Judge().card if args.refit else exported(args.checkpoint)
    card = fitted(card, args.each)
    (FOLDER / "card.json").write_text(json.dumps(card, indent=2) + "\n")
    vectors(Judge())
    print(json.dumps(card, indent=1))


def exported(checkpoint):
    """Writes the ONNX file of a checkpoint; returns its card, without thresholds."""
    head = Head()
    head.load_state_dict(torch.load(RUNS / f"{checkpoint}.pt", map_location="cpu"))
    model = Patches(head).eval()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.onnx"):
        old.unlink()
    path = FOLDER / f"{NAME}-{VERSION}.onnx"
    torch.onnx.export(model, (torch.rand(1, 3, SIZE, SIZE),), str(path), opset_version=17, input_names=["input"],
                      output_names=["cells"], do_constant_folding=True, dynamo=False)
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")
    return {
        "name": NAME, "version": VERSION, "file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "created": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "classes": list(NAMES), "input": {"size": SIZE, "pad": 114, "resize": "bilinear"}, "cell": CELL, "top": 6,
        "notANozzleCam": 0.7,
    }


if __name__ == "__main__":
    main()
