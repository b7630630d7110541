"""Plays scored prints through the server's own rules and sums up what they said."""

import json
import subprocess
from pathlib import Path

import numpy as np

from .data import HERE
from .metrics import auroc, count_interval
from .sequences_render import FOLDER, SECONDS, truths
from .sequences_score import lines_of

OUT = HERE / "report"
REPLAY = HERE.parent / "bench" / "replay.ts"
#: A Node that runs TypeScript as it is (22.18 or later); the one of the repository where it is installed.
NODE = next((str(p) for p in (HERE.parent / "node_modules").glob("node-*/bin/node")), "node")
LOGICS = ("classic", "steady")
#: Bins of the largest share of the frame that strands covered, lower ends.
BINS = ((0.0, "under 0.1 %, hidden"), (0.001, "0.1 to 0.5 %"), (0.005, "0.5 to 1 %"), (0.01, "1 to 3 %"), (0.03, "3 to 10 %"), (0.1, "10 % and more"))


def replay(path, node=NODE) -> list[dict]:
    """What both logics said of the prints of a file."""
    text = subprocess.run([node, str(REPLAY), str(path)], check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in text.splitlines()]


def conditions(numbers, node) -> dict:
    """What the server's picture check says of every frame (quality.ts)."""
    folders = [str(FOLDER / f"{n:04d}") for n in numbers]
    subprocess.run([node, str(Path(__file__).with_name("blind.mts")), *folders], check=True, capture_output=True, text=True)
    return {n: json.loads((FOLDER / f"{n:04d}" / "blind.json").read_text()) for n in numbers}


def decide(numbers, node=NODE) -> list[str]:
    """Replay all, return the table's lines; those of the report (from 0 on) are written to report/rendered.json and RENDERED.md."""
    truth = {t["number"]: t for t in truths() if t["number"] in numbers}
    lines = [json.loads(line) for line in open(lines_of(numbers))]
    lines = [x for x in lines if x["seed"] in truth]
    blind = conditions([x["seed"] for x in lines], node)
    path = lines_of(numbers).with_suffix(".seen.jsonl")
    with open(path, "w") as f:
        for x in lines:
            for frame, condition in zip(x["frames"], blind[x["seed"]]):
                frame["blind"] = condition is not None
            f.write(json.dumps(x) + "\n")
    told = {r["seed"]: r for r in replay(path, node)}
    rows = []
    for x in lines:
        t = truth[x["seed"]]
        onset = t["onset"]
        after = t["covered"][onset:] if onset is not None else []
        three = next((onset + i for i, c in enumerate(after) if c >= 0.03), None)
        rows.append({"print": x["seed"], "kind": t["kind"], "hard": t["hard"], "onset": onset, "frames": t["frames"], "printer": t["printer"],
                     "covered": max(after, default=0.0), "threePercent": three, "blind": sum(c is not None for c in blind[x["seed"]]),
                     **{k: told[x["seed"]][k] for k in LOGICS}})
    card = json.loads((HERE.parent / "server/engines/inference/model/card.json").read_text())
    out = table(rows, lines, card["operatingPoint"]["warn"])
    if numbers[0]:
        return out
    (OUT / "rendered.json").write_text(json.dumps({"sha256": card["sha256"], "prints": rows}, separators=(",", ":")) + "\n")
    (OUT / "RENDERED.md").write_text("\n".join(out) + "\n")
    return out


def early(r, logic, kind):
    """Whether a print was told off before its failure, or without one."""
    n = r[logic][kind]
    return n is not None and (r["onset"] is None or n < r["onset"])


def caught(r, logic, kind):
    """Whether a failure was told, and not before it began."""
    n = r[logic][kind]
    return n is not None and n >= r["onset"]


def share(rows, hit) -> str:
    """`7 of 9 (0.78; 0.40 to 0.97)`."""
    if not rows:
        return "-"
    k = sum(map(hit, rows))
    lo, hi = count_interval(k, len(rows))
    return f"{k} of {len(rows)} ({k / len(rows):.2f}; {lo:.2f} to {hi:.2f})"


def late(rows, logic, kind, since="onset") -> str:
    """Median and 90 % of the delay of those caught, in seconds."""
    v = [(r[logic][kind] - r[since]) * SECONDS for r in rows if r[since] is not None and caught(r, logic, kind)]
    return f"{np.median(v):.0f} s ({np.quantile(v, 0.9):.0f} s)" if v else "-"


def per_hour(rows, logic, kind, hours) -> str:
    """False first warnings or pauses an hour, with the upper end of a 95 % interval."""
    k = sum(early(r, logic, kind) for r in rows)
    if not k:
        return f"0 in {hours:.1f} h: at most {3 / hours:.3f}"
    top = k + 1.96 * np.sqrt(k) + 1.92
    return f"{k} in {hours:.1f} h: {k / hours:.2f} (at most {top / hours:.2f})"


