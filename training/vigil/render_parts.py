"""Pieces of a rendered scene: camera, bed, prints, strands, hot end. Millimetres; x right, y back, z up.

Everything is drawn with anti-aliased toolpath lines in perspective on one canvas, far to near,
with a second canvas that holds the exact mask of the strands.
"""

import cv2
import numpy as np


class Camera:
    """A pinhole camera that looks at a point near the bed."""

    def __init__(self, rng, w, h):
        az = rng.uniform(-0.9, 0.9) + (np.pi if rng.random() < 0.08 else 0)
        el = np.deg2rad(rng.choice([rng.uniform(6, 25), rng.uniform(20, 60)]))
        dist = rng.uniform(180, 450)
        aim = np.array([rng.uniform(-35, 35), rng.uniform(-30, 30), rng.uniform(5, 55)])
        eye = aim + dist * np.array([np.sin(az) * np.cos(el), -np.cos(az) * np.cos(el), np.sin(el)])
        fwd = (aim - eye) / np.linalg.norm(aim - eye)
        right = np.cross(fwd, [0, 0, 1])
        right /= np.linalg.norm(right)
        roll = np.deg2rad(rng.normal(0, 5))
        up = np.cross(right, fwd)
        right, up = right * np.cos(roll) + up * np.sin(roll), up * np.cos(roll) - right * np.sin(roll)
        self.eye, self.axes = eye, np.stack([right, -up, fwd])
        self.f = max(w, h) * rng.uniform(0.8, 1.6)
        self.c = np.array([w / 2, h / 2])

    def project(self, p):
        """Points [N,3] to pixels [N,2] and depth [N]."""
        q = (np.asarray(p, float) - self.eye) @ self.axes.T
        d = np.maximum(q[:, 2], 20)
        return q[:, :2] / d[:, None] * self.f + self.c, d

    def px(self, p, mm):
        """How many pixels a length spans at a point."""
        return mm * self.f / self.project(np.asarray(p)[None])[1][0]


def fixed(pts):
    """Pixels to the fixed-point integers OpenCV draws with."""
    return np.round(np.clip(pts, -4000, 8000) * 16).astype(np.int32)


def stroke(img, pts, colour, thick):
    """An anti-aliased polyline."""
    cv2.polylines(img, [fixed(pts)], False, colour, max(1, int(round(thick))), cv2.LINE_AA, shift=4)


def fill(img, pts, colour):
    """A filled, anti-aliased polygon."""
    cv2.fillPoly(img, [fixed(pts)], colour, cv2.LINE_AA, shift=4)


def tint(colour, k):
    """A colour made lighter or darker."""
    return tuple(float(np.clip(c * k, 0, 255)) for c in colour)


def filament(rng):
    """A colour as sold: black, white, grey or a saturated hue."""
    r = rng.random()
    if r < 0.16:
        return (rng.uniform(18, 45),) * 3
    if r < 0.36:
        v = rng.uniform(190, 250)
        return (v, v * rng.uniform(0.92, 1), v * rng.uniform(0.82, 1))
    if r < 0.5:
        return (rng.uniform(80, 180),) * 3
    hsv = np.uint8([[[rng.integers(0, 180), rng.integers(110, 255), rng.integers(110, 255)]]])
    return tuple(float(v) for v in cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0])


def clouds(rng, h, w, octaves=4):
    """Smooth noise in -1..1."""
    out = np.zeros((h, w), np.float32)
    for o in range(octaves):
        n = 3 * 2**o
        out += cv2.resize(rng.standard_normal((n, n), np.float32), (w, h), interpolation=cv2.INTER_CUBIC) / 2**o
    return np.clip(out / 2, -1, 1)


def room(rng, h, w):
    """What stands behind the printer: flat, shaded or cluttered and out of focus."""
    base = np.array(filament(rng)) * rng.uniform(0.2, 1.0)
    img = np.full((h, w, 3), base, np.float32)
    if rng.random() < 0.2:
        return img.astype(np.uint8)
    img *= 1 + 0.35 * clouds(rng, h, w)[..., None]
    img = np.clip(img, 0, 255).astype(np.uint8)
    for _ in range(rng.integers(0, 14)):
        c = tint(filament(rng), rng.uniform(0.2, 1.1))
        x, y = rng.uniform(-0.1, 1.1) * w, rng.uniform(-0.1, 1.1) * h
        kind = rng.random()
        if kind < 0.5:
            a, b = rng.uniform(0.02, 0.35) * w, rng.uniform(0.02, 0.35) * h
            fill(img, np.array([[x, y], [x + a, y + rng.normal(0, 8)], [x + a, y + b], [x, y + b]]), c)
        elif kind < 0.75:
            t = np.linspace(0, 1, 24)[:, None]
            k = rng.uniform(-0.3, 1.3, (4, 2)) * [w, h]
            p = k[0] * (1 - t) ** 3 + 3 * k[1] * t * (1 - t) ** 2 + 3 * k[2] * t**2 * (1 - t) + k[3] * t**3
            stroke(img, p, c, rng.uniform(2, 14))
        else:
            cv2.circle(img, (int(x), int(y)), int(rng.uniform(4, 90)), c, -1 if rng.random() < 0.6 else 5, cv2.LINE_AA)
    blur = rng.uniform(0, 6)
    return cv2.GaussianBlur(img, (0, 0), blur) if blur > 0.6 else img


