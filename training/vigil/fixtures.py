"""Writes the scored prints that the server's decision is tested on: `training/run fixtures`, after `sequences`.

Real webcams are train sequences, rendered prints are those that the decision is tuned on (from 1000 on), so nothing here
is validation. Numbers only: the score of each frame and its 16 x 12 grid of log-odds (docs/detector.md).
"""

import argparse
import base64
import csv
import json

import numpy as np

from .data import HERE, ROOT, load
from .infer import Detector, read_item
from .sequences_render import FOLDER
from .sequences_score import frame_row, lines_of

OUT = HERE.parent / "server" / "modules" / "watch" / "temporal" / "fixtures" / "sequences.jsonl"
WIDTH, HEIGHT = 16, 12
FRAMES = 90


def spans(cells, length):
    """Where each coarse cell begins and ends (`gridOf` of heat-grid.rules.ts)."""
    starts = [min(length - 1, n * length // cells) for n in range(cells)]
    return [(a, max(a + 1, (n + 1) * length // cells)) for n, a in enumerate(starts)]


def stored(frame) -> dict:
    """A scored frame as the tests keep it."""
    heat = frame["heat"]
    v = np.frombuffer(base64.b64decode(heat["odds"]), np.uint8).reshape(heat["height"], heat["width"])
    grid = [v[top:low, left:right].max() for top, low in spans(HEIGHT, heat["height"]) for left, right in spans(WIDTH, heat["width"])]
    return {"score": float(f"{frame['score']:.4g}"), "grid": base64.b64encode(np.array(grid, np.uint8).tobytes()).decode()}


def real(det):
    """(id, onset, frames) of the webcams of training that have a sequence."""
    items = {i.file: i for i in load() if i.fold == "train" and i.view == "webcam"}
    with open(ROOT / "sequences.csv", newline="") as f:
        rows = list(csv.DictReader(f))
    for row in rows:
        files = [n for n in sorted(items) if n.startswith(row["sequence"] + "-") and not items[n].idle]
        if files:
            onset = files.index(row["onset frame"]) if row["onset frame"] in files else None
            begin = 0 if onset is None else max(0, onset - 61)
            chosen = files[begin : begin + FRAMES]
            frames = [frame_row(det, read_item(items[n]), k) for k, n in enumerate(chosen)]
            yield row["sequence"], None if onset is None else onset - begin, frames


def rendered(first, count, numbers):
    """(id, onset, frames) of some of the prints that the decision is tuned on."""
    for text in open(lines_of(range(first, first + count))):
        line = json.loads(text)
        if line["seed"] in numbers:
            truth = json.loads((FOLDER / f"{line['seed']:04d}" / "truth.json").read_text())
            what = truth["kind"] or truth["hard"] or "sound"
            yield f"rendered-{line['seed']}-{what}", line["onset"], line["frames"][:FRAMES]


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--first", type=int, default=1000)
    ap.add_argument("--count", type=int, default=220)
    ap.add_argument("prints", type=int, nargs="+", help="numbers of rendered prints")
    args = ap.parse_args()
    prints = [*real(Detector()), *rendered(args.first, args.count, set(args.prints))]
    with open(OUT, "w") as f:
        for name, onset, frames in prints:
            f.write(json.dumps({"id": name, "onset": onset, "frames": [stored(x) for x in frames]}) + "\n")
            print(f"{name}: {len(frames)} frames, onset {onset}")


if __name__ == "__main__":
    main()
