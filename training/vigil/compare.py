"""Checkpoints beside each other on the calibration fold, at several input sizes: how well they rank, and how long one core takes."""

import argparse
import io
import time

import numpy as np
import onnxruntime as ort
import torch

from .data import RUNS, cache, load
from .letterbox import inside_cells, resized, topk_mean
from .metrics import auroc
from .model import STRIDE, Strands

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


def scores(model, items, pictures, rects, size: int) -> np.ndarray:
    """Score of each picture, letterboxed to `size` instead of 416."""
    out = []
    for it in items:
        picture, rect = resized(pictures[it.index], rects[it.index], size)
        with torch.no_grad():
            z = model(torch.from_numpy(picture.transpose(2, 0, 1)[None].copy()).float().div_(255))[0, 0].numpy()
        out.append(topk_mean(z, inside_cells(rect, STRIDE, size), max(4, round(TOP * (size / 416) ** 2))))
    return np.array(out)


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("checkpoints", nargs="+")
    ap.add_argument("--sizes", type=int, nargs="+", default=[288, 352, 416, 480])
    args = ap.parse_args()
    torch.set_num_threads(1)
    pictures, rects = cache()
    items = [i for i in load() if i.fold == "calibration" and i.label != "ignore"]
    failing = np.array([i.label == "failure" for i in items])
    print(f"{failing.sum()} failing, {(~failing).sum()} sound pictures of the calibration fold")
    print("| checkpoint | input | AUROC | ms a frame |\n| --- | --- | --- | --- |")
    for name in args.checkpoints:
        model = Strands()
        model.load_state_dict(torch.load(RUNS / f"{name}.pt", map_location="cpu"))
        model.eval()
        for size in args.sizes:
            s = scores(model, items, pictures, rects, size)
            print(f"| {name} | {size} | {auroc(s[failing], s[~failing]):.3f} | {milliseconds(model, size):.1f} |", flush=True)


if __name__ == "__main__":
    main()
