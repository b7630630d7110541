"""Synthetic scenes: a printer, a print that grows, and, from a known moment on, a failure.

`Scene` is one print seen by one webcam; `frame(t, onset)` is its picture and exact strand mask at t in 0..1.
Never modelled on, and never trained with, the pictures of the simulated printer in `simulator/`.
"""

import argparse
import os

import cv2
import numpy as np

from .data import RUNS
from .letterbox import letterbox
from .render_canvas import Camera, Light, Material, Model, paint, unit
from .render_lens import Webcam
from .render_machine import Printer, hand
from .render_part import Part
from .render_room import Bed, Room, plastic
from .render_strands import lump, string_to, tangle, upto

LONG = 416
#: Failures with loose strands (in the mask), and those without.
STRANDY, PLAIN = ("spaghetti", "detached", "air", "blob"), ("shift", "warp")
FAILURES = STRANDY + PLAIN
#: Good prints that look odd.
HARD = ("hand", "knocked", "dark", "thin", "busy")
RATIOS = ((4, 3), (16, 9), (3, 4), (1, 1), (16, 10), (9, 16))


class Scene:
    """All that stays the same while a print runs. `fail` truthy or `kind` named: it can fail;
    `cover`: the share of the frame its strands will cover; `hard`: odd but sound; `fine`: pixels painted for each
    pixel of the picture, along a side."""

    def __init__(self, seed, fail=None, cover=None, kind=None, hard=None, fine=1.4):
        rng = np.random.default_rng([seed, 77])
        self.seed, self.fine = seed, fine
        a, b = RATIOS[rng.choice(6, p=[0.36, 0.26, 0.12, 0.08, 0.1, 0.08])]
        self.w, self.h = round(LONG * a / max(a, b)), round(LONG * b / max(a, b))
        self.printer = Printer(rng, hard == "busy")
        self.room = Room(rng)
        self.bed = Bed(rng, self.printer.half, self.printer.kind == "delta", rng.random() < 0.3)
        self.light = self._light(rng)
        self.stuff = plastic(rng)
        if rng.random() < 0.14:
            # Black on black, white on white.
            self.stuff = Material(np.clip(self.bed.tex.reshape(-1, 3).mean(0) * rng.uniform(0.8, 1.25) + rng.normal(0, 8, 3), 12, 245), rng.uniform(0.1, 0.5))
        self.part = Part(rng, self.stuff, rng.choice(["lattice", "tree", "supported"]) if hard == "thin" else None)
        self.cam = self._camera(rng)
        self.webcam = Webcam(rng, self.w, self.h)
        self.hide_head = rng.random() < 0.06
        self.shake = rng.uniform(0, 4) if rng.random() < 0.25 else 0
        self.rush = rng.uniform(3, 9) if rng.random() < 0.12 else 0
        self.hard = hard
        self.kind = kind or (STRANDY[rng.choice(4, p=[0.5, 0.2, 0.17, 0.13])] if fail else None)
        self._spoil(np.random.default_rng([seed, 78]), cover)
        self._room_picture, self._beds, self._parts = {}, {}, {}

    def _light(self, rng):
        toward = unit(np.array([rng.normal(0, 0.8), rng.normal(-0.3, 0.8), rng.uniform(0.35, 1.5)]))
        lamp = rng.uniform(0.15, 0.95)
        warm = rng.normal(0, 0.1)
        return Light(toward, lamp, rng.uniform(0.25, 0.75), np.clip(np.array([1 + warm, 1, 1 - warm]), 0.75, 1.25))

    def _camera(self, rng):
        """A webcam on the table, on the frame, in a corner of the box or on a shelf; mostly near the front."""
        w, h = round(self.w * self.fine), round(self.h * self.fine)
        az = rng.normal(0, 0.6) + (np.pi if rng.random() < 0.06 else 0)
        el = np.deg2rad(rng.uniform(3, 24) if rng.random() < 0.5 else rng.uniform(18, 62))
        part = np.array([*self.part.spot, min(35, self.part.tall / 2)])
        aim = part * rng.uniform(0.6, 1) + rng.normal(0, 1, 3) * [20, 16, 12]
        dist = np.exp(rng.uniform(np.log(130), np.log(430)))
        if self.printer.kind == "corexy":
            dist = min(dist, self.printer.half * 1.7)
        eye = aim + dist * np.array([np.sin(az) * np.cos(el), -np.cos(az) * np.cos(el), np.sin(el)])
        eye[2] = max(eye[2], 12)
        return Camera(eye, aim, np.deg2rad(rng.normal(0, 5)), max(w, h) * rng.uniform(0.75, 1.5), w, h)

    def _spoil(self, rng, cover):
        """How this print fails: the strands in the order they come out, and where they lie."""
        scale = self.cam.f / self.fine / np.linalg.norm(self.cam.eye - [*self.part.spot, 5])
        self.width = float(np.clip(rng.uniform(0.45, 0.95), 0.5 / scale, 3.6 / scale))
        # How much of the frame it will cover at the end, and how densely it lies.
        share = np.exp(rng.uniform(np.log(0.004), np.log(0.22))) if cover is None else cover
        self.length = float(np.clip(share * self.w * self.h / (scale**2 * self.width * 0.55), 120, 26000))
        self.spread = float(np.clip(np.sqrt(self.length * self.width / (np.pi * np.exp(rng.uniform(-1.2, 1.6)))), 7, 80))
        self.at = rng.normal(0, 8, 2)
        self.tilt = np.r_[rng.normal(0, 16, 2), rng.normal(0, 0.5)]
        self.shift = np.r_[rng.choice([-1, 1], 2) * rng.uniform(3, 15, 2)]
        self.lift = rng.uniform(3, 12)
        self.lump = float(np.clip(np.sqrt(share) * 190 / scale, 4, 34))
        self.messy = rng.dirichlet([1.2, 0.8, 0.8, 0.7]) if self.kind != "air" else np.array([0.25, 0.25, 0.1, 0.4])
        self.pile_seed = int(rng.integers(1 << 30))
        self._paths = {}

    def strands(self, height):
        """The whole spill for a part that stood so high when it failed."""
        key = round(height, 1)
        if key not in self._paths:
            rng = np.random.default_rng(self.pile_seed)
            if self.kind == "blob":
                self._paths[key] = lump(rng, self.lump, self.width)
            else:
                spread = max(self.part.size * rng.uniform(0.5, 1.1), self.spread * 0.6) if self.kind == "air" else self.spread
                self._paths[key] = tangle(rng, self.length, spread, self.width, height if self.kind != "detached" else 0, self.messy)
        return self._paths[key]

    def back(self, cam):
        """The empty room with the machine's still parts, painted once."""
        key = id(cam)
        if key not in self._room_picture:
            base = self.room.picture(cam, self.light)
            canvas = np.dstack([base, np.zeros(base.shape[:2], np.uint8)])
            rays = cam.rays(2)
            self._room_picture = {key: (canvas, rays, cam)}
            paint(canvas, cam, self.light, [(self.printer.still(), np.zeros(3))])
        return self._room_picture[key][:2]

    def _laid(self, cam, offset):
        """Room, machine and bed with the bed at a place, and where the bed is; the last eight are kept."""
        key = (id(cam), *np.round(offset, 1))
        if key not in self._beds:
            if len(self._beds) >= 8:
                self._beds.clear()
            still, rays = self.back(cam)
            canvas = still.copy()
            self._beds[key] = canvas, self.bed.lay(canvas, cam, self.light, rays, offset)
        canvas, on_bed = self._beds[key]
        return canvas.copy(), on_bed

    def frame(self, t, onset=None, odd=False, share=None):
        """(picture RGB, mask) at t in 0..1; the failure grows from `onset` on, or has come to `share` (0..1).

        `odd`: the hard moment is now.
        """
        rng = np.random.default_rng([self.seed, 1, int(t * 1e6)])
        cam = self._knocked() if odd and self.hard == "knocked" else self.cam
        failing = self.kind is not None and onset is not None and t >= onset
        # In eighty steps, so that parts can be kept between frames.
        height = max(0.5, self.part.tall * np.ceil(t * 80) / 80)
        at_onset = max(0.5, self.part.tall * np.ceil((onset or 0) * 80) / 80) if failing else height
        offset = self.printer.bed_offset(rng, height)
        canvas, on_bed = self._laid(cam, offset)
        if share is None:
            share = float(np.clip((t - (onset or 0)) / max(0.03, 1 - (onset or 0)), 0, 1))
        loose, part = Model(), self._grown(rng, failing, height, at_onset)
        tip = np.array([*(self.part.spot + rng.uniform(-0.8, 0.8, 2) * self.part.size), height + 0.4])
        if failing and self.kind in STRANDY:
            self._spill(loose, rng, share, at_onset, tip)
        things = [(part, offset), (loose, offset), (self.printer.under(), offset)]
        self._ground(canvas, cam, on_bed, things[:2])
        if not self.hide_head:
            things.append((self.printer.moving(tip + offset, t), np.zeros(3)))
        if odd and self.hard == "hand":
            things.append((hand(rng, tip + offset - [0, 15, 0]), np.zeros(3)))
        paint(canvas, cam, self.light, things)
        small = cv2.resize(canvas, (self.w, self.h), interpolation=cv2.INTER_AREA)
        motion = self.rush if rng.random() < 0.5 else self.shake * rng.random()
        dark = 0.06 if odd and self.hard == "dark" else 1.0
        return self.webcam.take(np.ascontiguousarray(small[..., :3]), np.ascontiguousarray(small[..., 3]), rng, dark, motion)

    def _knocked(self):
        """The camera after somebody bumped into it."""
        if not hasattr(self, "_other"):
            r = np.random.default_rng([self.seed, 5])
            self._other = self.cam.moved(r.normal(0, 30, 3), r.normal(0, 0.08))
        return self._other

    def _grown(self, rng, failing, height, at_onset):
        """The part as it stands now, or as the failure left it."""
        if not failing or self.kind == "blob":
            return self._kept(height)
        if self.kind == "shift":
            return self._kept(height, shift=(at_onset, *self.shift))
        if self.kind == "warp":
            return self._kept(height, curl=self.lift)
        if self.kind != "detached":
            return self._kept(at_onset)
        m = self.part.build(at_onset, at=np.zeros(2))
        turn = self.tilt[2] + rng.normal(0, 0.08)
        lean = 0.35 * np.sin(self.tilt[0]) + (1.4 if self.tilt[1] > 14 else 0)
        r = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
        r = r @ np.array([[np.cos(lean), 0, -np.sin(lean)], [0, 1, 0], [np.sin(lean), 0, np.cos(lean)]])
        where = np.r_[self.part.spot + self.tilt[:2] + rng.normal(0, 3, 2), 0]
        low = min((float((q @ r.T)[..., 2].min()) for q in m.q + m.t if len(q)), default=0.0)
        where[2] = -min(low, 0)
        m.q, m.t = [q @ r.T + where for q in m.q], [p @ r.T + where for p in m.t]
        return m

    def _kept(self, height, **how):
        """The part at a height, from the last frame if it hasn't grown."""
        key = (height, *how)
        if key not in self._parts:
            self._parts = {key: self.part.build(height, **how)}
        return self._parts[key]

    def _spill(self, model, rng, share, height, tip):
        """Loose strands so far, the last one hanging from the nozzle."""
        paths = upto(self.strands(height), 0.02 + 0.98 * share)
        if self.kind == "blob":
            base = tip - [0, 0, 0.5]
            paths = self.strands(height)[: max(3, int((0.2 + 0.8 * share) * len(self.strands(height))))]
        else:
            base = np.array([*(self.part.spot + self.at), 0])
        settle = np.random.default_rng([self.pile_seed, int(share * 40)])
        for p in paths:
            q = p + base + settle.normal(0, 0.25, 3) * [1, 1, 0]
            model.thread(q, self.width, self.stuff, 1, k=settle.uniform(0.86, 1.1) * self._depth(p, paths))
        if paths and self.kind != "blob" and rng.random() < 0.75:
            model.thread(string_to(rng, paths[-1][-1] + base, tip, rng.uniform(-2, 12)), self.width, self.stuff, 1)

    @staticmethod
    def _depth(p, paths):
        """Strands deep in the heap get less light."""
        top = max(3.0, max(q[:, 2].max() for q in paths[-6:]))
        return 0.68 + 0.32 * float(np.clip(p[:, 2].mean() / top, 0, 1))

    def _ground(self, canvas, cam, on_bed, things):
        """Shadow on the bed and, on glass, a reflection."""
        h, w = canvas.shape[:2]
        s = 4
        shade = np.zeros((h // s + 1, w // s + 1), np.uint8)
        for m, o in things:
            for pts in m.q + m.t:
                p = pts[:: max(1, len(pts) // 120)] + o
                up = np.clip(p[..., 2:] - o[2], 0, 80)
                p = p - self.light.toward / max(0.35, self.light.toward[2]) * up
                q = (cam.project(p)[0] / s).clip(-500, 3000).astype(np.int32)
                for k in range(len(q)):
                    cv2.fillConvexPoly(shade, q[k], 255)
        dark = cv2.resize(cv2.GaussianBlur(shade, (0, 0), 2.2), (w, h))
        left = 255 - cv2.convertScaleAbs(dark, alpha=0.56 * self.light.lamp / (self.light.lamp + self.light.around + 0.1))
        left[~on_bed] = 255
        cv2.multiply(canvas, cv2.merge([left, left, left, np.full_like(left, 255)]), dst=canvas, scale=1 / 255)
        if self.bed.glossy:
            mirror = []
            for m, o in things:
                f = Model()
                f.__dict__ = {**m.__dict__, "q": [q * [1, 1, -1] for q in m.q], "t": [q * [1, 1, -1] for q in m.t]}
                mirror.append((f, o))
            seen = canvas.copy()
            paint(seen, cam, self.light, mirror, plain=True)
            mix = cv2.addWeighted(canvas, 0.68, cv2.GaussianBlur(seen, (0, 0), 1.5), 0.32, 0)
            np.copyto(canvas[..., :3], mix[..., :3], where=on_bed[..., None])


def single(seed):
    """One frame for training: half of them fail, at any stage, a quarter are odd but sound. Letterboxed picture and mask.

    A failure that the camera doesn't see is drawn again, three times at most.
    """
    r = np.random.default_rng([seed, 9])
    fails = r.random() < 0.5
    kind = None if not fails else (str(r.choice(PLAIN)) if r.random() < 0.1 else None)
    hard = str(r.choice(HARD)) if not fails and r.random() < 0.5 else None
    for again in range(4):
        scene = Scene(seed + again * 10_000_019, fail=fails or None, kind=kind, hard=hard)
        onset = r.uniform(0.03, 0.8)
        t = onset + (1 - onset) * r.uniform(0, 1) ** 0.6 if fails else r.uniform(0.02, 1)
        img, mask = scene.frame(t, onset if fails else None, odd=hard is not None)
        if not fails or kind in PLAIN or (mask > 60).mean() > 0.003:
            break
    square, (left, top, nw, nh) = letterbox(img)
    full = np.zeros(square.shape[:2], np.uint8)
    full[top : top + nh, left : left + nw] = cv2.resize(mask, (nw, nh))
    return np.floor(square + 0.5).astype(np.uint8), full


def main() -> None:
    ap = argparse.ArgumentParser(description="Render training frames with masks into training/runs.")
    ap.add_argument("--count", type=int, default=1500)
    ap.add_argument("--seed", type=int, default=1000)
    ap.add_argument("--out", default="", help="ending of the names: renders2.npy and render_masks2.npy for 2")
    args = ap.parse_args()
    cv2.setNumThreads(1)
    RUNS.mkdir(exist_ok=True)
    names = {"renders": (args.count, LONG, LONG, 3), "render_masks": (args.count, LONG, LONG)}
    out = {n: np.lib.format.open_memmap(RUNS / f"{n}.{os.getpid()}.tmp", "w+", np.uint8, s) for n, s in names.items()}
    for i in range(args.count):
        out["renders"][i], out["render_masks"][i] = single(args.seed + i)
    strandy = sum(int(m.max() > 0) for m in out["render_masks"])
    # Masks first: whoever sees the pictures finds their masks.
    for n in ("render_masks", "renders"):
        out[n].flush()
        os.replace(RUNS / f"{n}.{os.getpid()}.tmp", RUNS / f"{n}{args.out}.npy")
    print(f"{args.count} frames, {strandy} with strands")


if __name__ == "__main__":
    main()
