"""Trains a net for each fold and some to ship, side by side on one device, all on the same frames: each takes those that show nothing of its
fold. What lies below stride 8 is the same in all nets and is looked at once a batch.

On a GPU every net's step is one captured graph; frames are drawn by `--workers` processes. The plan goes by the clock
(`--seconds` of learning). What comes back is for `together_judge.py`.
"""

import argparse
import time
from contextlib import nullcontext

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from .data import RUNS, cache, load
from .folds import FOLDS
from .life import LifeFrames, heats
from .rendered import rendered
from .together_frames import Pool
from .together_look import Judge
from .train import FRAME_TOP, TOP
from .tune import rates
from .together_kept import save
from .tuned import Tuned

#: The share of a loose box's cells that are told to be strands.
LOOSE = 0.25
#: Groups of layers that learn at one rate.
BANDS = 4
#: How numbers lie and how exact they are on a GPU: bfloat16 or tf32, channels last or first. What is quickest, `--layout try` says.
LAYOUTS = ("half-last", "half-first", "whole-first", "whole-last")


def most(values, least):
    """The mean over those that reach `least`, row by row."""
    some = (values >= least).float()
    return (values * some).sum(1) / some.sum(1)


def loss_of(z, neg, bag, pos, label, scale):
    """`train.loss_of` without a branch, so that a graph can hold it."""
    z, b = z[:, 0].float(), len(z)
    flat, up, down = z.reshape(b, -1), F.softplus(-z), (F.softplus(z) * neg).reshape(b, -1)
    cell = down.sum() / neg.sum().clamp(min=1)
    exact = (up * pos).sum() / pos.sum().clamp(min=1)
    with torch.no_grad():
        hottest, top = down.topk(TOP, 1).values[:, -1:], flat.topk(FRAME_TOP, 1).values[:, -1:]
        count = bag.sum((1, 2))
        told = torch.minimum((LOOSE * count).floor().clamp(min=2), count).long()
        ranked = flat.masked_fill(~bag.reshape(b, -1), -60.0).sort(1, descending=True).values
        strandy = (flat >= ranked.gather(1, (told - 1).clamp(min=0)[:, None])) & bag.reshape(b, -1)
    loose = ((up.reshape(b, -1) * strandy).sum(1) / told.clamp(min=1)).sum() / (count > 0).sum().clamp(min=1)
    said = (label >= 0).float()
    level = scale(most(flat, top)[:, None])[:, 0]
    frame = (F.binary_cross_entropy_with_logits(level, label.clamp(min=0), reduction="none") * said).sum() / said.sum().clamp(min=1)
    return 2.0 * cell + 0.5 * most(down, hottest).mean() + loose + exact + 1.5 * frame


class Recipe:
    """How a net learns: `NAME=RATE,PULL,SHALLOW`, the rate of its upper part, how strongly that is pulled back to what it came with, and the
    share of the rate that its lowest layers have (rising to 1 at the highest)."""

    def __init__(self, text: str):
        self.name, _, rest = text.partition("=")
        self.rate, self.pull, self.shallow = (float(v) for v in rest.split(","))


