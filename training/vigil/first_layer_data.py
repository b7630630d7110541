"""What the patch classifier is shown: rendered nozzle pictures, a few real ones of which only that is said, and
pictures that are of no nozzle camera."""

import csv

import cv2
import numpy as np

from .data import ROOT, RUNS
from .first_layer_beads import CELL, IGNORE, SIZE, UNSAID, field
from .letterbox import inside_cells, letterbox

NOZZLE_VIEW = "nozzle"
#: Scenes of the train split that are kept back with all their pictures, since one of them is of the validation split:
#: the one scene of fast-caxton, and the cut-out of caxton's fifth.
KEPT_BACK = ("cam-cambridge/fast-caxton", "89f4d9935530.jpg")

#: One field of noise, shifted about: making it anew each time would cost more than the training step.
NOISE = np.random.default_rng(3).standard_normal((SIZE, SIZE, 3)).astype(np.float32)


def rows(split=None, without=("AGPL-3.0",), nozzle=False):
    """Manifest rows of a split that are (not) nozzle views, some licences left out."""
    with open(ROOT / "manifest.csv", newline="") as file:
        for row in csv.DictReader(file):
            if split is not None and row["split"] != split or row["licence"] in without:
                continue
            if (row["view"] == NOZZLE_VIEW) == nozzle:
                yield row


def read(row):
    """A manifest row's picture, RGB."""
    return np.ascontiguousarray(cv2.imread(str(ROOT / "images" / row["file"]))[..., ::-1])


def square(picture):
    """Letterboxed to the network's input, uint8."""
    return np.floor(letterbox(picture, SIZE)[0] + 0.5).astype(np.uint8)


def filled(picture, r):
    """A random part of the picture, of the network's shape: bars at the edge tell nothing then."""
    side = int(min(picture.shape[:2]) * r.uniform(0.5, 1))
    y, x = r.integers(0, picture.shape[0] - side + 1), r.integers(0, picture.shape[1] - side + 1)
    return cv2.resize(picture[y : y + side, x : x + side], (SIZE, SIZE), interpolation=cv2.INTER_AREA)


def nozzle_rows(trained):
    """The real nozzle pictures that are (not) trained on, told apart by scene."""
    for row in rows(without=(), nozzle=True):
        if row["label"] == "nozzle_cam":
            if trained == (row["split"] == "train" and not {row["source"], row["file"]} & set(KEPT_BACK)):
                yield row


def real_nozzles(each=24):
    """Parts of the real nozzle pictures to train on, under other light, and their cells: a nozzle camera's, or outside."""
    r = np.random.default_rng(6)
    pictures, labels = [], []
    for row in nozzle_rows(True):
        whole = read(row)
        for _ in range(each):
            h, w = (max(64, int(n * r.uniform(0.55, 1))) for n in whole.shape[:2])
            y, x = int(r.uniform(0, 0.6) * (whole.shape[0] - h)), r.integers(0, whole.shape[1] - w + 1)
            part = np.ascontiguousarray(whole[y : y + h, x : x + w])
            hsv = cv2.cvtColor(part, cv2.COLOR_RGB2HSV)
            hsv[..., 0] = (hsv[..., 0].astype(int) + r.integers(0, 180)) % 180
            hsv[..., 1] = hsv[..., 1] * r.uniform(0, 1)
            part = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB) if r.random() < 0.7 else part
            if r.random() < 0.5:
                part = cv2.resize(part, (SIZE, SIZE), interpolation=cv2.INTER_AREA)
            x, rect = letterbox(part, SIZE)
            pictures.append(np.uint8(np.floor(x + 0.5)))
            labels.append(np.where(inside_cells(rect, CELL, SIZE), UNSAID, IGNORE))
    return np.stack(pictures), np.int8(labels)


def plain(r):
    """No scene at all: a cap on the lens, the dark, clouds of colour."""
    base = np.float32(r.uniform(0, 1, 3) * r.uniform(0, 255))
    img = base + field(r, r.uniform(1, 12))[..., None] * r.uniform(0, 40) + r.standard_normal((SIZE, SIZE, 3)) * r.uniform(0, 12)
    return np.uint8(np.clip(img, 0, 255))


def strangers(plains=150):
    """Pictures of no nozzle camera, uint8 [n,256,256,3]: every other real one of the train split
    (whole or a part), and nothing at all."""
    r = np.random.default_rng(5)
    out = []
    for row in list(rows("train"))[::2]:
        picture = read(row)
        out.append(square(picture) if r.random() < 0.3 else filled(picture, r))
    return np.stack(out + [plain(r) for _ in range(plains)])


def training_set():
    """(nozzle pictures, their cell labels, strangers); strangers are made once and kept in training/runs."""
    with np.load(RUNS / "first_layer.npz") as kept:
        pictures, labels = kept["pictures"], kept["labels"]
    path = RUNS / "first_layer_strangers.npy"
    if not path.exists():
        np.save(path, strangers())
    return pictures, labels, np.load(path)


def bars(picture, labels, r):
    """The picture as a wide camera's lies in the square: bars above and below. As usual for nozzle pictures as for
    others, or the bars themselves would say which it is."""
    rim = int(SIZE * (1 - r.uniform(0.54, 0.8)) / 2)
    out, marks = picture.copy(), labels.copy()
    rows = np.arange(len(labels)) * CELL + CELL / 2
    out[:rim] = out[SIZE - rim :] = 114
    marks[(rows < rim) | (rows >= SIZE - rim)] = IGNORE
    return out, marks


def turned(picture, labels, r):
    """Mirrored, sometimes turned (not upside down: the nozzle comes from above), other light."""
    if r.random() < 0.5:
        picture, labels = picture[:, ::-1], labels[:, ::-1]
    x = picture.astype(np.float32)
    gain = np.float32(r.uniform(0.7, 1.3) * r.uniform(0.88, 1.12, 3))
    x = x * gain + np.float32(128 * (1 - gain) + r.uniform(-30, 30))
    if r.random() < 0.12:
        x = np.repeat(x.mean(-1, keepdims=True), 3, -1)
    if r.random() < 0.3:
        x = cv2.GaussianBlur(x, (0, 0), r.uniform(0.4, 1.3))
    if r.random() < 0.6:
        y0, x0 = r.integers(0, SIZE - x.shape[0] + 1), r.integers(0, SIZE - x.shape[1] + 1)
        x += NOISE[y0 : y0 + x.shape[0], x0 : x0 + x.shape[1]] * np.float32(r.uniform(1, 9))
    return np.clip(x, 0, 255, out=x), labels


def features(fixed, pictures, labels, seed, chunk=32):
    """What the fixed part says of every picture (half of them mirrored, under other light, with bars), chunk by chunk
    as float16 [k,16,16,499], and the cells' labels that go with it."""
    r = np.random.default_rng(seed)
    for start in range(0, len(pictures), chunk):
        some = [turned(p, c, r) if r.random() < 0.8 else (p, c)
                for p, c in zip(pictures[start : start + chunk], labels[start : start + chunk])]
        some = [bars(p, c, r) if r.random() < 0.45 else (p, c) for p, c in some]
        yield fixed(np.stack([p for p, _ in some])), np.stack([c for _, c in some])
