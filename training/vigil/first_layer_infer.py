"""The first-layer judge as the server uses it: letterbox, onnxruntime, cells, lines, score, labels."""

import json

import numpy as np
import onnxruntime as ort

from .first_layer_beads import CELL, CLASSES, NOT_A_NOZZLE_CAM, SIZE
from .first_layer_lines import regularity
from .infer import MODEL_DIR
from .letterbox import inside_cells, letterbox, to_input

FOLDER = MODEL_DIR / "first-layer"
#: The wire's words (docs/wire/rest.md 5.3), in the order of CLASSES.
NAMES = ("noIssues", "gaps", "raisedRipples", "bumpsAndRoughSurface", "bubbling", "detached", "notANozzleCam")
ISSUES = NAMES[1:-1]
assert len(NAMES) == len(CLASSES)


def softmax(z):
    """Over the first axis."""
    e = np.exp(z - z.max(0, keepdims=True))
    return e / e.sum(0, keepdims=True)


def score_of(shares, thresholds, flawed, share, lines) -> float:
    """60 to 100 of a picture without an issue, under 60 of one with: from the shares that say which, so that label and score agree."""
    bad = lambda v, t: max(0.0, v - t) / max(0.001, 1 - t) if flawed else v / t
    quality = (1 - share) * (1 - max(bad(shares[n], thresholds[n]) for n in ISSUES)) + share * lines
    return 59 * quality if flawed else 60 + 40 * quality


class Judge:
    """What one picture shows, with a card and its ONNX file."""

    def __init__(self, card=None, folder=FOLDER, threads=1):
        self.card = card or json.loads((folder / "card.json").read_text())
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = ort.InferenceSession(str(folder / self.card["file"]), options, providers=["CPUExecutionProvider"])

    def raw(self, picture):
        """(probabilities [7, n] of the cells inside, regularity of the lines or None) of an RGB picture."""
        square, rect = letterbox(picture, SIZE)
        z = self.session.run(["cells"], {"input": to_input(square)})[0][0].astype(np.float64)
        return softmax(z[:, inside_cells(rect, CELL, SIZE)]), regularity(square, rect)

    def highest(self, values):
        """Mean of the `top` highest."""
        return float(np.sort(values)[::-1][: self.card["top"]].mean())

    def judge(self, chances, regular):
        """The sight of a picture from what `raw` said: as `judgeLayer` in first-layer.ts."""
        c = self.card
        shares = {name: self.highest(chances[i + 1]) for i, name in enumerate(ISSUES)}
        strange = float(chances[NOT_A_NOZZLE_CAM].mean())
        low, high, share = (c["lines"][k] for k in ("low", "high", "share"))
        between = lambda v, a, b: float(np.clip((v - a) / (b - a), 0, 1))
        lines = None if regular is None else between(regular, low, high)
        if strange >= c["notANozzleCam"] or lines is None:
            return {"score": None, "labels": [NAMES[-1]], "shares": shares, "notANozzleCam": strange, "lines": lines}
        labels = [n for n in ISSUES if shares[n] >= c["thresholds"][n]]
        return {"score": score_of(shares, c["thresholds"], bool(labels), share, lines), "labels": labels or [NAMES[0]],
                "shares": shares, "notANozzleCam": strange, "lines": lines}

    def look(self, picture):
        """The sight of an RGB picture."""
        return self.judge(*self.raw(picture))


def layer_score(scores):
    """The layer's score from its pictures' (None: of no nozzle camera): as `layerScore` in firstlayer.rules.ts."""
    usable = sorted(s for s in scores if s is not None)
    if not usable or len(usable) < 0.2 * len(scores):
        return None
    worst = usable[: max(1, int(len(usable) * 0.2 + 0.5))]
    return round(0.6 * float(np.mean(usable)) + 0.4 * float(np.mean(worst)), 1)


def grade_of(score):
    """A to F."""
    return next((g for at, g in ((80, "A"), (60, "B"), (40, "C"), (20, "D")) if score >= at), "F")
