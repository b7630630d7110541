"""How regular the extruded lines are: an explainable figure that no network makes.

`server/engines/inference/lines.ts` repeats it number for number (docs/detector.md, First layer). Windows of
64 px, half overlapping, over the picture inside the square input: the structure tensor says which way the lines
run and how much they agree (coherence), the spectrum of the profile across them how sharp their spacing is, and
neighbouring windows how much that spacing drifts.
"""

import numpy as np

WINDOW, HOP = 64, 32
#: Windows with less contrast than this (standard deviation, grey levels) show no lines.
LEAST_CONTRAST = 4.0
#: Lines finer or coarser than this many to a window are not looked for.
LEAST, MOST = 2, 20
#: Neighbours' spacings are compared where both are at least this sharp.
SHARP = 0.35
#: The drift (natural logarithm of a ratio) that counts as no regularity left.
WORST_DRIFT = 0.5

_at = np.arange(WINDOW) - (WINDOW - 1) / 2
_DX, _DY = np.meshgrid(_at, _at)
_DISC = np.hypot(_DX, _DY) <= (WINDOW - 1) / 2
_HANN = 0.5 - 0.5 * np.cos(2 * np.pi * (np.arange(WINDOW) + 0.5) / WINDOW)
_K = np.arange(1, WINDOW // 2)
_WAVES = np.exp(-2j * np.pi * np.outer(_K, np.arange(WINDOW)) / WINDOW)


def grey(square):
    """Grey levels 0..255 of an RGB square."""
    return square[..., 0] * 0.299 + square[..., 1] * 0.587 + square[..., 2] * 0.114


def window_of(g):
    """(coherence, sharpness, spacing in px) of one window, or None without contrast."""
    if g.std() < LEAST_CONTRAST:
        return None
    gx = (g[1:-1, 2:] - g[1:-1, :-2]) / 2
    gy = (g[2:, 1:-1] - g[:-2, 1:-1]) / 2
    xx, yy, xy = (gx * gx).sum(), (gy * gy).sum(), (gx * gy).sum()
    coherence = np.hypot(xx - yy, 2 * xy) / (xx + yy)
    angle = 0.5 * np.arctan2(2 * xy, xx - yy)
    across = np.floor(_DX * np.cos(angle) + _DY * np.sin(angle) + WINDOW / 2).astype(int)[_DISC]
    count = np.bincount(across, minlength=WINDOW)
    mean = g[_DISC].mean()
    profile = np.bincount(across, g[_DISC] - mean, WINDOW) / np.maximum(count, 1)
    power = np.abs(_WAVES @ (profile * _HANN)) ** 2
    peak = LEAST + int(np.argmax(power[LEAST - 1 : MOST]))
    around = lambda k: power[max(0, k - 2) : k + 1].sum() if k < len(power) else 0.0
    sharpness = min(1.0, (around(peak) + (around(2 * peak) if peak >= 3 else 0.0)) / max(power.sum(), 1e-9))
    left, mid, right = (np.log(power[peak - 1 + i] + 1e-9) for i in (-1, 0, 1))
    bend = left - 2 * mid + right
    shift = 0.0 if bend >= 0 else float(np.clip(0.5 * (left - right) / bend, -0.5, 0.5))
    return float(coherence), float(sharpness), WINDOW / (peak + shift)


def regularity(square, rect):
    """Raw regularity 0..1 of the lines of a letterboxed picture; None where no window shows anything."""
    left, top, width, height = rect
    g = grey(np.asarray(square, np.float64))
    rows, columns = (height - WINDOW) // HOP + 1, (width - WINDOW) // HOP + 1
    found = {}
    for j in range(rows):
        for i in range(columns):
            y, x = top + j * HOP, left + i * HOP
            seen = window_of(g[y : y + WINDOW, x : x + WINDOW])
            if seen is not None:
                found[j, i] = seen
    if not found:
        return None
    drifts = [abs(np.log(found[a][2] / found[b][2]))
              for a in found for b in ((a[0], a[1] + 1), (a[0] + 1, a[1]))
              if b in found and found[a][1] >= SHARP and found[b][1] >= SHARP]
    drift = float(np.median(drifts)) if drifts else WORST_DRIFT
    mean = float(np.mean([c * s for c, s, _ in found.values()]))
    return mean * (1 - 0.5 * min(1.0, drift / WORST_DRIFT))
