"""The pictures: manifest, overrides, splits by group, and a decoded cache.

A row's fold is `train`, `calibration` (held out of training to choose models and fit the score: photo groups by hash,
webcams by printer) or `validation`. No group and no printer spans two folds. Rows whose licence is `validation-only` never enter the first two.
"""

import argparse
import csv
import hashlib
import json
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from .letterbox import SIZE, letterbox

HERE = Path(__file__).resolve().parent.parent
ROOT = Path(os.environ.get("VIGIL_ML", HERE.parent.parent / "shared" / "ml"))
RUNS = HERE / "runs"

#: Groups whose first name is the printer; of the others (`octolapse/mk2/boat`) it is the first two.
ONE_NAME = ("obico-fdm", "ED_P1", "bensidhom", "bitsy-red", "obico-grey", "anywhere-blue")
#: Printers before webcams that training never sees, so that the score is fitted and models are chosen on unseen ones: as many
#: with sound and with failing pictures as can be spared.
CALIBRATION = {
    "marcin/mk3", "octolapse/Ra5Jjq-n", "ipepe/p1", "obico-cam24/blue", "bensidhom", "bitsy-red", "obico-grey", "antirez/test", "maccheneso/cam1",
    "prusa-connect-script/mk3", "opencentauri/generic", "moonraker-ha/cam2", "printwatch-card/p1s", "tfyre/p1s2", "octolapse/mk2", "obico-cam6/bust", "telegram/mk3s",
}


@dataclass
class Item:
    """One picture of the manifest after the overrides."""

    index: int
    file: str
    label: str
    given: str
    split: str
    fold: str
    source: str
    licence: str
    group: str
    view: str
    note: str
    boxes: list = field(default_factory=list)

    @property
    def printer(self) -> str:
        """Who must be left out of training for this picture to be unseen: its printer, or its group where that is not told."""
        return printer_of(self.group) if self.view == "webcam" else self.group

    @property
    def idle(self) -> bool:
        return "idle" in self.note


def printer_of(group: str) -> str:
    """The printer that a webcam group shows. obico-white, obico-pink and anywhere-fan are one."""
    for name in ONE_NAME:
        if group.startswith(name):
            return name
    return "/".join(group.split("/")[:2])


def fold_of(row: dict, apart: set) -> str:
    """Which of the three folds a manifest row belongs to. Groups stay whole, and before webcams whole printers do: `apart`
    are those with any picture in validation."""
    if row["split"] == "validation" or row["licence"] == "validation-only":
        return "validation"
    if row["view"] == "webcam":
        printer = printer_of(row["group"])
        return "validation" if printer in apart else "calibration" if printer in CALIBRATION else "train"
    if row["view"] == "photo":
        digest = hashlib.sha256(row["group"].encode()).digest()
        return "calibration" if digest[0] < 26 else "train"
    return "train"


def load(without_licence: tuple = (), use_overrides: bool = True) -> list[Item]:
    """Every row of the manifest, mended; `index` is its place in the decoded cache."""
    fixes = {}
    if use_overrides:
        with open(HERE / "overrides.csv", newline="") as f:
            fixes = {r["file"]: r for r in csv.DictReader(f)}
    items = []
    with open(ROOT / "manifest.csv", newline="") as f:
        rows = list(csv.DictReader(f))
    apart = {printer_of(r["group"]) for r in rows if r["view"] == "webcam" and fold_of(r, set()) == "validation"}
    for index, row in enumerate(rows):
        fold = fold_of(row, apart)
        if row["licence"] in without_licence and fold != "validation":
            continue
        fix = fixes.get(row["file"], {})
        boxes = json.loads(fix.get("boxes") or row["boxes"] or "[]")
        items.append(
            Item(index, row["file"], fix.get("label") or row["label"], row["label"], row["split"], fold,
                 row["source"], row["licence"], row["group"], row["view"], row["note"], boxes)
        )
    for what in ("group", "printer"):
        seen: dict[str, set] = {}
        for it in items:
            seen.setdefault(getattr(it, what), set()).add(it.fold)
        leaking = [g for g, folds in seen.items() if len(folds) > 1]
        assert not leaking, f"a {what} in two folds: {leaking[:5]}"
    return items


def cache() -> tuple[np.ndarray, np.ndarray]:
    """(pictures [N,416,416,3] uint8 letterboxed, rects [N,4]) of the whole manifest, decoded once."""
    RUNS.mkdir(exist_ok=True)
    with open(ROOT / "manifest.csv", newline="") as f:
        files = [r["file"] for r in csv.DictReader(f)]
    path, rect_path = RUNS / "pictures.u8", RUNS / "rects.npy"
    shape = (len(files), SIZE, SIZE, 3)
    if not rect_path.exists():
        out = np.memmap(path, np.uint8, "w+", shape=shape)
        rects = np.zeros((len(files), 4), np.int32)

        def take(i):
            picture = cv2.cvtColor(cv2.imread(str(ROOT / "images" / files[i])), cv2.COLOR_BGR2RGB)
            square, rects[i] = letterbox(picture)
            out[i] = np.floor(square + 0.5).astype(np.uint8)

        with ThreadPoolExecutor() as pool:
            list(pool.map(take, range(len(files))))
        out.flush()
        np.save(rect_path, rects)
    return np.memmap(path, np.uint8, "r", shape=shape), np.load(rect_path)


def main() -> None:
    """Print what there is, fold by fold, and fill the cache."""
    ap = argparse.ArgumentParser(description=main.__doc__)
    ap.add_argument("--without-licence", action="append", default=[])
    args = ap.parse_args()
    items = load(tuple(args.without_licence))
    changed = sum(it.label != it.given for it in items)
    print(f"{len(items)} pictures, {len({it.group for it in items})} groups, {changed} labels changed by overrides.csv")
    table = Counter((it.fold, it.view, it.label, it.source, it.licence) for it in items)
    for (fold, view, label, source, licence), n in sorted(table.items()):
        print(f"{fold:12} {view:7} {label:13} {n:5}  {source} ({licence})")
    pictures, _ = cache()
    print(f"decoded cache: {pictures.shape} in {RUNS}")


if __name__ == "__main__":
    main()
