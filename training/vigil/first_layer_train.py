"""Trains the patch classifier from scratch: a few minutes of one core, a third of it for the fixed part's answers."""

import argparse
import time

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from .data import RUNS
from .first_layer_data import features, mirrored, real_nozzles, training_set
from .first_layer_model import Front, Head
from .first_layer_beads import CLASSES, GRID, IGNORE, NOT_A_NOZZLE_CAM, UNSAID


def kept_features():
    """Features and labels of everything there is to train on, shuffled; made once and kept in training/runs."""
    path = RUNS / "first_layer_features.npz"
    if not path.exists():
        pictures, labels, others = training_set()
        real, said = real_nozzles()
        print(f"{len(pictures)} rendered nozzle pictures, {len(real)} parts of real ones, {len(others)} others", flush=True)
        strange = np.full((len(others), GRID, GRID), NOT_A_NOZZLE_CAM, np.int8)
        parts = [features(Front(), pictures, labels, 1), features(Front(), real, said, 2), features(Front(), others, strange, 3)]
        x, y = (np.concatenate(some) for some in zip(*parts))
        order = np.random.default_rng(0).permutation(len(x))
        np.savez(path, x=x[order], y=y[order])
    with np.load(path) as kept:
        return torch.from_numpy(kept["x"]), torch.from_numpy(kept["y"])


WEIGHTS = torch.tensor([0.7] + [1.2] * 5 + [0.8])


def loss_of(z, y):
    """Cross entropy; of a cell UNSAID only whether it is a nozzle camera's counts."""
    said = F.cross_entropy(z, torch.where(y == UNSAID, IGNORE, y), WEIGHTS, ignore_index=IGNORE, label_smoothing=0.02)
    strange = F.softplus(z[:, NOT_A_NOZZLE_CAM] - z[:, :NOT_A_NOZZLE_CAM].logsumexp(1))
    return said + 0.5 * strange[y == UNSAID].mean()


def hits(model, x, y):
    """Share of the cells of each class that are told right."""
    model.eval()
    with torch.no_grad():
        told = torch.cat([model(part.float()).argmax(1) for part in x.split(64)])
    model.train()
    ours = (told[y == UNSAID] != NOT_A_NOZZLE_CAM).float().mean()
    return " ".join(f"{name} {(told[y == c] == c).float().mean():.2f}" for c, name in enumerate(CLASSES)) + f" unsaid {ours:.2f}"


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--epochs", type=int, default=42)
    ap.add_argument("--lr", type=float, default=4e-3)
    ap.add_argument("--name", default="first_layer", help="of the checkpoint in training/runs")
    ap.add_argument("--seed", type=int, default=1)
    args = ap.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    start = time.process_time()
    x, y = kept_features()
    print(f"{len(x)} pictures, {time.process_time() - start:.0f} s of processor time", flush=True)
    held = len(x) // 25
    model, size = Head().to(memory_format=torch.channels_last), 48
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=2e-2)
    steps = (len(x) - held) // size
    plan = torch.optim.lr_scheduler.OneCycleLR(opt, args.lr, args.epochs * steps, pct_start=0.15)
    for epoch in range(1, args.epochs + 1):
        total = 0.0
        order = held + torch.randperm(len(x) - held)
        for step in range(steps):
            some = order[step * size : (step + 1) * size]
            a, b = x[some].float().contiguous(memory_format=torch.channels_last), y[some]
            if torch.rand(()) < 0.5:
                a, b = mirrored(a, b)
            loss = loss_of(model(a), b)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            plan.step()
            total += loss.item()
        print(f"{epoch} {time.process_time() - start:.0f} s loss {total / steps:.3f} held out: {hits(model, x[:held], y[:held])}", flush=True)
        torch.save(model.state_dict(), RUNS / f"{args.name}.pt")


if __name__ == "__main__":
    main()
