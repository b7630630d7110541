"""Rendered nozzle-camera pictures of a first layer, with what is wrong where.

A picture is a height field of parallel beads seen in perspective, lit and photographed. Each 32 px cell gets a
class of `CLASSES`, or UNSAID where only that can be told that it is a nozzle camera's (the edge of a defect, what the
nozzle hides, a blurred background).
"""

import argparse
import time

import cv2
import numpy as np

from .data import RUNS

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
        self.u = self.u + r.uniform(0, 0.12) * field(r, 2) + r.uniform(0, 1)
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
        self.u = np.where(wall, inside, self.u)

    def heights(self, kind, where):
        """Height of the plastic in pitches, 0 on the bare bed, and how much of each pixel is covered."""
        r, u = self.r, self.u
        if kind == "detached":
            u = self.wander(where)
        bead = np.floor(u).astype(np.int32)
        aside = self.stray(bead, where) if kind == "detached" else 0
        across = np.abs(u - bead - 0.5 - aside) * 2
        each = r.standard_normal(512).astype(np.float32)[bead % 512]
        width = r.uniform(1.03, 1.3) + 0.02 * each
        if kind == "gaps":
            thin = r.uniform(0.28, 0.62) * where
            if r.random() < 0.5:
                thin = thin * np.clip(1.2 + 1.5 * r.standard_normal(512)[bead % 512], 0, 1.5)
            width = width - np.minimum(thin + (width - 1), 0.75)
        elif kind == "detached":
            width = width - where * r.uniform(0.15, 0.45)
        t = np.clip(across / width, 0, 1)
        flat = r.uniform(2, 5)
        h = np.sqrt(1 - t**flat) * r.uniform(0.25, 0.6)
        covered = np.clip((width - across) * self.pitch / 2 + 0.5, 0, 1)
        h = h + 0.02 * each + 0.015 * field(r, SIZE / self.pitch)
        return self.defect(kind, where, h, bead), covered * self.part

    def wander(self, where):
        """Beads that came loose: the sheet drifts sideways, as far as it can without folding."""
        r, cells = self.r, self.r.uniform(2, 6)
        most = SIZE / cells / self.pitch / 6
        return self.u + where * field(r, cells) * r.uniform(0.3, 1) * most

    def stray(self, bead, where):
        """How far each bead alone lies beside its place, in pitches."""
        r = self.r
        phase, much = r.uniform(0, 2 * np.pi, 512)[bead % 512], np.clip(r.standard_normal(512), 0, 1.5)[bead % 512]
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


def lit(r, layer, h, covered):
    """The height field under one lamp, on a bed. RGB 0..1."""
    smooth = cv2.GaussianBlur(h * covered, (0, 0), max(0.6, layer.pitch * 0.03))
    steep = r.uniform(0.7, 1.6) * layer.pitch
    ny, nx = np.gradient(smooth * steep)
    norm = np.sqrt(nx**2 + ny**2 + 1)
    azimuth, height = r.uniform(0, 2 * np.pi), r.uniform(0.25, 1.2)
    light = np.array([np.cos(azimuth) * np.cos(height), np.sin(azimuth) * np.cos(height), np.sin(height)])
    facing = (-nx * light[0] - ny * light[1] + light[2]) / norm
    half = (light + [0, 0, 1]) / np.linalg.norm(light + [0, 0, 1])
    gloss = np.clip((-nx * half[0] - ny * half[1] + half[2]) / norm, 0, 1) ** r.uniform(8, 70) * r.uniform(0, 0.7)
    valley = 1 - r.uniform(0.1, 0.5) * np.clip(1 - smooth / max(1e-3, float(np.quantile(smooth, 0.9))), 0, 1)
    ambient = r.uniform(0.15, 0.6)
    shine = (ambient + (1 - ambient) * np.clip(facing, 0, 1)) * valley * layer.shade
    hue, bed = colour(r), colour(r, 0.7)
    while np.abs(hue - bed).mean() < 0.18:
        bed = colour(r, 0.7)
    plastic = hue * shine[..., None] + gloss[..., None]
    grain = r.uniform(0, 0.12) * field(r, 110) if r.random() < 0.6 else 0
    ground = (bed * r.uniform(0.4, 1)) * (1 + grain + 0.1 * field(r, 3))[..., None]
    shadow = cv2.GaussianBlur(np.roll(covered, (int(3 * light[1]), int(3 * light[0])), (0, 1)), (0, 0), 1.5)
    ground = ground * (1 - 0.45 * shadow[..., None])
    through = r.uniform(0.75, 1)
    cover = (covered * through)[..., None]
    return plastic * cover + ground * (1 - cover)


