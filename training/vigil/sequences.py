"""Rendered prints at 10 s a frame, scored by the shipped model and judged by both decision logics.

Python renders and scores; `decide.mts` replays the scores through the very rules that the server runs
(`server/modules/detection/*.rules.ts`). Half the prints fail, at a known frame.
"""

import argparse
import base64
import json
import subprocess
from pathlib import Path

import cv2
import numpy as np

from .augment import sensor
from .data import HERE, RUNS
from .infer import Detector, sigmoid
from .metrics import count_interval
from .render import Scene

OUT = HERE / "report"


def heat_bytes(det, z, inside):
    """The map as the server hands it to the decision: calibrated, 0..255, the picture's cells only."""
    rows, cols = np.where(inside.any(1))[0], np.where(inside.any(0))[0]
    part = z[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    s = det.card["score"]
    v = np.floor(255 * sigmoid(s["a"] * part + s["b"]) + 0.5).astype(np.uint8)
    return {"width": v.shape[1], "height": v.shape[0], "values": base64.b64encode(v.tobytes()).decode()}


def play(det, seed, frames):
    """One print: even seeds fail. Scores, maps and, from the onset, the share of the frame that is strands."""
    rng = np.random.default_rng([seed, 5])
    fails = seed % 2 == 0
    onset = int(rng.integers(15, frames - 30))
    scene = Scene(7_000_000 + seed, fail=fails or None)
    noise = rng.integers(1 << 30)
    out = {"seed": seed, "onset": onset if fails else None, "frames": []}
    for n in range(frames):
        t = (n + 1) / frames
        picture, mask = scene.frame(t, onset / frames if fails else None)
        picture = sensor(picture.astype(np.float32) / 255, np.random.default_rng([noise, 1]))
        z, inside, _ = det.heat(picture)
        out["frames"].append({"score": round(det.score_of(z, inside), 4), "heat": heat_bytes(det, z, inside), "covered": round(float((mask > 60).mean()), 5)})
    return out


def summary(rows, frames) -> list[str]:
    """The table of the report."""
    hours = len(rows) * frames / 360
    good = [r for r in rows if r["onset"] is None]
    bad = [r for r in rows if r["onset"] is not None]
    sound_hours = sum((r["onset"] if r["onset"] is not None else frames) for r in rows) / 360
    out = ["## Rendered prints, decided over time", "", f"{len(rows)} rendered prints of {frames} frames at 10 s ({hours:.1f} print-hours, {sound_hours:.1f} of them before or without a failure); {len(bad)} fail at a known frame. "
           "Rendered by the renderer that also made training frames (other seeds), so real prints will be harder. New printer each time, sensitivity 1.", "",
           "| | old logic (one frame score) | shipped logic |", "| --- | --- | --- |"]

    def cell(f):
        return " | ".join(f(k) for k in ("classic", "steady"))

    def late(kind):
        def f(k):
            v = sorted(r[k][kind] - r["onset"] for r in bad if r[k][kind] is not None and r[k][kind] >= r["onset"])
            return f"{np.median(v) * 10:.0f} s ({np.quantile(v, 0.9) * 10:.0f} s)" if v else "-"

        return f

    def share(kind, rows_, wrong):
        def f(k):
            hit = sum(r[k][kind] is not None and (wrong is False or r["onset"] is None or r[k][kind] < r["onset"]) for r in rows_)
            lo, hi = count_interval(hit, len(rows_))
            return f"{hit} of {len(rows_)} ({lo:.2f} to {hi:.2f})"

        return f

    def caught(kind, rows_):
        def f(k):
            hit = sum(r[k][kind] is not None and r[k][kind] >= r["onset"] for r in rows_)
            lo, hi = count_interval(hit, len(rows_))
            return f"{hit} of {len(rows_)} ({lo:.2f} to {hi:.2f})"

        return f

    def rate(kind):
        def f(k):
            n = sum(r[k][kind] is not None and (r["onset"] is None or r[k][kind] < r["onset"]) for r in rows)
            return f"{n / sound_hours:.2f}" if n else f"0 in {sound_hours:.1f} h: at most {3 / sound_hours:.2f}"

        return f

    big = [r for r in bad if r["covered"] >= 0.03]
    for kind in ("warn", "pause"):
        out.append(f"| failures with a {kind} after the onset | {cell(caught(kind, bad))} |")
        if big:
            out.append(f"| the same, strands over 3 % of the frame at the end | {cell(caught(kind, big))} |")
        out.append(f"| onset to {kind}: median (90 %) | {cell(late(kind))} |")
        out.append(f"| sound prints with a {kind} | {cell(share(kind, good, True))} |")
        out.append(f"| false first {kind}s per print-hour | {cell(rate(kind))} |")
    return out


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--count", type=int, default=200)
    ap.add_argument("--frames", type=int, default=90)
    ap.add_argument("--node", default="node", help="Node 22.18 or later: runs TypeScript as it is")
    args = ap.parse_args()
    cv2.setNumThreads(1)
    RUNS.mkdir(exist_ok=True)
    det, path = Detector(), RUNS / "rendered.jsonl"
    kept = []
    with open(path, "w") as f:
        for seed in range(args.count):
            row = play(det, seed, args.frames)
            kept.append({"seed": seed, "onset": row["onset"], "covered": max(x["covered"] for x in row["frames"]), "scores": [x["score"] for x in row["frames"]]})
            f.write(json.dumps(row) + "\n")
    text = subprocess.run([args.node, str(Path(__file__).with_name("decide.mts")), str(path)], check=True, capture_output=True, text=True).stdout
    decided = {r["seed"]: r for r in map(json.loads, text.splitlines())}
    rows = [{**k, **decided[k["seed"]]} for k in kept]
    (OUT / "RENDERED.md").write_text("\n".join(summary(rows, args.frames)) + "\n")
    for r in rows:
        r.pop("scores")
    (OUT / "rendered.json").write_text(json.dumps({"sha256": det.card["sha256"], "prints": rows}, separators=(",", ":")) + "\n")
    print((OUT / "RENDERED.md").read_text())


if __name__ == "__main__":
    main()
