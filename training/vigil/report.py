"""The report in words, and the model card with the same figures."""

from .data import HERE
from .infer import MODEL_DIR
from .metrics import count_interval
from .report_card import card


def frac(s) -> str:
    """`12 of 140 (0.086; 0.04 to 0.14)`."""
    if not s or not s["of"]:
        return "-"
    lo, hi = s["interval"]
    return f"{s['hit']} of {s['of']} ({s['hit'] / s['of']:.3f}; {lo:.3f} to {hi:.3f})"


def three(v) -> str:
    """A figure with its interval."""
    return f"{v[0]:.3f} ({v[1]:.2f}-{v[2]:.2f})"


def row_of(what, got, met) -> str:
    return f"| {what} | {got} | {'met' if met else '**missed**'} |"


def unseen_table(d) -> list[str]:
    """The figure that leads: what an owner with one camera gets."""
    u = d["unseen"]
    before = {r["printer"]: r for r in u["before"]}
    out = ["## Each printer as an unseen camera", "", "An owner has one camera, not an average. Sound webcam frames at or above the one shipped threshold, of printers that no picture was trained on: validation's (obico-fdm, ED_P1 and seven "
           "with one picture each), calibration's seventeen, and ender3lab, which training leaves out for this. So every printer with 20 sound frames or more is judged. The last column is the model that shipped before, whose heads knew ender3lab and one of whose parts knew obico-fdm too.", "",
           "| printer | false frames (share; 95 % interval) | before (vigil-strands-5) |", "| --- | --- | --- |"]
    for r in u["ours"]:
        cells = [frac({"hit": x["false"], "of": x["of"], "interval": count_interval(x["false"], x["of"])}) for x in (r, before[r["printer"]])]
        out.append(f"| {r['printer']} | {cells[0]} | {cells[1]} |")
    return out + [""]


