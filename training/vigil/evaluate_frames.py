"""Scores of single frames: of validation, under other light and lenses, and of the real sequences."""

import csv
import json
import os
from pathlib import Path

import cv2
import numpy as np

from .data import ROOT, RUNS
from .infer import read_item
from .metrics import auroc, count_interval, with_intervals
from .sequences_score import model_key

#: obico-pink from the 11th frame of its failure on.
LATE = {f"obico-pink-{n:04d}.jpg" for n in range(71, 124)}


def scale_down(k):
    """The picture smaller, in the middle of a grey frame of the old size."""

    def change(p):
        out = np.full_like(p, 114)
        small = cv2.resize(p, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        y, x = (p.shape[0] - small.shape[0]) // 2, (p.shape[1] - small.shape[1]) // 2
        out[y : y + small.shape[0], x : x + small.shape[1]] = small
        return out

    return change


def grey(p):
    """No colour."""
    return np.repeat(cv2.cvtColor(p, cv2.COLOR_RGB2GRAY)[..., None], 3, 2)


def infrared(p):
    """Infrared light: reds pass, low contrast, a bright middle."""
    g = p[..., 0].astype(np.float32) * 0.55 + 40
    yy, xx = np.mgrid[0 : p.shape[0], 0 : p.shape[1]]
    r = np.hypot((xx / p.shape[1] - 0.5), (yy / p.shape[0] - 0.5))
    return np.repeat(np.clip(g * (1.3 - 0.9 * r), 0, 255).astype(np.uint8)[..., None], 3, 2)


def light(k):
    """Exposure times k."""
    return lambda p: np.clip(p.astype(np.float32) * k, 0, 255).astype(np.uint8)


def noise(sigma):
    """Sensor noise, grey levels; the same for every picture."""

    def change(p):
        n = np.random.default_rng(5).standard_normal(p.shape, np.float32)
        return np.clip(p + sigma * n, 0, 255).astype(np.uint8)

    return change


def jpeg(q):
    """JPEG at a quality."""
    return lambda p: cv2.imdecode(cv2.imencode(".jpg", p, [cv2.IMWRITE_JPEG_QUALITY, q])[1], cv2.IMREAD_COLOR)


AS_IS = "as it is"
SWEEP = {
    AS_IS: lambda p: p,
    "scale 0.7": scale_down(0.7),
    "scale 0.5": scale_down(0.5),
    "scale 0.3": scale_down(0.3),
    "grey": grey,
    "infrared": infrared,
    "blur 1 px": lambda p: cv2.GaussianBlur(p, (0, 0), 1),
    "blur 2 px": lambda p: cv2.GaussianBlur(p, (0, 0), 2),
    "dark x0.3": light(0.3),
    "dark x0.15": light(0.15),
    "over-exposed x2.2": light(2.2),
    "noise 8": noise(8),
    "noise 20": noise(20),
    "JPEG 40": jpeg(40),
    "JPEG 20": jpeg(20),
}


class Scores:
    """Scores of pictures under changes, kept in `runs/` by model, so that a stopped evaluation goes on."""

    def __init__(self, det):
        self.det = det
        self.path = RUNS / f"evaluated-{model_key(det)}.json"
        self.kept = json.loads(self.path.read_text()) if self.path.exists() else {}

    def of(self, items, change=AS_IS) -> dict:
        """Score of each item's picture, by file."""
        todo = [i for i in items if f"{change}|{i.file}" not in self.kept]
        for i in todo:
            self.kept[f"{change}|{i.file}"] = self.det.score(np.ascontiguousarray(SWEEP[change](read_item(i))))
        if todo:
            part = self.path.with_suffix(".tmp")
            part.write_text(json.dumps(self.kept))
            os.replace(part, self.path)
        return {i.file: self.kept[f"{change}|{i.file}"] for i in items}


def kinds(val) -> dict:
    """The sets of validation pictures that the report speaks of."""
    kept = [i for i in val if i.label != "ignore"]
    web = [i for i in kept if i.view == "webcam"]
    return {
        "kept": kept, "web": web, "photo": [i for i in kept if i.view == "photo"],
        "goodWeb": [i for i in web if i.label == "good"], "late": [i for i in web if i.file in LATE],
    }


def figures(score, rows, label="label") -> dict:
    """AUROC, AP and recalls with intervals of rows that hold failures and sound ones."""
    fail = [i for i in rows if getattr(i, label) == "failure"]
    sound = [i for i in rows if getattr(i, label) in ("good", "defect_other")]
    return with_intervals([score[i.file] for i in fail], [score[i.file] for i in sound], [i.group for i in fail], [i.group for i in sound])


def share(score, rows, warn) -> dict:
    """How many of the rows reach the threshold."""
    k, n = sum(score[i.file] >= warn for i in rows), len(rows)
    return {"hit": k, "of": n, "interval": count_interval(k, n)}


def ranking(score, val) -> dict:
    """Table 1: ranking on validation groups, photos and webcams together and apart, and by source."""
    k = kinds(val)
    out = {
        "all, labels mended": figures(score, k["kept"]), "all, labels as given": figures(score, val, "given"),
        "photos, labels mended": figures(score, k["photo"]), "photos, labels as given": figures(score, [i for i in val if i.view == "photo"], "given"),
        "webcams": figures(score, k["web"]),
        "webcams, failure from its 11th frame on": figures(score, [i for i in k["web"] if i.label != "failure" or i.file in LATE]),
    }
    for source in sorted({i.source for i in k["kept"] if i.label == "failure"}):
        rows = [i for i in k["kept"] if i.source == source and i.label == "failure"]
        against = k["goodWeb"] if rows[0].view == "webcam" else [i for i in k["photo"] if i.label in ("good", "defect_other")]
        out[f"{source}, against all sound {rows[0].view}s"] = figures(score, rows + against)
    return out


def at_threshold(score, val, warn) -> dict:
    """Table 2: counts at the shipped threshold."""
    k = kinds(val)
    by = lambda rows: share(score, rows, warn)
    sound = lambda rows: [i for i in rows if i.label in ("good", "defect_other")]
    out = {
        "falseWebcam": {"all": by(k["goodWeb"]), "EmptyDeck": by([i for i in k["goodWeb"] if i.source.startswith("Empty")]),
                        "obico-pink before onset": by([i for i in k["goodWeb"] if not i.source.startswith("Empty")])},
        "falsePhoto": {"good": by([i for i in k["photo"] if i.label == "good"]), "other defects": by([i for i in k["photo"] if i.label == "defect_other"])},
        "recall": {
            "photos, labels mended": by([i for i in k["photo"] if i.label == "failure"]),
            "photos, labels as given": by([i for i in val if i.view == "photo" and i.given == "failure"]),
            "webcam, from the 11th frame of the failure": by(k["late"]),
            "webcam, all failing frames": by([i for i in k["web"] if i.label == "failure"]),
        },
        "perSource": {},
    }
    for source in sorted({i.source for i in k["kept"]}):
        rows = [i for i in k["kept"] if i.source == source]
        fail = [i for i in rows if i.label == "failure"]
        out["perSource"][source] = {"recall": by(fail) if fail else None, "false": by(sound(rows))}
    q = [score[i.file] for i in k["goodWeb"]]
    out["goodWebcamQuantiles"] = {str(p): round(float(np.quantile(q, p)), 4) for p in (0.5, 0.9, 0.95, 0.99, 1.0)}
    return out


def sweep(scores, val, warn, every) -> dict:
    """Table 3: the same pictures under other light, lenses and codecs."""
    k = kinds(val)
    photo, good, late = k["photo"][::every], k["goodWeb"][::every], k["late"][::every]
    out = {}
    for change in SWEEP:
        s = scores.of(photo + good + late, change)
        fail = [s[i.file] for i in photo if i.label == "failure"]
        sound = [s[i.file] for i in photo if i.label in ("good", "defect_other")]
        web, lates = [s[i.file] for i in good], [s[i.file] for i in late]
        out[change] = {
            "photo auroc": round(auroc(fail, sound), 4), "photo recall": round(float(np.mean(np.array(fail) >= warn)), 4),
            "webcam auroc": round(auroc(lates, web), 4), "webcam recall": round(float(np.mean(np.array(lates) >= warn)), 4),
            "webcam false": int(np.sum(np.array(web) >= warn)),
        }
    return out


def real_sequences(lines, told, warn, seen) -> dict:
    """Table 4: the two real failing prints frame by frame, and what the decision said of them, in frames."""
    out = {}
    for line in lines:
        n, onset = line["id"], line["onset"]
        score = [f["score"] for f in line["frames"]]
        hot = np.array(score) >= warn
        after = score[onset:]
        out[n] = {
            "seen": n in seen, "onset": onset, "frames": len(score),
            "firstHot": int(np.argmax(hot[onset:])) if hot[onset:].any() else None,
            "falseBefore": int(hot[:onset].sum()), "recallAfter10": round(float(hot[onset + 10 :].mean()), 4),
            "highestBefore": round(max(score[:onset]), 4), "medianAfter": round(float(np.median(after)), 4), "highestAfter": round(max(after), 4),
            **{logic: {kind: None if told[n][logic][kind] is None else told[n][logic][kind] - onset for kind in ("warn", "pause")} for logic in ("classic", "steady")},
        }
    return out


def onsets() -> dict:
    """Sequence to split, of those that fail."""
    with open(Path(ROOT) / "sequences.csv", newline="") as f:
        return {r["sequence"]: r["split"] for r in csv.DictReader(f) if r["onset frame"] != "none"}
