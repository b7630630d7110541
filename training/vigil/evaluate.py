"""One report for the shipped model: figures on pictures nobody trained on, with intervals.

Scores are kept in `runs/` by model, so a stopped run goes on and a second one is quick. The part on rendered prints is
made by `training/run sequences`; it is taken into the report as it stands.
"""

import argparse
import json
import subprocess
import time
from pathlib import Path

import cv2

from . import evaluate_frames as F
from . import judge, report, report_sheet
from .data import HERE, RUNS, load
from .infer import MODEL_DIR, Detector
from .sequences_decide import NODE, replay
from .sequences_score import real_lines

OUT = HERE / "report"


def speed(card, node) -> dict:
    """The network alone by threads, and the whole path from JPEG to score, both in onnxruntime-node."""

    def run(*args):
        return json.loads(subprocess.run([node, *args], check=True, capture_output=True, text=True, cwd=HERE.parent).stdout)

    return {
        "network": run(str(Path(__file__).with_name("speed.mts")), str(MODEL_DIR / card["file"]), str(card["input"]["width"])),
        "path": run("bench/inference.ts", "--runs", "3", "--frames", "30"),
        "megabytes": round((MODEL_DIR / card["file"]).stat().st_size / 1e6, 2),
    }


def other_model(folder, val, shipped) -> dict | None:
    """The figures of another export, if it is there: of a model that was trained without the AGPL-3.0 pictures."""
    if not (folder / "card.json").exists():
        return None
    det = Detector(folder)
    score = F.Scores(det).of(val)
    warn = det.card["operatingPoint"]["warn"]
    return {"sha256": det.card["sha256"], "ranking": {k: v for k, v in F.ranking(score, val).items() if "against" not in k}, **F.at_threshold(score, val, warn), "sameAsShipped": det.card["sha256"] == shipped}


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--quick", action="store_true", help="leave out the robustness sweep")
    ap.add_argument("--every", type=int, default=1, help="use every n-th picture in the robustness sweep")
    ap.add_argument("--node", default=NODE)
    args = ap.parse_args()
    cv2.setNumThreads(1)
    OUT.mkdir(exist_ok=True)
    begin = time.time()

    def say(text):
        print(f"{time.time() - begin:5.0f} s  {text}", flush=True)

    det = Detector()
    warn = det.card["operatingPoint"]["warn"]
    items = load()
    val = [i for i in items if i.split == "validation" and i.label != "nozzle_cam"]
    scores = F.Scores(det)
    score = scores.of(val)
    say(f"{len(val)} validation pictures scored")
    data = {"model": det.card, "evaluated": time.strftime("%Y-%m-%d"), "warn": warn, "ranking": F.ranking(score, val), **F.at_threshold(score, val, warn)}
    say("ranked")
    data["unseen"] = judge.unseen(items, det)
    say("unseen printers judged")

    lines = real_lines(det, items)
    path = RUNS / "real.jsonl"
    path.write_text("".join(json.dumps(x) + "\n" for x in lines))
    told = {r["id"]: r for r in replay(path, args.node)}
    data["sequence"] = F.real_sequences(lines, told, warn, [n for n, split in F.onsets().items() if split == "train"])
    say("real sequences replayed")
    if not args.quick:
        data["sweep"], data["sweepEvery"] = F.sweep(scores, val, warn, args.every), args.every
        say("swept")
    data["speed"] = speed(det.card, args.node)
    data["again"] = other_model(RUNS / "again", val, det.card["sha256"])
    data["withoutAgpl"] = other_model(RUNS / "noagpl", val, det.card["sha256"])
    rendered = OUT / "rendered.json"
    data["rendered"] = json.loads(rendered.read_text()) if rendered.exists() else None

    good, photo = F.kinds(val)["goodWeb"], F.kinds(val)["photo"]
    data["worst"] = {
        "falseWebcams": sorted(((round(score[i.file], 3), i.file) for i in good), reverse=True)[:12],
        "falsePhotos": sorted(((round(score[i.file], 3), i.file) for i in photo if i.label in ("good", "defect_other")), reverse=True)[:12],
        "missedPhotos": sorted((round(score[i.file], 3), i.file) for i in photo if i.label == "failure")[:12],
        "missedWebcams": sorted((round(score[i.file], 3), i.file) for i in F.kinds(val)["late"])[:12],
    }
    report_sheet.sheets(det, data["worst"], {i.file: i for i in val})
    say("contact sheets drawn")
    kept = {k: v for k, v in data.items() if k != "rendered"}
    (OUT / "report.json").write_text(json.dumps(kept, indent=1) + "\n")
    report.write(data)
    print((OUT / "REPORT.md").read_text())


if __name__ == "__main__":
    main()
