"""The rendered scenes of one or more render runs, as one collection."""

import numpy as np

from .data import RUNS

#: A mask pixel above this is strands.
STRANDS = 60


class Rendered:
    """Pictures and exact masks, letterboxed to 416 px; read from disk as they are drawn."""

    def __init__(self, parts):
        self.parts = parts
        self.ends = np.cumsum([len(p) for p, _ in parts])

    def __len__(self):
        return int(self.ends[-1])

    def __getitem__(self, i):
        """(picture, mask) of scene `i`."""
        part = int(np.searchsorted(self.ends, i, side="right"))
        at = i - (self.ends[part - 1] if part else 0)
        pictures, masks = self.parts[part]
        return pictures[at], masks[at]

    def draw(self, rng):
        """Any scene."""
        return self[int(rng.integers(len(self)))]

    def strands(self, rng, tries=8):
        """The smallest picture around the strands of a scene, and their mask in 0..1; None when none was found."""
        for _ in range(tries):
            picture, mask = self.draw(rng)
            ys, xs = np.nonzero(mask > STRANDS)
            if len(ys) < 200:
                continue
            y1, y2, x1, x2 = ys.min(), ys.max() + 1, xs.min(), xs.max() + 1
            if min(y2 - y1, x2 - x1) >= 12:
                return picture[y1:y2, x1:x2], mask[y1:y2, x1:x2].astype(np.float32) / 255
        return None


def rendered(names):
    """What lies under runs/ by these names ("renders2,renders3"), or None when nothing does."""
    parts = []
    for name in names.split(","):
        if (RUNS / f"{name}.npy").exists():
            masks = name.replace("renders", "render_masks")
            parts.append((np.load(RUNS / f"{name}.npy", mmap_mode="r"), np.load(RUNS / f"{masks}.npy", mmap_mode="r")))
    return Rendered(parts) if parts else None