class Learner:
    """One net, its optimizer, its running mean, and a fixed place for what it learns from."""

    def __init__(self, recipe: Recipe, fold: int, args, device: str, layout: str = LAYOUTS[0], stream=None):
        torch.manual_seed(args.seed)
        self.recipe, self.fold, self.args, self.cuda, self.half = recipe, fold, args, device == "cuda", layout.startswith("half")
        self.order = torch.channels_last if layout.endswith("last") else torch.contiguous_format
        self.net, self.mean = (Tuned("ssd", args.hidden).to(device) for _ in range(2))
        for p in self.net.body:
            p.requires_grad_(recipe.rate > 0)
            p.data = p.data.contiguous(memory_format=self.order) if p.dim() == 4 else p.data
        self.mean.load_state_dict(self.net.state_dict())
        self.came, self.start, self.graph = [p.detach().clone() for p in self.net.body], None, None
        head, n = [p for k, p in self.net.named_parameters() if k.startswith("head.")], len(self.net.body)
        self.band = [i * BANDS // n for i in range(n)]
        number = lambda: torch.zeros((), device=device)
        groups = [{"params": head, "weight_decay": 0.05, "lr": number()}]
        groups += [] if recipe.rate == 0 else [{"params": [p for p, k in zip(self.net.body, self.band) if k == band], "weight_decay": 0.0, "lr": number()} for band in range(BANDS)]
        self.opt = torch.optim.AdamW(groups, lr=number(), **({"fused": True, "capturable": True} if self.cuda else {"foreach": False}))
        self.back, self.loss = [number() for _ in range(BANDS)], number()
        self.stream = stream

    def begin(self, at: dict, targets: list) -> None:
        """Size the head by the first frames, make the fixed places, and capture the step on a GPU."""
        self.at = {k: v[: self.args.each].to(torch.bfloat16 if self.cuda and self.half else torch.float32).clone(memory_format=self.order) for k, v in at.items()}
        self.targets = [t[: self.args.each].clone() for t in targets]
        with torch.no_grad():
            for net in (self.net, self.mean):
                net.head.size(self.maps(net))
        self.net.train()
        if self.cuda:
            self.capture()

    def maps(self, net) -> dict:
        """The taps of what lies in the fixed place."""
        with torch.autocast("cuda", torch.bfloat16, cache_enabled=False) if self.cuda and self.half else nullcontext():
            return {s: m.float() for s, m in net.maps(self.at).items()}

    def step(self) -> None:
        """Learn from what lies in the fixed place, at the rates that are set."""
        self.loss.copy_(self.learn().detach())
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 10.0)
        self.opt.step()
        with torch.no_grad():
            for p, came, band in zip(self.net.body, self.came, self.band):
                p.lerp_(came, self.back[band])
            torch._foreach_lerp_(list(self.mean.parameters()), list(self.net.parameters()), 1 - self.args.keep)

    def learn(self):
        """The loss, its slopes taken."""
        loss = loss_of(self.net.head(self.maps(self.net)), *self.targets, self.net.head.scale)
        loss.backward()
        return loss

    def capture(self) -> None:
        """Three steps at no rate to warm up, then the graph; what the optimizer gathered from them is forgotten."""
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            for _ in range(3):
                self.opt.zero_grad(set_to_none=True)
                self.step()
        torch.cuda.current_stream().wait_stream(self.stream)
        self.opt.zero_grad(set_to_none=True)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, stream=self.stream, capture_error_mode="thread_local"):
            self.step()
        for state in self.opt.state.values():
            for v in state.values():
                v.zero_()

    def rate(self, done: float) -> None:
        """Set the rates for when `done` of the plan is behind; where the upper part begins to learn is kept."""
        head, body = rates(done)
        if body and self.start is None:
            self.start = {k: v.detach().clone() for k, v in self.mean.state_dict().items()}
        self.opt.param_groups[0]["lr"].fill_(self.args.lr * head)
        for band in range(len(self.opt.param_groups) - 1):
            slow = self.recipe.shallow + (1 - self.recipe.shallow) * band / (BANDS - 1)
            self.opt.param_groups[1 + band]["lr"].fill_(self.recipe.rate * body * slow)
            self.back[band].fill_(min(1.0, self.recipe.pull * self.recipe.rate * body * slow))

    def pick(self, seen: np.ndarray, rng) -> np.ndarray:
        """Which frames of a batch to learn from: any that show nothing of the fold."""
        allowed, each = np.nonzero((seen >> self.fold) & 1 == 0)[0], self.args.each
        return rng.choice(allowed, each, replace=len(allowed) < each)

    def take(self, at: dict, targets: list, some) -> None:
        """One step on the frames that were picked."""
        with torch.cuda.stream(self.stream) if self.cuda else nullcontext():
            if self.cuda:
                self.stream.wait_stream(torch.cuda.default_stream())
            for own, given in zip([*self.at.values(), *self.targets], [*at.values(), *targets]):
                own.copy_(given.index_select(0, some))
            if self.graph is None:
                self.opt.zero_grad(set_to_none=True)
                self.step()
            else:
                self.graph.replay()

    def state(self) -> dict:
        """What comes back: the running mean (of a net whose upper part does not learn, its head), and the head as it was when that began."""
        only = lambda state, wanted: {k: v.detach().cpu() for k, v in state.items() if wanted or k.startswith("head.")}
        return {"recipe": self.recipe.name, "fold": self.fold, "hidden": self.args.hidden, "mean": only(self.mean.state_dict(), self.recipe.rate), "start": only(self.start or {}, False)}


def pace(learner: Learner, at, targets, rounds: int = 20) -> float:
    """Milliseconds of a net's step on a GPU."""
    learner.begin(at, targets)
    torch.cuda.synchronize()
    begin = time.time()
    for _ in range(rounds):
        learner.graph.replay()
    torch.cuda.synchronize()
    return 1000 * (time.time() - begin) / rounds


def quickest(recipe, args, batch, device: str) -> str:
    """The quickest layout, each tried."""
    found = {}
    for layout in LAYOUTS:
        it = Learner(recipe, 0, args, device, layout, torch.cuda.Stream())
        with torch.no_grad():
            at = it.net.plain_low(batch[0])
        found[layout] = pace(it, at, batch[1])
        print(f"{layout}: {found[layout]:.1f} ms a step", flush=True)
    return min(found, key=found.get)


