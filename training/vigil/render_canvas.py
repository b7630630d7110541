"""How a rendered scene is drawn: camera, light, materials, and quads and threads painted far to near.

Millimetres; x right, y away from the camera, z up. The canvas has a fourth channel, the exact mask of loose
strands: whatever is painted over a strand takes it out of the mask again.
"""

from dataclasses import dataclass

import cv2
import numpy as np


def unit(v):
    """Vectors of length 1 along the last axis."""
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-9)


class Camera:
    """A pinhole camera that looks at a point; `moved` gives the same camera knocked aside."""

    def __init__(self, eye, aim, roll, focal, w, h):
        self.eye, self.aim, self.roll, self.f = np.asarray(eye, float), np.asarray(aim, float), roll, focal
        fwd = unit(self.aim - self.eye)
        right = unit(np.cross(fwd, [0, 0, 1.0]))
        up = np.cross(right, fwd)
        right, up = right * np.cos(roll) + up * np.sin(roll), up * np.cos(roll) - right * np.sin(roll)
        self.axes = np.stack([right, -up, fwd])
        self.size, self.c = (w, h), np.array([w / 2, h / 2])

    def project(self, p):
        """Points [...,3] to pixels [...,2] and depth [...]."""
        q = (np.asarray(p, np.float64) - self.eye) @ self.axes.T
        d = np.maximum(q[..., 2], 15)
        return q[..., :2] / d[..., None] * self.f + self.c, q[..., 2]

    def rays(self, coarse=1):
        """Directions [h,w,3] float32 through every pixel, or every `coarse`-th; the part along the view axis is 1."""
        w, h = self.size[0] // coarse, self.size[1] // coarse
        x = (((np.arange(w) + 0.5) * (self.size[0] / w) - self.c[0]) / self.f).astype(np.float32)
        y = (((np.arange(h) + 0.5) * (self.size[1] / h) - self.c[1]) / self.f).astype(np.float32)
        a = self.axes.astype(np.float32)
        return x[None, :, None] * a[0] + (y[:, None, None] * a[1] + a[2])

    def moved(self, shift, roll=0.0):
        """This camera pushed by `shift` (mm) and rolled."""
        w, h = self.size
        return Camera(self.eye + shift, self.aim + np.asarray(shift) * 0.4, self.roll + roll, self.f, w, h)


@dataclass
class Material:
    """What a thing is made of. `gloss` 0..1; `silk` narrows the shine; `clear` is how much of what is behind shows."""

    colour: np.ndarray
    gloss: float = 0.15
    silk: bool = False
    clear: float = 0.0
    own_light: float = 0.0

    def times(self, k):
        """The same stuff, lighter or darker."""
        return Material(np.clip(np.asarray(self.colour) * k, 0, 255), self.gloss, self.silk, self.clear, self.own_light)


@dataclass
class Light:
    """One lamp far away and light from all around."""

    toward: np.ndarray
    lamp: float
    around: float
    tint: np.ndarray

    def quads(self, centre, normal, eye, base, gloss, own):
        """Colours [n,3] of flat pieces that face the viewer with `normal`."""
        view = unit(eye - centre)
        facing = (normal * view).sum(1, keepdims=True)
        normal = np.where(facing < 0, -normal, normal)
        lit = np.clip(normal @ self.toward, 0, 1)[:, None] * self.lamp
        shine = np.clip((normal * unit(view + self.toward)).sum(1), 0, 1)
        glow = (gloss[:, 0] * shine ** gloss[:, 1])[:, None] * 200 * self.lamp
        soft = self.around * (0.75 + 0.25 * normal[:, 2:3])
        return np.where(own[:, None] > 0, base, base * (soft + lit) * self.tint + glow)

    def threads(self, centre, along, eye, base, gloss):
        """Colours [n,3] of thin round pieces that run `along`."""
        lit = np.sqrt(np.clip(1 - (along @ self.toward) ** 2, 0, 1)) * self.lamp * 0.8
        half = unit(unit(eye - centre) + self.toward)
        shine = np.sqrt(np.clip(1 - (along * half).sum(1) ** 2, 0, 1)) ** gloss[:, 1]
        return base * (self.around * 0.85 + lit)[:, None] * self.tint + (gloss[:, 0] * shine * 110 * self.lamp)[:, None]


#: Points in one painted piece of a thread.
PIECE = 4


