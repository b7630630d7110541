"""What is around the printer: textures, the table and wall behind it, and the bed under the print."""

from functools import lru_cache

import cv2
import numpy as np

from .render_canvas import Material

#: Side of a bed's and of a wall's texture in pixels.
N, WALL = 448, 256


def tint(colour, k):
    """A colour made lighter or darker."""
    return tuple(float(np.clip(c * k, 0, 255)) for c in colour)


def filament(rng):
    """A colour as sold: black, white, grey or a hue."""
    r = rng.random()
    if r < 0.17:
        return np.full(3, rng.uniform(18, 48)) * rng.uniform(0.95, 1.05, 3)
    if r < 0.42:
        v = rng.uniform(195, 250)
        return np.array([v, v * rng.uniform(0.93, 1), v * rng.uniform(0.8, 1)])
    if r < 0.55:
        return np.full(3, rng.uniform(80, 180)) * rng.uniform(0.94, 1.06, 3)
    hsv = np.uint8([[[rng.integers(0, 180), rng.integers(90, 245), rng.integers(110, 250)]]])
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0].astype(float)


def plastic(rng, colour=None):
    """Filament with a finish: matt, plain, silk or see-through."""
    colour = filament(rng) if colour is None else np.asarray(colour, float)
    r = rng.random()
    if r < 0.14:
        return Material(colour, rng.uniform(0.4, 0.8), silk=True)
    if r < 0.24:
        return Material(colour, rng.uniform(0.2, 0.5), clear=rng.uniform(0.3, 0.6))
    return Material(colour, rng.uniform(0, 0.3))


def dull(rng):
    """The colour of things in a room: mostly grey, brown and dark."""
    v = rng.uniform(25, 210)
    return np.clip(v * (1 + rng.normal(0, 0.06, 3) + np.array([0.12, 0.02, -0.12]) * rng.normal(0.3, 0.8)), 5, 250)


def clouds(rng, h, w, octaves=5, start=3):
    """Smooth noise, about -1..1."""
    out = np.zeros((h, w), np.float32)
    for o in range(octaves):
        n = start * 2**o
        out += cv2.resize(rng.standard_normal((n, n), np.float32), (w, h), interpolation=cv2.INTER_CUBIC) / 2**o
    return np.clip(out / 2, -1, 1)


