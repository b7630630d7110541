"""Export the patch classifier: fit the thresholds on fresh renders, write ONNX, card and parity vectors."""

import argparse
import hashlib
import io
import json
from datetime import datetime, timezone
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch

from .data import RUNS
from .first_layer_beads import CELL, CLASSES, SIZE
from .first_layer_deep import BACKBONE, whole
from .first_layer_infer import FOLDER, ISSUES, NAMES, Judge
from .first_layer_model import DEEP, Head, Patches
from .first_layer_render import shows
from .infer import read
from .pretrained import SOURCES

NAME, VERSION = "vigil-first-layer", "5"
#: This share of the sound pictures fitted on may be told to show an issue, over all issues together, so that most
#: layers of forty pictures have none.
FALSE_SHARE = 0.008
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


def fresh(each):
    """Pictures of every class to fit on (sound ones: eight times as many), rendered once and kept in training/runs."""
    path = RUNS / f"first_layer_fit_{each}.npz"
    if not path.exists():
        np.savez(path, **{k: np.stack([shows(500000 + 1000 * c + i, k) for i in range(each * (8 if k == "ok" else 1))])
                          for c, k in enumerate(CLASSES[:-1])})
    with np.load(path) as kept:
        return {k: kept[k] for k in CLASSES[:-1]}


def fitted(card, folder, pictures):
    """The card with thresholds and the lines' scale from `pictures` of every class."""
    judge = Judge(card, folder)
    seen = {k: [judge.raw(p) for p in some] for k, some in pictures.items()}
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
    return card


def vectors(judge, folder):
    """A few rendered pictures with the numbers that another implementation must reach."""
    folder = folder / "vectors"
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


def attribution(folder):
    """Who made the weights that the model is built on."""
    b = SOURCES[BACKBONE]
    (folder / "ATTRIBUTION.md").write_text("\n".join([
        "# Attribution", "",
        f"`{NAME}-{VERSION}.onnx` holds the lower part of a pretrained network, and a learnt part of ours on it. No picture is shipped.", "",
        f"* `{BACKBONE}`: {b['upstream']}; licence {b['licence']}, text in `../LICENSE-APACHE-2.0.txt`. Taken out of the npm package",
        f"  `{b['package']}` {b['version']}, SHA-256 of the weights `{b['sha256']}`. Changed: batch norm folded as it came, cut at stride 16,",
        "  maps of strides 4 and 8 averaged over 16 px, weights at half precision, heads of ours on it.", "",
        "What our part was trained on stands in `MODEL_CARD.md`.", ""]))


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--each", type=int, default=110, help="fresh pictures of every class to fit thresholds on")
    ap.add_argument("--checkpoint", nargs="+", default=["first_layer"], help="of first-layer-train; of several the mean")
    ap.add_argument("--out", type=Path, default=FOLDER, help="folder to write")
    ap.add_argument("--refit", action="store_true", help="only fit the thresholds of the model that lies there anew")
    args = ap.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    card = Judge(folder=args.out).card if args.refit else exported(args.checkpoint, args.out)
    card = fitted(card, args.out, fresh(args.each))
    (args.out / "card.json").write_text(json.dumps(card, indent=2) + "\n")
    vectors(Judge(folder=args.out), args.out)
    attribution(args.out)
    print(json.dumps(card, indent=1))


def restored(checkpoint):
    """A learnt part as training left it."""
    head = Head()
    head.load_state_dict(torch.load(RUNS / f"{checkpoint}.pt", map_location="cpu"))
    return head


def assembled(heads):
    """The one ONNX model of both halves of the fixed part and the mean of some heads."""
    file, grid = io.BytesIO(), SIZE // 16
    torch.onnx.export(Patches(heads).eval(), (torch.rand(1, 3, SIZE, SIZE), torch.rand(1, DEEP, grid, grid)), file, opset_version=17,
                      input_names=["input", "deep"], output_names=["cells"], do_constant_folding=True, dynamo=False)
    return whole(onnx.load_from_string(file.getvalue()))


def exported(checkpoints, folder):
    """Writes the ONNX file of the mean of some checkpoints; returns its card, without thresholds."""
    for old in folder.glob("*.onnx"):
        old.unlink()
    path = folder / f"{NAME}-{VERSION}.onnx"
    path.write_bytes(assembled([restored(c) for c in checkpoints]).SerializeToString())
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")
    return {
        "name": NAME, "version": VERSION, "file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "created": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "classes": list(NAMES), "input": {"size": SIZE, "pad": 114, "resize": "bilinear"}, "cell": CELL, "top": 6,
        "notANozzleCam": 0.7,
    }


if __name__ == "__main__":
    main()
