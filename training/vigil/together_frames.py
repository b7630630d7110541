"""Frames for nets that learn side by side: those that workers drew are kept on the device, new ones take the place of the oldest, and each batch
is any of them, mirrored and under a little other light, so that learning never waits for drawing."""

import os
import threading
from queue import Empty, Queue

import numpy as np
import torch
from torch.utils.data import DataLoader

from .letterbox import PAD


def everywhere(_worker) -> None:
    """A worker may run on every core: what the main process was bound to is not for it."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))


class Pool:
    """Up to `room` frames on a device, in a ring."""

    def __init__(self, frames, device: str, batch: int, workers: int, room: int, seed: int):
        loader = DataLoader(frames, batch, num_workers=workers, prefetch_factor=2 if workers else None, worker_init_fn=everywhere)
        self.batch, self.room, self.device, self.drawn = batch, room // batch * batch, device, 0
        self.rng, self.new, self.kept = np.random.default_rng(seed), Queue(8), None
        threading.Thread(target=self._fetch, args=(iter(loader),), daemon=True).start()

    def _fetch(self, batches) -> None:
        for batch in batches:
            self.new.put(batch)

    def take(self, wait: bool) -> bool:
        """Put one new batch into the ring, if there is one."""
        try:
            batch = self.new.get(wait)
        except Empty:
            return False
        if self.kept is None:
            self.kept = [torch.empty((self.room, *t.shape[1:]), dtype=t.dtype, device=self.device) for t in batch[:-1]]
            self.bits = np.zeros(self.room, np.int64)
        at = self.drawn % self.room
        for kept, t in zip(self.kept, batch):
            kept[at : at + self.batch].copy_(t)
        self.bits[at : at + self.batch] = batch[-1].numpy()
        self.drawn += self.batch
        return True

    def next(self, least: int = 1) -> tuple:
        """(pictures 0..1, targets, bits of the folds) of a batch; waits until `least` frames were drawn."""
        while self.drawn < max(least, self.batch) or (self.take(False) and self.new.qsize() > 2):
            if self.drawn < max(least, self.batch):
                self.take(True)
        some = self.rng.choice(min(self.drawn, self.room), self.batch, replace=False)
        at = torch.from_numpy(some).to(self.device)
        x, *targets = (kept.index_select(0, at) for kept in self.kept)
        x, targets = self.light(x), list(targets)
        if self.rng.random() < 0.5:
            x, targets = x.flip(3), [t.flip(2) if t.dim() == 3 else t for t in targets]
        return x, targets, self.bits[some]

    def light(self, x: torch.Tensor) -> torch.Tensor:
        """Each frame a little lighter or darker, of more or less contrast and tint, some with noise; the letterbox's grey stays."""
        lit, n = (x != PAD).any(1, keepdim=True), len(x)
        number = lambda *shape: torch.rand(n, *shape, device=self.device) * 2 - 1
        y = x.float() / 255
        y = (y - 0.5) * (1 + 0.2 * number(1, 1, 1)) * (1 + 0.06 * number(3, 1, 1)) + 0.5 + 0.08 * number(1, 1, 1)
        y = y + torch.randn_like(y) * 0.03 * number(1, 1, 1).clamp(min=0)
        return torch.where(lit, y.clamp(0, 1), x.float() / 255)
