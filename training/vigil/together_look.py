"""How the nets of `together` rank the pictures of their own folds while they learn: a first figure, on packed pictures."""

import numpy as np
import torch

from .folds import FOLDS, fold_of
from .letterbox import inside_cells, resized
from .life import SIDE
from .metrics import auroc, recall_at
from .tuned import Tuned

#: How far from where its upper part began a net is judged (Wortsman et al. 2022).
WAYS = (0.5, 0.75, 1.0)
#: How many of the hottest cells make a score.
HOTTEST = (4, 8, 12)


class Judge:
    """Every picture of ours, letterboxed, and what a net that never saw its fold says of it."""

    def __init__(self, items, pictures, rects, device):
        self.items = [i for i in items if i.label != "ignore" and i.view in ("webcam", "photo")]
        squares = [resized(pictures[i.index], rects[i.index], SIDE) for i in self.items]
        self.pictures = np.stack([s for s, _ in squares])
        self.inside = torch.from_numpy(np.stack([inside_cells(r, 8, SIDE) for _, r in squares])).reshape(len(squares), -1)
        self.fold, self.device = np.array([fold_of(i) for i in self.items]), device

    @torch.no_grad()
    def scores(self, net, some) -> np.ndarray:
        """The mean of the hottest cells of some pictures, by their number."""
        out = []
        for part in np.array_split(some, max(1, len(some) // 128)):
            x = torch.from_numpy(self.pictures[part]).to(self.device).permute(0, 3, 1, 2).float() / 255
            z = net(net.plain_low(x)).reshape(len(part), -1).cpu().masked_fill(~self.inside[part], -60.0)
            out.append(np.stack([z.topk(k, 1).values.mean(1).numpy() for k in HOTTEST], 1))
        return np.concatenate(out)

    def of_folds(self, learners, way: float) -> np.ndarray:
        """Scores of every picture by the net that never saw its fold, so far on the way from where its upper part began."""
        s = np.full((len(self.items), len(HOTTEST)), np.nan)
        for it in (n for n in learners if n.fold < FOLDS):
            begun = it.start or it.mean.state_dict()
            net = Tuned("ssd", it.args.hidden).to(self.device).eval()
            net.load_state_dict({k: begun[k].lerp(v, way) for k, v in it.mean.state_dict().items()})
            some = np.nonzero(self.fold == it.fold)[0]
            with torch.backends.cudnn.flags(enabled=True, benchmark=False):
                s[some] = self.scores(net, some)
        return s

    def ranks(self, s) -> str:
        """How a score ranks what is scored."""
        told = ~np.isnan(s)
        web, bad, obico = (told & np.array([v(i) for i in self.items]) for v in (lambda i: i.view == "webcam", lambda i: i.label == "failure", lambda i: i.printer == "obico-fdm"))
        good, seen = told & ~bad, lambda a, b: auroc(s[a], s[b]) if a.any() and b.any() else np.nan
        sixteen = web & bad & ~obico
        at = recall_at(s[sixteen], s[web & good], 0.02) if sixteen.any() and (web & good).any() else np.nan
        return f"webcams {seen(web & bad, web & good):.3f}, the 16 {seen(sixteen, web & good & ~obico):.3f} (recall at 2 % {at:.2f}), obico-fdm {seen(web & bad & obico, web & good & obico):.3f}, photos {seen(~web & bad, ~web & good):.3f}"

    def say(self, learners, step: int, path) -> None:
        """Print how each recipe's fold nets rank, all the way and part of it, and keep what they said."""
        kept = {}
        for name in dict.fromkeys(n.recipe.name for n in learners):
            for way in WAYS:
                s = kept[f"{name} {way:g}"] = self.of_folds([n for n in learners if n.recipe.name == name], way)
                print(f"{step} {name} {way:g}: {self.ranks(s[:, -1])}", flush=True)
        np.savez(path, files=[i.file for i in self.items], **kept)
