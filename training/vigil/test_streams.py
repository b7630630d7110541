"""What the streams of training pictures promise, on made-up pictures."""

import unittest

import numpy as np

from .data import Item
from .frames import FRAME, Frames
from .letterbox import SIZE


def items(label, view, count, first):
    return [Item(first + i, f"{first + i}.jpg", label, label, "train", "train", view, "CC0-1.0", f"{view}-{i}", view, "",
                 [[0.5, 0.5, 0.4, 0.4]] if label != "good" else []) for i in range(count)]


class Streams(unittest.TestCase):
    def setUp(self):
        own = np.random.default_rng(1)
        some = items("failure", "photo", 3, 0) + items("failure", "webcam", 2, 3) + items("good", "photo", 3, 5) + items("good", "webcam", 3, 8)
        some += items("defect_other", "photo", 2, 11)
        pictures = own.integers(0, 255, (len(some), SIZE, SIZE, 3), np.uint8)
        rects = np.array([[0, 52, SIZE, 312]] * len(some))
        self.frames = Frames(some, pictures, rects)

    def test_sound_pictures_come_as_small_as_failing_ones(self):
        """Otherwise the network learns that small is failing."""
        rng = np.random.default_rng(4)
        shares = {
            "sound": [self.frames.whole("other", rng)[1].mean() for _ in range(150)],
            "failing": [self.frames.failing("photo", rng)[1].mean() for _ in range(150)],
        }
        small = {k: np.quantile(v, 0.05) for k, v in shares.items()}
        self.assertLess(small["sound"], small["failing"] * 1.5)

    def test_a_sound_frame_says_nothing_fails(self):
        rng = np.random.default_rng(5)
        seen = {0: 0, 1: 0, -1: 0}
        for _ in range(60):
            picture, neg, bag, pos, label = self.frames.sample(rng)
            self.assertEqual(picture.shape, (3, FRAME, FRAME))
            seen[int(label)] += 1
            if label == 0:
                self.assertFalse(bag.any() or pos.any())
                self.assertTrue((neg == 1).all())
        self.assertGreater(seen[0], 5)
        self.assertGreater(seen[1], 5)


if __name__ == "__main__":
    unittest.main()
