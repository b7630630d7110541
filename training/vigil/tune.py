"""Trains the upper parts of the pretrained backbones and their heads on fresh frames, each backbone by itself.

By parts: `--minutes` is the whole plan, `--part` how long this call works at most; what it leaves goes on with the next call, on a CPU or a
GPU, with as many `--workers` drawing frames as there are cores. First the heads learn alone, then the upper parts with them: slowly,
pulled back towards what they came with, since what they know of the world is what our few pictures can't teach. The weights that count
are a running mean.
"""

import argparse
import os
import time

import cv2
import numpy as np
import torch
from torch.utils.data import DataLoader

from .data import RUNS, cache, load
from .frames import Frames
from .rendered import rendered
from .train import follow, loss_of
from .tuned import Tuned

#: Share of each kind of frame.
MIX = {"photo": 0.22, "webcam_fail": 0.02, "composite": 0.15, "spilt": 0.14, "webcam": 0.16, "other": 0.12, "render": 0.19}
#: The printer with 20 sound frames or more that training would have: left out, so that it is judged as an unseen camera.
LEFT_OUT = ("ender3lab",)
#: The printer whose prints validation fails on.
OBICO = "obico-fdm"
#: Share of the plan in which heads learn alone.
ALONE = 0.08


def trainable(items) -> list:
    """Pictures that nets are trained on: none of a printer that validation shows or that is left out to be judged."""
    return [i for i in items if i.fold == "train" and i.label != "ignore" and i.printer not in (OBICO, *LEFT_OUT)]


def rates(done: float) -> tuple[float, float]:
    """Share of the learning rate of heads and of upper parts when `done` of the plan is behind."""
    fall = 0.03 + 0.97 * (0.5 + 0.5 * float(np.cos(np.pi * done)))
    return min(1.0, done / 0.01 + 0.02) * fall, fall * float(np.clip((done - ALONE) / 0.05, 0, 1))


class Learner:
    """One net with its optimizer, its running mean and where its upper part came from."""

    def __init__(self, name: str, args, device: str):
        self.net = Tuned(name, args.hidden, args.strides).to(device)
        self.mean = Tuned(name, args.hidden, args.strides).to(device)
        self.mean.load_state_dict(self.net.state_dict())
        self.came = [p.detach().clone() for p in self.net.body]
        self.args, self.start = args, None
        head = [p for n, p in self.net.named_parameters() if n.startswith("head.")]
        self.opt = torch.optim.AdamW([{"params": head, "weight_decay": 0.05}, {"params": self.net.body, "weight_decay": 0.0}], args.lr)

    def step(self, x, targets, done: float, first: bool) -> float:
        """Learns from one batch; returns the loss."""
        at = self.net.low(x, targets[0].device.type)
        if first:
            with torch.no_grad():
                for net in (self.net, self.mean):
                    net.head.size(self.net.maps(at))
        head, body = rates(done)
        self.opt.param_groups[0]["lr"], self.opt.param_groups[1]["lr"] = self.args.lr * head, self.args.body_lr * body
        self.net.train()
        with torch.set_grad_enabled(True):
            if body == 0:
                with torch.no_grad():
                    maps = self.net.maps(at)
                z = self.net.head(maps)
            else:
                z = self.net(at)
            loss = loss_of(z, *targets, self.net.head.scale, 0.25)[0]
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 10.0)
        self.opt.step()
        if body:
            if self.start is None:
                self.start = {k: v.detach().clone() for k, v in self.mean.state_dict().items()}
            with torch.no_grad():
                for p, came in zip(self.net.body, self.came):
                    p.lerp_(came, min(1.0, self.args.pull * self.args.body_lr * body))
        follow(self.mean, self.net, self.args.keep)
        return float(loss.detach())

    def state(self) -> dict:
        return {"net": self.net.state_dict(), "mean": self.mean.state_dict(), "start": self.start, "opt": self.opt.state_dict(), "hidden": self.args.hidden, "strides": list(self.net.strides)}

    def load(self, kept: dict) -> None:
        self.net.load_state_dict(kept["net"])
        self.mean.load_state_dict(kept["mean"])
        self.opt.load_state_dict(kept["opt"])
        self.start = kept["start"]


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--name", default="tuned")
    ap.add_argument("--backbones", nargs="+", default=["ssd", "nanodet"])
    ap.add_argument("--strides", type=int, nargs="+", default=[8, 16, 32])
    ap.add_argument("--minutes", type=float, default=60, help="of learning, the whole plan")
    ap.add_argument("--part", type=float, default=1e9, help="minutes of this call")
    ap.add_argument("--side", type=int, default=288)
    ap.add_argument("--batch", type=int, default=8)
    ap.add_argument("--hidden", type=int, default=64)
    ap.add_argument("--lr", type=float, default=1.5e-3)
    ap.add_argument("--body-lr", type=float, default=1.5e-4)
    ap.add_argument("--pull", type=float, default=1.0, help="how strongly upper parts are pulled back")
    ap.add_argument("--keep", type=float, default=0.998, help="of the running mean")
    ap.add_argument("--renders", default="renders2,renders3,renders4")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--workers", type=int, default=0)
    ap.add_argument("--without-licence", action="append", default=[])
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    items = trainable(load(tuple(args.without_licence)))
    path, learners, spent, step = RUNS / f"{args.name}.tuned.pt", [Learner(b, args, device) for b in args.backbones], 0.0, 0
    if path.exists():
        kept = torch.load(path, map_location=device)
        spent, step = kept["spent"], kept["step"]
        for it in learners:
            it.load(kept[it.net.name])
    pictures, rects = cache()
    data = Frames(items, pictures, rects, rendered(args.renders), args.seed * 1000 + step, side=args.side, gratings=0.15, mix=MIX)
    batches = iter(DataLoader(data, args.batch, num_workers=args.workers, prefetch_factor=4 if args.workers else None))
    print(f"{len(items)} pictures, {len(data.windows.renders)} renders, on {device}; step {step}, {spent / 60:.1f} min behind", flush=True)

    def save() -> None:
        torch.save({"spent": spent, "step": step, **{it.net.name: it.state() for it in learners}}, path.with_suffix(".tmp"))
        os.replace(path.with_suffix(".tmp"), path)

    begin, at, losses = time.time(), time.time(), np.zeros(len(learners))
    while spent < 60 * args.minutes and time.time() - begin < 60 * args.part:
        x, *targets = next(batches)
        x, targets = x.numpy().astype(np.float32) / 255, [t.to(device) for t in targets]
        losses += [it.step(x, targets, spent / (60 * args.minutes), step == 0) for it in learners]
        step, (spent, at) = step + 1, (spent + time.time() - at, time.time())
        if step % 100 == 0:
            print(f"{step} {spent / 60:.1f} min, loss " + " ".join(f"{v / 100:.3f}" for v in losses), flush=True)
            losses[:] = 0
        if step % 500 == 0:
            save()
    save()
    print(f"{step} steps, {spent / 60:.1f} of {args.minutes:.0f} min", flush=True)


if __name__ == "__main__":
    main()