@lru_cache(maxsize=200)
def surface(number):
    """One of many textures [N,N,3] of walls and tables: paint, wood, tiles, fabric, cardboard, metal."""
    N = WALL
    rng = np.random.default_rng([number, 40])
    img = np.full((N, N, 3), dull(rng), np.float32)
    yy, xx = np.mgrid[0:N, 0:N].astype(np.float32)
    kind = rng.integers(6)
    if kind == 1:
        rings = np.sin(xx / rng.uniform(3, 10) + 4 * clouds(rng, N, N, 3) + yy / 300)
        img *= 1 + 0.18 * rings[..., None]
        img[:, (np.arange(N) % int(rng.integers(40, 100))) < 1] *= 0.6
    elif kind == 2:
        step = int(rng.integers(15, 55))
        img[(yy % step < 1.5) | ((xx + (yy // step) % 2 * step / 2) % step < 1.5)] *= rng.uniform(0.6, 1.4)
    elif kind == 3:
        img *= 1 + 0.3 * np.sin(xx / rng.uniform(4, 20) + clouds(rng, N, N, 3) * 2)[..., None]
    elif kind == 4:
        img *= 1 + 0.08 * np.sin(yy * rng.uniform(0.3, 1.2))[..., None]
    img *= 1 + rng.uniform(0.03, 0.25) * clouds(rng, N, N)[..., None]
    img += rng.standard_normal((N, N, 1), np.float32) * rng.uniform(0, 7)
    return np.clip(img, 0, 255).astype(np.uint8)


def spline(k, n=24):
    """A cubic Bezier through [4,d] control points."""
    t = np.linspace(0, 1, n)[:, None]
    return k[0] * (1 - t) ** 3 + 3 * k[1] * t * (1 - t) ** 2 + 3 * k[2] * t**2 * (1 - t) + k[3] * t**3


def clutter(rng, img):
    """Shelves, boxes, spools, windows, lamps, plants and wires on a wall."""
    h, w = img.shape[:2]

    def rect(x, y, a, b, c):
        cv2.rectangle(img, (int(x), int(y)), (int(x + a), int(y + b)), tuple(map(float, c)), -1)

    if rng.random() < 0.3:
        rect(rng.uniform(0, w), rng.uniform(0, h * 0.4), rng.uniform(60, 200), rng.uniform(60, 200), rng.uniform(225, 255) * np.array([1, 1, rng.uniform(0.8, 1)]))
    for _ in range(rng.integers(0, 3)):
        y, x = rng.uniform(0.1, 0.9) * h, rng.uniform(-0.2, 0.7) * w
        rect(x, y, rng.uniform(100, 350), 8, dull(rng))
        while rng.random() < 0.85:
            a, b = rng.uniform(8, 60), rng.uniform(15, 80)
            c = dull(rng) if rng.random() < 0.7 else filament(rng)
            rect(x, y - b, a, b, c)
            if rng.random() < 0.4:
                rect(x + 2, y - b * 0.7, a - 4, b * 0.2, np.clip(c * 1.6 + 20, 0, 255))
            x += a + rng.uniform(0, 12)
    for _ in range(rng.integers(0, 10)):
        c = dull(rng) if rng.random() < 0.75 else filament(rng)
        x, y, kind = rng.uniform(-0.1, 1) * w, rng.uniform(-0.1, 1) * h, rng.random()
        if kind < 0.55:
            rect(x, y, rng.uniform(6, 160), rng.uniform(6, 160), c)
        elif kind < 0.75:
            r = int(rng.uniform(8, 70))
            cv2.circle(img, (int(x), int(y)), r, tuple(map(float, c)), -1, cv2.LINE_AA)
            cv2.circle(img, (int(x), int(y)), r // 2, tuple(map(float, c * 0.5)), -1, cv2.LINE_AA)
        else:
            words(rng, img, c)
    for _ in range(int(rng.integers(0, 12) * (rng.random() < 0.4))):
        line = spline(rng.uniform(-0.2, 1.2, (4, 2)) * [w, h])
        cv2.polylines(img, [np.round(line).astype(np.int32)], False, tuple(map(float, dull(rng) * rng.choice([0.3, 1]))), int(rng.integers(2, 7)), cv2.LINE_AA)
    return img


def words(rng, img, ink):
    """A few letters somewhere."""
    word = "".join(rng.choice(list("ABCDEGKLMNOPRSTUXYZabcdeinorst0123"), rng.integers(2, 9)))
    at = (int(rng.integers(0, N - 100)), int(rng.integers(30, N)))
    cv2.putText(img, word, at, int(rng.integers(0, 8)), rng.uniform(0.5, 2.8), tuple(map(float, ink)), int(rng.integers(1, 5)), cv2.LINE_AA)


BEDS = ((40, 40, 44), (24, 24, 26), (30, 100, 190), (70, 66, 60), (165, 130, 70), (150, 155, 160), (20, 110, 170))


def bed_texture(rng):
    """A bed from above: colour, grain, grid, logo, marks of old prints, scratches, glue. RGB [N,N,3]."""
    base = np.array(BEDS[rng.choice(len(BEDS), p=[0.3, 0.18, 0.13, 0.1, 0.1, 0.1, 0.09])]) * rng.uniform(0.6, 1.3) + rng.normal(0, 6, 3)
    tex = np.full((N, N, 3), base, np.float32)
    tex *= 1 + rng.uniform(0.01, 0.12) * rng.standard_normal((N, N, 1), np.float32)
    tex *= 1 + rng.uniform(0, 0.3) * clouds(rng, N, N)[..., None]
    if rng.random() < 0.35:
        stain = np.clip(clouds(rng, N, N, 6, 4) - rng.uniform(0, 0.5), 0, 1)
        tex += stain[..., None] * rng.uniform(20, 110)
    tex = np.ascontiguousarray(np.clip(tex, 0, 255).astype(np.uint8))
    ink = np.clip(base * rng.choice([0.5, 1.6, 2.5]) + rng.choice([0, 40, 110]), 0, 255) if rng.random() < 0.75 else filament(rng)
    pen = tuple(map(float, ink))
    if rng.random() < 0.24:
        step, thick = int(rng.integers(20, 100)), 1 if rng.random() < 0.8 else 2
        for i in range(step, N, step):
            cv2.line(tex, (i, 0), (i, N), pen, thick, cv2.LINE_AA)
            cv2.line(tex, (0, i), (N, i), pen, thick, cv2.LINE_AA)
    if rng.random() < 0.1:
        for x in range(0, N, 86):
            for y in range(0, N, 50):
                a = np.arange(6) / 6 * 2 * np.pi
                c = np.stack([x + 43 * (y // 50 % 2) + 26 * np.cos(a), y + 26 * np.sin(a)], 1)
                cv2.polylines(tex, [c.astype(np.int32)], True, pen, 1, cv2.LINE_AA)
    for _ in range(rng.integers(0, 4)):
        words(rng, tex, ink)
    if rng.random() < 0.2:
        a = rng.integers(30, N - 150, 2)
        tri = a + np.array([[0, 90], [100, 90], [50, 0]])
        cv2.polylines(tex, [tri.astype(np.int32)], True, pen, 4, cv2.LINE_AA)
    for _ in range(rng.integers(0, 40) if rng.random() < 0.5 else 0):
        a = rng.integers(0, N, 2)
        b = a + rng.integers(-60, 60, 2)
        cv2.line(tex, tuple(map(int, a)), tuple(map(int, b)), tint(base + 15, rng.uniform(0.6, 1.7)), 1, cv2.LINE_AA)
    for _ in range(rng.integers(0, 30) if rng.random() < 0.35 else 0):
        cv2.circle(tex, tuple(map(int, rng.integers(0, N, 2))), int(rng.integers(1, 3)), tint(base + 40, 1.8), -1, cv2.LINE_AA)
    if rng.random() < 0.25:
        a = rng.integers(60, N - 60, 2)
        cv2.rectangle(tex, tuple(map(int, a)), tuple(map(int, a + rng.integers(20, 160, 2))), tint(base + 10, rng.uniform(0.8, 1.4)), rng.choice([-1, 3]))
    return tex


class Room:
    """A table and a wall in perspective, out of focus."""

    def __init__(self, rng):
        self.table = surface(int(rng.integers(200)))
        self.wall = clutter(rng, cv2.resize(surface(int(rng.integers(200))), (N, N)))
        self.far, self.low = rng.uniform(180, 900), -rng.uniform(30, 90)
        self.scale = float(np.exp(rng.uniform(np.log(0.25), np.log(1.2))))
        self.blur = rng.uniform(0.3, 5)
        self.gloom = rng.uniform(0.25, 1.2) if rng.random() < 0.85 else 0.06
        self.turn = rng.uniform(-0.4, 0.4)

    def picture(self, cam, light):
        """RGB [h,w,3] uint8 of the empty room."""
        ray, eye = cam.rays(2), cam.eye.astype(np.float32)
        wall = np.array([np.sin(self.turn), np.cos(self.turn), 0], np.float32)
        side = np.sign(wall @ cam.axes[2].astype(np.float32)) or np.float32(1)
        ahead = ray @ wall
        reach = (side * np.float32(self.far) - eye @ wall) / np.where(np.abs(ahead) < 1e-3, np.float32(1e-3), ahead)
        reach = np.where(reach > 0, reach, np.float32(1e5))
        drop = (np.float32(self.low) - eye[2]) / np.minimum(ray[..., 2], np.float32(-1e-3))
        on_table = (ray[..., 2] < -1e-3) & (drop < reach)
        x, y, z = (eye[i] + ray[..., i] * np.where(on_table, drop, reach) for i in range(3))
        u, v = np.where(on_table, x, x * wall[1] - y * wall[0]) * self.scale, np.where(on_table, y, -z) * self.scale
        table = cv2.remap(self.table, u * 0.5 % WALL, v * 0.5 % WALL, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
        out = cv2.remap(self.wall, u % N, v % N, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
        np.copyto(out, table, where=on_table[..., None])
        out = cv2.GaussianBlur(out, (0, 0), self.blur / 2 + 0.2).astype(np.float32) * (self.gloom * light.tint).astype(np.float32)
        return cv2.resize(np.clip(out, 0, 255).astype(np.uint8), cam.size, interpolation=cv2.INTER_LINEAR)


class Bed:
    """The plate: textured, lit with a sheen, square or round; may be shifted between frames."""

    def __init__(self, rng, half, disc, glossy):
        self.tex, self.half, self.disc, self.glossy = bed_texture(rng), float(half), disc, glossy
        self.lit = None
        self.glare = rng.uniform(0, 0.5) * (rng.random() < 0.6)
        self.wide = rng.uniform(5, 60)

    def lay(self, canvas, cam, light, rays, offset):
        """Paint the plate into the canvas, from rays at half its size; returns where it is (bool [h,w])."""
        eye = (cam.eye - offset).astype(np.float32)
        z = rays[..., 2]
        t = np.where(z < -1e-3, -eye[2] / np.minimum(z, np.float32(-1e-3)), np.float32(1e6))
        x, y = (cv2.resize(eye[i] + t * rays[..., i], cam.size) for i in range(2))
        on = (x * x + y * y < self.half**2) if self.disc else (np.abs(x) < self.half) & (np.abs(y) < self.half)
        k = (N - 1) / (2 * self.half)
        if self.lit is None:
            bright = (light.around + light.lamp * max(0, light.toward[2])) * light.tint
            self.lit = np.clip(self.tex * bright, 0, 255).astype(np.uint8)
        flat = cv2.remap(self.lit, (x + self.half) * k, (self.half - y) * k, cv2.INTER_LINEAR)
        if self.glare:
            lamp = (light.toward * [1, 1, -1]).astype(np.float32)
            shine = np.clip(rays @ lamp / np.sqrt((rays * rays).sum(2)), 0, 1) ** np.float32(self.wide) * np.float32(230 * self.glare)
            shine = cv2.resize(shine.astype(np.uint8), cam.size)
            flat = cv2.add(flat, cv2.merge([shine] * 3))
        np.copyto(canvas[..., :3], flat, where=on[..., None])
        return on