class Model:
    """A heap of quads and threads that move together."""

    def __init__(self):
        self.q, self.qc, self.qg, self.ql = [], [], [], []
        self.t, self.tc, self.tg, self.tw = [], [], [], []

    @staticmethod
    def _sheen(m, n):
        return np.tile([m.gloss, 60.0 if m.silk else 14.0, m.clear], (n, 1))

    def quads(self, pts, m: Material, k=1.0):
        """Four-cornered pieces [n,4,3]; `k` (one number or one for each) makes them lighter or darker."""
        pts = np.asarray(pts, float).reshape(-1, 4, 3)
        n = len(pts)
        self.q.append(pts)
        self.qc.append(np.asarray(m.colour, float) * np.broadcast_to(np.asarray(k, float).reshape(-1, 1), (n, 1)))
        self.qg.append(self._sheen(m, n))
        self.ql.append(np.full(n, m.own_light))

    def thread(self, pts, width, m: Material, strand=0, k=1.0, outline=True):
        """A polyline [n,3] of a width in mm, cut into short pieces; `strand` 1 puts it into the mask."""
        pts = np.asarray(pts, float)
        if len(pts) < 2:
            return
        at = np.arange(0, len(pts) - 1, PIECE - 1)[:, None] + np.arange(PIECE)
        at = np.minimum(at, len(pts) - 1)
        self.threads(pts[at], width, m, strand, k, outline)

    def threads(self, pieces, width, m: Material, strand=0, k=1.0, outline=True):
        """Pieces [n,PIECE,3] that are cut already."""
        n = len(pieces)
        self.t.append(np.asarray(pieces, float))
        self.tc.append(np.asarray(m.colour, float) * np.broadcast_to(np.asarray(k, float).reshape(-1, 1), (n, 1)))
        self.tg.append(self._sheen(m, n))
        self.tw.append(np.stack([np.broadcast_to(np.asarray(width, float), n), np.full(n, float(strand)), np.full(n, float(outline))], 1))

    def box(self, lo, hi, m: Material, cuts=1, taper=0.0):
        """A block between two corners, cut along its longest side so that it sorts well."""
        lo, hi = np.asarray(lo, float), np.asarray(hi, float)
        axis = int(np.argmax(hi - lo))
        for i in range(cuts):
            a, b = lo.copy(), hi.copy()
            a[axis], b[axis] = lo[axis] + (hi - lo)[axis] * i / cuts, lo[axis] + (hi - lo)[axis] * (i + 1) / cuts
            c = np.array([[(a, b)[i >> 2 & 1][0], (a, b)[i >> 1 & 1][1], (a, b)[i & 1][2]] for i in range(8)])
            if taper:
                mid = (a + b) / 2
                low = c[:, 2] == a[2]
                c[low, :2] += (mid[:2] - c[low, :2]) * taper
            self.quads(c[[[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]]], m)

    def rod(self, a, b, width, m: Material, cuts=6, sides=8):
        """A straight round bar."""
        a, b = np.asarray(a, float), np.asarray(b, float)
        along = unit(b - a)
        u = unit(np.cross(along, [0.3, 0.2, 1.0] if abs(along[2]) < 0.9 else [1.0, 0, 0]))
        v = np.cross(along, u)
        ang = np.arange(sides + 1) * 2 * np.pi / sides
        ring = (np.cos(ang)[:, None] * u + np.sin(ang)[:, None] * v) * width / 2
        ends = a + (b - a) * np.linspace(0, 1, cuts + 1)[:, None]
        p = ends[:, None] + ring
        self.quads(np.stack([p[:-1, :-1], p[:-1, 1:], p[1:, 1:], p[1:, :-1]], 2), m)

    def disc(self, centre, radius, m: Material, n=18, inner=0.0, k=1.0):
        """A disc or ring that faces the front (-y)."""
        a = np.linspace(0, 2 * np.pi, n + 1)
        ring = np.stack([np.cos(a), np.zeros(n + 1), np.sin(a)], 1)
        out, ins = np.asarray(centre) + ring * radius, np.asarray(centre) + ring * radius * inner
        self.quads(np.stack([out[:-1], out[1:], ins[1:], ins[:-1]], 1), m, k)


