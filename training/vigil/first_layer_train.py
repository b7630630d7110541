"""Trains the learnt part of the patch classifier: a quarter of an hour of one core, a third of it for the fixed part's answers."""

import argparse
import time

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from .data import RUNS
from .first_layer_beads import CLASSES, GRID, IGNORE, NOT_A_NOZZLE_CAM, UNSAID
from .first_layer_data import features, real_nozzles, training_set
from .first_layer_deep import Fixed
from .first_layer_model import DEEP, FEATURES, Head


def kept_features():
    """What the fixed part says of everything there is to train on [n,16,16,499] and the cells' labels; made once and kept in
    training/runs, left on disk."""
    path, marks = RUNS / "first_layer_x.npy", RUNS / "first_layer_y.npy"
    if not marks.exists():
        pictures, labels, others = training_set()
        real, said = real_nozzles()
        print(f"{len(pictures)} rendered nozzle pictures, {len(real)} parts of real ones, {len(others)} others", flush=True)
        strange = np.full((len(others), GRID, GRID), NOT_A_NOZZLE_CAM, np.int8)
        sets, fixed, at, y = ((pictures, labels), (real, said), (others, strange)), Fixed(), 0, []
        x = np.lib.format.open_memmap(path, "w+", np.float16, (sum(len(p) for p, _ in sets), 16, 16, FEATURES + DEEP))
        for seed, (p, c) in enumerate(sets, 1):
            for some, cells in features(fixed, p, c, seed):
                x[at : at + len(some)] = some
                y.append(cells)
                at += len(some)
        np.save(marks, np.concatenate(y).astype(np.int64))
    return np.load(path, mmap_mode="r"), torch.from_numpy(np.load(marks))


def drawn(x, some):
    """Some rows as the learnt part takes them."""
    return torch.from_numpy(x[some.numpy()]).float().permute(0, 3, 1, 2)


WEIGHTS = torch.tensor([0.7] + [1.2] * 5)


def issue_loss(z, y):
    """Cross entropy of the issues, where one or none is told to be."""
    return F.cross_entropy(z, torch.where(y < NOT_A_NOZZLE_CAM, y, IGNORE), WEIGHTS, ignore_index=IGNORE, label_smoothing=0.02)


def strange_loss(z, y):
    """Whether it is no nozzle camera: strangers count threefold, and so little as a nozzle camera that says no more twice."""
    weight = (y != IGNORE) * (1.0 + 2.0 * (y == NOT_A_NOZZLE_CAM) + 1.0 * (y == UNSAID))
    return F.binary_cross_entropy_with_logits(z[:, 0], (y == NOT_A_NOZZLE_CAM).float() * 0.96 + 0.02, weight, reduction="sum") / weight.sum()


def hits(model, x, y, rows):
    """Share of the cells of each class that are told right, of some rows."""
    model.eval()
    with torch.no_grad():
        told = torch.cat([model(drawn(x, some)).argmax(1) for some in rows.split(64)])
    model.train()
    y = y[rows]
    ours = (told[y == UNSAID] != NOT_A_NOZZLE_CAM).float().mean()
    return " ".join(f"{name} {(told[y == c] == c).float().mean():.2f}" for c, name in enumerate(CLASSES)) + f" unsaid {ours:.2f}"


def learn(part, x, y, rows, loss_of, epochs, lr, size=48):
    """Rounds of one part of the head; yields the mean loss after each."""
    opt, steps = torch.optim.AdamW(part.parameters(), lr=lr, weight_decay=2e-2), len(rows) // size
    plan = torch.optim.lr_scheduler.OneCycleLR(opt, lr, max(1, epochs) * steps, pct_start=0.15)
    for _ in range(epochs):
        total = 0.0
        for some in rows[torch.randperm(len(rows))].split(size)[:steps]:
            loss = loss_of(part(drawn(x, some)), y[some])
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            plan.step()
            total += loss.item()
        yield total / steps


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--epochs", type=int, default=16, help="rounds of what tells the issues; 0: as an earlier run left it")
    ap.add_argument("--strange", type=int, default=40, help="rounds of what tells that it is no nozzle camera")
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
    order, path = torch.from_numpy(np.random.default_rng(0).permutation(len(x))), RUNS / f"{args.name}.pt"
    held, rows = order.split([len(x) // 25, len(x) - len(x) // 25])
    model = Head().to(memory_format=torch.channels_last)
    if args.epochs == 0:
        model.load_state_dict(torch.load(path, map_location="cpu"))
    for part, loss_of, epochs, seen in ((model.issues, issue_loss, args.epochs, x), (model.strange, strange_loss, args.strange, None)):
        if seen is None:
            seen = np.ascontiguousarray(x[..., :FEATURES])
        for epoch, loss in enumerate(learn(part, seen, y, rows, loss_of, epochs, args.lr), 1):
            print(f"{epoch} {time.process_time() - start:.0f} s loss {loss:.3f} held out: {hits(model, x, y, held) if epoch % 4 == 0 else ''}", flush=True)
            torch.save(model.state_dict(), path)


if __name__ == "__main__":
    main()
