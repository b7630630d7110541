"""The stream of whole training frames: pictures as the server will see them, letterboxed, with a label each.

Windows teach what strands look like; frames teach the score itself: what else lies in a whole picture,
at which scale, and how hot the hottest place of a sound one may be.
"""

import cv2
import numpy as np

from . import augment as A
from .gratings import Gratings
from .letterbox import PAD, SIZE
from .windows import Stream, Windows

#: Share of each kind of frame; renders and what is cut from them drop out when there are none.
MIX = {"photo": 0.23, "webcam_fail": 0.05, "composite": 0.13, "spilt": 0.09, "webcam": 0.14, "other": 0.14, "render": 0.22}
#: Side of a training frame in px unless told. Smaller than the pictures, which saves time; the network takes any size.
FRAME = 352


def place(picture, rng, low=0.55, high=1.3, side=FRAME):
    """The letterboxed picture turned, mirrored and scaled about its middle. Returns the frame, cover, M."""
    scale = side / SIZE * (1.0 if rng.random() < 0.25 else float(np.exp(rng.uniform(np.log(low), np.log(high)))))
    angle = np.deg2rad(rng.normal(0, 5)) if rng.random() < 0.5 else 0.0
    sx = scale * np.exp(rng.uniform(-0.08, 0.08)) * (-1 if rng.random() < 0.5 else 1)
    m = np.array([[np.cos(angle) * sx, -np.sin(angle) * scale], [np.sin(angle) * sx, np.cos(angle) * scale]])
    slack = abs(side - SIZE * scale) * 0.5 + 10
    aim = side / 2 + rng.uniform(-slack, slack, 2)
    full = np.concatenate([m, (aim - m @ np.full(2, SIZE / 2))[:, None]], 1).astype(np.float32)
    if scale < 0.75:
        picture = cv2.GaussianBlur(picture, (0, 0), 0.45 / scale)
    out = cv2.warpAffine(picture, full, (side, side), borderValue=(PAD,) * 3)
    cover = cv2.warpAffine(np.ones(picture.shape[:2], np.uint8), full, (side, side), flags=cv2.INTER_NEAREST)
    return out, cover, full


