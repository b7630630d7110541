"""Drawn decoys: the fine regular parts of machines, which look most like strands and never are.

Fins of a heat sink, perforated covers, fan guards, drag chains, corrugated hoses, lattices of an enclosure. Webcams of
sound prints are few; these are as many as wanted, each of its own pitch, light and slant.
"""

import cv2
import numpy as np

from .augment import paste

#: How many are drawn once and used over and over; colour, size and place are new each time.
HELD = 300
#: Side of the drawing in px, before it is slanted and laid somewhere at any size.
SIDE = 144


def fins(rng, yy, xx):
    """Parallel bars."""
    pitch, duty = rng.uniform(5, 20), rng.uniform(0.3, 0.75)
    return (yy / pitch % 1 < duty) * 1.0


def holes(rng, yy, xx):
    """Round or square holes on a square or staggered grid."""
    pitch, fill = rng.uniform(7, 22), rng.uniform(0.25, 0.46)
    row = np.floor(yy / pitch)
    u = (xx / pitch + (row % 2) * (0.5 if rng.random() < 0.6 else 0)) % 1 - 0.5
    v = yy / pitch % 1 - 0.5
    far = np.maximum(np.abs(u), np.abs(v)) if rng.random() < 0.3 else np.hypot(u, v)
    return (far > fill) * 1.0


def guard(rng, yy, xx):
    """A fan: rings, spokes and the blades behind them."""
    y, x = yy - SIDE / 2, xx - SIDE / 2
    r, angle = np.hypot(y, x), np.arctan2(y, x)
    pitch = rng.uniform(8, 20)
    rings = (r / pitch % 1 < rng.uniform(0.2, 0.5)) * (rng.random() < 0.8)
    spokes = np.abs(np.sin(angle * rng.integers(2, 5) / 2)) * r < rng.uniform(2, 4)
    blades = 0.45 * (np.sin(angle * rng.integers(5, 11) + r * rng.uniform(0.01, 0.05)) > rng.uniform(-0.4, 0.6))
    return np.maximum(np.maximum(rings, spokes), blades * (r > 18))


def mesh(rng, yy, xx):
    """Crossing bars: a lattice, a woven sleeve."""
    pitch, duty = rng.uniform(7, 20), rng.uniform(0.15, 0.5)
    slant = rng.uniform(0.4, 1.6)
    return np.maximum((yy + slant * xx) / pitch % 1 < duty, (yy - slant * xx) / pitch % 1 < duty) * 1.0


def links(rng, yy, xx):
    """The links of a drag chain or the rings of a hose, bent."""
    bend = rng.uniform(-0.004, 0.004)
    y = yy - SIDE / 2 + bend * (xx - SIDE / 2) ** 2
    across = np.abs(y) < rng.uniform(10, 34)
    pitch = rng.uniform(6, 22)
    return across * (0.4 + 0.6 * (xx / pitch % 1 < rng.uniform(0.4, 0.8)))


def grating(rng):
    """One decoy as (picture uint8 RGB, mask float32 0..1), cut to what it fills."""
    yy, xx = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    kind = (fins, holes, guard, mesh, links)[rng.integers(5)]
    height = kind(rng, yy, xx).astype(np.float32)
    dark, bright = sorted(rng.uniform(0, 255, 2))
    if rng.random() < 0.4:
        dark = rng.uniform(0, 50)
    if rng.random() < 0.15:
        dark, bright = bright, dark
    hue = np.array([1, 1, 1]) if rng.random() < 0.7 else rng.uniform(0.35, 1.1, 3)
    lit = dark + (bright - dark) * cv2.GaussianBlur(height, (0, 0), rng.uniform(0.5, 1.6))
    edge = cv2.Sobel(cv2.GaussianBlur(height, (0, 0), 0.8), cv2.CV_32F, 1, 1) * rng.uniform(-90, 90)
    slope = (xx / SIDE - 0.5) * rng.uniform(-0.6, 0.6) + (yy / SIDE - 0.5) * rng.uniform(-0.6, 0.6)
    picture = np.clip(((lit + edge) * (1 + slope))[..., None] * hue, 0, 255).astype(np.uint8)
    mask = np.zeros((SIDE, SIDE), np.float32)
    if kind is guard or rng.random() < 0.15:
        cv2.circle(mask, (SIDE // 2, SIDE // 2), SIDE // 2 - 2, 1.0, -1)
    else:
        half = (SIDE / 2 * np.array([rng.uniform(0.35, 0.98), rng.uniform(0.35, 0.98)])).astype(int)
        cv2.rectangle(mask, tuple(map(int, SIDE // 2 - half)), tuple(map(int, SIDE // 2 + half)), 1.0, -1)
    if kind is links:
        mask *= height > 0
    square = np.float32([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]])
    slanted = square + rng.normal(0, SIDE * 0.09, (4, 2)).astype(np.float32)
    turn = cv2.getRotationMatrix2D((SIDE / 2, SIDE / 2), rng.uniform(-180, 180) if rng.random() < 0.4 else rng.normal(0, 8), 0.8)
    m = np.vstack([turn, [0, 0, 1]]) @ cv2.getPerspectiveTransform(square, slanted)
    picture = cv2.warpPerspective(picture, m, (SIDE, SIDE), borderMode=cv2.BORDER_REFLECT)
    mask = cv2.GaussianBlur(cv2.warpPerspective(mask, m, (SIDE, SIDE)), (3, 3), 0)
    ys, xs = np.nonzero(mask > 0.2)
    if len(ys) < 300:
        return grating(rng)
    cut = np.s_[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    return np.ascontiguousarray(picture[cut]), np.ascontiguousarray(mask[cut])


class Gratings:
    """Decoys laid on sound pictures; drawn when first asked for."""

    def __init__(self, share=0.2):
        self.share, self.held = share, []

    def lay(self, picture, rng, low, high, places=None):
        """The picture, now and then with one or two decoys of `low` to `high` px, centred on one of `places` (ys, xs)."""
        if rng.random() >= self.share:
            return picture
        if not self.held:
            own = np.random.default_rng(17)
            self.held = [grating(own) for _ in range(HELD)]
        for _ in range(rng.integers(1, 3)):
            part, mask = self.held[rng.integers(HELD)]
            if places is None:
                centre = rng.uniform(0.05, 0.95, 2) * picture.shape[1::-1]
            else:
                at = rng.integers(len(places[0]))
                centre = places[1][at], places[0][at]
            picture, _ = paste(picture, part, rng, centre, np.exp(rng.uniform(np.log(low), np.log(high))), mask)
        return picture
