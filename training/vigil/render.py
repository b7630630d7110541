"""Synthetic scenes: a printer, a print that grows, and, at a known frame, strands.

`Scene` is one print seen by one camera; `frame(t)` is its picture at t in 0..1 of the print.
Never modelled on, and never trained with, the pictures of the simulated printer in `simulator/`.
"""

import argparse

import cv2
import numpy as np

from . import render_parts as P
from .data import RUNS
from .letterbox import letterbox

SHAPES = ["box", "cylinder", "vase", "star", "lattice", "tree", "grid"]


class Scene:
    """All that stays the same while a print runs."""

    def __init__(self, seed, fail=None, big=None):
        rng = self.rng = np.random.default_rng(seed)
        self.seed, self.fail = seed, fail
        ratio = [(832, 624), (832, 468), (624, 832), (832, 832), (832, 520)][rng.integers(5)]
        self.w, self.h = ratio
        self.cam = P.Camera(rng, *ratio)
        self.flat = rng.random() < 0.25
        self.back = P.room(rng, self.h, self.w)
        self.tex = P.bed_texture(rng)
        self.bed = rng.uniform(90, 150)
        self.slinger = rng.random() < 0.6
        self.colour = P.filament(rng)
        self.frame_colour = P.tint(P.filament(rng), rng.uniform(0.15, 0.7))
        self.head_colour = P.tint(P.filament(rng), rng.choice([0.3, 0.6, 1.0]))
        self.shape = SHAPES[rng.integers(len(SHAPES))]
        self.size = rng.uniform(14, 60)
        self.tall = rng.uniform(8, 120)
        self.spot = rng.uniform(-40, 40, 2)
        self.style = rng.uniform(0, 1, 8)
        self.sun = rng.uniform(0, 2 * np.pi)
        self.head = rng.uniform(22, 46, 3)
        self.cables = [rng.uniform(-1, 1, (4, 3)) for _ in range(rng.integers(0, 4))]
        self.brim = rng.random() < 0.3
        self.clips = rng.random() < 0.3
        self.hide_head = rng.random() < 0.15
        if fail:
            self.kind = rng.choice(["nest", "drag", "air"])
            self.spread = np.exp(rng.uniform(np.log(12), np.log(62))) if big is None else big
            self.rise = 3 if self.kind == "drag" else rng.uniform(8, 60)
            self.amount = int(np.exp(rng.uniform(np.log(400), np.log(4500))))
            self.paths = P.strand_paths(rng, self.kind, self.spread, self.rise, self.amount)
            self.width = rng.uniform(0.5, 1.4)
            self.loose = rng.random() < 0.5

    def outline(self, z, centre):
        """The print's outer wall at a height, as points [n,2]."""
        s = self.style
        n = 4 if self.shape in ("box", "grid") else 40
        a = np.arange(n) / n * 2 * np.pi + s[0] * 6
        r = np.full(n, self.size)
        u = z / self.tall
        if self.shape == "vase":
            r = r * (0.75 + 0.35 * np.sin(2 + 4 * s[1] + 5 * s[2] * u)) * (1 + 0.12 * s[3] * np.sin(np.round(3 + 6 * s[4]) * a + 4 * s[5] * u))
        elif self.shape == "star":
            r = r * (1 + 0.35 * np.sin(np.round(3 + 4 * s[4]) * a)) * (1 - 0.5 * s[2] * u)
        elif self.shape in ("box", "grid"):
            r = r * (1 - 0.3 * s[2] * u) * (0.35 if self.shape == "grid" else 1)
        p = np.stack([r * np.cos(a), r * np.sin(a) * (0.4 + 0.6 * s[6])], 1)
        return p + centre

    def shaded(self, img, pts, z, thick, k=1.0):
        """One closed wall, each side lit by where it faces."""
        loop = np.vstack([pts, pts[:1]])
        q, _ = self.cam.project(np.c_[loop, np.full(len(loop), z)])
        d = np.diff(loop, axis=0)
        light = 0.72 + 0.28 * np.cos(np.arctan2(d[:, 0], -d[:, 1]) - self.sun)
        for i in range(len(d)):
            P.stroke(img, q[i : i + 2], P.tint(self.colour, (0.85 if self.flat else light[i]) * k), thick)

    def solid(self, img, height, centre, shift=(0, 0)):
        """A part up to a height, layer on layer."""
        layers = int(np.clip(height / 0.8, 1, 60))
        zs = np.linspace(0.3, max(height, 0.5), layers)
        for i, z in enumerate(zs):
            o = self.outline(z, np.asarray(centre) + np.asarray(shift) * z)
            q, _ = self.cam.project(np.c_[o, np.full(len(o), z)])
            P.fill(img, q, P.tint(self.colour, 0.8))
            thick = max(1, self.cam.px((*centre, z), height / layers) * 1.2)
            self.shaded(img, o, z, thick, 1.0 if self.flat else 0.9 + 0.12 * (i % 2))
        if self.style[7] < 0.5:
            mask = np.zeros(img.shape[:2], np.uint8)
            P.fill(mask, q, 255)
            hatch = img.copy()
            lo, hi = o.min(0), o.max(0)
            for v in np.linspace(-1.5, 1.5, int(8 + 20 * self.style[1])):
                line = np.array([[-1.5, v], [1.5, v + (0.0 if self.style[3] < 0.5 else 0.8)]]) * (hi - lo) / 2 + (lo + hi) / 2
                P.stroke(hatch, self.cam.project(np.c_[line, [z, z]])[0], P.tint(self.colour, 0.55), 2)
            np.copyto(img, hatch, where=mask[..., None] > 128)

    def struts(self, img, height, centre):
        """Regular open work: a lattice, or tree supports. Thin lines that are meant to be there."""
        n, step = 4, self.size / 2.5
        s = self.style
        for level in np.arange(0, height, step):
            for i in range(n):
                for j in range(n):
                    if self.shape == "tree":
                        a = np.array([(i - 1.5) * step * (1 - 0.5 * level / self.tall), (j - 1.5) * step * 0.6, level])
                        b = a * [1 - 0.1 * s[1], 1, 1] + [0, 0, min(step, height - level)]
                        ends = [b]
                    else:
                        a = np.array([(i - 1.5) * step, (j - 1.5) * step, level])
                        up = min(step, height - level)
                        ends = [a + [step, 0, 0], a + [0, 0, up], a + [step, 0, up]] if i < n - 1 else [a + [0, 0, up]]
                    for b in ends:
                        q, _ = self.cam.project(np.array([a, b]) + [*centre, 0])
                        thick = self.cam.px((*centre, level), 1 + 2.5 * s[2])
                        P.stroke(img, q, P.tint(self.colour, 0.5), thick + 1)
                        P.stroke(img, q, P.tint(self.colour, 0.8 + 0.3 * s[(i + j) % 8]), thick)

    def print_(self, img, height, tilt=None):
        """The part or parts as far as they have grown."""
        centre = self.spot if tilt is None else self.spot + tilt[:2]
        lean = (0, 0) if tilt is None else tilt[2:]
        if self.brim:
            for r in np.linspace(1.1, 1.5, 5):
                o = self.outline(0, centre) * 1.0
                self.shaded(img, (o - centre) * r + centre, 0.2, 2, 0.9)
        if self.shape in ("lattice", "tree"):
            self.struts(img, height, centre)
        elif self.shape == "grid":
            for dy in (1, 0, -1):
                for dx in (-1, 0, 1):
                    self.solid(img, height, centre + self.size * 0.8 * np.array([dx, dy]), lean)
        else:
            self.solid(img, height, centre, lean)

    def bed_move(self, t):
        """Bed-slingers move the bed: where it is at this moment."""
        r = np.random.default_rng([self.seed, int(t * 1e6)])
        return np.array([0.0, r.uniform(-35, 35), 0.0]) if self.slinger else np.zeros(3)

    def frame(self, t, onset=None):
        """(picture, mask) at t in 0..1; strands grow from `onset` on if this scene fails."""
        rng = np.random.default_rng([self.seed, 1, int(t * 1e6)])
        img, mask = self.back.copy(), np.zeros((self.h, self.w), np.uint8)
        cam, b = self.cam, self.bed
        eye, cam.eye = cam.eye, cam.eye - self.bed_move(t)
        corners = np.array([[-b, b, 0], [b, b, 0], [b, -b, 0], [-b, -b, 0]], float)
        q, depth = cam.project(corners)
        if depth.min() > 25:
            n = self.tex.shape[0]
            hom = cv2.getPerspectiveTransform(np.float32([[0, 0], [n, 0], [n, n], [0, n]]), np.float32(q))
            flat = cv2.warpPerspective(self.tex, hom, (self.w, self.h), flags=cv2.INTER_AREA)
            P.fill(img, q + [0, 8], (20, 20, 20))
            on = np.zeros((self.h, self.w), np.uint8)
            P.fill(on, q, 255)
            np.copyto(img, flat, where=on[..., None] > 128)
        failing = self.fail and onset is not None and t >= onset
        height = max(0.6, self.tall * (min(t, onset) if failing and self.loose else t))
        top = height
        r = np.random.default_rng([self.seed, 2])
        tilt = None
        if failing and self.loose:
            tilt = np.r_[r.normal(0, 15, 2), r.normal(0, 0.25, 2)]
        if not (failing and self.kind == "air" and self.loose):
            self.print_(img, height, tilt)
        if failing:
            g = np.clip((t - onset) / max(0.02, 1 - onset) * 1.3 + 0.12, 0, 1)
            paths = self.paths[: max(2, int(g * len(self.paths)))]
            lift = 0 if self.kind != "nest" or self.loose else height * 0.8
            at = np.array([*self.spot, lift]) + np.r_[r.normal(0, 8, 2), 0]
            P.draw_strands(img, mask, cam, rng, paths, at, self.colour, self.width, self.rise, self.flat)
        nozzle = np.array([*(self.spot + rng.uniform(-1, 1, 2) * self.size), top + 1.0])
        cam.eye = eye
        nozzle = nozzle + self.bed_move(t)
        if not self.hide_head:
            self.machine(img, mask, nozzle, rng)
        return self.finish(img, mask, rng)

    def machine(self, img, mask, n, rng):
        """Gantry, hot end with fan and nozzle, cables: in front of the print, so the mask loses them."""
        cam, c, (a, d, e) = self.cam, self.head_colour, self.head
        over = np.zeros(img.shape[:2], np.uint8)

        def both(pts, colour, thick=None):
            q, _ = cam.project(np.asarray(pts))
            if thick is None:
                P.fill(img, q, colour)
                P.fill(over, q, 255)
            else:
                w = max(1, cam.px(pts[0], thick))
                P.stroke(img, q, colour, w)
                P.stroke(over, q, 255, w)

        z = n[2] + e * 0.7
        bar = [[-260, n[1] + d * 0.6, z], [260, n[1] + d * 0.6, z]]
        both(bar, self.frame_colour, 18)
        both(np.array(bar) + [0, 0, 5], P.tint(self.frame_colour, 1.7), 2.5)
        both([n, n + [4, 0, 7], n + [-4, 0, 7]], (190, 150, 70))
        both([n + [-7, 0, 7], n + [7, 0, 7], n + [7, 0, 15], n + [-7, 0, 15]], P.tint(c, 0.6))
        x, y0, z0, z1 = a / 2, n[1] - d / 3, n[2] + 13, n[2] + 13 + e
        X = n[0]
        both([[X - x, y0, z0], [X + x, y0, z0], [X + x, y0, z1], [X - x, y0, z1]], c)
        side = x if cam.eye[0] > X else -x
        both([[X + side, y0, z0], [X + side, y0 + d, z0], [X + side, y0 + d, z1], [X + side, y0, z1]], P.tint(c, 0.6))
        ang = np.linspace(0, 2 * np.pi, 24)
        ring = np.stack([X + x * 0.7 * np.cos(ang), np.full(24, y0 - 1), (z0 + z1) / 2 + x * 0.7 * np.sin(ang)], 1)
        both(ring, P.tint(c, 0.3))
        for i in range(5):
            both([ring[0] * 0 + [X, y0 - 2, (z0 + z1) / 2], ring[(i * 5 + rng.integers(5)) % 24]], P.tint(c, 1.3), 1.5)
        for k in self.cables:
            t = np.linspace(0, 1, 18)[:, None]
            p0, p3 = np.array([X, y0 + d, z1]), k[3] * [260, 100, 60] + [0, 60, 220]
            p1, p2 = p0 + [0, 0, 90] + k[1] * 40, p3 + k[2] * 90
            p = p0 * (1 - t) ** 3 + 3 * p1 * t * (1 - t) ** 2 + 3 * p2 * t**2 * (1 - t) + p3 * t**3
            both(p, P.tint(self.frame_colour, 0.5 + abs(k[0, 0])), 2 + 3 * abs(k[0, 1]))
        mask[over > 100] = 0

    def finish(self, img, mask, rng):
        """Light falling off, glare, fish-eye now and then, then down to webcam size."""
        if not self.flat:
            s = np.random.default_rng([self.seed, 3])
            yy, xx = np.mgrid[0 : self.h, 0 : self.w].astype(np.float32)
            cx, cy = s.uniform(0, 1, 2) * [self.w, self.h]
            fall = 1.15 - s.uniform(0, 0.6) * np.hypot(xx - cx, yy - cy) / max(self.w, self.h)
            img = np.clip(img * fall[..., None], 0, 255).astype(np.uint8)
        return cv2.resize(img, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), cv2.resize(mask, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def single(seed):
    """One frame for training: half of them fail, at any stage. Letterboxed picture and mask."""
    r = np.random.default_rng([seed, 9])
    fails = r.random() < 0.55
    scene = Scene(seed, fail=fails or None)
    onset = r.uniform(0.03, 0.8)
    t = onset + (1 - onset) * r.uniform(0, 1) if fails else r.uniform(0.02, 1)
    img, mask = scene.frame(t, onset if fails else None)
    square, (left, top, nw, nh) = letterbox(img)
    full = np.zeros(square.shape[:2], np.uint8)
    full[top : top + nh, left : left + nw] = cv2.resize(mask, (nw, nh))
    return np.floor(square + 0.5).astype(np.uint8), full


def main() -> None:
    ap = argparse.ArgumentParser(description="Render training frames with masks into training/runs.")
    ap.add_argument("--count", type=int, default=1500)
    ap.add_argument("--seed", type=int, default=1000)
    args = ap.parse_args()
    cv2.setNumThreads(1)
    RUNS.mkdir(exist_ok=True)
    pictures = np.zeros((args.count, 416, 416, 3), np.uint8)
    masks = np.zeros((args.count, 416, 416), np.uint8)
    for i in range(args.count):
        pictures[i], masks[i] = single(args.seed + i)
    np.save(RUNS / "renders.npy", pictures)
    np.save(RUNS / "render_masks.npy", masks)
    print(f"{args.count} frames, {(masks.reshape(args.count, -1).max(1) > 0).sum()} with strands")


if __name__ == "__main__":
    main()
