"""Printers of three shapes: a bed slinger, a CoreXY box and a delta; their hot ends, cables and clips."""

import numpy as np

from .render_canvas import Material, Model
from .render_room import dull, filament, spline

STEEL = Material(np.array([118, 120, 126.0]), 0.8)
BRASS = Material(np.array([190, 150, 70.0]), 0.5)


class Printer:
    """One machine: what stands still, what rides with the nozzle, and where the bed is."""

    def __init__(self, rng, busy=False):
        self.kind = rng.choice(["slinger", "slinger", "corexy", "delta"], p=[0.35, 0.25, 0.25, 0.15])
        self.half = rng.uniform(75, 160) if self.kind != "delta" else rng.uniform(80, 130)
        self.frame = Material(dull(rng) * rng.choice([0.2, 0.4, 1.0]), rng.uniform(0, 0.5))
        bright = filament(rng) if rng.random() < 0.35 else np.full(3, rng.choice([25, 40, 70, 190, 225]))
        self.body = Material(bright, rng.uniform(0, 0.3))
        self.rods = rng.random() < 0.45
        self.headroom = rng.uniform(150, 300)
        self.shape = rng.uniform(0, 1, 12)
        self.wires = [rng.normal(0, 1, (4, 3)) for _ in range(9 if busy else rng.integers(1, 6))]
        self.busy = busy
        self.wire_stuff = [Material(dull(rng) * rng.choice([0.25, 0.3, 1.0]) if rng.random() < 0.7 else filament(rng), 0.3) for _ in range(9)]
        self.clips = rng.random() < 0.3
        self.clip_stuff = Material(filament(rng), 0.4)
        self.walls = self.kind == "corexy" and rng.random() < 0.7
        self.drop = rng.random() < 0.7
        self.seed = int(rng.integers(1 << 30))

    def bed_offset(self, rng, height):
        """Where the bed is while this height is printed: pushed along y, or lowered."""
        if self.kind == "slinger":
            return np.array([0, rng.choice([-0.35, -0.2, -0.05, 0.1, 0.22, 0.35]) * self.half, 0])
        return np.array([0, 0, -height]) if self.kind == "corexy" and self.drop else np.zeros(3)

    def still(self):
        """Frame, rods, spool, cables behind: everything that doesn't move."""
        rng, m, b, top = np.random.default_rng(self.seed), Model(), self.half, self.headroom
        f = self.frame
        if self.kind == "slinger":
            for x in (-b - 45, b + 45):
                m.box([x - 12, 25, -50], [x + 12, 55, top], f, 8)
                m.rod([x * 0.93, 35, -30], [x * 0.93, 35, top], 7, STEEL)
            m.box([-b - 60, 25, top], [b + 60, 55, top + 24], f, 6)
            for x in (-35, 35):
                m.rod([x, -b * 1.5, -22], [x, b * 1.5, -22], 9, STEEL)
            m.box([-b - 50, 10, -60], [b + 50, 50, -36], f, 6)
            m.box([-22, -b * 1.5, -50], [22, b * 1.5, -30], f, 6)
        elif self.kind == "corexy":
            e = b + 45
            for x in (-e, e):
                for y in (-e, e):
                    m.box([x - 12, y - 12, -260], [x + 12, y + 12, 90], f, 8)
                m.rod([x * 0.9, -e, 42], [x * 0.9, e, 42], 9, STEEL)
                m.rod([x * 0.6, e - 10, -260], [x * 0.6, e - 10, 60], 10, STEEL)
            for y in (-e, e):
                m.box([-e, y - 12, 80], [e, y + 12, 102], f, 6)
            if self.walls:
                k = Material(f.colour * 0.8, 0.3)
                m.box([-e, e + 10, -260], [e, e + 14, 90], k, 4)
                m.box([-e - 4, -e, -260], [-e, e, 90], k, 4)
                m.box([e, -e, -260], [e + 4, e, 90], k, 4)
                m.box([-e, -e, -262], [e, e, -258], k, 4)
        else:
            for x, y in self.columns():
                m.box([x - 12, y - 12, -60], [x + 12, y + 12, top + 120], f, 10)
                m.rod([x * 0.93, y * 0.93, -50], [x * 0.93, y * 0.93, top + 100], 6, STEEL)
        if rng.random() < 0.35:
            c = np.array([rng.choice([-1, 1]) * (b + rng.uniform(50, 130)), rng.uniform(60, 140), rng.uniform(60, top)])
            spool = Material(filament(rng), 0.4)
            m.disc(c, 95, Material(dull(rng), 0.2))
            for r in np.linspace(42, 86, 10):
                m.disc(c - [0, 2, 0], r, spool, inner=0.93, k=rng.uniform(0.7, 1.1))
        for _ in range(22 if self.busy else rng.integers(0, 7)):
            k = rng.uniform([-1.6, 0.2, -0.2], [1.6, 1.6, 1.8], (4, 3)) * [b, b, top * 0.7]
            m.thread(spline(k, 40), rng.uniform(1.2, 6), self.wire_stuff[rng.integers(9)])
        if rng.random() < 0.4:
            x, y = rng.choice([-1, 1]) * (b + rng.uniform(15, 60)), -rng.uniform(0, 1) * b
            m.box([x - 22, y - 22, -50], [x + 22, y + 22, -8], Material(np.full(3, 35.0), 0.4))
        if rng.random() < 0.3:
            x = rng.choice([-1, 1]) * b * rng.uniform(0.8, 1.3)
            m.box([x - 45, -b - 60, -55], [x + 45, -b - 40, 5], Material(np.full(3, 40.0), 0.3))
            m.quads([[[x - 34, -b - 61, -38], [x + 34, -b - 61, -38], [x + 34, -b - 61, -4], [x - 34, -b - 61, -4]]], Material(rng.uniform(120, 255, 3), own_light=1))
        return m

    def columns(self):
        """A delta's three pillars."""
        a = np.deg2rad([90, 210, 330])
        return np.stack([np.cos(a), np.sin(a)], 1) * (self.half + 55)

    def under(self):
        """What rides with the bed: its edge, springs, clips."""
        m, b = Model(), self.half
        if self.kind == "delta":
            return m
        for lo, hi in (([-b, -b, -5], [b, -b, -0.5]), ([-b, -b, -5], [-b, b, -0.5]), ([b, -b, -5], [b, b, -0.5])):
            m.box(lo, np.asarray(hi) + [0, 0.01, 0], Material(np.full(3, 60.0), 0.3), 6)
        if self.clips:
            for x, y in ((-0.8, -1), (0.8, -1), (-1, 0.7), (1, 0.7)):
                m.box([x * b - 9, y * b - 6, -6], [x * b + 9, y * b + 6, 4], self.clip_stuff)
                m.rod([x * b - 4, y * b - 4, 3], [x * b - 4, y * b * 0.93, 10], 1.5, STEEL, 2)
        return m

    def moving(self, nozzle, t=0.0):
        """Hot end at a nozzle tip, its gantry or arms, its cables."""
        m, s, n = Model(), self.shape, np.asarray(nozzle, float)
        wide, deep, tall = 24 + 30 * s[0] ** 1.5, 22 + 26 * s[1], 28 + 50 * s[2]
        z = n[2] + 13
        m.box(n + [-1.8, -1.8, 0], n + [1.8, 1.8, 5], BRASS, taper=0.75)
        m.box(n + [-9, -7, 5], n + [9, 7, 14], Material(self.clip_stuff.colour * 0.6 if s[3] < 0.3 else np.full(3, 90.0), 0.4))
        if self.kind == "delta":
            self._arms(m, n, z)
        else:
            self._gantry(m, n, z, wide, deep, tall)
        lo = n + [-wide / 2, -deep * 0.6, 13]
        m.box(lo, n + [wide / 2, deep * 0.4, 13 + tall], self.body, 2)
        front = lo[1] - 0.6
        if s[4] < 0.75:
            c, r = np.array([n[0], front, z + tall * 0.5]), min(wide, tall) * 0.42
            m.disc(c, r, self.body.times(0.35))
            for k in range(7):
                a = k * 0.9 + t * 9
                m.quads([c + r * 0.9 * np.array([[0, 0, 0], [np.cos(a), 0, np.sin(a)], [np.cos(a + 0.35), 0, np.sin(a + 0.35)], [0, 0, 0]]) - [0, 0.3, 0]], self.body.times(0.65))
            m.disc(c - [0, 0.6, 0], r * 0.35, self.body.times(1.2))
            m.disc(c - [0, 0.6, 0], r * 1.06, self.body.times(1.15), inner=0.92)
        else:
            for i in range(9):
                h = z + tall * (i + 0.5) / 9
                m.quads([[[n[0] - wide * 0.42, front, h], [n[0] + wide * 0.42, front, h], [n[0] + wide * 0.42, front, h + tall / 20], [n[0] - wide * 0.42, front, h + tall / 20]]], self.body.times(0.45))
        if s[5] < 0.55:
            side = 1 if s[6] < 0.5 else -1
            m.box(n + [side * wide * 0.5 - 8, -deep * 0.5, 3], n + [side * wide * 0.5 + 12, deep * 0.3, 12 + tall * 0.6], self.body.times(0.7), taper=0.3)
        if s[7] < 0.4:
            m.box([n[0] - 6, front - 0.5, z + tall * 0.85], [n[0] + 9, front, z + tall * 0.98], Material(np.array([225.0, 215, 90])))
        for i, k in enumerate(self.wires):
            end = np.array([k[3, 0] * self.half, self.half * (0.4 + abs(k[3, 1])), self.headroom * (0.6 + 0.3 * abs(k[3, 2]))])
            p0 = n + [wide * 0.2 * k[0, 0], deep * 0.3, 13 + tall]
            line = spline(np.stack([p0, p0 + [0, 0, 50 + 30 * abs(k[1, 2])] + k[1] * 20, end + k[2] * 45, end]), 46)
            width = 7 if i == 0 and s[8] < 0.6 else 1.5 + 2.5 * abs(k[0, 2])
            m.thread(line, width, self.wire_stuff[i], k=1 + 0.25 * np.sin(np.arange(15) * 2.6) if i == 0 and s[8] < 0.6 else 1.0)
        return m

    def _gantry(self, m, n, z, wide, deep, tall):
        """The bar or rods that carry the hot end across, with belt and motor."""
        b, y, zc = self.half + 40, n[1] + deep * 0.4 + 12, z + tall * (0.3 + 0.4 * self.shape[9])
        if self.rods:
            for h in (-22, 22):
                m.rod([-b, y, zc + h], [b, y, zc + h], 8, STEEL, 14)
        else:
            m.box([-b - 20, y - 10, zc - 18], [b + 20, y + 10, zc + 18], self.frame, 14)
            m.rod([-b, y - 11, zc], [b, y - 11, zc], 5, self.frame.times(0.4), 14)
        m.rod([-b, y - 8, zc + 9], [b, y - 8, zc + 9], 2.5, Material(np.full(3, 22.0)), 14)
        m.box([-b - 30, y - 24, zc - 24], [-b + 14, y + 20, zc + 24], Material(np.full(3, 32.0), 0.4), 2)
        m.box([n[0] - wide * 0.6, y - 14, zc - 28], [n[0] + wide * 0.6, y - 9, zc + 28], self.body.times(0.8))

    def _arms(self, m, n, z):
        """A delta's plate and three pairs of arms up to the carriages."""
        arm = np.hypot(self.half + 55, 1) * 1.25
        m.box(n + [-24, -24, 14], n + [24, 24, 19], self.body)
        for x, y in self.columns():
            d = np.hypot(x - n[0], y - n[1])
            up = n[2] + 18 + np.sqrt(max(arm**2 - d**2, 900))
            side = np.array([-y, x]) / np.hypot(x, y) * 20
            for k in (-1, 1):
                a = [n[0] + side[0] * k * 0.9 + 0.12 * x, n[1] + side[1] * k * 0.9 + 0.12 * y, n[2] + 18]
                m.rod(a, [x * 0.9 + side[0] * k, y * 0.9 + side[1] * k, up], 5, Material(np.full(3, 28.0), 0.5))
            m.box([x * 0.9 - 18, y * 0.9 - 12, up - 14], [x * 0.9 + 18, y * 0.9 + 12, up + 14], self.body)


def hand(rng, at):
    """Fingers that reach in from a side: skin-coloured tapered rods and a sleeve."""
    m = Model()
    skin = Material(np.array([224, 172, 140.0]) * rng.uniform(0.4, 1.05), 0.15)
    come = np.array([rng.choice([-1, 1]) * rng.uniform(0.5, 1), rng.uniform(-1, -0.3), rng.uniform(0.2, 0.8)])
    wrist = at + come * 110
    for k in range(5):
        tip = at + rng.normal(0, 7, 3) + [9 * (k - 2), 0, 8]
        knuckle = at + come * 45 + [11 * (k - 2), 0, 14]
        m.thread(spline(np.stack([tip, (tip + knuckle) / 2 + [0, 0, 10], knuckle, wrist]), 20), 14, skin, k=rng.uniform(0.93, 1.05))
    m.rod(at + come * 50, wrist + come * 60, 55, skin, 4)
    m.rod(wrist + come * 50, wrist + come * 260, 85, Material(dull(rng)), 5)
    return m
