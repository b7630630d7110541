"""The first layer as a height field of parallel beads, and what can be wrong with it (see first_layer_render)."""

import cv2
import numpy as np

CLASSES = ("ok", "gaps", "ripples", "rough", "bubbling", "detached", "notANozzleCam")
SIZE, CELL = 256, 32
GRID = SIZE // CELL
#: A cell outside the picture, and one of a nozzle camera of which nothing more is said.
IGNORE, UNSAID = -1, len(CLASSES)
NOT_A_NOZZLE_CAM = CLASSES.index("notANozzleCam")

Y, X = (np.mgrid[0:SIZE, 0:SIZE].astype(np.float32) + 0.5) / SIZE - 0.5


def field(r, cells, rows=None):
    """Smooth noise of about unit spread, `cells` bumps across (and `rows` down)."""
    rows = rows or cells
    coarse = r.standard_normal((max(2, round(rows)) + 2, max(2, round(cells)) + 2)).astype(np.float32)
    return cv2.resize(coarse, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)


def spread(values):
    """Standard deviation of a map in the cell around each pixel."""
    values = np.asarray(values, np.float32)
    mean = cv2.blur(values, (CELL + 1, CELL + 1))
    return np.sqrt(np.maximum(cv2.blur(values**2, (CELL + 1, CELL + 1)) - mean**2, 0))


def region(r):
    """Where a defect is, 0..1 with a soft edge: everywhere in four of ten pictures, else in patches."""
    if r.random() < 0.4:
        return np.ones((SIZE, SIZE), np.float32)
    f = field(r, r.uniform(1.5, 4))
    cut = np.quantile(f, 1 - r.uniform(0.25, 0.8))
    return np.clip((f - cut) * 6, 0, 1)


def colour(r, dull=0.3):
    """A material's RGB, 0..1; black, white and grey often."""
    if r.random() < dull:
        return np.full(3, r.uniform(0.04, 0.95), np.float32)
    hsv = np.uint8([[[r.integers(0, 180), r.integers(60, 255), r.integers(60, 255)]]])
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0].astype(np.float32) / 255


