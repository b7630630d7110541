"""Train the heat map from scratch. One command, on a CPU in well under an hour or on a GPU."""

import argparse
import copy
import json
import time

import numpy as np
import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader

from .data import RUNS, cache, load
from .letterbox import inside_cells, topk_mean
from .metrics import auroc
from .model import STRIDE, Strands
from .windows import Windows

#: Cells of a window whose mean is pushed down as the window's own score.
TOP = 4


def loss_of(z, neg, bag, pos):
    """Three parts: sound cells, the strandiest cells of each loose box, and the hottest sound cells.

    Boxes are loose: of the cells in a box only the 40 % with the highest logits are told to be strands,
    the others are told nothing, so the map learns where in the box they are.
    """
    z = z[:, 0]
    b = z.shape[0]
    zneg = F.softplus(z) * neg
    cell = zneg.sum() / neg.sum().clamp(min=1)
    hot = (zneg.reshape(b, -1)).topk(TOP, 1).values.mean()
    up = F.softplus(-z)
    ppos = (up * pos).sum() / pos.sum().clamp(min=1)
    bags = []
    for i in range(b):
        n = int(bag[i].sum())
        if n:
            inside = z[i][bag[i]]
            k = max(2, int(0.4 * n))
            bags.append(F.softplus(-inside.topk(min(k, n)).values).mean())
    pbag = torch.stack(bags).mean() if bags else z.sum() * 0
    has_pos = float(pos.any())
    return 2.0 * cell + 0.5 * hot + pbag + has_pos * ppos, (cell, hot, pbag, ppos)


def heats(model, items, pictures, rects, device, batch=8):
    """Yield (logit map, inside) of each item; padding outside the picture is left out."""
    model.eval()
    for i in range(0, len(items), batch):
        part = items[i : i + batch]
        x = np.stack([pictures[it.index] for it in part]).transpose(0, 3, 1, 2)
        with torch.no_grad():
            z = model(torch.from_numpy(np.ascontiguousarray(x)).to(device).float().div_(255)).cpu().numpy()[:, 0]
        for it, heat in zip(part, z):
            inside = inside_cells(tuple(rects[it.index]), STRIDE)
            yield np.where(inside, heat, -30.0), inside


def score_rows(model, items, pictures, rects, device):
    """A few figures of one fold for the training log; never of validation."""
    s = np.array([topk_mean(h, i, 12) for h, i in heats(model, items, pictures, rects, device)])
    fail = np.array([it.label == "failure" for it in items])
    web = np.array([it.view == "webcam" for it in items])

    def spread(v):
        return [round(float(x), 2) for x in np.quantile(v, [0.05, 0.5, 0.95])]

    return {"auroc": round(auroc(s[fail], s[~fail]), 4), "fail": spread(s[fail]), "sound": spread(s[~fail & ~web]), "webcam": spread(s[~fail & web])}


def mine(model, items, pictures, rects, device):
    """The hottest place of every sound training picture: (item, x, y), hottest third only."""
    sound = [i for i in items if i.label in ("good", "defect_other") and i.view == "webcam"]
    found = []
    for it, (heat, _) in zip(sound, heats(model, sound, pictures, rects, device)):
        y, x = np.unravel_index(np.argmax(heat), heat.shape)
        found.append((float(heat.max()), (it, x * 8 + 4.0, y * 8 + 4.0)))
    found.sort(key=lambda t: -t[0])
    return [f for _, f in found[: max(8, len(found) // 3)]]


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--name", default="main")
    ap.add_argument("--minutes", type=float, default=25)
    ap.add_argument("--steps", type=int, help="stop after so many steps instead: the same schedule on any machine")
    ap.add_argument("--batch", type=int, default=48)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--workers", type=int, default=1)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--start", help="a checkpoint to go on from")
    ap.add_argument("--without-licence", action="append", default=[])
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    items = [i for i in load(tuple(args.without_licence)) if i.fold != "validation"]
    train = [i for i in items if i.fold == "train" and i.label != "ignore"]
    calib = [i for i in items if i.fold == "calibration" and i.label != "ignore"]
    pictures, rects = cache()
    renders = None
    if (RUNS / "renders.npy").exists():
        renders = (np.load(RUNS / "renders.npy", mmap_mode="r"), np.load(RUNS / "render_masks.npy", mmap_mode="r"))
    data = Windows(train, pictures, rects, renders, args.seed)
    model = Strands()
    if args.start:
        model.load_state_dict(torch.load(args.start))
    model = model.to(device, memory_format=torch.channels_last)
    ema = copy.deepcopy(model)
    opt = torch.optim.AdamW(model.parameters(), args.lr, weight_decay=0.02)
    log = open(RUNS / f"{args.name}.log", "w")

    def say(text):
        print(text, flush=True)
        print(text, file=log, flush=True)

    say(f"{len(train)} training pictures, renders: {None if renders is None else len(renders[0])}, on {device}")
    begin, step, done, stage = time.time(), 0, 0.0, 0
    loader = iter(DataLoader(data, args.batch, num_workers=args.workers, prefetch_factor=3))
    sums = np.zeros(4)
    while done < 1:
        done = min(1.0, (step + 1) / args.steps if args.steps else (time.time() - begin) / (60 * args.minutes))
        warm = min(1.0, (step + 1) / 200)
        for g in opt.param_groups:
            g["lr"] = args.lr * warm * (0.5 + 0.5 * np.cos(np.pi * done)) + 1e-6
        if stage < 2 and done > (0.4, 0.7)[stage]:
            # Hard-negative mining: restart the stream with the hottest places of sound webcams.
            stage += 1
            data.hard = mine(ema, train, pictures, rects, device)
            data.seed += 100
            del loader
            loader = iter(DataLoader(data, args.batch, num_workers=args.workers, prefetch_factor=3))
        x, neg, bag, pos = next(loader)
        x = x.to(device).float().div_(255).contiguous(memory_format=torch.channels_last)
        model.train()
        loss, parts = loss_of(model(x), neg.to(device), bag.to(device), pos.to(device))
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 20.0)
        opt.step()
        step += 1
        keep = min(0.998, (step + 1) / (step + 20))
        with torch.no_grad():
            for e, m in zip(ema.state_dict().values(), model.state_dict().values()):
                if e.dtype.is_floating_point:
                    e.lerp_(m, 1 - keep)
                else:
                    e.copy_(m)
        sums += [float(p.detach()) for p in parts]
        if step % 100 == 0:
            say(f"{step} {done:.2f} {time.time() - begin:.0f}s cell {sums[0]/100:.4f} hot {sums[1]/100:.3f} bag {sums[2]/100:.3f} pos {sums[3]/100:.3f}")
            sums[:] = 0
        if step % 500 == 0 or done >= 1:
            torch.save(ema.state_dict(), RUNS / f"{args.name}.pt")
            say("  calibration fold: " + json.dumps(score_rows(ema, calib, pictures, rects, device)))
    say(f"done: {step} steps, {step * args.batch} windows, {time.time() - begin:.0f} s")


if __name__ == "__main__":
    main()
