"""The one way a picture becomes the network's input, here and in the TypeScript engine.

Everything in this file is integer box sums and a half-pixel bilinear filter, so that another
language can repeat it to within rounding. `docs/detector.md` states it in words.
"""

import math

import cv2
import numpy as np

#: Side of the pictures that training keeps; a model may take another, which its card says.
SIZE = 416
PAD = 114


def box_down(picture: np.ndarray, factor: int) -> np.ndarray:
    """Mean of factor x factor blocks; rows and columns that fill no whole block are dropped."""
    h, w = picture.shape[0] // factor, picture.shape[1] // factor
    part = picture[: h * factor, : w * factor].astype(np.float32)
    return part.reshape(h, factor, w, factor, 3).mean(axis=(1, 3), dtype=np.float32)


def bilinear(picture: np.ndarray, nw: int, nh: int) -> np.ndarray:
    """Half-pixel-centre bilinear resize with clamped edges, no antialiasing, in floating point."""
    return cv2.resize(picture.astype(np.float32), (nw, nh), interpolation=cv2.INTER_LINEAR)


def place(w: int, h: int, size: int = SIZE) -> tuple[int, int, int, int]:
    """(left, top, width, height) of a w x h picture inside the square input."""
    scale = min(size / w, size / h)
    nw, nh = max(1, math.floor(w * scale + 0.5)), max(1, math.floor(h * scale + 0.5))
    return (size - nw) // 2, (size - nh) // 2, nw, nh


def letterbox(picture: np.ndarray, size: int = SIZE) -> tuple[np.ndarray, tuple[int, int, int, int]]:
    """RGB uint8 picture to float32 square (0..255, not yet divided) and where the picture lies."""
    h, w = picture.shape[:2]
    left, top, nw, nh = place(w, h, size)
    factor = math.floor(min(w / nw, h / nh))
    work = box_down(picture, factor) if factor >= 2 else picture
    out = np.full((size, size, 3), PAD, np.float32)
    out[top : top + nh, left : left + nw] = bilinear(work, nw, nh)
    return out, (left, top, nw, nh)


def resized(square: np.ndarray, rect, size: int):
    """A letterboxed uint8 square of SIZE at another size, and where the picture lies in it."""
    if size == SIZE:
        return square, tuple(rect)
    way = cv2.INTER_AREA if size < SIZE else cv2.INTER_LINEAR
    return cv2.resize(square, (size, size), interpolation=way), tuple(int(v * size / SIZE) for v in rect)


def to_input(square: np.ndarray) -> np.ndarray:
    """HWC 0..255 to the network's float32 [1,3,H,W] in 0..1."""
    return np.ascontiguousarray(square.transpose(2, 0, 1)[None] / np.float32(255.0), np.float32)


def inside_cells(rect: tuple[int, int, int, int], stride: int, size: int = SIZE) -> np.ndarray:
    """Boolean map of the cells whose centre lies inside the picture, padding left out."""
    left, top, nw, nh = rect
    c = (np.arange(size // stride) + 0.5) * stride
    return ((c >= top) & (c < top + nh))[:, None] & ((c >= left) & (c < left + nw))[None, :]


def topk_mean(heat: np.ndarray, inside: np.ndarray, k: int) -> float:
    """Mean of the k largest logits inside the picture (all of them if fewer)."""
    v = heat[inside]
    k = min(k, v.size)
    return float(np.partition(v, v.size - k)[v.size - k :].mean())
