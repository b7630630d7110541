"""What the renderer and the replay of rendered prints promise."""

import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

from .render import FAILURES, HARD, PLAIN, Scene, single
from .sequences_decide import caught, early, replay
from .sequences_render import plan, share_of
from .sequences_score import thumbnail


def covered(mask) -> float:
    return float((mask > 60).mean())


class Rendering(unittest.TestCase):
    def test_a_scene_is_the_same_every_time(self):
        a, b = Scene(41, kind="spaghetti").frame(0.6, 0.2), Scene(41, kind="spaghetti").frame(0.6, 0.2)
        self.assertTrue((a[0] == b[0]).all() and (a[1] == b[1]).all())

    def test_sound_frames_have_no_strands_in_the_mask(self):
        for hard in HARD:
            _, mask = Scene(42, hard=hard).frame(0.5, odd=True)
            self.assertEqual(mask.max(), 0, hard)

    def test_strands_come_with_the_onset_and_grow(self):
        # A scene in which nothing stands before the strands.
        scene = Scene(501, kind="air", cover=0.1)
        before, early_, late = (covered(scene.frame(t, 0.4)[1]) for t in (0.39, 0.45, 0.95))
        self.assertEqual(before, 0)
        self.assertGreater(late, early_)
        self.assertGreater(late, 0.01)

    def test_failures_without_strands_leave_the_mask_empty(self):
        for kind in PLAIN:
            scene = Scene(43, kind=kind)
            whole, (failed, mask) = scene.frame(0.39, 0.4)[0], scene.frame(0.8, 0.4)
            self.assertEqual(mask.max(), 0, kind)
            self.assertGreater(np.abs(whole.astype(int) - failed).mean(), 1, kind)

    def test_a_training_frame_fits_the_network(self):
        picture, mask = single(3)
        self.assertEqual((picture.shape, picture.dtype), ((416, 416, 3), np.uint8))
        self.assertEqual((mask.shape, mask.dtype), ((416, 416), np.uint8))


class Prints(unittest.TestCase):
    def test_half_of_the_prints_fail_and_all_kinds_occur(self):
        plans = [plan(n) for n in range(212)]
        self.assertEqual(sum(p["onset"] is not None for p in plans), 106)
        self.assertEqual({p["kind"] for p in plans} - {None}, set(FAILURES))
        self.assertEqual({p["hard"] for p in plans} - {None}, set(HARD))
        sound = sum(p["frames"] if p["onset"] is None else p["onset"] for p in plans) * 10 / 3600
        self.assertGreater(sound, 50)

    def test_a_spill_only_grows(self):
        p = plan(2)
        shares = [share_of(p, Scene(1, kind=p["kind"]), n) for n in range(p["onset"], p["frames"])]
        self.assertEqual(shares, sorted(shares))
        self.assertGreater(shares[0], 0)

    def test_a_thumbnail_is_the_mean_of_sixteen_points_a_cell(self):
        grey = np.repeat((np.arange(480 * 640).reshape(480, 640) % 251).astype(np.uint8)[..., None], 3, 2)
        ys, xs = [1, 3, 6, 8], [1, 3, 6, 8]
        self.assertEqual(int(thumbnail(grey)[0, 0]), int(np.floor(grey[np.ix_(ys, xs)][..., 0].mean() + 0.5)))

    def test_told_before_the_onset_is_false_after_it_is_caught(self):
        for n, is_early, is_caught in ((4, True, False), (5, False, True), (None, False, False)):
            r = {"onset": 5, "steady": {"warn": n}}
            self.assertEqual((early(r, "steady", "warn"), caught(r, "steady", "warn")), (is_early, is_caught))

    def test_the_servers_rules_are_what_is_replayed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "prints.jsonl"
            frames = [{"score": 0.001 if n < 60 else 0.97, "heat": None} for n in range(90)]
            path.write_text(json.dumps({"seed": 7, "onset": 60, "frames": frames}) + "\n")
            (told,) = replay(path)
        self.assertEqual(told["seed"], 7)
        for logic in ("classic", "steady"):
            self.assertGreaterEqual(told[logic]["warn"], 60, logic)


if __name__ == "__main__":
    unittest.main()
