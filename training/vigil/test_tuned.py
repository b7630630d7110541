"""Nets whose upper part learns: they begin as what was published, what ships is what learnt, and nobody's printer is seen who must not be."""

import unittest

import numpy as np
import torch

from .data import Item
from .pretrained import features, session
from .tune import LEFT_OUT, OBICO, rates, trainable
from .tuned import Tuned, graph, mixed

PICTURES = np.random.default_rng(3).random((2, 3, 96, 64), np.float32)


def item(group, fold="train", label="good", view="webcam"):
    return Item(0, f"{group}.jpg", label, label, fold, fold, "s", "MIT", group, view, "")


class Nets(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(1)

    def test_a_net_begins_as_the_published_backbone(self):
        for name in ("ssd", "nanodet"):
            net = Tuned(name)
            with torch.no_grad():
                maps = net.maps(net.low(PICTURES))
            for said, map_ in zip(features([name]).run(None, {"input": PICTURES}), maps.values()):
                np.testing.assert_allclose(map_.numpy(), said, atol=2e-4)

    def test_the_lower_part_is_the_same_without_onnxruntime(self):
        for name in ("ssd", "nanodet"):
            net = Tuned(name)
            plain = net.plain_low(torch.from_numpy(PICTURES))
            for k, v in net.low(PICTURES).items():
                np.testing.assert_allclose(plain[k].numpy(), v.numpy(), atol=2e-4)

    def test_what_ships_says_what_the_nets_say_after_a_step(self):
        nets = [Tuned("ssd", 16), Tuned("nanodet", 16, (8, 16))]
        for net in nets:
            with torch.no_grad():
                net.head.size(net.maps(net.low(PICTURES)))
            opt = torch.optim.SGD(net.parameters(), 1e-4)
            net(net.low(PICTURES)).square().mean().backward()
            opt.step()
            net.eval()
        with torch.no_grad():
            wanted = sum(share * net(net.low(PICTURES)) for net, share in zip(nets, (0.25, 0.75)))
        found = session(graph(nets, [0.25, 0.75], "side", half=False, batch="batch")).run(None, {"input": PICTURES})[0]
        np.testing.assert_allclose(found, wanted.numpy(), atol=1e-3)

    def test_the_mean_of_two_states_lies_between_them(self):
        self.assertEqual(mixed([{"a": torch.tensor([1.0])}, {"a": torch.tensor([3.0])}])["a"].item(), 2.0)

    def test_heads_learn_alone_first(self):
        self.assertEqual(rates(0.05)[1], 0)
        self.assertGreater(rates(0.05)[0], 0.9)
        self.assertGreater(rates(0.3)[1], 0.5)
        self.assertLess(max(rates(1.0)), 0.05)

    def test_no_printer_that_is_judged_is_trained_on(self):
        some = [item("own/printer"), item(LEFT_OUT[0]), item(f"{OBICO}-view2/white"), item("c", "calibration"), item("d", label="ignore")]
        self.assertEqual([i.group for i in trainable(some)], ["own/printer"])


if __name__ == "__main__":
    unittest.main()
