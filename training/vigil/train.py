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
from .frames import Frames
from .rendered import rendered
from .windows import Windows

#: Cells of a window whose mean is pushed down as the window's own score.
TOP = 4
#: When, as shares of the run, the hottest sound pictures are looked for again.
MINE_AT = (0.25, 0.5, 0.75)
#: Cells whose mean is the score of a whole frame.
FRAME_TOP = 12


def loss_of(z, neg, bag, pos, label, scale, share):
    """Sound cells, the hottest of them, the strandiest cells of each loose box, exact cells, and the frame's score.

    Boxes are loose: of the cells in a box only the `share` with the highest logits are told to be strands,
    the others are told nothing, so the map learns where in the box they are. `label` (1, 0, or -1: unsaid)
    speaks of the whole frame, whose score is `scale` applied to the mean of its hottest cells.
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
            k = max(2, int(share * n))
            bags.append(F.softplus(-inside.topk(min(k, n)).values).mean())
    pbag = torch.stack(bags).mean() if bags else z.sum() * 0
    has_pos = float(pos.any())
    said = label >= 0
    frame = z.sum() * 0
    if said.any():
        m = z.reshape(b, -1).topk(FRAME_TOP, 1).values.mean(1)[said]
        frame = F.binary_cross_entropy_with_logits(scale(m[:, None])[:, 0], label[said])
    return 2.0 * cell + 0.5 * hot + pbag + has_pos * ppos + 1.5 * frame, (cell, hot, pbag, ppos, frame)


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


def mine(model, items, pictures, rects, device, whole):
    """What the model finds hottest among sound training pictures: places of webcams, or whole pictures."""
    sound = [i for i in items if i.label in ("good", "defect_other") and (whole or i.view == "webcam")]
    found = []
    for it, (heat, inside) in zip(sound, heats(model, sound, pictures, rects, device)):
        y, x = np.unravel_index(np.argmax(heat), heat.shape)
        if whole:
            found.append((topk_mean(heat, inside, FRAME_TOP), it))
        else:
            found.append((float(heat.max()), (it, x * 8 + 4.0, y * 8 + 4.0)))
    found.sort(key=lambda t: -t[0])
    return [f for _, f in found[: max(8, len(found) // (5 if whole else 3))]]


class Reservoir:
    """Batches from the loader, each used `times` times over, mirrored at random: drawing windows costs as much as learning."""

    def __init__(self, loader, rng, times=2, size=12):
        self.loader, self.rng, self.times, self.size, self.held, self.count = loader, rng, times, size, [], 0

    def __next__(self):
        self.count += 1
        if len(self.held) < self.size:
            self.held.append(next(self.loader))
        elif self.count % self.times == 0:
            self.held[self.rng.integers(self.size)] = next(self.loader)
        x, neg, bag, pos, label = self.held[self.rng.integers(len(self.held))]
        if self.rng.random() < 0.5:
            x, neg, bag, pos = (t.flip(-1) for t in (x, neg, bag, pos))
        return x, neg, bag, pos, label


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--name", default="main")
    ap.add_argument("--stage", choices=["windows", "frames"], default="windows")
    ap.add_argument("--minutes", type=float, default=25)
    ap.add_argument("--steps", type=int, help="stop after so many steps instead: the same schedule on any machine")
    ap.add_argument("--batch", type=int)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--workers", type=int, default=1)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--threads", type=int, default=2)
    ap.add_argument("--reuse", type=int, default=2)
    ap.add_argument("--renders", default="renders", help="names under runs/ of the rendered scenes, with commas between")
    ap.add_argument("--start", help="a checkpoint to go on from")
    ap.add_argument("--keep", action="store_true", help="keep every checkpoint, NAME_STEP.pt each 500 steps, for soup")
    ap.add_argument("--without-licence", action="append", default=[])
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    whole = args.stage == "frames"
    batch = args.batch or (8 if whole else 48)
    items = [i for i in load(tuple(args.without_licence)) if i.fold != "validation"]
    train = [i for i in items if i.fold == "train" and i.label != "ignore"]
    calib = [i for i in items if i.fold == "calibration" and i.label != "ignore"]
    pictures, rects = cache()
    data = (Frames if whole else Windows)(train, pictures, rects, rendered(args.renders), args.seed)
    model, scale = Strands(), torch.nn.Linear(1, 1)
    torch.nn.init.constant_(scale.weight, 1.0)
    torch.nn.init.constant_(scale.bias, -1.0)
    if args.start:
        model.load_state_dict(torch.load(args.start))
    model, scale = model.to(device, memory_format=torch.channels_last), scale.to(device)
    ema = copy.deepcopy(model)
    opt = torch.optim.AdamW([*model.parameters(), *scale.parameters()], args.lr, weight_decay=0.03)
    log = open(RUNS / f"{args.name}.log", "w")

    def say(text):
        print(text, flush=True)
        print(text, file=log, flush=True)

    def stream():
        loader = DataLoader(data, batch, num_workers=args.workers, prefetch_factor=3)
        return Reservoir(iter(loader), np.random.default_rng(args.seed), args.reuse, 12 if not whole else 24)

    say(f"{args.stage}: {len(train)} training pictures, {sum(p.numel() for p in model.parameters())} parameters, on {device}")
    begin, step, done, mined = time.time(), 0, 0.0, 0
    batches, sums = stream(), np.zeros(5)
    while done < 1:
        done = min(1.0, (step + 1) / args.steps if args.steps else (time.time() - begin) / (60 * args.minutes))
        warm = min(1.0, (step + 1) / 200)
        for g in opt.param_groups:
            g["lr"] = args.lr * warm * (0.5 + 0.5 * np.cos(np.pi * done)) + 1e-6
        if mined < len(MINE_AT) and done > MINE_AT[mined]:
            mined += 1
            data.hard = mine(ema, train, pictures, rects, device, whole)
            data.seed += 100
            data.renders = rendered(args.renders)
            batches = stream()
        x, neg, bag, pos, label = next(batches)
        x = x.to(device).float().div_(255).contiguous(memory_format=torch.channels_last)
        model.train()
        loss, parts = loss_of(model(x), neg.to(device), bag.to(device), pos.to(device), label.to(device), scale, 0.25 if whole else 0.4)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 20.0)
        opt.step()
        step += 1
        follow(ema, model, min(0.998, (step + 1) / (step + 20)))
        sums += [float(p.detach()) for p in parts]
        if step % 100 == 0:
            cell, hot, inbox, exact, frame = sums / 100
            say(f"{step} {done:.2f} {time.time() - begin:.0f}s cell {cell:.4f} hot {hot:.3f} bag {inbox:.3f} pos {exact:.3f} frame {frame:.3f}")
            sums[:] = 0
        if step % 500 == 0 or done >= 1:
            torch.save(ema.state_dict(), RUNS / f"{args.name}.pt")
            if args.keep:
                torch.save(ema.state_dict(), RUNS / f"{args.name}_{step}.pt")
            say("  calibration fold: " + json.dumps(score_rows(ema, calib, pictures, rects, device)))
    say(f"done: {step} steps of {batch}, {time.time() - begin:.0f} s")


def follow(ema, model, keep):
    """Moves the mean of the weights towards the model."""
    with torch.no_grad():
        for e, m in zip(ema.state_dict().values(), model.state_dict().values()):
            if e.dtype.is_floating_point:
                e.lerp_(m, 1 - keep)
            else:
                e.copy_(m)


if __name__ == "__main__":
    main()
