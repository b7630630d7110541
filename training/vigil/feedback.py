"""Adds the pictures of `./vigil export-feedback` to those that training reads (docs/feedback-dataset.md)."""

import argparse
import csv
import shutil
from pathlib import Path

from .data import ROOT


def merge(folder: Path, root: Path) -> int:
    """Copies the pictures of the set's manifest into `root` and adds their rows; those that `root` knows stay. How many are new."""
    with open(folder / "manifest.csv", newline="") as f:
        rows = list(csv.DictReader(f))
    manifest = root / "manifest.csv"
    with open(manifest, newline="") as f:
        reader = csv.DictReader(f)
        columns = reader.fieldnames or []
        known = {row["file"] for row in reader}
    fresh = [row for row in rows if row["file"] not in known]
    (root / "images").mkdir(exist_ok=True)
    for row in fresh:
        # A name of the set's own; it leads nowhere else.
        shutil.copyfile(folder / "images" / Path(row["file"]).name, root / "images" / Path(row["file"]).name)
    with open(manifest, "a", newline="") as f:
        csv.DictWriter(f, columns, restval="", extrasaction="ignore", lineterminator="\n").writerows(fresh)
    return len(fresh)


def main() -> None:
    """Add the pictures of an exported set to the manifest."""
    ap = argparse.ArgumentParser(description=main.__doc__)
    ap.add_argument("folder", type=Path)
    args = ap.parse_args()
    print(f"{merge(args.folder, ROOT)} new pictures in {ROOT}. Decode anew: delete runs/rects.npy, then training/run data.")


if __name__ == "__main__":
    main()