def nozzle(r, img):
    """The nozzle from above the middle, out of focus a little, and the mask of what it hides."""
    tip_x, tip_y = r.uniform(0.3, 0.7) * SIZE, r.uniform(0.2, 0.68) * SIZE
    tip, open_angle = r.uniform(6, 26), r.uniform(0.35, 1.0)
    neck = r.uniform(30, 90)
    wide = tip + np.tan(open_angle) * min(tip_y, neck * 1.5)
    shoulder = tip_y - min(tip_y, neck * 1.5)
    points = np.array([[tip_x - tip, tip_y], [tip_x + tip, tip_y], [tip_x + wide, shoulder], [tip_x + wide, -5],
                       [tip_x - wide, -5], [tip_x - wide, shoulder]], np.float32)
    mask = np.zeros((SIZE, SIZE), np.float32)
    cv2.fillPoly(mask, [np.int32(np.round(points * 8))], 1.0, cv2.LINE_AA, 3)
    mask = cv2.GaussianBlur(mask, (0, 0), r.uniform(0.6, 4))
    metal = colour(r, 0.6) * 0.6 + np.float32([0.25, 0.2, 0.1]) * r.uniform(0, 1)
    across = np.clip(np.abs(X * SIZE + SIZE / 2 - tip_x) / max(wide, 1), 0, 1)
    tone = r.uniform(0.25, 0.9) * (1 - 0.6 * across**2) * (1 + 0.15 * field(r, 12) + 0.15 * field(r, 4))
    if r.random() < 0.6:
        dirt = np.clip(field(r, r.uniform(3, 9)) - r.uniform(0, 1), 0, 1)[..., None]
        metal = metal * (1 - dirt) + colour(r) * dirt
    if r.random() < 0.4:
        tone = tone + r.uniform(0.1, 0.6) * np.exp(-(((X + 0.5) * SIZE - tip_x - r.uniform(-1, 1) * tip) / r.uniform(3, 12)) ** 2)
    under = cv2.GaussianBlur(np.roll(mask, int(tip), 0), (0, 0), 8) * r.uniform(0, 0.5)
    img = img * (1 - under[..., None])
    return img * (1 - mask[..., None]) + metal * tone[..., None] * mask[..., None], mask


def far_side(r, img):
    """What is behind the part on an oblique view: bright and dark shapes, far out of focus."""
    line = r.uniform(0.08, 0.4)
    mask = cv2.GaussianBlur((Y + 0.5 < line + 0.04 * X).astype(np.float32), (0, 0), r.uniform(1, 5))
    back = (field(r, 4)[..., None] + 0.4 * np.stack([field(r, 4) for _ in range(3)], -1)) * 0.25 + r.uniform(0.05, 1.3)
    return img * (1 - mask[..., None]) + back * mask[..., None], mask