def arguments():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--name", default="together")
    ap.add_argument("--folds", type=int, nargs="*", default=list(range(FOLDS)))
    ap.add_argument("--ship", type=int, default=3, help="nets that see everything, whose mean may ship")
    ap.add_argument("--recipe", action="append", type=Recipe)
    ap.add_argument("--seconds", type=float, default=420, help="of learning")
    ap.add_argument("--batch", type=int, default=96, help="frames drawn together")
    ap.add_argument("--each", type=int, default=64, help="of them that a net learns from")
    ap.add_argument("--workers", type=int, default=0)
    ap.add_argument("--room", type=int, default=24000, help="frames that are kept on the device")
    ap.add_argument("--least", type=int, default=2400, help="frames to begin with")
    ap.add_argument("--layout", choices=(*LAYOUTS, "try"), default=LAYOUTS[0])
    ap.add_argument("--streams", type=int, default=1, help="nets that learn at the same moment on a GPU")
    ap.add_argument("--hidden", type=int, default=64)
    ap.add_argument("--lr", type=float, default=1.5e-3)
    ap.add_argument("--keep", type=float, default=0.998, help="of the running mean")
    ap.add_argument("--looks", type=float, nargs="*", default=[0.3, 0.6, 1.0], help="when folds are judged, in shares of the plan")
    ap.add_argument("--renders", default="renders2,renders3,renders4")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--without-licence", action="append", default=[])
    return ap.parse_args()


def run(args, learners, pool, judge, device) -> int:
    """Learn by the clock; returns the number of steps."""
    rng, step, looks, begin, behind = np.random.default_rng(args.seed), 0, sorted(args.looks), None, 0.0
    under = learners[0].net
    while True:
        x, targets, bits = pool.next(args.least)
        with torch.no_grad(), torch.autocast("cuda", torch.bfloat16, cache_enabled=False) if device == "cuda" else nullcontext():
            at = under.plain_low(x.contiguous(memory_format=torch.channels_last))
        if begin is None:
            for it in learners:
                it.begin(at, targets)
            begin = time.time()
        done = (time.time() - begin - behind) / args.seconds
        picked = torch.from_numpy(np.stack([it.pick(bits, rng) for it in learners])).to(device)
        for it, some in zip(learners, picked):
            it.rate(min(done, 1.0))
            it.take(at, targets, some)
        step += 1
        if device == "cuda":
            torch.cuda.synchronize()
        if step in (1, 5) or step % 100 == 0:
            print(f"{step} {done:.2f}, {time.time() - begin:.0f} s, {pool.drawn} frames drawn, loss " + " ".join(f"{float(it.loss):.2f}" for it in learners), flush=True)
        if looks and done >= looks[0]:
            looks, at_look = looks[1:], time.time()
            save([it.state() for it in learners], args.name)
            judge.say(learners, step, RUNS / f"{args.name}-scores-{step}.npz")
            behind += time.time() - at_look
        if done >= 1:
            return step


def main() -> None:
    args = arguments()
    cv2.setNumThreads(1)
    torch.backends.cudnn.benchmark = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cudnn.benchmark = True
    torch.set_float32_matmul_precision("high")
    items, (pictures, rects) = load(tuple(args.without_licence)), cache()
    teach = [i for i in items if i.label != "ignore" and i.licence != "validation-only"]
    data = LifeFrames(teach, pictures, rects, heats(), rendered(args.renders), args.seed * 1000)
    pool = Pool(data, device, args.batch, args.workers, args.room, args.seed)
    recipes = args.recipe or [Recipe("usual=1.5e-4,1,1")]
    layout = args.layout if args.layout != "try" else quickest(recipes[0], args, pool.next(), device)
    wanted = [(r, fold) for r in recipes for fold in (*args.folds, *range(FOLDS, FOLDS + args.ship))]
    streams = [torch.cuda.Stream() for _ in range(args.streams)] if device == "cuda" else [None]
    learners = [Learner(r, fold, args, device, layout, streams[i % len(streams)]) for i, (r, fold) in enumerate(wanted)]
    print(f"{len(teach)} pictures, {len(learners)} nets on {device}", flush=True)
    judge, begin = Judge(items, pictures, rects, device), time.time()
    step = run(args, learners, pool, judge, device)
    save([it.state() for it in learners], args.name)
    print(f"{step} steps of {args.each} frames a net, {time.time() - begin:.0f} s in all", flush=True)


if __name__ == "__main__":
    main()
