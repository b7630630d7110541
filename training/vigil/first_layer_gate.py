"""Whether a picture is of a nozzle camera, judged by folds: a logistic regression on what the fixed part of the first-layer model says of the
whole picture (mean and spread of channels over the cells inside), in place of the learnt part that tells it cell by cell.

A nozzle camera's pictures are judged by heads that saw nothing of its maker's, webcams by heads that saw nothing of their printer. What is learnt
from: the real nozzle pictures and parts of them, renders, webcams and photos. None of these ships: report/FIRST_LAYER_GATE.md says why.
"""

import argparse
import time
from dataclasses import dataclass

import cv2
import numpy as np

from .data import HERE, RUNS, load
from .first_layer_beads import CLASSES, SIZE
from .first_layer_data import read, rows
from .first_layer_deep import Fixed
from .first_layer_infer import Judge
from .first_layer_model import DEEP, FEATURES
from .first_layer_render import shows
from .folds import FOLDS, fold_of
from .letterbox import inside_cells, letterbox
from .light import Space, regress
from .metrics import auroc

REPORT = HERE / "report" / "FIRST_LAYER_GATE.md"
#: Parts of each real nozzle picture, and rendered pictures, that are learnt from besides.
PARTS, RENDERS = 8, 200
#: Makers of the real nozzle cameras, each left out in turn.
MAKERS = ("cam-cambridge/caxton", "cam-cambridge/fast-caxton", "DrAlexLiu/OctoPrint-PiNozCam")
#: So many webcams may be taken for a nozzle camera.
FALSE_SHARE = 0.02


@dataclass(frozen=True)
class Recipe:
    """Which channels are read, along how many of their strongest directions (the mean of a head for each number), how strongly the weights are
    held down, and learnt from what."""

    name: str
    channels: tuple = (FEATURES, FEATURES + DEEP)
    spread: bool = True
    directions: tuple = (14, 17, 20, 23)
    hold: float = 1e-4
    learns: tuple = ("nozzle", "render", "webcam", "photo")


PLAIN = Recipe("pretrained half, mean and spread")
RECIPES = (
    PLAIN, Recipe("Gabor half", (0, FEATURES)), Recipe("both halves", (0, FEATURES + DEEP)), Recipe("mean alone", spread=False),
    Recipe("parts of the nozzle pictures, too", learns=("nozzle", "part", "render", "webcam", "photo")), Recipe("without renders", learns=("nozzle", "webcam", "photo")),
    Recipe("without photos", learns=("nozzle", "render", "webcam")), Recipe("held down more", hold=0.02), Recipe("16 directions alone", directions=(16,)),
    Recipe("20 directions alone", directions=(20,)), Recipe("24 directions alone", directions=(24,)), Recipe("60 directions alone", directions=(60,)),
    Recipe("changed others, too", learns=("nozzle", "render", "webcam", "photo", "altered")),
    Recipe("changed ones of both kinds, both halves", (0, FEATURES + DEEP), learns=("nozzle", "altered nozzle", "render", "webcam", "photo", "altered")),
)


def part_of(picture, r):
    """A part of a nozzle picture from above its middle, under other light."""
    h, w = (max(64, int(n * r.uniform(0.5, 1))) for n in picture.shape[:2])
    y, x = int(r.uniform(0, 0.6) * (picture.shape[0] - h)), int(r.integers(0, picture.shape[1] - w + 1))
    part = np.ascontiguousarray(picture[y : y + h, x : x + w])
    if r.random() < 0.6:
        hsv = cv2.cvtColor(part, cv2.COLOR_RGB2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(int) + r.integers(0, 180)) % 180
        hsv[..., 1] = hsv[..., 1] * r.uniform(0, 1)
        part = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)
    part = part[:, ::-1] if r.random() < 0.5 else part
    return np.uint8(np.clip(part * r.uniform(0.6, 1.2) + r.uniform(-15, 15), 0, 255))


