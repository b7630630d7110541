"""One report for the shipped model: figures on pictures nobody trained on, with intervals."""

import argparse
import csv
import json
import time
from collections import defaultdict

import cv2
import numpy as np

from . import report
from .data import HERE, ROOT, load
from .infer import Detector, read_item
from .metrics import auroc, count_interval, with_intervals

OUT = HERE / "report"


def scale_down(p, s):
    """The picture smaller, in the middle of a grey frame of the old size."""
    out = np.full_like(p, 114)
    small = cv2.resize(p, None, fx=s, fy=s, interpolation=cv2.INTER_AREA)
    y, x = (p.shape[0] - small.shape[0]) // 2, (p.shape[1] - small.shape[1]) // 2
    out[y : y + small.shape[0], x : x + small.shape[1]] = small
    return out


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


def jpeg(q):
    """JPEG at a quality."""
    return lambda p: cv2.imdecode(cv2.imencode(".jpg", p, [cv2.IMWRITE_JPEG_QUALITY, q])[1], cv2.IMREAD_COLOR)


SWEEP = {
    "as it is": lambda p: p,
    "scale 0.7": lambda p: scale_down(p, 0.7),
    "scale 0.5": lambda p: scale_down(p, 0.5),
    "scale 0.3": lambda p: scale_down(p, 0.3),
    "grey": grey,
    "infrared": infrared,
    "blur 1 px": lambda p: cv2.GaussianBlur(p, (0, 0), 1),
    "blur 2 px": lambda p: cv2.GaussianBlur(p, (0, 0), 2),
    "dark x0.3": light(0.3),
    "over-exposed x2.2": light(2.2),
    "JPEG 20": jpeg(20),
}


def sequences(det, items) -> dict:
    """Scores of every frame of the sequences, in order, for the writer of the decision logic."""
    by_file = {i.file: i for i in items}
    out = {}
    with open(ROOT / "sequences.csv", newline="") as f:
        for row in csv.DictReader(f):
            name = row["sequence"]
            frames = []
            for file in sorted(f for f in by_file if f.startswith(name + "-")):
                z, inside, rect = det.heat(read_item(by_file[file]))
                boxes = det.boxes(z, inside, rect)
                frames.append({"n": int(file[len(name) + 1 : -4]), "score": round(det.score_of(z, inside), 4), "boxes": boxes[:3], "idle": by_file[file].idle})
            onset = None if row["onset frame"] == "none" else int(row["onset frame"][len(name) + 1 : -4])
            out[name] = {"split": row["split"], "onset": onset, "note": row["note"], "frames": frames}
    prints = defaultdict(list)
    for i in items:
        if i.source.startswith("EmptyDeck"):
            prints[i.group].append(i)
    for group, rows in prints.items():
        frames = [{"n": n, "score": round(det.score(read_item(i)), 4)} for n, i in enumerate(rows)]
        out[group] = {"split": "validation", "onset": None, "note": "good frames, order within the print unknown", "frames": frames}
    return out


def delays(seq, threshold) -> dict:
    """Frames from onset to the first hot frame, and to three hot ones among five; hot frames before."""
    f, onset = seq["frames"], seq["onset"]
    hot = [x["score"] >= threshold for x in f]
    after = [i for i, x in enumerate(f) if x["n"] >= onset]
    before = [h for h, x in zip(hot, f) if x["n"] < onset]
    first = next((f[i]["n"] - onset for i in after if hot[i]), None)
    steady = next((f[i]["n"] - onset for i in after if sum(hot[max(after[0], i - 4) : i + 1]) >= 3), None)
    return {"first": first, "threeOfFive": steady, "falseBefore": sum(before), "framesBefore": len(before),
            "highestBefore": max(x["score"] for x in f if x["n"] < onset), "medianAfter": round(float(np.median([f[i]["score"] for i in after])), 4), "highestAfter": max(f[i]["score"] for i in after),
            "recallAfter10": round(float(np.mean([h for h, x in zip(hot, f) if x["n"] >= onset + 10])), 4)}


