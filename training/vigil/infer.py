"""The shipped model as the server uses it: letterbox, onnxruntime, frame score, boxes."""

import json
from pathlib import Path

import cv2
import numpy as np
import onnxruntime as ort

from .data import HERE, ROOT
from .letterbox import inside_cells, letterbox, to_input, topk_mean

MODEL_DIR = HERE.parent / "server" / "engines" / "inference" / "model"


def sigmoid(v):
    """Logistic function."""
    return 1 / (1 + np.exp(-np.asarray(v, np.float64)))


def read(path) -> np.ndarray:
    """A picture file as RGB uint8."""
    return cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB)


def read_item(item) -> np.ndarray:
    """A manifest row's picture."""
    return read(ROOT / "images" / item.file)


class Detector:
    """Score and boxes of a picture with a card and its ONNX file."""

    def __init__(self, folder: Path = MODEL_DIR, threads: int = 1):
        self.card = json.loads((folder / "card.json").read_text())
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        self.size = self.card["input"]["width"]
        self.session = ort.InferenceSession(str(folder / self.card["file"]), options, providers=["CPUExecutionProvider"])

    def heat(self, picture):
        """(logits [h,w], inside [h,w], rect) of an RGB picture."""
        square, rect = letterbox(picture, self.size)
        z = self.session.run(["heat"], {"input": to_input(square)})[0][0, 0]
        return z, inside_cells(rect, self.card["stride"], self.size), rect

    def score_of(self, z, inside) -> float:
        """Frame score in 0..1 from a heat map."""
        s = self.card["score"]
        return float(sigmoid(s["a"] * topk_mean(z, inside, s["k"]) + s["b"]))

    def score(self, picture) -> float:
        """Frame score in 0..1 of a picture."""
        z, inside, _ = self.heat(picture)
        return self.score_of(z, inside)

    def boxes(self, z, inside, rect) -> list:
        """[xc, yc, w, h, p], relative to the picture, largest p first.

        Cells whose score-scaled value reaches the threshold, grouped by 8-neighbourhood.
        """
        s, b, stride = self.card["score"], self.card["box"], self.card["stride"]
        p = np.where(inside, sigmoid(s["a"] * z + s["b"]), 0)
        n, labels = cv2.connectedComponents((p >= b["threshold"]).astype(np.uint8), connectivity=8)
        left, top, nw, nh = rect
        out = []
        for i in range(1, n):
            ys, xs = np.nonzero(labels == i)
            if len(ys) < b["minCells"]:
                continue
            x1, x2 = (np.clip([xs.min() * stride, (xs.max() + 1) * stride], left, left + nw) - left) / nw
            y1, y2 = (np.clip([ys.min() * stride, (ys.max() + 1) * stride], top, top + nh) - top) / nh
            out.append([round(float(v), 4) for v in ((x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1, p[ys, xs].max())])
        return sorted(out, key=lambda r: -r[4])
