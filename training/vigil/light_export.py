"""Makes what ships: vigil-strands-6 with the light head, learnt on every picture that may be learnt from.

The threshold and the scale are those of the folds (`vigil/folds.py`): every webcam is scored by a head that saw nothing of its printer.
"""

import argparse
import hashlib
import json
from datetime import datetime, timezone
from pathlib import Path

import numpy as np

from .data import HERE
from .folds import FLOOR, REPORT, SHARE, Table, cameras, recipes, table
from .infer import MODEL_DIR, Detector
from .light import COMMIT, HOTTEST, PATH, graph
from .metrics import count_interval
from .present import kept
from .rows import SIDE
from .shipping import pictures_table, vectors

NAME, VERSION = "vigil-strands", "8"
FOLDS = HERE / "runs" / "folds.npz"
#: The share of sound webcams, out of fold, at which the threshold lies, and the score of their middle.
FALSE, USUAL = 0.006, 0.033


def share(hits) -> str:
    """`7 of 9 (0.78; 0.40 to 0.97)`."""
    k, n = int(np.sum(hits)), len(hits)
    return f"{k} of {n} ({k / n:.3f}; " + " to ".join(f"{v:.3f}" for v in count_interval(k, n)) + ")"


def model_card(card: dict, t: Table, score, size: float) -> list[str]:
    """Lines of MODEL_CARD.md; `score` is out of fold, in log-odds."""
    bad, obico = t.web & (t.failing == 1), t.printer == "obico-fdm"
    return [
        f"# Model card: {card['name']}-{card['version']}", "", f"Model `{card['file']}`, sha256 `{card['sha256']}`, made {card['created']}.", "",
        f"A fully convolutional heat map of loose strands (spaghetti) on webcam pictures of 3D printers: {size:.1f} MB, input {SIDE} x {SIDE} letterboxed RGB, output one map of logits at",
        "stride 8. It is `vigil-strands-6` (a MobileNetV2 that Google trained on Open Images V4, its part above stride 8 trained further, and a network trained from nothing) and a **light",
        "head**: a logistic regression on the mean and spread of what that MobileNetV2, as it came, says of the whole picture, and on what it says of the cells that `vigil-strands-6` finds hottest,",
        "added to every cell. `ATTRIBUTION.md` names where it comes from.", "",
        "## Figures, out of fold", "",
        "Each webcam scored with a light head that saw nothing of its printer; what ships learnt from all of them, so no picture of ours judges it. The tuned net saw 55 of the sound webcams, and of the",
        "failing ones one; `present` saw some of obico-fdm and ender3lab.", "",
        f"* Failing webcams at the threshold: {share(score[bad] >= 0)}; of the 16 of ten printers other than obico-fdm {share(score[bad & ~obico] >= 0)}.",
        f"* Sound webcams at the threshold: {share(score[t.sound()] >= 0)}.",
        "", "All of it, camera by camera: `training/report/FOLDS.md`; of `vigil-strands-6` by itself, rendered prints too: `training/report/REPORT.md`.", "",
        "## What it cannot see", "",
        "* Thin or few strands, black on black, strands behind the hot end: mostly missed. Filament in the colour of the part or the bed: often.",
        "* Solid parts that came loose, layer shifts, warping: not what it looks for.",
        "* It judges one frame. A warning needs the decision logic over time.",
        "* Real failing webcams are few: 104 frames of one printer and 16 of ten others. Trained on pictures of at most 416 px.", ""]


def attribution(t: Table, folder: Path) -> None:
    """Whose weights and pictures: those of vigil-strands-6, and those of the light head."""
    before = kept(PATH.replace("vigil-strands-6.onnx", "ATTRIBUTION.md"), COMMIT).decode().splitlines()
    head = ["# Attribution", "", f"`{NAME}-{VERSION}.onnx` is `{NAME}-6` with a light head on the backbone `ssd` as it came. No picture is shipped.", "",
            "The light head learnt from these. The licence is the uploader's own claim or that of the repository a picture lies in.", "",
            *pictures_table([i for i, ok in zip(t.items, t.teach) if ok]), "", "Of `vigil-strands-6`:", ""]
    (folder / "ATTRIBUTION.md").write_text("\n".join(head + before[4:]).rstrip() + "\n")


