"""Trains the patch classifier from scratch: about 20 minutes of one core."""

import argparse
import time

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from .data import RUNS
from .first_layer_beads import CLASSES, IGNORE, NOT_A_NOZZLE_CAM, UNSAID
from .first_layer_data import shown, training_set
from .first_layer_model import Patches

#: Cells a side of the parts it sees: neighbours say much the same, so parts of more pictures teach more.
PART = 5

WEIGHTS = torch.tensor([0.7] + [1.2] * 5 + [0.8])


def loss_of(z, y):
    """Cross entropy; of a cell UNSAID only whether it is a nozzle camera's counts."""
    said = F.cross_entropy(z, torch.where(y == UNSAID, IGNORE, y), WEIGHTS, ignore_index=IGNORE, label_smoothing=0.02)
    strange = F.softplus(z[:, NOT_A_NOZZLE_CAM] - z[:, :NOT_A_NOZZLE_CAM].logsumexp(1))
    return said + 0.5 * strange[y == UNSAID].mean()


def hits(model, pictures, labels):
    """Share of the cells of each class that are told right."""
    model.eval()
    told, marks = [], []
    with torch.no_grad():
        for start in range(0, len(pictures), 32):
            x, y = shown(pictures[start : start + 32], labels[start : start + 32], np.random.default_rng(start))
            told.append(model(x).argmax(1))
            marks.append(y)
    model.train()
    told, y = torch.cat(told), torch.cat(marks)
    ours = (told[y == UNSAID] != NOT_A_NOZZLE_CAM).float().mean()
    return " ".join(f"{name} {(told[y == c] == c).float().mean():.2f}" for c, name in enumerate(CLASSES)) + f" unsaid {ours:.2f}"


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--name", default="first_layer", help="of the checkpoint in training/runs")
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    r = np.random.default_rng(args.seed)
    start = time.process_time()
    pictures, labels = training_set()
    order = r.permutation(len(pictures))
    held, rest, size = order[: len(order) // 25], order[len(order) // 25 :], 32
    model = Patches().to(memory_format=torch.channels_last)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=2e-2)
    steps = len(rest) // size
    plan = torch.optim.lr_scheduler.OneCycleLR(opt, args.lr, args.epochs * steps, pct_start=0.15)
    for epoch in range(1, args.epochs + 1):
        total = 0.0
        r.shuffle(rest)
        for step in range(steps):
            some = rest[step * size : (step + 1) * size]
            x, y = shown(pictures[some], labels[some], r, PART)
            loss = loss_of(model(x), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            plan.step()
            total += loss.item()
        seen = f" held out: {hits(model, pictures[held], labels[held])}" if epoch % 3 == 0 or epoch == args.epochs else ""
        print(f"{epoch} {time.process_time() - start:.0f} s loss {total / steps:.3f}{seen}", flush=True)
        torch.save(model.state_dict(), RUNS / f"{args.name}.pt")


if __name__ == "__main__":
    main()
