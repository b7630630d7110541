"""Renders whole prints at 10 s a frame into `runs/sequences/`, once: JPEGs and what is true of every frame.

Half of the prints fail, at a known frame; more than half of the sound ones are odd (a hand, a knocked camera, the light
going out, open work, bundles of cables). A model needs no more than these frames to be judged, so rendering is a step
of its own: a print that is there already is left alone.
"""

import json
import os

import cv2
import numpy as np

from .data import RUNS
from .render import HARD, STRANDY, Scene

FOLDER = RUNS / "sequences"
#: Seeds far from those of any training frame.
FIRST_SEED = 7_000_000
KINDS = {"spaghetti": 0.42, "detached": 0.18, "air": 0.15, "blob": 0.11, "shift": 0.08, "warp": 0.06}
SECONDS = 10
#: Prints from this number on are odd from their first minute (open work, bundles of cables): each sound one has a failing twin on the same camera.
ODD_FIRST = 3000


def plan(number):
    """What happens in print `number`: kind, onset, frames, growth, odd moments. Even numbers fail."""
    rng = np.random.default_rng([number, 5])
    fails = number % 2 == 0
    onset = int(rng.integers(10, 74)) if fails else None
    frames = onset + 50 if fails else 132
    kind = str(rng.choice(list(KINDS), p=list(KINDS.values()))) if fails else None
    hard = str(rng.choice(HARD)) if not fails and rng.random() < 0.62 else None
    start = int(rng.integers(20, 95))
    lasts = {"hand": int(rng.integers(2, 13)), "dark": int(rng.integers(8, 45))}.get(hard, frames)
    return {
        "number": number, "kind": kind, "onset": onset, "frames": frames, "hard": hard,
        "odd": None if hard is None else [start if hard in ("hand", "dark", "knocked") else 0, start + lasts],
        # How far the whole print comes in these frames, and how fast filament is spilt.
        "progress": float(rng.uniform(0.08, 1.0)), "speed": float(rng.uniform(150, 520)), "quick": int(rng.integers(6, 40)),
    }


def odd_plan(number):
    """Print `number` of those that are odd from their first minute: its twin is the same scene, and fails late, within the first layers, or
    was failing before anybody looked (`onset` is under 0 then)."""
    pair, fails = number // 2, number % 2 == 0
    rng = np.random.default_rng([pair, 6])
    when = ("late", "early", "before")[pair % 3]
    onset = {"late": int(rng.integers(24, 40)), "early": int(rng.integers(2, 9)), "before": -int(rng.integers(2, 12))}[when]
    kind = str(rng.choice(STRANDY, p=[0.5, 0.2, 0.2, 0.1]))
    hard = "busy" if rng.random() < 0.3 else "thin"
    frames = (max(0, onset) + 36) if fails else 66
    return {
        "number": number, "scene": pair * 2, "kind": kind if fails else None, "onset": onset if fails else None, "frames": frames,
        "hard": hard, "odd": [0, frames], "when": when if fails else None, "begins": 0.25 if when == "before" else 0.01,
        "progress": float(rng.uniform(0.3, 0.7)), "speed": float(rng.uniform(150, 520)), "quick": int(rng.integers(6, 40)),
    }


def share_of(p, scene, n):
    """How much of the spill is out at frame `n`: filament comes at the printer's speed (mm a frame)."""
    full = p["quick"] if p["kind"] == "blob" else np.clip(scene.length / p["speed"], 3, 45)
    return float(np.clip((n - p["onset"] + 0.6) / full, 0, 1))


def render(number) -> bool:
    """Render one print unless it is there. Returns whether there was anything to do."""
    folder = FOLDER / f"{number:04d}"
    if (folder / "truth.json").exists():
        return False
    cv2.setNumThreads(1)
    folder.mkdir(parents=True, exist_ok=True)
    p = odd_plan(number) if number >= ODD_FIRST else plan(number)
    begins = p.get("begins", 0.01)
    at = lambda n: max(0.005, begins + p["progress"] * n / p["frames"])
    scene = Scene(FIRST_SEED + p.get("scene", number), kind=p["kind"], hard=p["hard"], fine=1.2)
    covered = []
    for n in range(p["frames"]):
        failing = p["onset"] is not None and n >= p["onset"]
        odd = p["odd"] is not None and p["odd"][0] <= n < p["odd"][1]
        onset = None if p["onset"] is None else at(p["onset"])
        picture, mask = scene.frame(at(n), onset, odd, share_of(p, scene, n) if failing else 0.0)
        covered.append(round(float((mask > 60).mean()), 5))
        cv2.imwrite(str(folder / f"{n:03d}.jpg"), picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 93])
    # What was failing before anybody looked fails from the first frame on.
    onset = None if p["onset"] is None else max(0, p["onset"])
    truth = {**p, "onset": onset, "width": scene.w, "height": scene.h, "printer": str(scene.printer.kind), "part": str(scene.part.shape), "covered": covered}
    part = folder / "truth.tmp"
    part.write_text(json.dumps(truth))
    os.replace(part, folder / "truth.json")
    return True


def truths() -> list[dict]:
    """What is true of every print that is rendered, in order."""
    return [json.loads(f.read_text()) for f in sorted(FOLDER.glob("*/truth.json"))]
