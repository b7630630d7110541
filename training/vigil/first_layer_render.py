"""Rendered nozzle-camera pictures of a first layer, with what is wrong where.

A picture is a height field of parallel beads seen in perspective, lit and photographed. Each 32 px cell gets a
class of `CLASSES`, or UNSAID where only that can be told that it is a nozzle camera's (the edge of a defect, beads of
its region that it left whole, what the nozzle hides, what is too blurred, dark or noisy to be seen).
"""

import argparse
import time

import cv2
import numpy as np

from .data import RUNS
from .first_layer_beads import CELL, CLASSES, GRID, SIZE, UNSAID, Layer, X, Y, colour, field, region, spread


def lit(r, layer, h, covered, deepest):
    """The height field under one lamp, on a bed. RGB 0..1."""
    smooth = cv2.GaussianBlur(h * covered, (0, 0), max(0.6, layer.pitch * 0.03))
    steep = r.uniform(0.7, 1.6) * layer.pitch
    ny, nx = np.gradient(smooth * steep)
    norm = np.sqrt(nx**2 + ny**2 + 1)
    azimuth, height = r.uniform(0, 2 * np.pi), r.uniform(0.25, 1.2)
    light = np.float32([np.cos(azimuth) * np.cos(height), np.sin(azimuth) * np.cos(height), np.sin(height)])
    facing = (-nx * light[0] - ny * light[1] + light[2]) / norm
    half = light + np.float32([0, 0, 1])
    half /= np.linalg.norm(half)
    gloss = np.clip((-nx * half[0] - ny * half[1] + half[2]) / norm, 0, 1) ** r.uniform(8, 70) * r.uniform(0, 0.7)
    valley = 1 - r.uniform(0.1, deepest) * np.clip(1 - smooth / max(1e-3, float(np.quantile(smooth, 0.9))), 0, 1)
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
    wide = float(tip + np.tan(open_angle) * min(tip_y, neck * 1.5))
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
    """Focus, motion, exposure, colour cast, noise, JPEG. Returns RGB uint8 and where beads are too blurred, dark or
    noisy to be judged."""
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
    img = img * np.float32(1 + r.uniform(-0.15, 0.15, 3))
    if r.random() < 0.1:
        img = np.repeat(img.mean(-1, keepdims=True), 3, -1)
    noise = r.uniform(0, 9)
    img = img * 255 + r.standard_normal(img.shape, np.float32) * np.float32(noise)
    code = cv2.imencode(".jpg", np.uint8(np.clip(img, 0, 255))[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, int(r.integers(35, 96))])[1]
    seen = cv2.imdecode(code, cv2.IMREAD_COLOR)
    fine = cv2.GaussianBlur(seen, (0, 0), 1).astype(np.float32).mean(-1)
    detail = spread(fine - cv2.GaussianBlur(fine, (0, 0), max(2.0, pitch / 2)))
    return seen[..., ::-1], (sigma > 0.35 * pitch) | (detail < 2 + 0.4 * noise)


def cells_of(mask):
    """Mean of a mask in each cell."""
    return np.asarray(mask, np.float32).reshape(GRID, CELL, GRID, CELL).mean((1, 3))


def render(seed, kind=None, deepest=0.5):
    """(RGB uint8 [256,256,3], class of each cell int8 [8,8]). `kind` is a class of a nozzle camera, `deepest` how much
    of the light a valley between beads may lose."""
    r = np.random.default_rng([seed, 77])
    kind = kind or CLASSES[int(r.choice(6, p=[0.28, 0.17, 0.17, 0.1, 0.15, 0.13]))]
    layer, where = Layer(r), region(r)
    h, covered = layer.heights(kind, where)
    img = lit(r, layer, h, covered, deepest)
    hidden = 1 - layer.part
    if layer.tilt > 0.35 and r.random() < 0.6:
        img, mask = far_side(r, img)
        hidden = np.maximum(hidden, mask)
    if r.random() < 0.8:
        img, mask = nozzle(r, img)
        hidden = np.maximum(hidden, mask)
    img, unseen = photographed(r, img, layer.pitch)
    where = where if layer.shown is None else layer.shown
    share = cells_of(where * (1 - hidden)) if kind != "ok" else np.zeros((GRID, GRID))
    labels = np.where(share > 0.5, CLASSES.index(kind), np.where(share > 0.06, UNSAID, 0)).astype(np.int8)
    labels[(cells_of(np.maximum(hidden, unseen)) > 0.5) & (labels != 0)] = UNSAID
    return np.ascontiguousarray(img), labels


def shows(seed, kind, least=4):
    """A picture of `kind` on which it shows in `least` cells: other seeds are tried where the nozzle, the dark or the
    focus hide it."""
    while True:
        img, labels = render(seed, kind)
        if kind == "ok" or (labels == CLASSES.index(kind)).sum() >= least:
            return img
        seed += 10_000_000


def main() -> None:
    ap = argparse.ArgumentParser(description="Render nozzle-camera pictures with labels into training/runs.")
    ap.add_argument("--count", type=int, default=5200)
    ap.add_argument("--hard", type=int, default=2400, help="of these more, half sound and half with gaps, in deep valleys")
    ap.add_argument("--seed", type=int, default=0)
    ap.add_argument("--sheet", help="write a contact sheet of a few pictures of each class there instead")
    args = ap.parse_args()
    if args.sheet:
        rows = [np.hstack([shows(args.seed + i, k) for i in range(8)]) for k in CLASSES[:-1]]
        cv2.imwrite(args.sheet, np.vstack(rows)[..., ::-1])
        return
    cv2.setNumThreads(1)
    start = time.time()
    both = [render(args.seed + i) for i in range(args.count)]
    both += [render(args.seed + 200_000 + i, ("ok", "gaps")[i % 2], 0.7) for i in range(args.hard)]
    RUNS.mkdir(exist_ok=True)
    np.savez(RUNS / "first_layer.npz", pictures=np.stack([p for p, _ in both]), labels=np.stack([c for _, c in both]))
    (RUNS / "first_layer_y.npy").unlink(missing_ok=True)
    print(f"{len(both)} pictures in {time.time() - start:.0f} s")


if __name__ == "__main__":
    main()