def altered(picture, r):
    """The picture as another camera might give it: closer, of few pixels, out of focus, in other light."""
    if r.random() < 0.5:
        h, w = (max(32, int(n * r.uniform(0.4, 0.8))) for n in picture.shape[:2])
        y, x = r.integers(0, picture.shape[0] - h + 1), r.integers(0, picture.shape[1] - w + 1)
        picture = np.ascontiguousarray(picture[y : y + h, x : x + w])
    if r.random() < 0.4:
        times = r.uniform(90, 200) / max(picture.shape[:2])
        picture = cv2.resize(picture, None, fx=times, fy=times, interpolation=cv2.INTER_AREA)
    if r.random() < 0.3:
        picture = cv2.GaussianBlur(picture, (0, 0), r.uniform(0.6, 2))
    return np.uint8(np.clip(picture * r.uniform(0.5, 1.3) + r.uniform(-15, 15), 0, 255))


def shown():
    """(picture, file, source, view) of everything that is learnt from or judged, photos every fourth."""
    r, photos, aside = np.random.default_rng(6), 0, np.random.default_rng(7)
    for nozzle in (True, False):
        for row in rows(without=(), nozzle=nozzle):
            photos += row["view"] == "photo"
            if row["view"] == "photo" and photos % 4:
                continue
            picture = read(row)
            yield picture, row["file"], row["source"], row["view"]
            for _ in range(2 if nozzle else 1):
                yield altered(picture, aside), row["file"], row["source"], "altered nozzle" if nozzle else "altered"
            if nozzle and row["label"] == "nozzle_cam":
                for _ in range(PARTS):
                    yield part_of(picture, r), row["file"], row["source"], "part"
    kinds = (CLASSES[0],) * 3 + CLASSES[1:-1]
    for i in range(RENDERS):
        picture = shows(3_000_000 + i, kinds[i % len(kinds)])
        yield (picture[: int(SIZE * r.uniform(0.5, 0.8))] if r.random() < 0.5 else picture), f"render {i}", "render", "render"


def pooled(fixed, picture):
    """Mean and spread of the fixed part's channels over the cells inside the picture, [2, 499]."""
    square, rect = letterbox(picture, SIZE)
    cells = fixed(np.uint8(np.floor(square + 0.5))[None])[0].astype(np.float32)[inside_cells(rect, 16, SIZE)]
    return np.stack([cells.mean(0), cells.std(0)])


def table():
    """What the fixed part and the model of before say of everything shown, kept in `runs/gate.npz`."""
    path = RUNS / "gate.npz"
    if not path.exists():
        fixed, before, begin, found = Fixed(), Judge(), time.time(), []
        for picture, file, source, view in shown():
            strange = before.look(picture)["score"] is None if view != "part" else False
            found.append((pooled(fixed, picture), strange, file, source, view))
            if len(found) % 200 == 0:
                print(f"{len(found)} pictures, {time.time() - begin:.0f} s", flush=True)
        x, strange, file, source, view = zip(*found)
        np.savez(path, x=np.stack(x), refused=strange, names=file, source=source, view=view)
    with np.load(path) as whole:
        return {k: whole[k] for k in whole.files}


