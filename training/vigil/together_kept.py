"""The weights that `together` brings back, small: those of nets that only folds are judged by in 8 bits an output channel, those to ship as their
mean at half precision; as few files as hold them at 15 MB each."""

import torch

from .data import HERE, RUNS
from .folds import FOLDS
from .tuned import mixed

#: What a lent GPU made and this machine could not make again.
KEPT = HERE / "kept"
#: Bytes of a file.
MOST = 15_000_000


def small(v: torch.Tensor, byte: bool):
    """A weight at half precision, or as (bytes, scale by output channel)."""
    if v.numel() <= 4096:
        return v.float()
    if not byte or v.dim() != 4 or v.shape[1] == 1:
        return v.half()
    scale = (v.abs().amax((1, 2, 3), keepdim=True) / 127).clamp(min=1e-12)
    return (v / scale).round().to(torch.int8), scale.half()


def whole(kept) -> torch.Tensor:
    """A weight again."""
    return kept[0].float() * kept[1].float() if isinstance(kept, tuple) else kept.float()


def size(state: dict) -> int:
    """Bytes of a net."""
    return sum(t.numel() * t.element_size() for part in ("mean", "start") for v in state[part].values() for t in (v if isinstance(v, tuple) else (v,)))


def save(states: list[dict], name: str) -> None:
    """Keep the nets of folds, and of each recipe the mean of those that saw everything, as `NAME-0.pt` and so on."""
    shipped = {}
    for s in states:
        if s["fold"] >= FOLDS:
            shipped.setdefault(s["recipe"], []).append(s)
    means = [some[0] | {part: mixed([s[part] for s in some]) if some[0][part] else {} for part in ("mean", "start")} for some in shipped.values()]
    files, held = [[]], 0
    for s in means + [s for s in states if s["fold"] < FOLDS]:
        s = s | {part: {k: small(v, s["fold"] < FOLDS) for k, v in s[part].items()} for part in ("mean", "start")}
        if held + size(s) > MOST and files[-1]:
            files.append([])
            held = 0
        files[-1].append(s)
        held += size(s)
    for i, some in enumerate(files):
        torch.save(some, RUNS / f"{name}-{i}.pt")


def states(name: str) -> list[dict]:
    """The nets of a run, or what git keeps of it."""
    paths = sorted(RUNS.glob(f"{name}-[0-9]*.pt")) or sorted(KEPT.glob(f"{name}-[0-9]*.pt"))
    some = [s for path in paths for s in torch.load(path, map_location="cpu")]
    return [s | {part: {k: whole(v) for k, v in s[part].items()} for part in ("mean", "start")} for s in some]