def bed_texture(rng, n=512):
    """A bed from above: colour, grain, grid, printed words, scratches, old marks."""
    colour = np.array(rng.choice([0, 1, 2, 3], p=[0.5, 0.2, 0.15, 0.15]) == np.arange(4), float)
    base = colour @ np.array([[40, 40, 44], [30, 100, 190], [185, 150, 70], [150, 155, 160]], float)
    base = base * rng.uniform(0.5, 1.3) + rng.normal(0, 8, 3)
    tex = np.full((n, n, 3), base, np.float32)
    if rng.random() < 0.8:
        tex *= 1 + rng.uniform(0.02, 0.12) * rng.standard_normal((n, n, 1), np.float32)
        tex *= 1 + rng.uniform(0, 0.25) * clouds(rng, n, n)[..., None]
    tex = np.clip(tex, 0, 255).astype(np.uint8)
    ink = tint(base, rng.choice([0.5, 1.6, 2.5]) ) if rng.random() < 0.6 else filament(rng)
    if rng.random() < 0.45:
        step = int(rng.integers(20, 90))
        for i in range(step, n, step):
            cv2.line(tex, (i, 0), (i, n), ink, 1, cv2.LINE_AA)
            cv2.line(tex, (0, i), (n, i), ink, 1, cv2.LINE_AA)
    for _ in range(rng.integers(0, 4)):
        word = "".join(rng.choice(list("ABCDEGKLMNOPRSTUXYZ0123"), rng.integers(2, 9)))
        at = (int(rng.integers(0, n - 120)), int(rng.integers(30, n)))
        cv2.putText(tex, word, at, int(rng.integers(0, 5)), rng.uniform(0.5, 2.6), ink, int(rng.integers(1, 4)), cv2.LINE_AA)
    for _ in range(rng.integers(0, 10)):
        a, b = rng.integers(0, n, 2), rng.integers(0, n, 2)
        cv2.line(tex, tuple(map(int, a)), tuple(map(int, b)), tint(base, rng.uniform(0.7, 1.5)), 1, cv2.LINE_AA)
    if rng.random() < 0.25:
        a = rng.integers(60, n - 60, 2)
        cv2.rectangle(tex, tuple(map(int, a)), tuple(map(int, a + rng.integers(20, 160, 2))), tint(base, rng.uniform(0.8, 1.3)), -1)
    return tex


def strand_paths(rng, kind, spread, height, total):
    """Curled threads as [(points [m,3])] about the origin, in the order they come out of the nozzle."""
    paths, left = [], total
    while left > 8:
        m = int(min(left, rng.integers(14, 90)))
        curl = rng.normal(0, 0.35) + rng.choice([-1, 1]) * rng.choice([0.05, 0.3, 0.9])
        turn = np.cumsum(curl * 0.6 + rng.normal(0, 0.3, m)) + rng.uniform(0, 2 * np.pi)
        rise = np.convolve(rng.normal(0, 0.7, m + 6), np.ones(7) / 7, "valid")
        step = rng.uniform(1.0, 3.2)
        d = np.stack([np.cos(turn) * np.cos(rise), np.sin(turn) * np.cos(rise), np.sin(rise)], 1) * step
        p = np.cumsum(d, 0) + rng.normal(0, 1, 3) * [spread * 0.7, spread * 0.7, 0]
        if kind == "drag":
            p[:, 0] += np.linspace(0, rng.normal(0, 1.2) * spread, m)
        r = np.linalg.norm(p[:, :2], axis=1, keepdims=True)
        p[:, :2] *= np.minimum(1, 1.5 * spread / (r + 0.5 * spread))
        top = height * rng.uniform(0.15, 1.0) * np.exp(-((r[:, 0] / (1.3 * spread)) ** 2))
        p[:, 2] = 0.6 + np.abs(p[:, 2] + top * rng.uniform(0.1, 1.0)) % max(1.5, height)
        paths.append(p)
        left -= m
    return paths


def draw_strands(img, mask, cam, rng, paths, at, colour, width, height, flat):
    """The threads with a soft shadow on the bed, lowest first; the mask gets the same strokes."""
    order = sorted(paths, key=lambda p: p[:, 2].mean())
    if not flat:
        shade = np.zeros(img.shape[:2], np.uint8)
        for p in order[::2]:
            q = p + at
            q = np.c_[q[:, 0] + 0.4 * p[:, 2], q[:, 1] + 0.3 * p[:, 2], np.zeros(len(q))]
            stroke(shade, cam.project(q)[0], 255, 3 * max(1, cam.px(at, width)))
        dark = cv2.GaussianBlur(shade, (0, 0), 4).astype(np.float32) / 255 * 0.35
        np.copyto(img, (img * (1 - dark[..., None])).astype(np.uint8))
    for p in order:
        q, _ = cam.project(p + at)
        thick = max(1.0, cam.px(p[0] + at, width))
        tone = 1.0 if flat else (0.55 + 0.45 * min(1, p[:, 2].mean() / (0.6 * height + 1)))
        for i in range(0, len(q) - 1, 5):
            part = q[i : i + 6]
            k = tone * (1.0 if flat else rng.uniform(0.7, 1.15))
            if not flat and thick >= 2.5:
                stroke(img, part, tint(colour, 0.45 * k), thick + 1)
            stroke(img, part, tint(colour, k), thick)
            if not flat and thick >= 3:
                stroke(img, part - 0.25 * thick, tint(colour, 1.5 * k), max(1, thick / 4))
        stroke(mask, q, 255, thick + 2)