class Pictures:
    """The table with folds, and heads learnt from parts of it."""

    def __init__(self, without=()):
        self.t, known = table(), {i.file: i for i in load()}
        self.view = self.t["view"]
        self.own = np.isin(self.view, ("nozzle", "altered nozzle", "part", "render"))
        self.maker = np.array([MAKERS.index(s) if s in MAKERS else -1 for s in self.t["source"]])
        self.fold = np.array([fold_of(known[n]) if n in known and not o else -1 for n, o in zip(self.t["names"], self.own)])
        kept_back = ("validation-only", *without)
        # The one picture of PiNozCam shows a whole part from further away: it is judged alone (learnt from, it lets webcams in).
        self.teaches = (self.maker != 2) & np.array([n not in known or known[n].licence not in kept_back for n in self.t["names"]])

    def features(self, recipe):
        """[n, channels] of a recipe."""
        x = self.t["x"][..., slice(*recipe.channels)]
        return x.reshape(len(x), -1) if recipe.spread else x[:, 0]

    def learnt(self, recipe, space, rows):
        """Weights of the head learnt from some rows: views count alike, nozzle cameras and others too."""
        w, rows = np.zeros(len(rows)), rows & self.teaches & np.isin(self.view, recipe.learns)
        for own in (True, False):
            views = [rows & (self.view == v) for v in recipe.learns if (rows & (self.view == v) & (self.own == own)).any()]
            for some in views:
                w[some] = rows.sum() / 2 / len(views) / some.sum()
        return regress(space[rows], self.own[rows].astype(float), w[rows], recipe.hold)

    def judged(self, recipe):
        """What heads that saw nothing of its maker (nozzle cameras) or printer (others) say of each picture."""
        x = self.features(recipe)
        said, left_out = np.zeros(len(x)), [self.maker == m for m in range(len(MAKERS))] + [self.fold == f for f in range(FOLDS)]
        for directions in recipe.directions:
            z = Space(x, directions)(x)
            for own in left_out:
                b = self.learnt(recipe, z, ~own)
                said[own] += (z[own] @ b[:-1] + b[-1]) / len(recipe.directions)
        return said


def line_of(p, recipe) -> str:
    """A recipe's row of the report, at the number that 2 % of the webcams reach."""
    said = p.judged(recipe)
    of = lambda view: said[p.view == view]
    strict = np.quantile(of("webcam"), 1 - FALSE_SHARE)
    taken = lambda view: f"{(of(view) > strict).sum()} of {(p.view == view).sum()}"
    return (f"| {recipe.name} | {auroc(of('nozzle'), of('webcam')):.4f} | {(of('webcam') >= of('nozzle').min()).mean():.3f} | {taken('nozzle')} | "
            f"{taken('altered nozzle')} | {taken('photo')} | {taken('altered')} |")


def shipped_line(p) -> str:
    """The row of the model that ships, at its own threshold."""
    taken = lambda view: f"{(~p.t['refused'][p.view == view]).sum()} of {(p.view == view).sum()}"
    return f"| **ships** (not by folds) |  |  | {taken('nozzle')} | {taken('altered nozzle')} | {taken('photo')} | {taken('altered')} |"


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--without-licence", action="append", default=[], help="learn nothing from pictures under it")
    args = ap.parse_args()
    cv2.setNumThreads(1)
    p = Pictures(args.without_licence)
    lines = ["| recipe | AUROC, nozzle / webcams | webcams taken where all nozzle pictures are | nozzle taken | changed nozzle | photos | changed others |",
             "| --- | --- | --- | --- | --- | --- | --- |", *(line_of(p, r) for r in RECIPES), shipped_line(p)]
    many = lambda view: int((p.view == view).sum())
    text = ["# First layer: is it a nozzle camera at all?", "",
            f"Written by `training/run first-layer-gate`: {many('nozzle')} real nozzle pictures of {len(MAKERS)} makers, {many('webcam')} webcams, {many('photo')} photos (every fourth). **By folds**: a maker's",
            "nozzle pictures are judged by heads that saw none of them (PiNozCam's one picture is learnt from by none), a webcam by heads that saw nothing of its printer; counted where 2 % of the",
            "webcams are taken for a nozzle camera. Changed ones: closer, of few pixels, out of focus, in other light.", "", *lines, "",
            f"What ships takes {int((~p.t['refused'][p.view == 'webcam']).sum())} of the webcams; it was trained on 14 of the nozzle pictures and on some of the webcams and photos. Why none of the heads",
            "takes its place: `FIRST_LAYER_NOTES.md`.", ""]
    REPORT.write_text("\n".join(text))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
