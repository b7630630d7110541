"""Training windows: where things are put, and what light, lens, sensor and codec do to them.

A window is 128 px. With it come three maps at stride 8: `neg` (weight of "no strands here"),
`bag` (strands are somewhere in here: a loose box) and `pos` (strands are exactly here).
"""

import cv2
import numpy as np

from .letterbox import PAD

WIN = 128
CELL = 8


def warp(picture, rng, scale, focus, angle=None, size=WIN):
    """Affine window: `focus` (x, y in the picture) lands anywhere, so that place tells nothing. Returns image, cover, M."""
    angle = rng.uniform(-20, 20) if angle is None else angle
    if rng.random() < 0.06:
        angle += rng.choice([90, 180, 270])
    a = np.deg2rad(angle)
    sx = scale * np.exp(rng.uniform(-0.12, 0.12)) * (-1 if rng.random() < 0.5 else 1)
    sy = scale * np.exp(rng.uniform(-0.12, 0.12))
    m = np.array([[np.cos(a) * sx, -np.sin(a) * sy], [np.sin(a) * sx, np.cos(a) * sy]], np.float32)
    aim = size * rng.uniform(0.08, 0.92, 2)
    full = np.concatenate([m, (aim - m @ np.asarray(focus, np.float32))[:, None]], 1).astype(np.float32)
    if scale < 0.6:
        k = int(1 / scale)
        picture = cv2.blur(picture, (k, k))
    out = cv2.warpAffine(picture, full, (size, size), flags=cv2.INTER_LINEAR, borderValue=(PAD,) * 3)
    cover = cv2.warpAffine(np.ones(picture.shape[:2], np.uint8), full, (size, size), flags=cv2.INTER_NEAREST)
    return out, cover, full


def boxes_px(item, rect):
    """The item's boxes in pixels of its letterboxed picture: [x1, y1, x2, y2]."""
    left, top, nw, nh = rect
    return [
        [left + (x - w / 2) * nw, top + (y - h / 2) * nh, left + (x + w / 2) * nw, top + (y + h / 2) * nh]
        for x, y, w, h in item.boxes
    ]


def box_mask(boxes, full, grow=0.0, size=WIN):
    """The boxes as filled polygons in the warped window."""
    mask = np.zeros((size, size), np.uint8)
    for x1, y1, x2, y2 in boxes:
        gx, gy = (x2 - x1) * grow, (y2 - y1) * grow
        c = np.array([[x1 - gx, y1 - gy], [x2 + gx, y1 - gy], [x2 + gx, y2 + gy], [x1 - gx, y2 + gy]], np.float32)
        pts = c @ full[:, :2].T + full[:, 2]
        cv2.fillConvexPoly(mask, np.round(pts).astype(np.int32), 1)
    return mask


def cells(mask, level=0.5):
    """Pixel mask to stride-8 cells covered by at least `level`."""
    n = mask.shape[0] // CELL
    return mask.reshape(n, CELL, n, CELL).mean(axis=(1, 3)) >= level


def empty(side):
    """The maps `neg`, `bag` and `pos` of `side` px without strands anywhere."""
    n = side // CELL
    return np.ones((n, n), np.float32), np.zeros((n, n), bool), np.zeros((n, n), bool)


def matte(crop, rng):
    """Soft mask of what stands out from the border of a crop: colour distance times a soft ellipse."""
    h, w = crop.shape[:2]
    lab = cv2.cvtColor(crop, cv2.COLOR_RGB2LAB).astype(np.float32)
    edge = np.concatenate([lab[:2].reshape(-1, 3), lab[-2:].reshape(-1, 3), lab[:, :2].reshape(-1, 3), lab[:, -2:].reshape(-1, 3)])
    picks = edge[rng.integers(0, len(edge), 12)]
    d = np.sqrt(((lab[:, :, None] - picks[None, None]) ** 2).sum(-1)).min(-1)
    alpha = np.clip((d - 9) / 14, 0, 1)
    yy, xx = np.mgrid[0:h, 0:w]
    r = np.sqrt(((xx - w / 2 + 0.5) / (w / 2)) ** 2 + ((yy - h / 2 + 0.5) / (h / 2)) ** 2)
    soft = np.clip((1.08 - r) / 0.18, 0, 1)
    if rng.random() < 0.3:
        alpha = np.ones_like(alpha)
    return cv2.GaussianBlur((alpha * soft).astype(np.float32), (3, 3), 0)


