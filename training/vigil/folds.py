"""Judges by folds: whole printers (before webcams) and groups (photos) are left out of the light head in turn, so that each picture is scored by a
head that saw nothing of its printer. What the tuned net and `present` saw stays as it is, and is told apart: `unseen` printers are none of theirs.

Writes report/FOLDS.md: rankings of each recipe, and each camera's false frames of what ships, at its threshold.
"""

import hashlib
from collections import Counter

import numpy as np

from .data import HERE, load
from .light import Space, regress
from .metrics import auroc, count_interval, recall_at
from .rows import rows

FOLDS = 7
#: Printers with the most pictures, whose folds are told by hand; the others are spread over the rest.
GIVEN = {"obico-fdm": 0, "ED_P1": 1, "ender3lab": 1}
#: Printers that the tuned net was not trained on although their rows are in the train split (decisions/0016).
KEPT_BACK = ("obico-fdm", "ender3lab")
REPORT = HERE / "report" / "FOLDS.md"


def fold_of(item) -> int:
    """Which fold a picture is left out with."""
    if item.view == "webcam":
        spread = int(hashlib.sha256(b"x" + item.printer.encode()).hexdigest(), 16) % (FOLDS - 2)
        return GIVEN.get(item.printer, 2 + spread)
    return int(hashlib.sha256(item.group.encode()).hexdigest(), 16) % FOLDS


def seen_by_tuned(item) -> bool:
    """Whether the tuned net was trained on the picture."""
    return item.fold == "train" and item.printer not in KEPT_BACK


def may_teach(item) -> bool:
    """Whether the light head may learn from a picture: never from rows that may only be scored against."""
    return item.licence != "validation-only" and item.view != "nozzle"


def weights(items, failing) -> np.ndarray:
    """A printer's or group's pictures count by the root of their number; both classes, and webcams and photos, alike, so that the view says nothing."""
    own = list(zip((i.printer for i in items), failing))
    many = Counter(own)
    w, web = np.array([many[k] ** -0.5 for k in own]), np.array([i.view == "webcam" for i in items])
    for view in (True, False):
        for kind in (0, 1):
            some = (web == view) & (failing == kind)
            if some.any():
                w[some] *= len(items) / 4 / w[some].sum()
    return w


class Table:
    """All pictures with their folds, and what the nets said of them."""

    def __init__(self):
        self.rows, known = rows(), {i.file: i for i in load()}
        self.items = [known[str(f)] for f in self.rows["files"]]
        self.failing = np.array([i.label == "failure" for i in self.items]).astype(int)
        self.fold = np.array([fold_of(i) for i in self.items])
        self.teach = np.array([may_teach(i) for i in self.items])
        self.web = np.array([i.view == "webcam" for i in self.items])
        self.printer = np.array([i.printer for i in self.items])
        self.unseen = np.array([not seen_by_tuned(i) for i in self.items])
        x = self.rows["features"].astype(np.float32)
        self.space = Space(x)
        self.z = self.space(x)

    def learn(self, some) -> np.ndarray:
        """The light head's weights, learnt on some pictures."""
        items = [i for i, s in zip(self.items, some) if s]
        return regress(self.z[some], self.failing[some], weights(items, self.failing[some]))

    def out_of_fold(self) -> np.ndarray:
        """The light head's number of every picture, by the head that saw nothing of its printer or group."""
        out = np.zeros(len(self.items))
        for k in range(FOLDS):
            b = self.learn((self.fold != k) & self.teach)
            out[self.fold == k] = self.z[self.fold == k] @ b[:-1] + b[-1]
        return out

    def sound(self) -> np.ndarray:
        """Sound webcam frames."""
        return self.web & (self.failing == 0)

    def even(self, score) -> np.ndarray:
        """A score whose spread over sound webcams is 1."""
        return (score - score[self.sound()].mean()) / score[self.sound()].std()


def figures(t: Table, s) -> dict:
    """Rankings of a score. Failing webcams are 104 of obico-fdm and 16 of ten other printers, which so are told apart."""
    bad, good, obico = t.web & (t.failing == 1), t.sound(), t.printer == "obico-fdm"
    small = good & t.unseen & ~np.isin(t.printer, ("obico-fdm", "ED_P1"))
    others = s[bad & ~obico]
    each = [auroc(others, s[good & (t.printer == p)]) for p in sorted(set(t.printer[good])) if p != "obico-fdm"]
    photos = ~t.web & np.array([i.view == "photo" for i in t.items])
    return {
        "all webcams": auroc(s[bad], s[good]), "16 of ten printers / sound of others": auroc(others, s[good & ~obico]), "16 / small unseen printers": auroc(others, s[small]),
        "16 / each printer alike": float(np.mean(each)), "obico-fdm": auroc(s[bad & obico], s[good & obico]), "recall of all, of the 16, at 2 % false": (recall_at(s[bad], s[good], 0.02), recall_at(others, s[good], 0.02)),
        "photos": auroc(s[photos & (t.failing == 1)], s[photos & (t.failing == 0)]),
    }


def cameras(t: Table, s, threshold: float) -> list[str]:
    """False frames of each printer with five sound frames or more, and of the rest together."""
    good = t.sound()
    own = {p: s[good & (t.printer == p)] for p in set(t.printer[good])}
    rest = [v for v in own.values() if len(v) < 5]
    named = {p: v for p, v in own.items() if len(v) >= 5} | {f"the other {len(rest)}": np.concatenate(rest)}
    lines = []
    for name, v in sorted(named.items(), key=lambda r: -(r[1] >= threshold).mean()):
        hits = int((v >= threshold).sum())
        lines.append(f"| {name} | {hits} of {len(v)} ({hits / len(v):.3f}; " + " to ".join(f"{x:.3f}" for x in count_interval(hits, len(v))) + ") |")
    return lines


def recipes(t: Table, light) -> dict:
    """Every recipe's score."""
    n = {k: t.even(t.rows[k].astype(float)) for k in t.rows if k not in ("files", "features")}
    g = t.even(light)
    low = lambda q: np.maximum(g, np.quantile(g[t.sound()], q))
    floors = {f"**strands-6 + 1 light, {q:.0%} floor (ships)**" if q == 0.25 else f"strands-6 + {x:g} light, {q:.0%} floor": n["strands-6"] + x * low(q) for x, q in ((1, 0.1), (1, 0.25), (1, 0.5), (1.5, 0.5))}
    return n | {"light head": g} | {f"strands-6 + {x:g} light": n["strands-6"] + x * g for x in (0.5, 1, 2)} | {"tuned + light": n["tuned"] + g, "half way + light": n["half way"] + g, "present + light": n["present"] + g} | floors


def table(t: Table, scores: dict) -> list[str]:
    """A row for each recipe."""
    lines = []
    for name, s in scores.items():
        f = figures(t, s)
        if not lines:
            lines = ["| recipe | " + " | ".join(f) + " |", "| --- |" + " --- |" * len(f)]
        lines.append(f"| {name} | " + " | ".join(f"{v:.3f}" if isinstance(v, float) else ", ".join(f"{x:.2f}" for x in v) for v in f.values()) + " |")
    return lines


def main() -> None:
    t = Table()
    print("\n".join(table(t, recipes(t, t.out_of_fold()))))


if __name__ == "__main__":
    main()