def report(card: dict, t: Table, light, score) -> list[str]:
    """Lines of report/FOLDS.md."""
    return [
        f"# By folds: {card['name']}-{card['version']}", "",
        f"Written by `training/run light`; sha256 `{card['sha256']}`. {int(t.sound().sum())} sound and {int((t.web & (t.failing == 1)).sum())} failing webcams, {int((~t.web).sum())} photos. Every picture is scored",
        "by a light head that saw nothing of its printer (webcams; obico-white, obico-pink and anywhere-fan are one) or of its group (photos). What stands beside the light head is the same in all folds: the tuned net",
        "was trained on 55 of the sound webcams, one of the failing ones and most photos, so **its figures on photos flatter**; `present` on obico-white and ender3lab too. `validation-only` rows are only judged.", "",
        "## Recipes", "", "AUROC, but for the recalls. A number before `light` says how much it counts beside the other part when both spread alike over sound webcams; a floor of 25 % takes",
        "what the light head says of the lowest quarter of sound webcams for the same. `whole` is the light head of vigil-strands-7, which looks at the whole picture alone.", "",
        *table(t, recipes(t, light)), "", "## Each camera at the shipped threshold", "",
        "| printer | false frames |", "| --- | --- |", *cameras(t, score, 0.0), "",
        f"Failing webcams told: {share(score[t.web & (t.failing == 1)] >= 0)}; of the 16 of ten printers other than obico-fdm: {share(score[t.web & (t.failing == 1) & (t.printer != 'obico-fdm')] >= 0)}.", ""]


def learn(t: Table, path: Path) -> dict:
    """Learns the light head and writes the network; what its card says of how it was made. The folds' scores are kept in `runs/folds.npz`."""
    light, six = t.out_of_fold(), t.rows["strands-6"].astype(float)
    times = SHARE * six[t.sound()].std() / light[t.sound()].std()
    least = float(times * np.quantile(light[t.sound()], FLOOR))
    np.savez(FOLDS, light=light, total=six + np.maximum(times * light, least))
    print("folds are done", flush=True)
    weights, bias = t.space.plain(t.learn(t.teach) * times)
    for old in path.parent.glob(f"{NAME}-*.onnx"):
        old.unlink()
    path.write_bytes(graph(weights, bias, least, SIDE).SerializeToString())
    return {
        "created": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "made": {"parts": {f"{NAME}-6": 1, "light": round(float(times), 4)}, "leastLight": round(least, 4)},
    }


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--out", type=Path, default=MODEL_DIR)
    ap.add_argument("--scale", action="store_true", help="learn nothing: threshold, scale, tables and vectors anew for the network that is there")
    args = ap.parse_args()
    t = Table()
    args.out.mkdir(parents=True, exist_ok=True)
    path = args.out / f"{NAME}-{VERSION}.onnx"
    made = json.loads((args.out / "card.json").read_text()) if args.scale else learn(t, path)
    light, total = (np.load(FOLDS)[k] for k in ("light", "total"))
    top, middle = np.quantile(total[t.sound()], 1 - FALSE), np.median(total[t.sound()])
    a = float(np.log(1 / USUAL - 1) / (top - middle))
    b = float(-a * top)
    data = path.read_bytes()
    card = {
        "name": NAME, "version": VERSION, "file": path.name, "sha256": hashlib.sha256(data).hexdigest(), "created": made["created"],
        "input": {"width": SIDE, "height": SIDE, "pad": 114, "resize": "bilinear"}, "stride": 8,
        "score": {"kind": "topk-mean-logit", "k": HOTTEST, "a": round(a, 5), "b": round(b, 5)}, "box": {"threshold": 0.5, "minCells": 3},
        "made": made["made"],
        "operatingPoint": {"warn": 0.5, "description": f"of sound webcams, each scored by a light head that saw nothing of its printer, {np.mean(total[t.sound()] >= top):.1%} reach 0.5; their median is {USUAL}; an order, not a probability"},
    }
    (args.out / "card.json").write_text(json.dumps(card, indent=2) + "\n")
    score = a * total + b
    (args.out / "MODEL_CARD.md").write_text("\n".join(model_card(card, t, score, len(data) / 1e6)))
    attribution(t, args.out)
    REPORT.write_text("\n".join(report(card, t, light, score)))
    print(f"{path.name}: {len(data) / 1e6:.2f} MB, a {a:.4f} b {b:.4f}", flush=True)
    vectors(Detector(args.out), args.out)


if __name__ == "__main__":
    main()
