"""The pretrained backbones say what the runtimes that they were published for say: LiteRT of ssd, TensorFlow.js of nanodet."""

import json
import unittest
from pathlib import Path

import numpy as np

from .present import present_network
from .pretrained import SOURCES, features, file_of, session

KNOWN = json.loads(Path(__file__).with_name("pretrained_known.json").read_text())


def picture(side):
    """The picture that the known activations are of: RGB, 0..1."""
    y, x, c = np.meshgrid(np.arange(side), np.arange(side), np.arange(3), indexing="ij")
    return (((y * 7 + x * 13 + c * 29 + ((x * y) % 31) * 5) % 256) / 255).astype(np.float32).transpose(2, 0, 1)[None]


class Pretrained(unittest.TestCase):
    def test_activations_are_those_of_the_published_runtimes(self):
        for name, known in KNOWN.items():
            for at, said in zip(known["maps"], features([name]).run(None, {"input": picture(known["side"])})):
                self.assertEqual(list(said.shape[1:]), at["shape"], name)
                self.assertAlmostEqual(float(said.mean()), at["mean"], 4, name)
                for c, y, x, value in at["at"]:
                    self.assertAlmostEqual(float(said[0, c, y, x]), value, 3, name)

    def test_the_network_that_shipped_before_takes_any_side(self):
        before = session(present_network())
        for side in (256, 288):
            self.assertEqual(before.run(None, {"input": picture(side)})[0].shape, (1, 1, side // 8, side // 8))

    def test_other_bytes_are_refused(self):
        kept = SOURCES["ssd"]["sha256"]
        try:
            SOURCES["ssd"]["sha256"] = "0" * 64
            with self.assertRaisesRegex(ValueError, "SHA-256"):
                file_of("ssd")
        finally:
            SOURCES["ssd"]["sha256"] = kept


if __name__ == "__main__":
    unittest.main()