class Layer:
    """Bead coordinates of one layer: `u` across in pitches, `v` along, `pitch` in pixels at the middle."""

    def __init__(self, r):
        self.r = r
        self.tilt = r.uniform(0, 0.95) if r.random() < 0.7 else 0.0
        self.pitch = float(np.exp(r.uniform(np.log(6), np.log(38))))
        scale = 1 / (1 + self.tilt * Y)
        gx, gy = X * scale * SIZE / self.pitch, Y * scale * SIZE / self.pitch
        angle = r.uniform(0, np.pi)
        if r.random() < 0.3:
            far = r.uniform(0.6, 4) * SIZE / self.pitch
            cx, cy = gx - far * np.cos(angle), gy - far * np.sin(angle)
            self.u, self.v = np.hypot(cx, cy), np.arctan2(cy, cx) * far
        else:
            self.u = gx * np.cos(angle) + gy * np.sin(angle)
            self.v = gy * np.cos(angle) - gx * np.sin(angle)
        self.u = np.float32(self.u + r.uniform(0, 0.12) * field(r, 2) + r.uniform(0, 1))
        self.v = np.float32(self.v)
        self.part = np.ones((SIZE, SIZE), np.float32)
        if r.random() < 0.45:
            self.edge(gx, gy, r.uniform(0, 2 * np.pi))
        self.shade = np.ones((SIZE, SIZE), np.float32)
        #: Where the defect shows, if not all over its region.
        self.shown = None

    def edge(self, gx, gy, angle):
        """The part ends somewhere; two or three walls run along its edge."""
        inside = gx * np.cos(angle) + gy * np.sin(angle) + self.r.uniform(-0.1, 0.35) * SIZE / self.pitch
        self.part = np.clip(inside * self.pitch, 0, 1)
        wall = (inside < self.r.integers(1, 4)) & (inside > 0)
        self.u = np.float32(np.where(wall, inside, self.u))

    def heights(self, kind, where):
        """Height of the plastic in pitches, 0 on the bare bed, and how much of each pixel is covered."""
        r, u = self.r, self.u
        if kind == "detached":
            u = self.wander(where)
        bead = np.floor(u).astype(np.int16)
        aside = self.stray(bead, where) if kind == "detached" else 0
        across = np.float32(np.abs(u - bead - 0.5 - aside) * 2)
        each = r.standard_normal(512).astype(np.float32)[bead % 512]
        width = r.uniform(1.06, 1.3) + 0.02 * each
        if kind == "gaps":
            width = self.starved(bead, width, where)
        elif kind == "detached":
            width = width - where * r.uniform(0.15, 0.45)
        t = np.clip(across / width, 0, 1)
        flat = r.uniform(2, 5)
        h = np.sqrt(1 - t**flat) * r.uniform(0.25, 0.6)
        covered = np.clip((width - across) * self.pitch / 2 + 0.5, 0, 1)
        if kind in ("gaps", "detached"):
            self.shown = self.laid_bare(covered)
        if kind == "detached":
            self.shown = np.maximum(self.shown, np.clip(4 * spread(u - self.u - aside), 0, 1)) * where
        h = h + 0.02 * each + 0.015 * field(r, SIZE / self.pitch)
        return np.float32(self.defect(kind, where, h, bead)), np.float32(covered * self.part)

    def starved(self, bead, width, where):
        """Widths of beads with too little plastic: all of them, some more than others, or some missing altogether."""
        r, kind = self.r, self.r.random()
        thin = max(r.uniform(0.28, 0.62), 2 / self.pitch)
        if kind < 0.4:
            thin = thin * np.clip(1.2 + 1.5 * r.standard_normal(512)[bead % 512], 0, 1.5)
        elif kind < 0.6:
            missing = r.random(512)[bead % 512] < r.uniform(0.12, 0.35)
            return np.where(missing & (where > r.uniform(0.1, 0.9)), 0.01, width)
        return width - np.minimum(thin * where + (width - 1) * (where > 0), 0.75)

    def laid_bare(self, covered):
        """Where so much of the bed (a twentieth) shows between beads that it can be called a gap."""
        bed, beads = (cv2.blur(np.float32(m * self.part), (CELL + 1, CELL + 1)) for m in (1 - covered, covered))
        return np.clip(np.minimum(bed, beads) * 10, 0, 1)

    def wander(self, where):
        """Beads that came loose: the sheet drifts sideways, as far as it can without folding."""
        r, cells = self.r, self.r.uniform(2, 6)
        most = SIZE / cells / self.pitch / 6
        return self.u + where * field(r, cells) * r.uniform(0.3, 1) * most

    def stray(self, bead, where):
        """How far each bead alone lies beside its place, in pitches."""
        r = self.r
        phase, much = r.uniform(0, 2 * np.pi, 512)[bead % 512], np.clip(0.5 + r.standard_normal(512), 0, 1.5)[bead % 512]
        return where * much * r.uniform(0.2, 0.6) * np.sin(self.v / r.uniform(0.6, 3) + phase)

    def defect(self, kind, where, h, bead):
        """Adds what is wrong with the surface."""
        r = self.r
        cells = SIZE / self.pitch
        if kind == "ripples":
            wave = max(r.uniform(0.7, 2.6), 8 / self.pitch)
            slant = r.uniform(-0.8, 0.8)
            phase = self.v / wave + slant * self.u + 0.35 * field(r, cells / 4) + 0.1 * r.standard_normal(512)[bead % 512]
            ridge = 1 - np.abs(np.sin(np.pi * phase)) ** r.uniform(0.6, 1.4)
            fade = np.clip(0.8 + 0.4 * field(r, cells / 5), 0.35, 1.3)
            return h * (1 - 0.5 * where) + where * fade * r.uniform(0.5, 1.0) * ridge
        if kind == "rough":
            bumps = sum(field(r, min(120, cells * f)) * a for f, a in ((0.8, 0.4), (1.7, 0.7), (3.2, 0.6)))
            return h * (1 - 0.45 * where) + where * r.uniform(0.18, 0.42) * np.abs(bumps) * r.uniform(0.8, 1.4)
        if kind == "bubbling":
            return h + self.bubbles(where)
        if kind == "detached":
            self.shade = 1 - where * 0.35 * np.clip(field(r, 5), 0, 1.5) / 1.5
            return h * (1 + where * np.clip(field(r, 4), 0, 1) * r.uniform(0, 1.5))
        return h

    def bubbles(self, where):
        """Blisters and burst blisters of a third to a whole bead; shown is where they stand close together."""
        r, out = self.r, np.zeros((SIZE, SIZE), np.float32)
        per_area = (SIZE / self.pitch) ** 2
        for _ in range(int(min(400, max(30, per_area * r.uniform(0.25, 0.8))))):
            radius = max(2.5, self.pitch * r.uniform(0.22, 0.6))
            x, y = r.uniform(0, SIZE, 2)
            if where[int(y), int(x)] < 0.5:
                continue
            x0, x1 = max(0, int(x - radius)), min(SIZE, int(x + radius) + 2)
            y0, y1 = max(0, int(y - radius)), min(SIZE, int(y + radius) + 2)
            px, py = np.meshgrid(np.arange(x0, x1), np.arange(y0, y1))
            d = ((px - x) ** 2 + (py - y) ** 2) / radius**2
            dome = np.sqrt(np.clip(1 - d, 0, 1)) * radius / self.pitch
            if r.random() < 0.3:
                dome = np.where(d < 0.35, -0.4 * dome, dome)
            part = out[y0:y1, x0:x1]
            np.copyto(part, np.where(np.abs(dome) > np.abs(part), dome, part))
        self.shown = np.clip(cv2.blur((out != 0).astype(np.float32), (CELL + 1, CELL + 1)) * 14, 0, 1)
        return out
