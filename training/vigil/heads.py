"""Heads on what the frozen backbones say: one hidden layer on strides 8, 16 and 32, trained on the chunks of `features`.

Several heads learn side by side from the same chunks, each blind to some printers: the one that may ship, and one for every printer (or
group of printers) that is left out to be judged as an unseen camera. A frame that shows anything of a printer teaches no head that is
blind to it. The weights are the mean over the second half of the run.
"""

import argparse
import json
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from .data import RUNS, load
from .features import STRIDES, chunk_dir, unpack
from .letterbox import topk_mean
from .metrics import auroc, recall_at
from .train import loss_of

#: The printer whose prints validation fails on, and the printers with 20 sound frames that training has.
OBICO, NAMED = "obico-fdm", ("ender3lab",)
#: Groups that the other training printers are left out in.
POOLED = 3
#: Share of the hidden units that are left out of a frame in training.
DROP = 0.15
#: Share of the cells inside the picture whose mean is a frame's score.
SHARE = 0.015


class Heads(nn.Module):
    """`names` heads side by side on the maps of one backbone; logits [B, heads, h, w] at stride 8. What they take is brought to
    mean 0 and deviation 1 a channel by their weights. Sums run at half precision, which this is quick at."""

    def __init__(self, backbone: str, names: list, hidden: int = 64, widths: dict | None = None, sizes: dict | None = None):
        """`widths`: channels by stride, of every stride that is used; `sizes`: mean and deviation by map."""
        super().__init__()
        self.backbone, self.names, self.hidden, self.widths = backbone, list(names), hidden, widths
        for s, width in widths.items():
            mean, deviation = (torch.zeros(width), torch.ones(width)) if sizes is None else map(torch.tensor, sizes[f"{backbone}.{s}"])
            self.register_buffer(f"mean{s}", mean)
            self.register_buffer(f"deviation{s}", deviation)
            self.register_parameter(f"w{s}", nn.Parameter(torch.randn(len(names) * hidden, width) * (2 / width) ** 0.5 * 0.6))
        self.bias = nn.Parameter(torch.zeros(len(names) * hidden))
        self.out = nn.Parameter(torch.randn(len(names), hidden) * (1 / hidden) ** 0.5)
        self.level = nn.Parameter(torch.full((len(names),), -2.0))
        self.scales = nn.ModuleList(nn.Linear(1, 1) for _ in names)
        for scale in self.scales:
            nn.init.constant_(scale.weight, 1.0)
            nn.init.constant_(scale.bias, 1.0)

    def plain(self, stride: int):
        """(weights, bias) of a stride for maps as they come."""
        w = getattr(self, f"w{stride}") / getattr(self, f"deviation{stride}")
        return w, -(w @ getattr(self, f"mean{stride}"))

    def forward(self, maps: dict) -> torch.Tensor:
        total = None
        for s in self.widths:
            w, b = self.plain(s)
            x = maps[f"{self.backbone}.{s}"].permute(0, 2, 3, 1)
            y = F.linear(x, w.to(torch.bfloat16)).float() + (b + self.bias if s == 8 else b)
            if s == 8:
                total, (n, h, v, c) = y, y.shape
            else:
                f = s // 8
                total = (total.view(n, h // f, f, v // f, f, c) + y[:, :, None, :, None]).view(n, h, v, c)
        y = F.relu(total).view(n, h, v, len(self.names), self.hidden)
        if self.training:
            y = y * (torch.rand(n, 1, 1, len(self.names), self.hidden) > DROP).float() / (1 - DROP)
        return ((y * self.out).sum(-1) + self.level).permute(0, 3, 1, 2)


def chunk(folder) -> tuple[dict, dict, dict]:
    """(maps by name, other arrays, what is told) of a chunk."""
    told = json.loads((folder / "told.json").read_text())
    arrays = {f.stem: np.load(f, mmap_mode="r") for f in folder.glob("*.npy")}
    maps = {k: v for k, v in arrays.items() if "." in k}
    return maps, {k: v for k, v in arrays.items() if "." not in k}, told


def sizes_of(folder) -> dict:
    """Mean and deviation of every channel, by the name of its map."""
    out = {}
    for name, v in chunk(folder)[0].items():
        x = unpack(name, v[:100]).float()
        deviation = x.std((0, 2, 3))
        out[name] = (x.mean((0, 2, 3)).numpy(), (deviation + 0.1 * deviation.mean()).numpy())
    return out


def blindness(items) -> dict:
    """What each head must not see: name to printers."""
    trained = sorted({i.printer for i in items if i.view == "webcam" and i.fold == "train"})
    rest = [p for p in trained if p not in NAMED]
    out = {"main": {OBICO}, "with-white": set()}
    out |= {f"without {p}": {OBICO, p} for p in NAMED}
    out |= {f"without {j} of {POOLED}": {OBICO, *rest[j::POOLED]} for j in range(POOLED)}
    return out


def save(path, nets) -> None:
    torch.save([(n.backbone, n.names, n.hidden, n.widths, n.state_dict()) for n in nets], path)


def restore(name: str) -> list:
    """The nets of heads that a run kept."""
    nets = []
    for backbone, names, hidden, widths, state in torch.load(RUNS / f"{name}.pt", weights_only=True):
        nets.append(Heads(backbone, names, hidden, widths))
        nets[-1].load_state_dict(state)
        nets[-1].eval()
    return nets


def rate(step: int, total: int) -> float:
    """Share of the learning rate: up in 60 steps, then down to a twentieth."""
    return min(1, (step + 1) / 60) * (0.05 + 0.95 * (0.5 + 0.5 * float(np.cos(np.pi * step / total))))


def train(args, blind: dict) -> list:
    """One net of heads a backbone, a head for every row of `blind`."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    folders = sorted(p for p in chunk_dir(args.side, "frames").iterdir() if p.suffix != ".tmp")[: args.chunks]
    sizes = sizes_of(folders[0])
    nets = [Heads(b, blind, args.hidden, {s: len(sizes[f"{b}.{s}"][0]) for s in args.strides}, sizes) for b in args.backbones]
    needed = [f"{b}.{s}" for b in args.backbones for s in args.strides]
    decayed, others = [p for n in nets for p in n.parameters() if p.ndim > 1], [p for n in nets for p in n.parameters() if p.ndim <= 1]
    opt = torch.optim.AdamW([{"params": decayed, "weight_decay": args.decay}, {"params": others, "weight_decay": 0.0}], args.lr)
    kept, averaged = None, 0
    rng, begin, step = np.random.default_rng(args.seed), time.time(), 0
    order = [f for _ in range(args.epochs) for f in rng.permutation(folders)]
    total = sum(len(np.load(f / "label.npy", mmap_mode="r")) for f in order) // args.batch
    for pair in (order[i : i + 2] for i in range(0, len(order), 2)):
        loaded = [chunk(f) for f in pair]
        rows = [(c, i) for c, (_, other, _) in enumerate(loaded) for i in range(len(other["label"]))]
        rng.shuffle(rows)
        for at in range(0, len(rows) - args.batch + 1, args.batch):
            some = sorted((int(c), int(i)) for c, i in rows[at : at + args.batch])

            def take(which, name):
                return np.concatenate([loaded[c][which][name][[i for d, i in some if d == c]] for c in {c for c, _ in some}])

            maps = {n: unpack(n, take(0, n)) for n in needed}
            neg, bag, pos, label = (torch.from_numpy(take(1, n)) for n in ("neg", "bag", "pos", "label"))
            used = [set(loaded[c][2]["used"][i]) for c, i in some]
            for g in opt.param_groups:
                g["lr"] = args.lr * rate(step, total)
            losses = []
            for net in nets:
                net.train()
                z = net(maps)
                for k, name in enumerate(net.names):
                    keep = [i for i, u in enumerate(used) if not u & blind[name]]
                    if len(keep) > 1:
                        losses.append(loss_of(z[keep, k : k + 1], neg[keep], bag[keep], pos[keep], label[keep], net.scales[k], 0.25)[0])
            loss = torch.stack(losses).sum()
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(decayed, 10.0 * len(losses))
            opt.step()
            if step > 0.5 * total and step % 10 == 0:
                now = [{n: v.detach().clone() for n, v in net.state_dict().items()} for net in nets]
                kept = now if kept is None else [{n: k[n] + v for n, v in one.items()} for k, one in zip(kept, now)]
                averaged += 1
            step += 1
        print(f"{step} of {total}: {time.time() - begin:.0f} s, {time.process_time():.0f} s of processor time, loss {float(loss.detach()) / len(losses):.3f}", flush=True)
    for net, state in zip(nets, kept):
        net.load_state_dict({n: v / averaged for n, v in state.items()})
        net.eval()
    save(RUNS / f"{args.name}.pt", nets)
    return nets


def maps_of(nets: list, side: int) -> dict:
    """Logits of every judged picture and the cells inside it: {(head, part): {file: (heat, inside)}}. A part is a backbone (the mean
    of its nets), or `present`, which is the same beside every head."""
    out, wanted = {}, {"present.8", *(f"{n.backbone}.{s}" for n in nets for s in n.widths)}
    for folder in sorted(chunk_dir(side, "real").iterdir()):
        if folder.suffix == ".tmp":
            continue
        maps, other, told = chunk(folder)
        for first in range(0, len(told["files"]), 40):
            x = {n: unpack(n, v[first : first + 40]) for n, v in maps.items() if n in wanted}
            heats = {}
            with torch.no_grad():
                for net in nets:
                    for k, z in zip(net.names, net(x).numpy().swapaxes(0, 1)):
                        heats.setdefault((k, net.backbone), []).append(z)
            heats |= {(k, "present"): [x["present.8"][:, 0].float().numpy()] for k in {k for k, _ in heats}}
            for part, zs in heats.items():
                for j, z in enumerate(np.mean(zs, 0)):
                    out.setdefault(part, {})[told["files"][first + j]] = (z, other["inside"][first + j])
    return out


def score(heat, inside, k: int | None = None) -> float:
    """Mean of the `k` hottest cells of a picture, or of the usual share of them."""
    return topk_mean(heat, inside, k or max(1, round(SHARE * heat.size)))


#: What `features` made of calibration pictures: failing, sound.
MADE = ([f"made-{n}-failing.jpg" for n in range(0, 240, 2)], [f"made-{n}-sound.jpg" for n in range(1, 240, 2)])


def sets(items, look: bool) -> dict:
    """Sets to rank: name to (failing, sound). Validation only when asked."""
    out = {}
    for fold in ("calibration", "validation") if look else ("calibration",):
        kept = [i for i in items if i.fold == fold and i.label in ("failure", "good", "defect_other")]
        for view in ("photo", "webcam"):
            some = [i for i in kept if i.view == view]
            if fold == "validation" and view == "webcam":
                some = [i for i in some if i.split == "validation"]
            if fold == "calibration" and view == "webcam":
                out["laid on webcams"] = MADE
            out[f"{fold} {view}s"] = ([i.file for i in some if i.label == "failure"], [i.file for i in some if i.label != "failure"])
    return out


def table(scores: dict, items, look: bool) -> None:
    """Print AUROC and recall at 0, 1 and 5 % false of each scorer."""
    for k, s in scores.items():
        cells = []
        for name, (bad, good) in sets(items, look).items():
            p, n = [s[f] for f in bad], [s[f] for f in good]
            cells.append(f"{name} ({len(p)}/{len(n)}) {auroc(p, n):.3f} " + "/".join(f"{recall_at(p, n, r):.2f}" for r in (0, 0.01, 0.05)))
        print(f"{k:28} " + " | ".join(cells), flush=True)


def standard(s: dict, items) -> dict:
    """Scores less the mean of the sound calibration pictures, over their deviation: to be summed."""
    v = np.array([s[i.file] for i in items if i.fold == "calibration" and i.label in ("good", "defect_other")])
    return {f: (x - v.mean()) / v.std() for f, x in s.items()}


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--name", default="heads")
    ap.add_argument("--backbones", nargs="+", default=["ssd", "nanodet"])
    ap.add_argument("--strides", type=int, nargs="+", default=list(STRIDES))
    ap.add_argument("--heads", nargs="+", default=["main"], help="rows of `blindness`, or all")
    ap.add_argument("--side", type=int, default=288)
    ap.add_argument("--chunks", type=int, default=100)
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--batch", type=int, default=8)
    ap.add_argument("--hidden", type=int, default=64)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--decay", type=float, default=0.05)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--threads", type=int, default=1)
    ap.add_argument("--look", action="store_true", help="print validation figures too; the report says that they were looked at")
    ap.add_argument("--without-licence", action="append", default=[])
    args = ap.parse_args()
    items = load(tuple(args.without_licence))
    blind = {k: v for k, v in blindness(items).items() if k in args.heads or args.heads == ["all"]}
    nets = train(args, blind)
    scores = {"|".join(k): {f: score(*v) for f, v in m.items()} for k, m in maps_of(nets, args.side).items()}
    for head in blind:
        mine = [standard(s, items) for k, s in scores.items() if k.startswith(head + "|")]
        if len(mine) > 1:
            scores[f"{head}|sum"] = {f: float(np.mean([m[f] for m in mine])) for f in mine[0]}
    table(scores, items, args.look)


if __name__ == "__main__":
    main()
