"""The stream of training windows: real photos, webcams, composites and renders, balanced by source."""

import cv2
import numpy as np
from torch.utils.data import IterableDataset, get_worker_info

from . import augment as A
from .data import Item

#: Share of each kind of window; renders drop out when there are none.
MIX = {"photo": 0.28, "webcam_fail": 0.07, "composite": 0.17, "webcam": 0.24, "other": 0.12, "render": 0.12}


def by_source(items: list[Item]) -> list[list[Item]]:
    """Items in lists, one a camera or source, drawn evenly with a weight that grows slowly with size."""
    out: dict[str, list[Item]] = {}
    for it in items:
        out.setdefault(it.group if it.view == "webcam" else it.source, []).append(it)
    return list(out.values())


class Stream(IterableDataset):
    """Endless samples; every worker has its own random stream."""

    def __iter__(self):
        info = get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        cv2.setNumThreads(0)
        while True:
            yield self.sample(rng)


class Windows(Stream):
    """Endless windows with their maps."""

    def __init__(self, items, pictures, rects, renders=None, seed=1, hard=None, mix=None):
        self.pictures, self.rects, self.seed = pictures, rects, seed
        self.renders = renders
        self.mix = dict(mix or MIX)
        if renders is None:
            self.mix.pop("render", None)
        fail = [i for i in items if i.label == "failure"]
        self.pools = {
            "photo": by_source([i for i in fail if i.view != "webcam"]),
            "webcam_fail": by_source([i for i in fail if i.view == "webcam"]),
            "webcam": by_source([i for i in items if i.view == "webcam" and i.label in ("good", "defect_other")]),
            "other": by_source([i for i in items if i.view != "webcam" and i.label in ("good", "defect_other", "nozzle_cam")]),
        }
        self.crops = [i for i in fail if i.boxes]
        self.decoys = [i for i in items if i.label == "defect_other" and i.boxes]
        self.hard = hard or []

    def pick(self, kind, rng):
        pools = self.pools[kind]
        weight = np.array([len(p) ** 0.5 for p in pools])
        pool = pools[rng.choice(len(pools), p=weight / weight.sum())]
        return pool[rng.integers(len(pool))]

    def background(self, kind, rng):
        """A window without strands, from a webcam or any other sound picture."""
        if kind == "webcam" and self.hard and rng.random() < 0.3:
            it, fx, fy = self.hard[rng.integers(len(self.hard))]
            focus = (fx, fy)
        else:
            it = self.pick(kind, rng)
            left, top, nw, nh = self.rects[it.index]
            focus = (left + nw * rng.uniform(0.1, 0.9), top + nh * rng.uniform(0.1, 0.9))
        low = 0.55 if it.view == "webcam" else 0.3
        window, _, _ = A.warp(self.pictures[it.index], rng, np.exp(rng.uniform(np.log(low), np.log(1.4))), focus)
        return window

    def real_positive(self, kind, rng):
        """A failure picture around one of its boxes, at photo or webcam scale."""
        it = self.pick(kind, rng)
        left, top, nw, nh = self.rects[it.index]
        neg, bag, pos = A.empty(A.WIN)
        boxes = A.boxes_px(it, self.rects[it.index]) or [[left + 0.1 * nw, top + 0.1 * nh, left + 0.9 * nw, top + 0.9 * nh]]
        x1, y1, x2, y2 = boxes[rng.integers(len(boxes))]
        longer = max(x2 - x1, y2 - y1, 12)
        if it.view == "webcam":
            scale = rng.uniform(0.6, 1.5)
        else:
            scale = np.exp(rng.uniform(np.log(52), np.log(240))) / longer
        scale = float(np.clip(scale, 0.15, 1.6))
        window, cover, full = A.warp(self.pictures[it.index], rng, scale, ((x1 + x2) / 2, (y1 + y2) / 2))
        if cover.mean() < 0.9 and rng.random() < 0.7:
            window = np.where(cover[..., None] > 0, window, self.background("webcam", rng))
        inner = A.box_mask(boxes, full)
        outer = A.box_mask(boxes, full, 0.35)
        bag |= A.cells(inner, 0.5)
        outside = ~A.cells(outer, 0.01)
        sure = 0.5 if it.view == "webcam" else 0.12
        on_picture = A.cells(cover, 0.5)
        neg = np.where(outside, np.where(on_picture, sure, 1.0), 0.0).astype(np.float32)
        return window, neg, bag, pos

    def crop(self, items, rng):
        """A boxed part of a picture, cut out."""
        it = items[rng.integers(len(items))]
        boxes = A.boxes_px(it, self.rects[it.index])
        x1, y1, x2, y2 = (int(v) for v in boxes[rng.integers(len(boxes))])
        x1, y1, x2, y2 = max(x1, 0), max(y1, 0), min(x2, 416), min(y2, 416)
        if x2 - x1 < 16 or y2 - y1 < 16:
            return None
        return np.ascontiguousarray(self.pictures[it.index][y1:y2, x1:x2])

    def composite(self, rng, failing):
        """A crop laid on a sound background: strands on a bed, or a sound part as decoy."""
        neg, bag, pos = A.empty(A.WIN)
        window = self.background("webcam" if rng.random() < 0.75 else "other", rng)
        for _ in range(rng.integers(1, 3)):
            crop = self.crop(self.crops if failing else self.decoys, rng)
            if crop is None:
                continue
            longer = np.exp(rng.uniform(np.log(36), np.log(150)))
            window, laid = A.paste(window, crop, rng, A.WIN * rng.uniform(0.05, 0.95, 2), longer)
            if failing:
                touched = A.cells(laid, 0.04)
                bag |= A.cells(laid, 0.4)
                neg[touched] = 0
        return window, neg, bag, pos

    def render(self, rng):
        """A window of a rendered scene with its exact mask."""
        picture, mask = self.renders.draw(rng)
        ys, xs = np.nonzero(mask)
        if len(ys) and rng.random() < 0.8:
            j = rng.integers(len(ys))
            focus = (xs[j], ys[j])
        else:
            focus = rng.uniform(60, 356, 2)
        window, _, full = A.warp(picture, rng, np.exp(rng.uniform(np.log(0.55), np.log(1.4))), focus)
        m = cv2.warpAffine(mask.astype(np.float32) / 255, full, (A.WIN, A.WIN))
        neg, bag, pos = A.empty(A.WIN)
        grey = window.mean(2).reshape(A.WIN // A.CELL, A.CELL, A.WIN // A.CELL, A.CELL)
        pos |= A.cells(m, 0.16) & (grey.std(axis=(1, 3)) > 5)
        neg[A.cells(m, 0.01)] = 0
        return window, neg, bag, pos

    def sample(self, rng):
        kinds = list(self.mix)
        p = np.array([self.mix[k] for k in kinds])
        kind = kinds[rng.choice(len(kinds), p=p / p.sum())]
        if kind in ("photo", "webcam_fail"):
            out = self.real_positive(kind, rng)
        elif kind == "composite":
            out = self.composite(rng, rng.random() < 0.65)
        elif kind == "render":
            out = self.render(rng)
        else:
            out = (self.background(kind, rng), *A.empty(A.WIN))
        window, neg, bag, pos = out
        return A.photometric(window, rng).transpose(2, 0, 1), neg, bag, pos, np.float32(-1)
