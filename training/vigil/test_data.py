"""What the folds promise."""

import unittest

from .data import fold_of, printer_of


def row(group, split="train", view="webcam", licence="MIT"):
    return {"group": group, "split": split, "view": view, "licence": licence}


class Folds(unittest.TestCase):
    def test_three_prints_before_one_printer_are_one_printer(self):
        self.assertEqual({printer_of(g) for g in ("obico-fdm/pink", "obico-fdm-view2/white", "obico-fdm-view3/fan")}, {"obico-fdm"})
        self.assertEqual(printer_of("octolapse/mk2/boat"), "octolapse/mk2")

    def test_a_printer_with_a_picture_in_validation_is_never_trained_on(self):
        self.assertEqual(fold_of(row("obico-fdm-view2/white"), {"obico-fdm"}), "validation")
        self.assertEqual(fold_of(row("bensidhom/a/blue1"), {"obico-fdm"}), "calibration")
        self.assertEqual(fold_of(row("ender3lab"), {"obico-fdm"}), "train")

    def test_what_may_only_be_scored_is_validation(self):
        self.assertEqual(fold_of(row("ED_P1/BlueMonk", licence="validation-only"), set()), "validation")
        self.assertEqual(fold_of(row("any", view="photo", licence="validation-only"), set()), "validation")


if __name__ == "__main__":
    unittest.main()
