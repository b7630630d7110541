"""Checkpoints beside each other on the calibration fold, at several input sizes: how well they rank, and how long one core takes."""

import argparse
import io
import json
import time

import cv2
import numpy as np
import onnxruntime as ort
import torch

from .data import RUNS, cache, load
from .letterbox import inside_cells, letterbox, resized, topk_mean
from .metrics import auroc
from .model import STRIDE, Strands
from .sequences_render import FOLDER

#: Cells of a 416 px frame whose mean is its score; other sizes take the same share.
TOP = 16


def milliseconds(model, size: int, runs: int = 30) -> float:
    """Quickest of `runs` frames in onnxruntime on one thread."""
    example, file = torch.rand(1, 3, size, size), io.BytesIO()
    torch.onnx.export(model, (example,), file, opset_version=17, input_names=["input"], dynamo=False)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(file.getvalue(), options)
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        session.run(None, {"input": example.numpy()})
        times.append(time.perf_counter() - begin)
    return 1000 * min(times)


def score(model, square, rect, size: int) -> float:
    """Score of one letterboxed square of `size` px."""
    with torch.no_grad():
        z = model(torch.from_numpy(np.ascontiguousarray(square.transpose(2, 0, 1)[None])).float().div_(255))[0, 0].numpy()
    return topk_mean(z, inside_cells(rect, STRIDE, size), max(4, round(TOP * (size / 416) ** 2)))


def real(model, items, pictures, rects, size: int, blur: float) -> np.ndarray:
    """Score of each picture, letterboxed to `size` instead of 416."""
    return np.array([score(model, *seen(*resized(pictures[it.index], rects[it.index], size), blur), size) for it in items])


def seen(square, rect, blur: float):
    """The square as a camera out of focus by `blur` px would show it."""
    return (cv2.GaussianBlur(square, (0, 0), blur) if blur else square), rect


def prints(each: int = 4):
    """(file, covered) of frames of the prints to tune on: `each` sound ones, and as many from 1 % and from 3 % on."""
    rng, out = np.random.default_rng(4), []
    for told in sorted(FOLDER.glob("1*/truth.json")):
        truth = json.loads(told.read_text())
        if truth["number"] < 1000:
            continue
        covered = np.array(truth["covered"])
        sound = np.arange(truth["onset"] or truth["frames"])
        for some in (sound, np.nonzero((covered >= 0.01) & (covered < 0.03))[0], np.nonzero(covered >= 0.03)[0]):
            for n in rng.choice(some, min(each, len(some)), replace=False):
                out.append((told.parent / f"{n:03d}.jpg", covered[n]))
    return out


def rendered(model, frames, size: int, blur: float) -> np.ndarray:
    """Score of each frame of rendered prints."""
    found = []
    for file, _ in frames:
        square, rect = letterbox(cv2.imread(str(file))[..., ::-1], size)
        found.append(score(model, *seen(np.floor(square + 0.5).astype(np.uint8), rect, blur), size))
    return np.array(found)


def recall(failing: np.ndarray, sound: np.ndarray, false: float) -> float:
    """Share of failing scores at or above the score that `false` of the sound ones reach."""
    return float(np.mean(failing >= np.quantile(sound, 1 - false)))


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("checkpoints", nargs="+")
    ap.add_argument("--sizes", type=int, nargs="+", default=[288, 352, 416, 480])
    ap.add_argument("--blur", type=float, default=0, help="px of blur, as of a camera out of focus")
    ap.add_argument("--prints", action="store_true", help="rank frames of the rendered prints 1000 and on, too")
    args = ap.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    pictures, rects = cache()
    items = [i for i in load() if i.fold == "calibration" and i.label != "ignore"]
    failing = np.array([i.label == "failure" for i in items])
    frames = prints() if args.prints else []
    covered = np.array([c for _, c in frames])
    print(f"{failing.sum()} failing, {(~failing).sum()} sound pictures of the calibration fold; {len(frames)} rendered frames")
    print("| checkpoint | input | AUROC | recall at 2 % false | rendered, 3 % covered: AUROC | recall at 1 % false | 1 %: AUROC | ms a frame |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in args.checkpoints:
        model = Strands()
        model.load_state_dict(torch.load(RUNS / f"{name}.pt", map_location="cpu"))
        model.eval()
        for size in args.sizes:
            s = real(model, items, pictures, rects, size, args.blur)
            said = f"{auroc(s[failing], s[~failing]):.3f} | {recall(s[failing], s[~failing], 0.02):.2f}"
            if frames:
                r = rendered(model, frames, size, args.blur)
                sound, much = r[covered == 0], r[covered >= 0.03]
                said += f" | {auroc(much, sound):.3f} | {recall(much, sound, 0.01):.2f} | {auroc(r[covered >= 0.01], sound):.3f}"
            else:
                said += " | | |"
            print(f"| {name} | {size} | {said} | {milliseconds(model, size):.1f} |", flush=True)


if __name__ == "__main__":
    main()