def table(rows, lines, warn) -> list[str]:
    """The part of the report on rendered prints."""
    hours = sum(r["frames"] if r["onset"] is None else r["onset"] for r in rows) * SECONDS / 3600
    total = sum(r["frames"] for r in rows) * SECONDS / 3600
    bad, good = [r for r in rows if r["onset"] is not None], [r for r in rows if r["onset"] is None]
    strandy = [r for r in bad if r["kind"] not in ("shift", "warp")]
    big = [r for r in strandy if r["covered"] >= 0.03]
    sound = [f["score"] for x in lines for f in x["frames"][: x["onset"]]]
    at_last = {r["print"]: r for r in strandy}
    failing = [f["score"] for x in lines if x["seed"] in at_last for f in x["frames"][x["onset"] + 10 :]]
    out = ["## Rendered prints, decided over time", "",
           f"{len(rows)} rendered prints at {SECONDS} s a frame: {total:.1f} print-hours, {hours:.1f} of them before or without a failure; {len(bad)} fail at a known frame, {len(strandy)} of them with loose strands. "
           f"{sum(r['hard'] is not None for r in good)} of the {len(good)} sound ones are odd: a hand, a knocked camera, the light out, open work, bundles of cables. Every print is on a new printer, sensitivity 1. "
           "The renderer also made training frames (other scenes), so real prints may be harder. Frames that the server's picture check calls dark, moved ... are blind to our logic, as in the server.", "",
           f"Frames alone: {np.mean(np.array(sound) >= warn):.4f} of {len(sound)} sound frames reach the threshold {warn}, {np.mean(np.array(failing) >= warn):.3f} of {len(failing)} frames from the 11th of a failure with strands; AUROC {auroc(failing, sound):.3f}.", "",
           "| | old logic (Obico's) | ours |", "| --- | --- | --- |"]

    def row(name, f):
        out.append(f"| {name} | " + " | ".join(f(k) for k in LOGICS) + " |")

    for kind, word in (("warn", "warning"), ("pause", "pause")):
        row(f"failures with strands: {word}", lambda k, kind=kind: share(strandy, lambda r: caught(r, k, kind)))
        row(f"those that come to cover 3 % of the frame: {word}", lambda k, kind=kind: share(big, lambda r: caught(r, k, kind)))
        row(f"those, {word} within 2 minutes of the onset", lambda k, kind=kind: share(big, lambda r: caught(r, k, kind) and (r[k][kind] - r["onset"]) * SECONDS <= 120))
        row(f"those, {word} within 2 minutes of covering 3 %", lambda k, kind=kind: share(big, lambda r: caught(r, k, kind) and (r[k][kind] - r["threePercent"]) * SECONDS <= 120))
        row(f"those, onset to {word}: median (90 %)", lambda k, kind=kind: late(big, k, kind))
        row(f"those, 3 % covered to {word}: median (90 %)", lambda k, kind=kind: late(big, k, kind, "threePercent"))
        row(f"false {word}s: prints in sound hours", lambda k, kind=kind: per_hour(rows, k, kind, hours))
    out += ["", "Failures told, warning / pause, by kind and by the most that strands ever covered of the frame:", "", "| | prints | old: warning | old: pause | ours: warning | ours: pause | ours: onset to warning |", "| --- | --- | --- | --- | --- | --- | --- |"]
    groups = [(k, [r for r in bad if r["kind"] == k]) for k in ("spaghetti", "detached", "air", "blob", "shift", "warp")]
    for i, (low, name) in enumerate(BINS):
        high = BINS[i + 1][0] if i + 1 < len(BINS) else 2
        groups.append((f"covers {name}", [r for r in strandy if low <= r["covered"] < high]))
    for name, some in groups:
        cells = [str(sum(caught(r, k, kind) for r in some)) for k in LOGICS for kind in ("warn", "pause")]
        out.append(f"| {name} | {len(some)} | " + " | ".join(cells) + f" | {late(some, 'steady', 'warn')} |")
    out += ["", "False warnings / pauses of sound prints, by what is odd about them:", "", "| | prints | old: warning | old: pause | ours: warning | ours: pause |", "| --- | --- | --- | --- | --- | --- |"]
    for name, some in [("nothing", [r for r in good if not r["hard"]])] + [(h, [r for r in good if r["hard"] == h]) for h in ("hand", "knocked", "dark", "thin", "busy")] + [("before a failure", bad)]:
        cells = [str(sum(early(r, k, kind) for r in some)) for k in LOGICS for kind in ("warn", "pause")]
        out.append(f"| {name} | {len(some)} | " + " | ".join(cells) + " |")
    return out
