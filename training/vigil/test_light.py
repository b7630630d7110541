"""What the light head promises: its graph says what numpy says, grey borders say nothing, and it never says less than its floor."""

import unittest

import numpy as np

from .letterbox import inside_cells, letterbox, to_input
from .light import Spaces, graph, hottest, pooled, regress, six
from .pretrained import Builder, session

SIDE, FEATURES = 96, 2 * (576 + 1280) + 192 + 576 + 1280


class Light(unittest.TestCase):
    def test_adds_one_number_to_every_cell_and_no_less_than_its_floor(self):
        r = np.random.default_rng(1)
        x = to_input(letterbox(r.integers(0, 255, (60, 96, 3), dtype=np.uint8), SIDE)[0])
        weights = r.standard_normal(FEATURES) * 0.01
        before = session(six_at(SIDE)).run(None, {"input": x})[0]
        free, held = (session(graph(weights, 0.5, least, SIDE)).run(None, {"input": x})[0] - before for least in (-1e3, 50.0))
        self.assertLess(np.ptp(free), 1e-4)
        np.testing.assert_allclose(held, 50, atol=1e-3)

    def test_reads_the_whole_picture_and_the_hottest_cells_as_numpy_does(self):
        r = np.random.default_rng(4)
        square, rect = letterbox(r.integers(0, 255, (50, 96, 3), dtype=np.uint8), SIDE)
        weights, x = r.standard_normal(FEATURES) * 0.05, to_input(square)
        heat = session(six_at(SIDE)).run(None, {"input": x})[0]
        b = Builder()
        maps = session(b.model("side", [b.add("Identity", [t], f"map{i}") for i, t in enumerate(b.backbone("ssd", "input"))], 1)).run(None, {"input": x})
        features = np.concatenate([pooled(maps[1:], rect, SIDE), hottest(maps, heat[0, 0], inside_cells(rect, 8, SIDE))])
        said = session(graph(weights, 0.5, -1e3, SIDE)).run(None, {"input": x})[0] - heat
        np.testing.assert_allclose(said, features @ weights + 0.5, atol=0.02)

    def test_tells_two_clouds_apart_on_features_as_they_come(self):
        r = np.random.default_rng(2)
        hidden = r.standard_normal((300, 10))
        x = (hidden @ r.standard_normal((10, 40)) + 5).astype(np.float32)
        failing = (hidden[:, 0] + hidden[:, 1] > 0).astype(int)
        kinds = x[:, :25], x[:, 25:]
        space = Spaces(*kinds, count=10)
        b = regress(space(*kinds), failing, np.ones(300), 1e-3)
        weights, bias = space.plain(b)
        np.testing.assert_allclose(x @ weights + bias, space(*kinds) @ b[:-1] + b[-1], atol=1e-2)
        self.assertGreater(((x @ weights + bias > 0) == failing).mean(), 0.9)


def six_at(side):
    """vigil-strands-6 for pictures of another side."""
    model = six()
    for value in (*model.graph.input, *model.graph.output):
        for dim in value.type.tensor_type.shape.dim[2:]:
            dim.dim_param = f"any{side}"
    return model


if __name__ == "__main__":
    unittest.main()