def gather(models):
    """All pieces of [(model, offset)] as arrays."""
    q = [p + o for m, o in models for p in m.q]
    t = [p + o for m, o in models for p in m.t]

    def join(name, wide):
        parts = [p for m, _ in models for p in getattr(m, name)]
        return np.concatenate(parts) if parts else np.zeros((0, *wide))

    return (np.concatenate(q) if q else np.zeros((0, 4, 3)), join("qc", (3,)), join("qg", (3,)), join("ql", ()),
            np.concatenate(t) if t else np.zeros((0, PIECE, 3)), join("tc", (3,)), join("tg", (3,)), join("tw", (3,)))


def paint(canvas, cam, light, models, plain=False):
    """Paint [(model, offset)] onto a canvas [h,w,4] far to near; `plain` leaves out outlines and shine."""
    q, qc, qg, ql, t, tc, tg, tw = gather(models)
    h, w = canvas.shape[:2]
    qp, qd = cam.project(q)
    tp, td = cam.project(t)
    centre = q.mean(1)
    qcol = light.quads(centre, unit(np.cross(q[:, 2] - q[:, 0], q[:, 3] - q[:, 1])), cam.eye, qc, qg, ql)
    middle = t.mean(1)
    tcol = light.threads(middle, unit(t[:, -1] - t[:, 0]), cam.eye, tc, tg)
    px = tw[:, 0] * cam.f / np.maximum(td.mean(1), 15) if len(t) else np.zeros(0)
    # Thinner than a pixel: paler instead.
    behind = _under(canvas, tp.mean(1)) if len(t) else tcol
    thin = np.clip(1 - px, 0, 0.75)[:, None]
    tcol = tcol * (1 - thin) + behind * thin
    qcol, tcol = _clear(canvas, qcol, qp.mean(1) if len(q) else qp, qg), _clear(canvas, tcol, tp.mean(1) if len(t) else tp, tg)
    inside_q = (qd.min(1) > 18) & (qp.max(1) > -60).all(1) & (qp[..., 0].min(1) < w + 60) & (qp[..., 1].min(1) < h + 60)
    inside_t = (td.min(1) > 18) & (tp.max(1) > -60).all(1) & (tp[..., 0].min(1) < w + 60) & (tp[..., 1].min(1) < h + 60)
    kind = np.r_[np.zeros(inside_q.sum(), int), np.ones(inside_t.sum(), int)]
    which = np.r_[np.nonzero(inside_q)[0], np.nonzero(inside_t)[0]]
    depth = np.r_[qd[inside_q].mean(1), td[inside_t].mean(1) - 0.4]
    order = np.argsort(-depth, kind="stable")
    qi = np.clip(np.round(qp * 16), -30000, 60000).astype(np.int32)
    ti = np.clip(np.round(tp * 16), -30000, 60000).astype(np.int32)
    qrow = np.c_[np.clip(qcol, 0, 255), np.zeros(len(q))].tolist()
    trow = np.c_[np.clip(tcol, 0, 255), tw[:, 1] * 255].tolist()
    edge = np.c_[np.clip(tcol * 0.5, 0, 255), tw[:, 1] * 255].tolist()
    thick = np.maximum(1, np.round(px)).astype(int).tolist()
    rim = (tw[:, 2] * (px > 1.6)).astype(int).tolist()
    shine = np.c_[np.clip(tcol * 1.25 + 18, 0, 255), tw[:, 1] * 255].tolist()
    for i, k in zip(which[order].tolist(), kind[order].tolist()):
        if k == 0:
            cv2.fillConvexPoly(canvas, qi[i], qrow[i], cv2.LINE_8, 4)
            continue
        line = ti[i : i + 1]
        if rim[i] and not plain:
            cv2.polylines(canvas, line, False, edge[i], thick[i] + 2, cv2.LINE_8, 4)
        cv2.polylines(canvas, line, False, trow[i], thick[i], cv2.LINE_8, 4)
        if thick[i] >= 4 and not plain:
            cv2.polylines(canvas, line - np.int32([4 * thick[i] // 2, 4 * thick[i]]), False, shine[i], max(1, thick[i] // 3), cv2.LINE_8, 4)


def _under(canvas, at):
    """What is on the canvas at pixels [n,2]."""
    x = np.clip(at[:, 0].astype(int), 0, canvas.shape[1] - 1)
    y = np.clip(at[:, 1].astype(int), 0, canvas.shape[0] - 1)
    return canvas[y, x, :3].astype(float)


def _clear(canvas, colours, at, sheen):
    """See-through stuff takes on what is behind it."""
    if not len(sheen) or not sheen[:, 2].any():
        return colours
    return colours * (1 - sheen[:, 2:]) + _under(canvas, at) * sheen[:, 2:]