def paste(window, crop, rng, centre, longer, mask=None):
    """Put a crop on a window with its mask (0..1), or a matte. Returns window and the alpha that was laid down."""
    k = longer / max(crop.shape[:2])
    size = (max(6, int(crop.shape[1] * k)), max(6, int(crop.shape[0] * k)))
    crop = cv2.resize(crop, size, interpolation=cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR)
    alpha = None if mask is None else cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    if rng.random() < 0.5:
        crop = crop[:, ::-1]
        alpha = None if alpha is None else alpha[:, ::-1]
    if rng.random() < 0.5:
        crop = recolour(crop, rng)
    if alpha is None:
        alpha = matte(np.ascontiguousarray(crop), rng)
    h, w = crop.shape[:2]
    x, y = int(centre[0] - w / 2), int(centre[1] - h / 2)
    x1, y1, x2, y2 = max(x, 0), max(y, 0), min(x + w, window.shape[1]), min(y + h, window.shape[0])
    laid = np.zeros(window.shape[:2], np.float32)
    if x2 <= x1 or y2 <= y1:
        return window, laid
    a = alpha[y1 - y : y2 - y, x1 - x : x2 - x]
    part = crop[y1 - y : y2 - y, x1 - x : x2 - x].astype(np.float32)
    under = window[y1:y2, x1:x2].astype(np.float32)
    gain = np.clip((under.mean() + 40) / (part.mean() + 40), 0.5, 1.3) ** rng.uniform(0, 1)
    window = window.copy()
    window[y1:y2, x1:x2] = np.clip(under + (part * gain - under) * a[..., None], 0, 255).astype(np.uint8)
    laid[y1:y2, x1:x2] = a
    return window, laid


def recolour(picture, rng):
    """Another filament: hue turned, saturation and brightness moved."""
    hsv = cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_RGB2HSV).astype(np.float32)
    hsv[..., 0] = (hsv[..., 0] + rng.uniform(0, 180)) % 180
    hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.2, 1.6), 0, 255)
    hsv[..., 2] = np.clip(hsv[..., 2] * rng.uniform(0.5, 1.3), 0, 255)
    return cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2RGB)


#: Noise made once and cut at random: drawing it anew costs more than everything else together.
_NOISE = np.random.default_rng(7).standard_normal((640, 640, 3), np.float32)


def colour(window, rng):
    """Colour matrix, contrast, brightness, gamma; grey or tinted infrared now and then. uint8 in and out."""
    m = np.eye(3)
    if rng.random() < 0.6:
        m = m + rng.normal(0, 0.08, (3, 3))
    if rng.random() < 0.18:
        tint = np.ones(3) if rng.random() < 0.7 else rng.uniform(0.75, 1.1, 3)
        m = tint[:, None] * rng.dirichlet([2, 3, 2])[None]
    contrast, bright = rng.uniform(0.65, 1.35), rng.uniform(-0.16, 0.16)
    if rng.random() < 0.02:
        contrast = -contrast
    gain = rng.choice([0.3, 0.5, 1.6, 2.0]) if rng.random() < 0.08 else 1.0
    # c * (m x - 127.5) + 127.5 + b, as one 3x4 matrix
    full = np.concatenate([m * contrast, np.full((3, 1), 127.5 * (1 - contrast) + 255 * bright)], 1)
    out = np.clip(cv2.transform(window.astype(np.float32), full.astype(np.float32)), 0, 255)
    gamma = np.exp(rng.uniform(-0.5, 0.5))
    table = np.clip((np.arange(256) / 255.0) ** gamma * gain * 255, 0, 255).astype(np.uint8)
    return cv2.LUT(out.astype(np.uint8), table)


def sensor(x, rng):
    """Lens blur, motion blur, lost resolution, sensor noise, sharpening, JPEG. Float 0..1 to uint8."""
    r = rng.random()
    if r < 0.3:
        x = cv2.GaussianBlur(x, (0, 0), float(rng.uniform(0.4, 1.6)))
    elif r < 0.4:
        n = int(rng.integers(3, 9))
        k = np.zeros((n, n), np.float32)
        cv2.line(k, (0, int(rng.integers(0, n))), (n - 1, int(rng.integers(0, n))), 1.0, 1)
        x = cv2.filter2D(x, -1, k / k.sum())
    elif r < 0.52:
        f = rng.uniform(0.4, 0.8)
        small = cv2.resize(x, None, fx=f, fy=f, interpolation=cv2.INTER_AREA)
        x = cv2.resize(small, (x.shape[1], x.shape[0]), interpolation=cv2.INTER_LINEAR)
    elif r < 0.65:
        x = x + rng.uniform(0.3, 1.2) * (x - cv2.GaussianBlur(x, (0, 0), 1.2))
    if rng.random() < 0.4:
        i, j = rng.integers(0, 640 - x.shape[0] + 1), rng.integers(0, 640 - x.shape[1] + 1)
        noise = _NOISE[i : i + x.shape[0], j : j + x.shape[1]]
        x = x + (noise if rng.random() < 0.5 else noise[..., :1]) * np.float32(rng.uniform(0.005, 0.05))
    out = (np.clip(x, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.5:
        q = int(rng.integers(18, 90))
        _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, q])
        out = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return out


def photometric(window, rng):
    """The whole chain after composition; a quarter of the windows skip the light, a third the sensor."""
    if rng.random() < 0.75:
        window = colour(window, rng)
    if rng.random() < 0.66:
        window = sensor(window.astype(np.float32) * np.float32(1 / 255), rng)
    return window
