"""Loose filament: coils, waves, straight drags and droops that pile up, and lumps around the nozzle."""

import numpy as np

#: Distance of two points along a strand, mm.
STEP = 1.5


def curl(rng, n, mode, spread):
    """The way of one strand seen from above, [n,2] about its start."""
    turn = rng.uniform(0, 2 * np.pi)
    if mode == "coil":
        bend = rng.choice([-1, 1]) / np.exp(rng.uniform(np.log(1.6), np.log(9)))
        k = bend * (1 + 0.5 * np.convolve(rng.standard_normal(n + 8), np.ones(9) / 3, "valid"))
        if rng.random() < 0.4:
            k[int(rng.integers(n)) :] *= -1
        head = turn + np.cumsum(k) * STEP
    elif mode == "wave":
        head = turn + rng.uniform(0.6, 1.9) * np.sin(np.arange(n) * STEP / rng.uniform(0.8, 3) + turn) + np.cumsum(rng.normal(0, 0.06, n))
    elif mode == "drag":
        head = turn + np.cumsum(rng.normal(0, 0.05, n)) + (rng.random(n) < 0.06).cumsum() * rng.uniform(1.2, 2.6)
    else:
        # The outline that should have been printed, laid where it fell.
        sides = int(rng.choice([4, 4, 6, 24]))
        run = max(3, int(2 * np.pi * spread * 0.5 / sides / STEP))
        head = turn + (np.arange(n) // run) * 2 * np.pi / sides + np.cumsum(rng.normal(0, 0.12, n))
    return np.cumsum(np.stack([np.cos(head), np.sin(head)], 1) * STEP, 0)


class Pile:
    """How high the loose filament lies already, so that later strands lie on top."""

    def __init__(self, reach, floor=None):
        self.reach, self.n = reach, 48
        self.h = np.zeros((48, 48)) if floor is None else floor

    def cells(self, p):
        c = np.clip(((p / self.reach + 1) * self.n / 2).astype(int), 0, self.n - 1)
        return c[:, 1], c[:, 0]

    def settle(self, p, width):
        """Heights [n] of a strand that comes to lie on the pile; the pile grows."""
        at = self.cells(p)
        z = self.h[at]
        k = np.ones(7) / 7
        z = np.maximum(np.convolve(np.pad(z, 3, "edge"), k, "valid"), z * 0.7)
        self.h[at] = np.maximum(self.h[at], z + 0.75 * width)
        return z + width / 2


def tangle(rng, length, spread, width, height=0.0, mess=None):
    """A spill of `length` mm about the origin as a list of [n,3], in the order it comes out.

    `height` is that of the part it falls beside and upon; strands hang from there down to the bed.
    """
    mess = rng.dirichlet([1.2, 0.8, 0.8, 0.7]) if mess is None else mess
    lift = np.exp(rng.uniform(np.log(0.6), np.log(9)))
    pile, out, left = Pile(3 * spread + 10), [], length / STEP
    core = rng.normal(0, 0.4, 2) * spread
    while left > 6:
        n = int(min(left, np.exp(rng.uniform(np.log(12), np.log(140))), 160))
        n = max(n, 6)
        p = curl(rng, n, ("coil", "wave", "drag", "path")[rng.choice(4, p=mess)], spread)
        p = p - p.mean(0) * rng.uniform(0, 1.1) + core + rng.normal(0, spread * rng.choice([0.25, 0.7]), 2)
        far = np.linalg.norm(p, axis=1, keepdims=True)
        p *= np.minimum(1, 2.2 * spread / (far + 1.1 * spread))
        z = pile.settle(p, width)
        if rng.random() < 0.55:
            s = np.arange(n) * STEP
            z = z + lift * rng.uniform(0.2, 1.4) * np.clip(np.sin(s / rng.uniform(4, 16) + rng.uniform(0, 6)), 0, 1) ** 1.5
        if height > 2 and rng.random() < 0.35:
            # Hangs from the part: high at one end, down to the pile at the other.
            drop = np.clip(1 - np.arange(n) / max(4, n * rng.uniform(0.2, 0.8)), 0, 1)
            z = np.maximum(z, height * rng.uniform(0.3, 1.05) * drop**0.6)
        out.append(np.c_[p, np.maximum(z, width / 2)])
        left -= n
    return out


def lump(rng, radius, width):
    """A ball of filament about the origin with loops that hang from it."""
    out = []
    for _ in range(int(12 + radius * 3.5)):
        n = int(rng.integers(14, 60))
        axis = rng.normal(0, 1, (2, 3))
        a = np.cumsum(rng.uniform(0.12, 0.5, n))
        p = np.cos(a)[:, None] * axis[0] + np.sin(a)[:, None] * axis[1] + np.cumsum(rng.normal(0, 0.12, (n, 3)), 0)
        p /= np.maximum(np.linalg.norm(p, axis=1, keepdims=True), 0.3)
        out.append(p * radius * rng.uniform(0.4, 1.05) * np.array([1, 1, 0.8]) + [0, 0, radius * 0.3])
    for _ in range(int(rng.integers(1, 5))):
        n = int(rng.integers(20, 60))
        t = np.linspace(0, 1, n)
        fall = rng.uniform(1, 5) * radius
        side = np.cumsum(rng.normal(0, 0.25, (n, 2)), 0) * rng.uniform(0.3, 2)
        back = rng.random() < 0.5
        z = -fall * (np.sin(np.pi * t) if back else t**0.8)
        out.append(np.c_[side + np.outer(t, rng.normal(0, 1.2, 2) * radius), z])
    return out


def string_to(rng, a, b, slack):
    """The strand between what lies there and the nozzle: a sagging, wobbling line from a to b."""
    n = 16
    t = np.linspace(0, 1, n)[:, None]
    wob = np.cumsum(rng.normal(0, 0.5, (n, 3)), 0) * t * (1 - t) * 4
    return np.asarray(a) * (1 - t) + np.asarray(b) * t + wob - np.array([0, 0, slack]) * t * (1 - t) * 4


def upto(paths, share):
    """The first `share` (0..1) of all the strands' points, the last strand cut."""
    total = sum(len(p) for p in paths)
    left, out = int(round(share * total)), []
    for p in paths:
        if left < 3:
            break
        out.append(p[:left])
        left -= len(p)
    return out