def speed() -> dict:
    """Milliseconds a frame in onnxruntime, network alone and with the letterbox, by threads."""
    x = np.random.default_rng(0).random((1, 3, 416, 416), np.float32)
    out = {}
    for threads in (1, 2):
        d = Detector(threads=threads)
        t = []
        for _ in range(60):
            a = time.perf_counter()
            d.session.run(["heat"], {"input": x})
            t.append((time.perf_counter() - a) * 1e3)
        out[str(threads)] = {"min": round(min(t), 1), "median": round(float(np.median(t)), 1)}
    return out


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--quick", action="store_true", help="leave out the robustness sweep")
    ap.add_argument("--every", type=int, default=1, help="use every n-th picture in the robustness sweep")
    args = ap.parse_args()
    cv2.setNumThreads(1)
    OUT.mkdir(exist_ok=True)
    det = Detector()
    warn = det.card["operatingPoint"]["warn"]
    items = load()
    val = [i for i in items if i.fold == "validation" and i.label != "nozzle_cam"]
    score = {i.file: det.score(read_item(i)) for i in val}
    seqs = sequences(det, items)
    (OUT / "sequences.json").write_text(json.dumps({"sha256": det.card["sha256"], "warn": warn, "sequences": seqs}, separators=(",", ":")) + "\n")

    kept = [i for i in val if i.label != "ignore"]
    photo = [i for i in kept if i.view == "photo"]
    web = [i for i in kept if i.view == "webcam"]
    late = {f"obico-pink-{n:04d}.jpg" for n in range(71, 124)}

    def figures(rows, label="label"):
        fail = [i for i in rows if getattr(i, label) == "failure"]
        sound = [i for i in rows if getattr(i, label) in ("good", "defect_other")]
        return with_intervals([score[i.file] for i in fail], [score[i.file] for i in sound], [i.group for i in fail], [i.group for i in sound])

    def share(rows):
        k, n = sum(score[i.file] >= warn for i in rows), len(rows)
        return {"hit": k, "of": n, "interval": count_interval(k, n)}

    data = {"model": det.card, "evaluated": time.strftime("%Y-%m-%d"), "warn": warn}
    data["ranking"] = {
        "all, labels mended": figures(kept), "all, labels as given": figures(val, "given"),
        "photos, labels mended": figures(photo), "photos, labels as given": figures([i for i in val if i.view == "photo"], "given"),
        "webcams": figures(web),
        "webcams, failure from its 11th frame on": figures([i for i in web if i.label != "failure" or i.file in late]),
    }
    good_web = [i for i in web if i.label == "good"]
    data["falseWebcam"] = {"all": share(good_web), "EmptyDeck": share([i for i in good_web if i.source.startswith("Empty")]),
                           "obico-pink before onset": share([i for i in good_web if not i.source.startswith("Empty")])}
    data["falsePhoto"] = {"good": share([i for i in photo if i.label == "good"]), "other defects": share([i for i in photo if i.label == "defect_other"])}
    data["recall"] = {
        "photos, labels mended": share([i for i in photo if i.label == "failure"]),
        "photos, labels as given": share([i for i in val if i.view == "photo" and i.given == "failure"]),
        "webcam, from the 11th frame of the failure": share([i for i in web if i.file in late]),
        "webcam, all failing frames": share([i for i in web if i.label == "failure"]),
    }
    sources = sorted({i.source for i in kept})
    sound_photo = [i for i in photo if i.label in ("good", "defect_other")]
    data["perSource"] = {}
    for s in sources:
        rows = [i for i in kept if i.source == s]
        fail = [i for i in rows if i.label == "failure"]
        against = sound_photo if rows[0].view == "photo" else good_web
        data["perSource"][s] = {
            "recall": share(fail) if fail else None,
            "false": share([i for i in rows if i.label in ("good", "defect_other")]),
            "auroc": round(auroc([score[i.file] for i in fail], [score[i.file] for i in against]), 4) if fail else None,
        }
    data["sequence"] = {n: delays(seqs[n], warn) for n in ("obico-pink", "obico-white")}
    q = [score[i.file] for i in good_web]
    data["goodWebcamQuantiles"] = {str(p): round(float(np.quantile(q, p)), 4) for p in (0.5, 0.9, 0.95, 0.99, 1.0)}
    if not args.quick:
        data["sweep"], data["sweepEvery"] = {}, args.every
        some = [i for i in photo if i.label != "ignore"][:: args.every] + web[:: args.every]
        shots = {i.file: read_item(i) for i in some}
        photo, web, late = [i for i in some if i.view == "photo"], [i for i in some if i.view == "webcam"], late & set(shots)
        for name, change in SWEEP.items():
            s = {i.file: det.score(np.ascontiguousarray(change(shots[i.file]))) for i in some}
            pick = lambda rows, labels: [s[i.file] for i in rows if i.label in labels]
            data["sweep"][name] = {
                "photo auroc": round(auroc(pick(photo, ["failure"]), pick(photo, ["good", "defect_other"])), 4),
                "photo recall": round(float(np.mean(np.array(pick(photo, ["failure"])) >= warn)), 4),
                "webcam auroc": round(auroc([s[f] for f in late], pick(web, ["good"])), 4),
                "webcam recall": round(float(np.mean(np.array([s[f] for f in late]) >= warn)), 4),
                "webcam false": int(np.sum(np.array(pick(web, ["good"])) >= warn)),
            }
    data["speed"] = speed()
    (OUT / "report.json").write_text(json.dumps(data, indent=1) + "\n")
    photo = [i for i in kept if i.view == "photo"]
    worst = {
        "falseFrames": sorted(((round(score[i.file], 3), i.file) for i in good_web), reverse=True)[:12],
        "missedPhotos": sorted((round(score[i.file], 3), i.file) for i in photo if i.label == "failure")[:12],
    }
    (OUT / "worst.json").write_text(json.dumps(worst, indent=1) + "\n")
    report.write(data, worst)
    print((OUT / "REPORT.md").read_text())


if __name__ == "__main__":
    main()