def aims(d) -> list[str]:
    """What was aimed at, what was reached. True whatever the model."""
    photos, webcams, net = d["ranking"]["photos, labels mended"], d["ranking"]["webcams"], d["speed"]["network"]["1"]
    web, false, unseen = d["recall"]["webcam, all failing frames"], d["falseWebcam"]["all"], d["unseen"]["ours"]
    shares = sorted(r["false"] / r["of"] for r in unseen)
    pink = d["sequence"]["obico-pink"]["steady"]["warn"]
    rows = [
        ("leave one printer out: every printer under 5 % false frames", f"worst {unseen[0]['printer']}: {unseen[0]['false']} of {unseen[0]['of']}", shares[-1] < 0.05),
        ("leave one printer out: under 1 % in the middle", f"{shares[len(shares) // 2]:.3f}", shares[len(shares) // 2] < 0.01),
        ("validation photos: AUROC 0.97", three(photos["auroc"]), photos["auroc"][0] >= 0.97),
        ("validation photos: recall 0.85 at 5 % false", three(photos["recall@5%"]), photos["recall@5%"][0] >= 0.85),
        ("validation webcams: AUROC 0.99", three(webcams["auroc"]), webcams["auroc"][0] >= 0.99),
        ("validation webcams: recall 0.90 at 1 % false", three(webcams["recall@1%"]), webcams["recall@1%"][0] >= 0.9),
        ("validation webcams at the shipped threshold: recall 0.80", frac(web), web["hit"] >= 0.8 * web["of"]),
        ("validation webcams at the shipped threshold: at most 1 of 140 false", frac(false), false["hit"] <= 1),
        ("real failing print that is never trained on: warned within 12 frames of its onset", "never" if pink is None else f"{pink} frames after it", pink is not None and 0 <= pink <= 12),
        ("at most 20 MB", f"{d['speed']['megabytes']} MB", d["speed"]["megabytes"] <= 20),
        ("at most 25 ms a frame on one core in onnxruntime-node", f"{net['cpu']} ms of processor time, {net['min']} ms by the clock at best", min(net["min"], net["cpu"]) <= 25),
    ]
    if d["rendered"]:
        prints = d["rendered"]["prints"]
        big = [r for r in prints if r["onset"] is not None and r["kind"] not in ("shift", "warp") and r["covered"] >= 0.03]
        told = [r for r in big if r["steady"]["warn"] is not None and r["onset"] <= r["steady"]["warn"]]
        quick = sum(r["steady"]["warn"] - r["threePercent"] <= 12 for r in told)
        hours = sum(r["frames"] if r["onset"] is None else r["onset"] for r in prints) / 360
        early = {k: sum(r["steady"][k] is not None and (r["onset"] is None or r["steady"][k] < r["onset"]) for r in prints) for k in ("warn", "pause")}
        whose = "" if d["rendered"]["sha256"] == d["model"]["sha256"] else " (of the model before: not replayed with this one)"
        rows += [
            ("rendered prints: 35 of 39 warned of within 2 minutes of covering 3 %", f"{quick} of {len(big)}{whose}", not whose and quick >= 0.9 * len(big)),
            ("rendered prints: at most 2 false warnings and no false pause in 50 h", f"{early['warn']} and {early['pause']} in {hours:.1f} h{whose}", not whose and early["warn"] * 50 <= 2 * hours and early["pause"] == 0 and hours >= 50),
        ]
    return ["## Aims", "", "| aim | reached | |", "| --- | --- | --- |", *(row_of(*r) for r in rows), ""]


def ranking_table(title, ranking) -> list[str]:
    """AUROC, AP and recalls with intervals."""
    out = [title, "", "| set | failures | sound | AUROC | AP | recall at 0.1 % false | at 1 % | at 5 % |", "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for name, f in ranking.items():
        if f:
            out.append(f"| {name} | {f['failures']} | {f['sound']} | " + " | ".join(three(f[k]) for k in ("auroc", "ap", "recall@0.1%", "recall@1%", "recall@5%")) + " |")
    return out + [""]


def threshold_table(d, warn) -> list[str]:
    """Counts at a threshold."""
    out = ["| what | frames at or above it (share; 95 % interval) |", "| --- | --- |"]
    for head, part in (("recall, ", "recall"), ("false frames, good webcam frames: ", "falseWebcam"), ("false frames, photos: ", "falsePhoto")):
        out += [f"| {head}{name} | {frac(s)} |" for name, s in d[part].items()]
    g = d["goodWebcamQuantiles"]
    return out + ["", f"Scores of the {d['falseWebcam']['all']['of']} good webcam frames (threshold {warn}): " + ", ".join(f"{float(k):.0%} at or under {v:.3f}" for k, v in g.items()) + ".", ""]


def sequence_table(d) -> list[str]:
    """The real failing prints, frame by frame."""
    out = ["## The real sequences", "", "Two failing prints on one printer from two sides, replayed through the server's rules (`bench/replay.ts`) as a new printer, the empty bed left out. The interval between their frames is not known: 10 s is assumed, "
           "delays are in frames. `ssd` was trained on neither; the part `present` was **trained on** obico-white. Hot: at or above the threshold.", "",
           "| sequence | frames to first hot | hot before onset | recall after 10 frames | highest before; median, highest after | old: warning, pause | ours: warning, pause |", "| --- | --- | --- | --- | --- | --- | --- |"]
    said = lambda s: f"{s['warn'] if s['warn'] is not None else 'never'}, {s['pause'] if s['pause'] is not None else 'never'}"
    for n, s in d["sequence"].items():
        out.append(f"| {n}{' (trained on by `present`)' if s['seen'] else ''} | {s['firstHot']} | {s['falseBefore']} of {s['onset']} | {s['recallAfter10']} | {s['highestBefore']}; {s['medianAfter']}, {s['highestAfter']} | {said(s['classic'])} | {said(s['steady'])} |")
    return out + ["", "A negative number is a false warning: so many frames before the onset.", ""]


def sweep_table(d) -> list[str]:
    """Other light, lenses and codecs."""
    every = f" On every {d['sweepEvery']}th picture." if d["sweepEvery"] > 1 else ""
    out = ["## Robustness", "", f"Webcam recall: obico-pink from the 11th frame of its failure; false: a count of the good webcam frames.{every}", "",
           "| change | photo AUROC | photo recall | webcam AUROC | webcam recall | webcam false |", "| --- | --- | --- | --- | --- | --- |"]
    return out + [f"| {n} | " + " | ".join(str(v) for v in r.values()) + " |" for n, r in d["sweep"].items()] + [""]


def speed_table(s, side) -> list[str]:
    """The network by threads, and the whole path."""
    p = s["path"]
    out = ["## Speed", "", f"onnxruntime-node {p['node']} on {p['machine']}, other work running. The network alone, {side} x {side}, {s['megabytes']} MB:", ""]
    out += [f"* {t} thread{'s' if t != '1' else ''}: min {v['min']} ms, median {v['median']} ms, {v['cpu']} ms of processor time a frame" for t, v in s["network"].items()]
    out += ["", "From the JPEG to score, boxes, map and picture check, as the server does it (`bench/inference.ts`, one worker):", "", "| JPEG | processor time a picture | pictures a second and core |", "| --- | --- | --- |"]
    return out + [f"| {size} | {v['cpuMsPerPicture']} ms | {v['picturesPerSecondPerCore']} |" for size, v in p["sizes"].items()] + [""]


#: Other exports that the report has figures of where they lie in `runs/`: title and what they are.
OTHERS = {
    "again": ("Trained again by the commands of README.md", "The recipe as it stands there, run once (README.md says where it began), without the shipped model's mean with an older run"),
    "withoutAgpl": ("Trained without the AGPL-3.0 pictures", "Same recipe with `--without-licence AGPL-3.0`"),
}


def other_part(d, name) -> list[str]:
    """Another model's figures, if there is one."""
    w = d[name]
    if not w:
        return []
    title, what = OTHERS[name]
    return [f"## {title}", "", f"{what}; sha256 `{w['sha256'][:16]}…`, not shipped, at its own threshold.", ""] + ranking_table("", w["ranking"])[2:] + threshold_table(w, d["warn"])


def write(d) -> None:
    """REPORT.md beside report.json, and MODEL_CARD.md beside the model."""
    m = d["model"]
    head = [f"Model `{m['file']}`, sha256 `{m['sha256']}`, made {m['created']}; evaluated {d['evaluated']} through onnxruntime and the shipped letterbox.", ""]
    notes = HERE / "report" / "NOTES.md"
    rendered = HERE / "report" / "RENDERED.md"
    out = ["# Detector report", "", *head, *unseen_table(d), *aims(d)]
    out += (notes.read_text().splitlines() + [""]) if notes.exists() else []
    out += ranking_table("## Ranking of frames\n\nValidation groups only. Intervals: 95 %, whole groups drawn again 400 times; the failing webcam is one print, so its frames are drawn and its interval is too narrow.", d["ranking"])
    out += ["Labels mended: `training/overrides.csv` (surface defects on solid parts are no strands; unclear ones left out). With so few sound frames, recall at 0.1 % means: at no false frame at all.", ""]
    out += [f"## At the shipped threshold, {d['warn']}", "", *threshold_table(d, d["warn"])]
    out += ["| source | recall | false frames |", "| --- | --- | --- |"] + [f"| {s} | {frac(r['recall'])} | {frac(r['false'])} |" for s, r in d["perSource"].items()] + [""]
    out += other_part(d, "again") + other_part(d, "withoutAgpl") + sequence_table(d)
    if d["rendered"] and d["rendered"]["sha256"] != m["sha256"]:
        out += ["**The next part speaks of another model**, `" + d["rendered"]["sha256"][:16] + "…`: run `training/run sequences`.", ""]
    out += (rendered.read_text().splitlines() + [""]) if rendered.exists() else []
    if "sweep" in d:
        out += sweep_table(d)
    out += speed_table(d["speed"], d["model"]["input"]["width"])
    out += ["## Worst pictures", "", "![Worst pictures](worst.jpg)", "", "Rendered pictures with their maps; of real ones, which are not ours to show, the maps alone (`training/runs/worst-real.png` shows them where it was made).", ""]
    for name, rows in d["worst"].items():
        out.append(f"* {name}: " + ", ".join(f"{f} {s}" for s, f in rows))
    (HERE / "report" / "REPORT.md").write_text("\n".join(out) + "\n")
    (MODEL_DIR / "MODEL_CARD.md").write_text("\n".join(card(d, head, frac)) + "\n")
