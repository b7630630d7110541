"""What merging an exported set promises."""

import csv
import tempfile
import unittest
from pathlib import Path

from .feedback import merge

COLUMNS = "file,label,split,source,licence,group,view,width,height,boxes,note"


class Merge(unittest.TestCase):
    def test_new_pictures_are_added_once_and_known_ones_stay(self):
        with tempfile.TemporaryDirectory() as name:
            root, folder = Path(name, "ml"), Path(name, "set")
            for where in (root, folder):
                (where / "images").mkdir(parents=True)
            (root / "manifest.csv").write_text(f"{COLUMNS}\nold.jpg,good,train,x,MIT,g,webcam,1,1,,\n")
            (folder / "manifest.csv").write_text(
                f"{COLUMNS}\nnew.jpg,failure,train,vigil-feedback,consented,feedback/c/p,webcam,,,,\nold.jpg,failure,train,x,y,g,webcam,,,,\n"
            )
            (folder / "images" / "new.jpg").write_bytes(b"new")
            self.assertEqual(merge(folder, root), 1)
            self.assertEqual(merge(folder, root), 0)
            with open(root / "manifest.csv", newline="") as f:
                rows = list(csv.DictReader(f))
            self.assertEqual([(r["file"], r["label"], r["group"]) for r in rows], [("old.jpg", "good", "g"), ("new.jpg", "failure", "feedback/c/p")])
            self.assertEqual((root / "images" / "new.jpg").read_bytes(), b"new")


if __name__ == "__main__":
    unittest.main()
