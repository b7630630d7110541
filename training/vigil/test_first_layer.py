"""The first-layer model is one file that answers as the parts it is made of; thresholds cost no more false labels than allowed."""

import unittest

import numpy as np
import torch

from .first_layer_beads import SIZE
from .first_layer_deep import Fixed
from .first_layer_export import FALSE_SHARE, assembled, cuts
from .first_layer_model import DEEP, Head, Patches
from .pretrained import session


class FirstLayer(unittest.TestCase):
    def test_one_file_answers_as_its_parts(self):
        torch.manual_seed(1)
        heads, r = [Head().eval()], np.random.default_rng(1)
        picture = np.repeat(np.repeat(r.integers(0, 256, (1, 32, 32, 3), np.uint8), 8, 1), 8, 2)
        said = session(assembled(heads)).run(None, {"input": picture.transpose(0, 3, 1, 2) / np.float32(255)})[0]
        fixed = torch.from_numpy(Fixed()(picture)).float().permute(0, 3, 1, 2)
        with torch.no_grad():
            self.assertLess(np.abs(said - heads[0](fixed).numpy()).max(), 0.01)
            mean = Patches([*heads, Head()]).eval()(torch.rand(1, 3, SIZE, SIZE), fixed[:, -DEEP:])
        self.assertLess(mean[:, :6].logsumexp(1).abs().max().item(), 1e-4)

    def test_thresholds_cost_no_more_false_labels_than_allowed(self):
        r = np.random.default_rng(2)
        sound, own = r.beta(1, 6, (1000, 5)), [r.beta(4, 2, 200) for _ in range(5)]
        cut, told = cuts(sound, own)
        self.assertLessEqual((sound >= cut).any(1).mean(), FALSE_SHARE)
        self.assertGreater(told, 0.3)


if __name__ == "__main__":
    unittest.main()
