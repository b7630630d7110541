"""What is printed: parts layer on layer, with infill, supports, lattices, trees, brims, skirts and towers."""

import numpy as np

from .render_canvas import PIECE, Material, Model

SHAPES = ("box", "cylinder", "vase", "star", "figure", "hull", "plate", "several", "letters", "lattice", "tree", "supported")
INFILLS = ("lines", "grid", "gyroid", "rings", "full")


class Part:
    """One job on the bed, at any height of its growth."""

    def __init__(self, rng, stuff: Material, shape=None):
        self.shape = shape or SHAPES[rng.choice(len(SHAPES), p=np.array([2, 2, 2, 1.5, 3, 1.5, 1.5, 2, 1, 1.5, 1, 2]) / 21)]
        self.stuff, self.s = stuff, rng.uniform(0, 1, 16)
        self.size = np.exp(rng.uniform(np.log(9), np.log(52)))
        self.tall = {"plate": rng.uniform(2, 8), "letters": rng.uniform(2, 6)}.get(self.shape, np.exp(rng.uniform(np.log(10), np.log(130))))
        self.spot = rng.uniform(-35, 35, 2)
        self.infill = INFILLS[rng.integers(5)] if rng.random() < 0.75 else None
        self.brim, self.skirt, self.tower, self.purge = rng.random() < 0.22, rng.random() < 0.3, rng.random() < 0.12, rng.random() < 0.35
        self.bend = rng.normal(0, 1, 8)
        self.seed = int(rng.integers(1 << 30))
        self.second = Material(np.clip(stuff.colour * rng.uniform(0.3, 1.6) + rng.normal(0, 30, 3), 5, 250), stuff.gloss)

    def radius(self, a, u):
        """Outer wall at angles `a` [n] and shares of the full height `u` [m]: [m,n]."""
        s, a, u = self.s, a[None], np.asarray(u)[:, None]
        r = np.full((len(u), a.shape[1]), self.size)
        if self.shape in ("box", "plate", "several", "supported"):
            p = 2 + 12 * s[1]
            r = r / (np.abs(np.cos(a)) ** p + np.abs(np.sin(a)) ** p) ** (1 / p) * (1 - 0.3 * s[2] * (s[3] < 0.3) * u)
        elif self.shape == "vase":
            r = r * (0.72 + 0.3 * np.sin(2 + 4 * s[1] + 5 * s[2] * u)) * (1 + 0.15 * s[3] * np.sin(np.round(3 + 20 * s[4] ** 2) * a + 5 * (s[5] - 0.5) * u) * (1 + (s[6] < 0.2) * np.sin(40 * u)))
        elif self.shape == "star":
            r = r * (1 + 0.35 * np.sin(np.round(3 + 5 * s[4]) * a)) * (1 - 0.5 * s[2] * u)
        elif self.shape == "figure":
            for k in range(4):
                r = r * (1 + 0.22 * np.sin((k + 1) * a + self.bend[k] * 3 + (2 + 3 * k) * u * self.bend[k + 4]))
            r = r * np.clip(0.55 + 0.45 * np.cos(4.5 * u * (0.5 + s[1]) + 6 * s[2]) + 0.25, 0.2, 1.2)
        elif self.shape == "hull":
            r = r * (1 + 0.25 * u) / np.sqrt(np.cos(a) ** 2 + (np.sin(a) * (2 + s[1])) ** 2)
        return np.clip(r, 1.5, 90)

    def wall(self, upto, layers, n=40):
        """Points of the outer walls [layers,n,3] about the part's own spot, and the heights."""
        z = np.linspace(0.2, max(upto, 0.5), layers)
        a = np.arange(n) / n * 2 * np.pi
        r = self.radius(a, z / self.tall)
        turn = a + 6 * self.s[0]
        flat = 0.45 + 0.55 * self.s[7] if self.shape not in ("hull", "figure") else 1
        p = np.stack([r * np.cos(turn), r * np.sin(turn) * flat, np.broadcast_to(z[:, None], r.shape)], 2)
        if self.shape == "figure":
            p[..., 0] += (self.size * 0.4 * np.sin(z / self.tall * 4 * self.bend[0]))[:, None]
        return p, z

    def solid(self, m, upto, at, k=1.0, shift=None):
        """Walls and top of one body. `shift` (height, dx, dy): layers above were laid aside."""
        layers = int(np.clip(upto / 0.45, 3, 64))
        p, z = self.wall(upto, layers)
        p[..., :2] += at
        if shift is not None:
            p[z > shift[0], :, :2] += shift[1:]
        nxt = np.roll(p, -1, 1)
        rng = np.random.default_rng(self.seed)
        coarse = 0.035 + 0.05 * self.s[8]
        tone = 1 + coarse * rng.standard_normal(64)[:layers] + coarse * (np.arange(layers) % 2)
        side = np.stack([p[:-1], nxt[:-1], nxt[1:], p[1:]], 2)
        m.quads(side, self.stuff, k * np.repeat(tone[: layers - 1], p.shape[1]))
        top = p[-1]
        mid = np.broadcast_to(top.mean(0), top.shape)
        m.quads(np.stack([mid, top, np.roll(top, -1, 0), mid], 1), self.stuff, 0.9 * k)
        if shift is not None and (z > shift[0]).any():
            ledge = p[int(np.argmax(z > shift[0]))]
            m.quads(np.stack([np.broadcast_to(ledge.mean(0), ledge.shape), ledge, np.roll(ledge, -1, 0), np.broadcast_to(ledge.mean(0), ledge.shape)], 1), self.stuff, 0.7)
        m.thread(np.vstack([top, top[:1]]), 0.9, self.stuff, k=1.08 * k, outline=False)
        if self.infill and self.shape != "vase":
            self.hatch(m, top, int(upto / 0.3))

    def hatch(self, m, top, layer):
        """Infill seen on the top layer: a regular pattern of straight or waved lines, cut to the outline."""
        mid, kind = top.mean(0), self.infill
        reach = np.linalg.norm((top - mid)[:, :2], axis=1)
        ang = np.unwrap(np.arctan2((top - mid)[:, 1], (top - mid)[:, 0]))
        if kind == "rings":
            for r in np.linspace(0.15, 0.92, int(3 + 6 * self.s[9])):
                m.thread(np.vstack([(top - mid) * r + mid, (top[:1] - mid) * r + mid]), 0.8, self.stuff, k=0.75)
            return
        big = reach.max()
        gap = 1.0 if kind == "full" else 2.5 + 7 * self.s[9]
        rows = np.arange(-big, big, max(gap, big / 22))
        t = np.arange(-big, big, max(1.2, big / 26))
        for turn in ((0.78, 2.36) if kind == "grid" else (0.78 + 1.57 * (layer % 2),)):
            x, y = np.meshgrid(t, rows)
            if kind == "gyroid":
                y = y + 0.35 * gap * np.sin(x * 6.28 / (2 * gap) + layer)
            g = np.stack([x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)], 2)
            near = np.interp(np.arctan2(g[..., 1], g[..., 0]), np.r_[ang - 2 * np.pi, ang, ang + 2 * np.pi], np.r_[reach, reach, reach])
            ok = np.linalg.norm(g, axis=2) < near * 0.93
            g = np.dstack([g + mid[:2], np.full(g.shape[:2], mid[2] + 0.1)])
            both = ok[:, :-1] & ok[:, 1:]
            a, b = g[:, :-1][both], g[:, 1:][both]
            m.threads(np.stack([a] + [b] * (PIECE - 1), 1), 0.7, self.stuff, k=0.8 if kind != "full" else 0.93, outline=False)

    def struts(self, m, upto, at):
        """Open work that is meant to be there: a lattice or tree supports."""
        s, step, n = self.s, max(3.0, self.size / (1.5 + 3 * self.s[10])), int(3 + 2 * self.s[11])
        lines = []
        rng = np.random.default_rng(self.seed)
        if self.shape == "tree":
            for _ in range(int(4 + 14 * s[1])):
                foot = rng.normal(0, self.size * 0.7, 2)
                head = foot * rng.uniform(0.2, 0.7) + rng.normal(0, 3, 2)
                z = np.linspace(0, min(upto, self.tall), 10)[:, None]
                u = (z / self.tall) ** 2
                lines.append(np.hstack([foot * (1 - u) + head * u, z]))
        else:
            levels = np.arange(0, upto, step)
            for z in levels:
                up = min(step, upto - z)
                for i in range(n):
                    for j in range(n):
                        a = np.array([(i - (n - 1) / 2) * step, (j - (n - 1) / 2) * step, z])
                        ends = [a + [0, 0, up]] + ([a + [step, 0, up * (s[2] < 0.7)]] if i < n - 1 else []) + ([a + [0, step, up * (s[2] > 0.5)]] if j < n - 1 else [])
                        lines += [np.stack([a, b]) for b in ends]
        thick = (0.8 + 3 * s[12]) * (1.6 if self.shape == "tree" else 1)
        for line in lines:
            m.thread(line + [*at, 0], thick, self.stuff, k=rng.uniform(0.85, 1.08))

    def scaffold(self, m, upto, at):
        """Zigzag support walls under a slab that comes last."""
        s, top = self.s, self.tall * 0.7
        n = int(8 + 22 * s[1])
        x = np.linspace(-1, 1, n) * self.size * 1.3
        y = np.where(np.arange(n) % 2, 1, -1) * self.size * (0.2 + 0.5 * s[2])
        zig = np.stack([x, y], 1) + at
        for z0 in np.arange(0, min(upto, top), max(1.5, top / 24)):
            z1 = min(z0 + max(1.5, top / 24), upto, top)
            lo, hi = np.c_[zig, np.full(n, z0)], np.c_[zig, np.full(n, z1)]
            m.quads(np.stack([lo[:-1], lo[1:], hi[1:], hi[:-1]], 1), self.stuff, 0.8 + 0.14 * (int(z0) % 2))
        m.thread(np.c_[zig, np.full(n, min(upto, top))], 0.7, self.stuff, k=0.95)
        m.box([at[0] - self.size * 0.25, at[1] - self.size * 0.25, 0], [at[0] + self.size * 0.25, at[1] + self.size * 0.25, min(upto, top)], self.stuff, 4)
        if upto > top:
            m.box([at[0] - self.size * 1.35, at[1] - self.size * 0.7, top], [at[0] + self.size * 1.35, at[1] + self.size * 0.7, upto], self.stuff, 6)

    def flat_lines(self, m, at):
        """Brim, skirt and purge line on the bed."""
        p, _ = self.wall(0.5, 3)
        ring = np.vstack([p[0], p[0][:1]])
        if self.shape in ("lattice", "tree", "supported", "several", "letters"):
            a = np.linspace(0, 2 * np.pi, 41)
            ring = np.stack([np.cos(a), np.sin(a), 0 * a + 0.2], 1) * [self.size * 1.7, self.size * 1.3, 1]
        reach = np.linalg.norm(ring[:, :2], axis=1).mean()
        loops = list(1 + np.arange(1, 7) * 0.8 / reach) if self.brim else []
        loops += list(1 + (9 + np.arange(2)) / reach) if self.skirt else []
        for r in loops:
            m.thread(ring * [r, r, 0] + [*at, 0.2], 0.8, self.stuff, k=0.95, outline=False)
        if self.purge:
            y = -60 - 30 * self.s[13]
            m.thread(np.stack([np.linspace(-60, 60, 28), np.full(28, y), np.full(28, 0.2)], 1), 1, self.stuff)

    def build(self, upto, shift=None, curl=0.0, at=None):
        """The job up to a height. `shift` as in `solid`; `curl` lifts the corners (warping), in mm."""
        m, at = Model(), self.spot if at is None else at
        upto = max(upto, 0.4)
        self.flat_lines(m, at)
        if self.shape in ("lattice", "tree"):
            self.struts(m, upto, at)
        elif self.shape == "supported":
            self.scaffold(m, upto, at)
        elif self.shape in ("several", "letters"):
            n = 2 + int(2 * self.s[10])
            full, self.size = self.size, max(4, self.size * 0.45)
            for i in range(n):
                for j in range(n if self.shape == "several" else 1):
                    self.solid(m, upto, at + (np.array([i, j]) - (n - 1) / 2) * full * 1.15, shift=shift)
            self.size = full
        else:
            self.solid(m, upto, at, shift=shift)
        if self.tower:
            c = at + np.array([self.size * 1.6 + 18, 10])
            for i, z in enumerate(np.arange(0, upto, max(1.0, upto / 30))):
                m.box([*(c - 9), z], [*(c + 9), min(upto, z + max(1.0, upto / 30))], self.stuff if i % 3 else self.second)
        if curl:
            for q in m.q:
                far = np.linalg.norm(q[..., :2] - at, axis=-1) / max(8, self.size)
                q[..., 2] += curl * np.clip(far - 0.55, 0, 1) ** 2 * np.clip(1 - q[..., 2] / 25, 0, 1) * (q[..., 0] > at[0] - 5)
        return m