def photographed(r, img, pitch):
    """Focus, motion, exposure, colour cast, noise, JPEG. Returns RGB uint8 and where beads are too blurred to judge."""
    img = np.clip(img, 0, 1.5).astype(np.float32)
    middle, depth = r.uniform(-0.1, 0.4), r.uniform(0, r.choice([9, 9, 20])) if r.random() < 0.6 else 0
    sigma = np.abs(Y - middle) * depth + r.uniform(0, 1.1)
    soft, softer = cv2.GaussianBlur(img, (0, 0), 1.6), cv2.GaussianBlur(img, (0, 0), 4)
    a, b = np.clip(sigma / 1.6, 0, 1)[..., None], np.clip((sigma - 1.6) / 2.4, 0, 1)[..., None]
    img = (img * (1 - a) + soft * a) * (1 - b) + softer * b
    if r.random() < 0.2:
        n = int(r.integers(3, 12))
        kernel = np.zeros((n, n), np.float32)
        kernel[n // 2] = 1 / n
        turn = cv2.getRotationMatrix2D((n / 2 - 0.5, n / 2 - 0.5), r.uniform(0, 180), 1)
        kernel = cv2.warpAffine(kernel, turn, (n, n))
        img = cv2.filter2D(img, -1, kernel / max(1e-3, kernel.sum()))
    if r.random() < 0.35:
        spot = np.exp(-((X - r.uniform(-0.5, 0.5)) ** 2 + (Y - r.uniform(-0.5, 0.5)) ** 2) / r.uniform(0.005, 0.15))
        img = img + spot[..., None] * r.uniform(0.1, 0.7)
    img = img * np.clip(r.uniform(0.2, 0.6) / img.mean(), 0.4, 4) * (1 - r.uniform(0, 0.7) * (X**2 + Y**2))[..., None]
    img = np.clip(img, 0, 1) ** r.uniform(0.7, 1.4)
    img = img * (1 + r.uniform(-0.15, 0.15, 3))
    if r.random() < 0.1:
        img = np.repeat(img.mean(-1, keepdims=True), 3, -1)
    img = img * 255 + r.standard_normal(img.shape) * r.uniform(0, 9)
    code = cv2.imencode(".jpg", np.uint8(np.clip(img, 0, 255))[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, int(r.integers(35, 96))])[1]
    return cv2.imdecode(code, cv2.IMREAD_COLOR)[..., ::-1], np.maximum(sigma > 0.45 * pitch, 0)


def cells_of(mask):
    """Mean of a mask in each cell."""
    return np.asarray(mask, np.float32).reshape(GRID, CELL, GRID, CELL).mean((1, 3))


def render(seed, kind=None):
    """(RGB uint8 [256,256,3], class of each cell int8 [8,8]). `kind` is a class of a nozzle camera."""
    r = np.random.default_rng([seed, 77])
    kind = kind or CLASSES[int(r.choice(6, p=[0.28, 0.17, 0.17, 0.1, 0.15, 0.13]))]
    layer, where = Layer(r), region(r)
    h, covered = layer.heights(kind, where)
    img = lit(r, layer, h, covered)
    hidden = 1 - layer.part
    if layer.tilt > 0.35 and r.random() < 0.6:
        img, mask = far_side(r, img)
        hidden = np.maximum(hidden, mask)
    if r.random() < 0.8:
        img, mask = nozzle(r, img)
        hidden = np.maximum(hidden, mask)
    img, blurred = photographed(r, img, layer.pitch)
    where = where if layer.shown is None else layer.shown
    share = cells_of(where * (1 - hidden)) if kind != "ok" else np.zeros((GRID, GRID))
    labels = np.where(share > 0.5, CLASSES.index(kind), np.where(share > 0.06, UNSAID, 0)).astype(np.int8)
    labels[(cells_of(np.maximum(hidden, blurred)) > 0.5) & (labels != 0)] = UNSAID
    return np.ascontiguousarray(img), labels


def main() -> None:
    ap = argparse.ArgumentParser(description="Render nozzle-camera pictures with labels into training/runs.")
    ap.add_argument("--count", type=int, default=3000)
    ap.add_argument("--seed", type=int, default=0)
    ap.add_argument("--sheet", help="write a contact sheet of a few pictures of each class there instead")
    args = ap.parse_args()
    if args.sheet:
        rows = [np.hstack([render(args.seed + i, k)[0] for i in range(8)]) for k in CLASSES[:-1]]
        cv2.imwrite(args.sheet, np.vstack(rows)[..., ::-1])
        return
    cv2.setNumThreads(1)
    start = time.time()
    both = [render(args.seed + i) for i in range(args.count)]
    RUNS.mkdir(exist_ok=True)
    np.savez(RUNS / "first_layer.npz", pictures=np.stack([p for p, _ in both]), labels=np.stack([c for _, c in both]))
    print(f"{args.count} pictures in {time.time() - start:.0f} s")


if __name__ == "__main__":
    main()
