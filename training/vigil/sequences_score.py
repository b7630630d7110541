"""Scores the frames of rendered prints, and of the real sequences, once a model; writes what `bench/replay.ts` reads."""

import base64
import csv
import hashlib
import json
import os
import time
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import get_context

import cv2
import numpy as np

from .data import ROOT, RUNS
from .infer import Detector, read, sigmoid
from .letterbox import topk_mean
from .sequences_render import FOLDER, SECONDS


def lines_of(numbers):
    """Where the scored prints of these numbers are kept for `bench/replay.ts`."""
    return RUNS / ("rendered.jsonl" if numbers[0] == 0 else f"rendered-{numbers[0]}.jsonl")


#: The server's thumbnail (server/engines/inference/quality.ts): 64 x 48 cells, each the mean of 16 pixels.
THUMB = (64, 48)


def thumbnail(rgb):
    """Grey 64 x 48 as `thumbnailOf` of the server makes it, to the bit."""
    h, w = rgb.shape[:2]
    at = lambda cells, size: np.minimum(size - 1, np.floor((np.arange(cells)[:, None] + (np.arange(4) + 0.5) / 4) * size / cells).astype(int))
    ys, xs = at(THUMB[1], h), at(THUMB[0], w)
    picked = rgb[ys[:, None, :, None], xs[None, :, None, :]].astype(np.float64)
    grey = picked @ np.array([0.299, 0.587, 0.114])
    return np.floor(grey.sum((2, 3)) / 16 + 0.5).astype(np.uint8)


def odds(det, z, inside):
    """The map as the decision reads it (docs/detector.md, From map to decision)."""
    rows, cols = np.where(inside.any(1))[0], np.where(inside.any(0))[0]
    s = det.card["score"]
    level = s["a"] * z[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1] + s["b"]
    v = np.clip(np.floor((level + 12) * 12.75 + 0.5), 0, 255).astype(np.uint8)
    return {"width": v.shape[1], "height": v.shape[0], "odds": base64.b64encode(v.tobytes()).decode()}


def frame_row(det, picture, n, seconds=SECONDS):
    """One frame for the replay: the score unrounded, the mean it was made of, and the map."""
    z, inside, _ = det.heat(picture)
    s = det.card["score"]
    topk = topk_mean(z, inside, s["k"])
    return {"at": (n + 1) * seconds * 1000, "score": float(sigmoid(s["a"] * topk + s["b"])), "topk": round(topk, 5), "heat": odds(det, z, inside)}


def model_key(det) -> str:
    """Names a model with its scale: what is kept of one is never taken for another's."""
    return hashlib.sha256(json.dumps([det.card["sha256"], det.card["score"]]).encode()).hexdigest()[:12]


def score_print(det, number) -> str:
    """The replay's line of one rendered print; kept beside its frames, a file for each model."""
    folder = FOLDER / f"{number:04d}"
    kept = folder / f"scores-{model_key(det)}.json"
    if kept.exists():
        return kept.read_text()
    truth = json.loads((folder / "truth.json").read_text())
    wants_thumbs = not (folder / "thumbs.u8").exists()
    frames, thumbs = [], []
    for n in range(truth["frames"]):
        picture = read(folder / f"{n:03d}.jpg")
        if wants_thumbs:
            thumbs.append(thumbnail(picture))
        frames.append(frame_row(det, picture, n))
    if wants_thumbs:
        (folder / "thumbs.u8").write_bytes(np.stack(thumbs).tobytes())
    line = json.dumps({"seed": number, "onset": truth["onset"], "seconds": SECONDS, "frames": frames})
    part = folder / "scores.tmp"
    part.write_text(line)
    os.replace(part, kept)
    return line


@lru_cache(maxsize=1)
def shipped() -> Detector:
    """The shipped model, loaded once a process."""
    cv2.setNumThreads(1)
    return Detector()


def score_shipped(number) -> str:
    """The replay's line of one print by the shipped model."""
    return score_print(shipped(), number)


def score_all(numbers, jobs=1) -> None:
    """Score the rendered prints of these numbers with the shipped model, `jobs` prints at a time."""
    begin, lines = time.time(), lines_of(numbers)
    part = lines.with_suffix(".tmp")
    there = [n for n in numbers if (FOLDER / f"{n:04d}" / "truth.json").exists()]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool, open(part, "w") as f:
        for done, line in enumerate(pool.map(score_shipped, there), 1):
            f.write(line + "\n")
            if done % 20 == 0:
                print(f"{done} of {len(there)} prints scored, {time.time() - begin:.0f} s", flush=True)
    os.replace(part, lines)


def real_lines(det, items) -> list[dict]:
    """The two real prints that fail, for the replay; the interval is not known, 10 s is assumed. The empty bed is left out."""
    from .infer import read_item

    by_file, out = {i.file: i for i in items}, []
    with open(ROOT / "sequences.csv", newline="") as f:
        rows = [r for r in csv.DictReader(f) if r["onset frame"] != "none"]
    for row in rows:
        files = [n for n in sorted(by_file) if n.startswith(row["sequence"] + "-") and not by_file[n].idle]
        frames = [frame_row(det, read_item(by_file[n]), k) for k, n in enumerate(files)]
        out.append({"id": row["sequence"], "onset": files.index(row["onset frame"]), "seconds": SECONDS, "files": files, "frames": frames})
    return out
