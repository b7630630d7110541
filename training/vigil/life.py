"""Strands from life: cut out of failing pictures with soft masks, where what ships finds them hottest, and laid on sound webcams where
parts stand; and, cut and laid the same way, what it finds hottest in sound pictures, so that being laid says nothing.

Frames also tell which folds their pictures are of, so that nets which must not see some of them share one stream.
"""

import cv2
import numpy as np

from . import augment as A
from .data import RUNS, cache, load
from .folds import fold_of
from .frames import Frames
from .letterbox import SIZE, resized, to_input

#: The share of each kind of frame.
MIX = {"photo": 0.15, "webcam_fail": 0.08, "life": 0.17, "decoy": 0.11, "composite": 0.06, "spilt": 0.09, "webcam": 0.13, "other": 0.07, "render": 0.14}
#: Maps are kept in steps of 1/12 from -10 on.
STEPS, LOWEST = 12, -10
HEATS = RUNS / "life.npz"
#: The side at which what ships looks, and its cells.
SIDE, CELLS = 288, 36
#: Mean and spread of the log of the share of the frame that is laid, and its ends: most are 1 to 3 %.
SHARE, SPREAD, ENDS = 0.018, 0.9, (0.003, 0.3)
#: What is laid must change the picture by so many grey levels to be learnt from.
SEEN = 8


def heats() -> np.ndarray:
    """What the shipped model says of every picture's cells, [N, 36, 36] in steps; looked at once."""
    if not HEATS.exists():
        from .infer import Detector

        (pictures, rects), session = cache(), Detector().session
        out = np.zeros((len(pictures), CELLS, CELLS), np.uint8)
        for it in load():
            square, _ = resized(pictures[it.index], rects[it.index], SIDE)
            z = session.run(["heat"], {"input": to_input(square.astype(np.float32))})[0][0, 0]
            out[it.index] = np.clip((z - LOWEST) * STEPS, 0, 255)
        np.savez_compressed(HEATS, heats=out)
    return np.load(HEATS)["heats"]


def hot_place(z, allowed, rng) -> np.ndarray:
    """Cells that hang together around one of the hottest allowed ones and are hardly less hot."""
    v = np.where(allowed, z, -1.0)
    ys, xs = np.nonzero(v >= np.quantile(v[allowed], 0.97))
    n = rng.integers(len(ys))
    near = (v >= v[ys[n], xs[n]] - STEPS * rng.uniform(1.5, 4)) & allowed
    _, parts = cv2.connectedComponents(near.astype(np.uint8), connectivity=8)
    return parts == parts[ys[n], xs[n]]


def blurred(crop, rng):
    """As another lens shows it: a third of what is laid is softer than its new picture."""
    return cv2.GaussianBlur(crop, (0, 0), float(rng.uniform(0.4, 1.3))) if rng.random() < 0.33 else crop


class LifeFrames(Frames):
    """Frames with strands from life and decoys among them; a sample ends in the bits of the folds that its pictures are of."""

    def __init__(self, items, pictures, rects, maps, renders=None, seed=1, side=SIDE, gratings=0.15, mix=None):
        super().__init__(items, pictures, rects, renders, seed, side=side, gratings=gratings, mix=mix or MIX)
        self.maps = maps
        some = [i for i in items if i.view in ("webcam", "photo")]
        self.from_failing = [i for i in some if i.label == "failure"]
        self.from_sound = [i for i in some if i.label != "failure"]
        #: Of so many draws one is of a webcam, which are few.
        self.webcams = {k: [i for i in v if i.view == "webcam"] for k, v in (("life", self.from_failing), ("decoy", self.from_sound))}

    def cut(self, kind, rng):
        """(picture, soft mask) around a hot place of a failing or a sound picture."""
        pool = self.webcams[kind] if rng.random() < 0.3 and self.webcams[kind] else self.from_failing if kind == "life" else self.from_sound
        it = pool[rng.integers(len(pool))]
        self.windows.used.append(it)
        left, top, width, height = self.rects[it.index]
        boxes = A.boxes_px(it, self.rects[it.index]) if kind == "life" else []
        at = (np.arange(CELLS) + 0.5) * SIZE / CELLS
        within = lambda x1, y1, x2, y2: ((at >= y1) & (at < y2))[:, None] & ((at >= x1) & (at < x2))[None]
        allowed = within(left, top, left + width, top + height)
        told = np.any([within(*b) for b in boxes], 0) & allowed if boxes else allowed
        place = hot_place(self.maps[it.index].astype(np.float32), told if told.any() else allowed, rng)
        if place.sum() < 2:
            return None
        mask = cv2.GaussianBlur(cv2.resize(place.astype(np.float32), (SIZE, SIZE), interpolation=cv2.INTER_LINEAR), (0, 0), 4)
        ys, xs = np.nonzero(mask > 0.05)
        y1, y2, x1, x2 = max(ys.min(), top), min(ys.max() + 1, top + height), max(xs.min(), left), min(xs.max() + 1, left + width)
        if min(y2 - y1, x2 - x1) < 12:
            return None
        crop, mask = np.ascontiguousarray(self.pictures[it.index][y1:y2, x1:x2]), mask[y1:y2, x1:x2]
        return blurred(crop, rng), mask * A.matte(crop, rng) if rng.random() < 0.5 else mask

    def lay(self, kind, rng):
        """One or two cuts laid where parts stand: the frame, its lit pixels, what was laid of what can be seen."""
        out, lit = self.sound("webcam" if rng.random() < 0.85 else "other", rng)
        ys, xs = np.nonzero(lit)
        laid = np.zeros(lit.shape, np.float32)
        for _ in range(1 if rng.random() < 0.75 else 2):
            cut = self.cut(kind, rng)
            if cut is None:
                continue
            share = float(np.clip(np.exp(rng.normal(np.log(SHARE), SPREAD)), *ENDS))
            crop, mask = cut
            longer = max(crop.shape[:2]) * (share * lit.sum() / max(mask.sum(), 1)) ** 0.5
            where = [xs.min() + rng.uniform(0.15, 0.85) * np.ptp(xs), ys.min() + rng.uniform(0.3, 0.9) * np.ptp(ys)]
            before = out
            out, over = A.paste(out, crop, rng, where, min(longer, 0.8 * self.side), mask)
            over = over * lit
            change = np.abs(out.astype(np.float32) - before).mean(2)
            if (change * over).sum() / max(over.sum(), 1) >= SEEN:
                laid = np.maximum(laid, over)
        return out, lit, laid

    def life(self, rng):
        """Strands from life on a sound picture."""
        out, lit, laid = self.lay("life", rng)
        neg, bag, pos = A.empty(self.side)
        bag |= A.cells(laid, 0.4)
        neg[A.cells(laid, 0.04)] = 0
        return out, lit, neg, bag, pos, 1 if bag.sum() >= 4 else -1 if (neg == 0).any() else 0

    def decoy(self, rng):
        """What looks most like strands in sound pictures, laid likewise."""
        out, lit, _ = self.lay("decoy", rng)
        return out, lit, *A.empty(self.side), 0

    def sample(self, rng):
        frame = super().sample(rng)
        bits = 0
        for it in self.windows.used:
            bits |= 1 << fold_of(it)
        return (*frame, np.int64(bits))
