"""Figures with intervals: ranking, recall at a false-frame rate, counts, cluster bootstrap."""

import math

import numpy as np


def auroc(pos, neg) -> float:
    """Chance that a failure scores above a sound picture; ties count half."""
    pos, neg = np.asarray(pos, float), np.sort(np.asarray(neg, float))
    if not len(pos) or not len(neg):
        return float("nan")
    below = np.searchsorted(neg, pos, "left") + 0.5 * (np.searchsorted(neg, pos, "right") - np.searchsorted(neg, pos, "left"))
    return float(below.mean() / len(neg))


def average_precision(pos, neg) -> float:
    """Area under precision over recall."""
    s = np.concatenate([pos, neg])
    y = np.concatenate([np.ones(len(pos)), np.zeros(len(neg))])
    if not len(pos) or not len(neg):
        return float("nan")
    y = y[np.argsort(-s, kind="stable")]
    hit = np.cumsum(y)
    return float((hit / np.arange(1, len(y) + 1))[y > 0].mean())


def recall_at(pos, neg, rate: float) -> float:
    """Share of failures above the threshold that lets at most `rate` of the sound pictures through."""
    neg = np.sort(np.asarray(neg))[::-1]
    if not len(neg) or not len(pos):
        return float("nan")
    allowed = int(math.floor(rate * len(neg) + 1e-9))
    cut = neg[allowed] if allowed < len(neg) else -np.inf
    return float((np.asarray(pos) > cut).mean())


FIGURES = {
    "auroc": auroc,
    "ap": average_precision,
    "recall@0.1%": lambda p, n: recall_at(p, n, 0.001),
    "recall@1%": lambda p, n: recall_at(p, n, 0.01),
    "recall@5%": lambda p, n: recall_at(p, n, 0.05),
}


def with_intervals(pos, neg, pos_groups, neg_groups, rounds: int = 400, seed: int = 0) -> dict:
    """Each figure with a 95 % interval; whole groups are drawn again, never single frames.

    Where one side is a single group (one print) its frames are drawn instead, and `frames` says so.
    """
    rng = np.random.default_rng(seed)
    pos, neg = np.asarray(pos, float), np.asarray(neg, float)

    def sampler(values, groups):
        names = sorted(set(groups))
        if len(names) < 5:
            return lambda: values[rng.integers(0, len(values), len(values))]
        parts = {g: values[[i for i, x in enumerate(groups) if x == g]] for g in names}
        return lambda: np.concatenate([parts[names[j]] for j in rng.integers(0, len(names), len(names))])

    if not len(pos) or not len(neg):
        return {}
    draw_pos, draw_neg = sampler(pos, pos_groups), sampler(neg, neg_groups)
    draws = [(draw_pos(), draw_neg()) for _ in range(rounds)]
    out = {"failures": len(pos), "sound": len(neg)}
    for name, f in FIGURES.items():
        v = [f(p, n) for p, n in draws]
        out[name] = [round(f(pos, neg), 4), round(float(np.quantile(v, 0.025)), 4), round(float(np.quantile(v, 0.975)), 4)]
    return out


def count_interval(k: int, n: int) -> list[float]:
    """Clopper-Pearson 95 % interval of a share k of n."""

    def cdf(p, upto):
        return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(upto + 1))

    def solve(f):
        lo, hi = 0.0, 1.0
        for _ in range(60):
            mid = (lo + hi) / 2
            lo, hi = (mid, hi) if f(mid) else (lo, mid)
        return (lo + hi) / 2

    if n == 0:
        return [float("nan")] * 2
    low = 0.0 if k == 0 else solve(lambda p: 1 - cdf(p, k - 1) < 0.025)
    high = 1.0 if k == n else solve(lambda p: cdf(p, k) > 0.025)
    return [round(low, 4), round(high, 4)]
