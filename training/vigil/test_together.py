"""Nets that learn side by side: the same loss as of one net, frames with strands from life that say whose pictures they show, and no net
that learns from its own fold."""

import unittest
from types import SimpleNamespace

import numpy as np
import torch

from .data import Item
from .folds import fold_of
from .letterbox import SIZE
from .life import CELLS, SIDE, LifeFrames
from .together import Learner, Recipe, loss_of
from .together_frames import Pool
from .together_kept import small, whole
from .train import loss_of as loss_of_one


def items(label, view, count, first):
    return [Item(first + i, f"{first + i}.jpg", label, label, "train", "train", view, "CC0-1.0", f"{view}{first}-{i}", view, "",
                 [[0.5, 0.5, 0.4, 0.4]] if label == "failure" else []) for i in range(count)]


class Life(unittest.TestCase):
    def setUp(self):
        own = np.random.default_rng(1)
        some = items("failure", "photo", 4, 0) + items("failure", "webcam", 2, 4) + items("good", "photo", 3, 6) + items("good", "webcam", 6, 9)
        pictures = own.integers(0, 255, (len(some), SIZE, SIZE, 3), np.uint8)
        maps = np.zeros((len(some), CELLS, CELLS), np.uint8)
        maps[:, 16:20, 15:22] = 200
        self.frames = LifeFrames(some, pictures, np.array([[0, 52, SIZE, 312]] * len(some)), maps)

    def test_strands_from_life_are_told_where_they_lie(self):
        rng, failing = np.random.default_rng(2), 0
        for _ in range(30):
            picture, _, neg, bag, pos, label = self.frames.life(rng)
            self.assertEqual(picture.shape, (SIDE, SIDE, 3))
            self.assertFalse((bag & (neg > 0)).any() or pos.any())
            failing += label == 1
            if label == 1:
                self.assertGreaterEqual(bag.sum(), 4)
        self.assertGreater(failing, 15)

    def test_what_is_cut_of_sound_pictures_is_told_to_be_sound(self):
        rng = np.random.default_rng(3)
        for _ in range(10):
            _, _, neg, bag, _, label = self.frames.decoy(rng)
            self.assertTrue(label == 0 and (neg == 1).all() and not bag.any())
            self.assertTrue(all(i.label == "good" for i in self.frames.windows.used))
            self.frames.windows.used = []

    def test_a_frame_says_the_folds_of_all_its_pictures(self):
        rng = np.random.default_rng(4)
        for _ in range(30):
            bits = int(self.frames.sample(rng)[-1])
            self.assertEqual({k for k in range(64) if bits >> k & 1}, {fold_of(i) for i in self.frames.windows.used})


class SideBySide(unittest.TestCase):
    def test_the_loss_is_that_of_one_net(self):
        torch.manual_seed(1)
        z, scale = torch.randn(4, 1, 9, 9), torch.nn.Linear(1, 1)
        neg, bag, pos = torch.rand(4, 9, 9).round(), torch.rand(4, 9, 9) > 0.8, torch.rand(4, 9, 9) > 0.9
        bag[1], label = False, torch.tensor([1.0, 0.0, -1.0, 1.0])
        self.assertAlmostEqual(float(loss_of(z, neg, bag, pos, label, scale)), float(loss_of_one(z, neg, bag, pos, label, scale, 0.25)[0]), places=5)
        nothing, unsaid = torch.zeros_like(bag), torch.full((4,), -1.0)
        self.assertAlmostEqual(float(loss_of(z, neg, nothing, nothing, unsaid, scale)), float(loss_of_one(z, neg, nothing, nothing, unsaid, scale, 0.25)[0]), places=5)

    def test_a_net_learns_from_no_frame_of_its_fold_and_its_upper_part_only_after_its_head(self):
        args = SimpleNamespace(seed=1, hidden=8, each=2, lr=1e-3, keep=0.9)
        net, rng = Learner(Recipe("usual=1e-3,1,0.5"), 3, args, "cpu"), np.random.default_rng(5)
        x = torch.rand(5, 3, 64, 64)
        at, label = net.net.plain_low(x), torch.tensor([0.0, 1.0, 0.0, -1.0, 1.0])
        targets = [torch.ones(5, 8, 8), torch.zeros(5, 8, 8, dtype=torch.bool), torch.zeros(5, 8, 8, dtype=torch.bool), label]
        net.begin(at, targets)
        body = [p.detach().clone() for p in net.net.body]
        seen = np.array([1 << 3, 0, 1 << 3 | 1, 1 << 2, 1 << 3])
        for done in (0.05, 0.05, 0.5, 0.5):
            some = net.pick(seen, rng)
            self.assertTrue(set(some.tolist()) <= {1, 3})
            net.rate(done)
            net.take(at, targets, torch.from_numpy(some))
            self.assertEqual(net.targets[3].tolist(), [float(label[i]) for i in some])
            if done < 0.08:
                self.assertTrue(all(torch.equal(a, b) for a, b in zip(body, net.net.body)))
        self.assertFalse(all(torch.equal(a, b) for a, b in zip(body, net.net.body)))

    def test_a_batch_is_of_frames_that_were_drawn_with_their_own_folds(self):
        drawn = [(np.full((3, 8, 8), i, np.uint8), np.full((1, 1), i, np.float32), np.float32(i), np.int64(1 << i)) for i in range(12)]
        pool = Pool(drawn, "cpu", batch=4, workers=0, room=8, seed=1)
        for _ in range(6):
            x, (neg, label), bits = pool.next(least=8)
            self.assertEqual([1 << int(v) for v in label], bits.tolist())
            self.assertEqual(neg[:, 0, 0].tolist(), label.tolist())
            self.assertTrue((x >= 0).all() and (x <= 1).all())

    def test_weights_that_come_back_small_are_nearly_what_they_were(self):
        torch.manual_seed(2)
        for shape, byte in (((64, 96, 1, 1), True), ((64, 96, 1, 1), False), ((640, 1, 3, 3), True), ((70,), True)):
            v = torch.randn(shape)
            self.assertLess(float((whole(small(v, byte)) - v).abs().max()), 0.02)


if __name__ == "__main__":
    unittest.main()