class Frames(Stream):
    """Endless (picture, neg, bag, pos, label): the maps of Windows at `side` px and 1 failing, 0 sound, -1 unsaid."""

    def __init__(self, items, pictures, rects, renders=None, seed=1, hard=None, mix=None, side=FRAME, gratings=0.0):
        self.windows = Windows(items, pictures, rects, renders, seed)
        self.pictures, self.rects, self.renders, self.seed = pictures, rects, renders, seed
        self.mix = dict(mix or MIX)
        self.hard = hard or []
        self.side, self.gratings = side, Gratings(gratings)

    def sound(self, kind, rng, low=0.8):
        """A picture without strands and the pixels that hold it; hard ones come more often. `low` is the least scale."""
        if self.hard and rng.random() < 0.3:
            it = self.hard[rng.integers(len(self.hard))]
        else:
            it = self.windows.pick(kind, rng)
        out, _, full = place(self.pictures[it.index], rng, low, 2.0, self.side)
        lit = self.lit(it, full)
        return self.gratings.lay(out, rng, 0.07 * self.side, 0.48 * self.side, np.nonzero(lit)), lit

    def whole(self, kind, rng):
        """A sound picture as small as failing ones come, and then as they on a webcam or on the letterbox's grey."""
        out, lit = self.sound(kind, rng, 0.4 if kind != "webcam" else 0.7)
        if lit.mean() < 0.45 and rng.random() < 0.7:
            under, also = self.sound("webcam", rng)
            out, lit = np.where(lit[..., None], out, under), lit | also
        return out, lit

    def lit(self, it, full):
        """Pixels of the placed square that hold the picture rather than padding."""
        return cv2.warpAffine(inside_mask(self.rects[it.index]), full, (self.side, self.side), flags=cv2.INTER_NEAREST) > 0

    def failing(self, kind, rng):
        """A failure picture, whole; smaller ones lie on a sound webcam or on the letterbox's grey."""
        it = self.windows.pick(kind, rng)
        left, top, nw, nh = self.rects[it.index]
        given = A.boxes_px(it, self.rects[it.index])
        boxes = given or [[left + 0.1 * nw, top + 0.1 * nh, left + 0.9 * nw, top + 0.9 * nh]]
        out, cover, full = place(self.pictures[it.index], rng, 0.4 if it.view != "webcam" else 0.75, 1.5, self.side)
        lit = self.lit(it, full)
        if cover.mean() < 0.8 and rng.random() < 0.7:
            under, also = self.sound("webcam", rng)
            out = np.where(lit[..., None], out, under)
            lit = lit | also
        neg, bag, pos = A.empty(self.side)
        bag |= A.cells(A.box_mask(boxes, full, size=self.side), 0.5)
        near = A.cells(A.box_mask(boxes, full, 0.35, size=self.side), 0.01)
        sure = 0.4 if it.view == "webcam" else 0.1
        neg = np.where(near, 0, np.where(A.cells(cover, 0.5), sure if given else 0.0, 1)).astype(np.float32)
        return out, lit, neg, bag, pos, 1 if bag.sum() >= 6 else -1

    def composite(self, rng):
        """Failure crops laid on a sound frame, or sound crops as decoys."""
        strands = rng.random() < 0.6
        out, lit = self.sound("webcam" if rng.random() < 0.7 else "other", rng)
        ys, xs = np.nonzero(lit)
        neg, bag, pos = A.empty(self.side)
        for _ in range(rng.integers(1, 3) if strands else rng.integers(1, 5)):
            crop = self.windows.crop(self.windows.crops if strands else self.windows.decoys, rng)
            if crop is None:
                continue
            longer = np.exp(rng.uniform(np.log(37 / FRAME * self.side), np.log(186 / FRAME * self.side)))
            at = rng.integers(len(xs))
            out, laid = A.paste(out, crop, rng, (xs[at], ys[at]), longer)
            if strands:
                bag |= A.cells(laid * lit, 0.4)
                neg[A.cells(laid, 0.04)] = 0
        return out, lit, neg, bag, pos, (1 if bag.sum() >= 7 else -1) if strands else 0

    def spilt(self, rng):
        """Rendered strands with their exact mask, laid on a sound real picture."""
        out, lit = self.sound("webcam" if rng.random() < 0.6 else "other", rng)
        ys, xs = np.nonzero(lit)
        neg, bag, pos = A.empty(self.side)
        cut = self.renders.strands(rng)
        if cut is not None:
            longer = np.exp(rng.uniform(np.log(48 / FRAME * self.side), np.log(200 / FRAME * self.side)))
            at = rng.integers(len(xs))
            out, laid = A.paste(out, cut[0], rng, (xs[at], ys[at]), longer, cut[1])
            laid = laid * lit
            pos |= A.cells(laid, 0.2)
            neg[A.cells(laid, 0.02)] = 0
        return out, lit, neg, bag, pos, 0 if cut is None else 1 if pos.sum() >= 7 else -1

    def render(self, rng):
        """A rendered scene with its exact mask."""
        picture, mask = self.renders.draw(rng)
        out, _, full = place(picture, rng, 0.8, side=self.side)
        lit = cv2.warpAffine((picture != PAD).any(2).astype(np.uint8), full, (self.side, self.side), flags=cv2.INTER_NEAREST) > 0
        m = cv2.warpAffine(mask.astype(np.float32) / 255, full, (self.side, self.side))
        neg, bag, pos = A.empty(self.side)
        # Strands that the light does not show can't be learnt from.
        grey = out.mean(2).reshape(self.side // A.CELL, A.CELL, self.side // A.CELL, A.CELL)
        pos |= A.cells(m, 0.16) & (grey.std(axis=(1, 3)) > 6)
        neg[A.cells(m, 0.01)] = 0
        return out, lit, neg, bag, pos, 1 if pos.sum() >= 7 else (0 if m.max() < 0.1 else -1)

    def sample(self, rng):
        kinds = [k for k in self.mix if k not in ("render", "spilt") or self.renders]
        p = np.array([self.mix[k] for k in kinds])
        kind = kinds[rng.choice(len(kinds), p=p / p.sum())]
        if kind in ("photo", "webcam_fail"):
            out = self.failing(kind, rng)
        elif kind in self.windows.pools:
            out = (*self.whole(kind, rng), *A.empty(self.side), 0)
        else:
            out = getattr(self, kind)(rng)
        picture, lit, neg, bag, pos, label = out
        picture = np.where(lit[..., None], A.photometric(picture, rng), np.uint8(PAD))
        return picture.transpose(2, 0, 1), neg, bag, pos, np.float32(label)


def inside_mask(rect):
    """Pixels of the square that hold the picture."""
    left, top, nw, nh = rect
    mask = np.zeros((SIZE, SIZE), np.uint8)
    mask[top : top + nh, left : left + nw] = 1
    return mask
