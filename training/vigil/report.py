"""The report in words, and the model card with the same figures."""

from .data import HERE
from .infer import MODEL_DIR


def frac(s) -> str:
    """`12 of 140 (0.086; 0.04 to 0.14)`."""
    if not s or not s["of"]:
        return "-"
    lo, hi = s["interval"]
    return f"{s['hit']} of {s['of']} ({s['hit'] / s['of']:.3f}; {lo:.3f} to {hi:.3f})"


def three(v) -> str:
    """A figure with its interval."""
    return f"{v[0]:.3f} ({v[1]:.2f}-{v[2]:.2f})"


def body(d, worst) -> list[str]:
    """All tables."""
    out = ["## Ranking of frames", "", "Validation groups only. Intervals: 95 %, whole groups drawn again 400 times; the failing webcam is one print, so its frames are drawn and its interval is too narrow.", "",
           "| set | failures | sound | AUROC | AP | recall at 0.1 % false | at 1 % | at 5 % |", "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for name, f in d["ranking"].items():
        if f:
            out.append(f"| {name} | {f['failures']} | {f['sound']} | " + " | ".join(three(f[k]) for k in ("auroc", "ap", "recall@0.1%", "recall@1%", "recall@5%")) + " |")
    out += ["", "Labels mended: `training/overrides.csv` (surface defects on solid parts are no strands; unclear ones left out). With so few sound frames, recall at 0.1 % means: at no false frame at all.", "",
            f"## At the shipped threshold, {d['warn']}", "", "| what | frames at or above it (share; 95 % interval) |", "| --- | --- |"]
    for name, s in d["recall"].items():
        out.append(f"| recall, {name} | {frac(s)} |")
    for name, s in d["falseWebcam"].items():
        out.append(f"| false frames, good webcam frames: {name} | {frac(s)} |")
    for name, s in d["falsePhoto"].items():
        out.append(f"| false frames, photos: {name} | {frac(s)} |")
    g = d["goodWebcamQuantiles"]
    out += ["", "Scores of the 140 good webcam frames: " + ", ".join(f"{float(k):.0%} at or under {v:.3f}" for k, v in g.items()) + ".", "",
            "## By source", "", "| source | recall | false frames | AUROC against all sound photos or webcams |", "| --- | --- | --- | --- |"]
    for s, r in d["perSource"].items():
        out.append(f"| {s} | {frac(r['recall'])} | {frac(r['false'])} | {r['auroc'] if r['auroc'] is not None else '-'} |")
    out += ["", "## The real sequences", "", "The interval between their frames is not known. obico-white was **trained on**; obico-pink is another print on the same printer from another side, so it is not an independent printer. Hot: at or above the shipped threshold.", "",
            "| sequence | first hot frame after onset | three hot of five | hot frames before onset | recall after the first 10 frames | highest score before | median and highest after |", "| --- | --- | --- | --- | --- | --- | --- |"]
    for n, s in d["sequence"].items():
        out.append(f"| {n}{' (trained on)' if n == 'obico-white' else ''} | {s['first']} | {s['threeOfFive']} | {s['falseBefore']} of {s['framesBefore']} | {s['recallAfter10']} | {s['highestBefore']} | {s['medianAfter']}, {s['highestAfter']} |")
    if "sweep" in d:
        out += ["", "## Robustness", "", "Webcam recall: obico-pink from the 11th frame of its failure; false: a count of the good webcam frames." + (f" On every {d['sweepEvery']}th picture." if d["sweepEvery"] > 1 else ""), "",
                "| change | photo AUROC | photo recall | webcam AUROC | webcam recall | webcam false |", "| --- | --- | --- | --- | --- | --- |"]
        out += [f"| {n} | " + " | ".join(str(v) for v in r.values()) + " |" for n, r in d["sweep"].items()]
    out += ["", "## Speed", "", "onnxruntime, the network alone at 416 x 416, on a machine of two shared cores while other work ran:", ""]
    out += [f"* {t} thread{'s' if t != '1' else ''}: min {s['min']} ms, median {s['median']} ms" for t, s in d["speed"].items()]
    out += ["", "## Worst frames", "", "Good webcam frames with the highest scores: " + ", ".join(f"{f} {s}" for s, f in worst["falseFrames"]) + ".", "",
            "Failure photos with the lowest scores: " + ", ".join(f"{f} {s}" for s, f in worst["missedPhotos"]) + ".", ""]
    return out


LIMITS = """## What it cannot see

* Thin or few strands, black on black, strands behind the hot end: mostly missed.
* Solid parts that came loose, layer shifts, warping, blobs on the nozzle: not what it looks for.
* It judges one frame. A warning needs the decision logic over time.
* Real webcams of prints going well are few in training (about fifteen cameras) and two in validation:
  an unseen camera with cables, lattices or glitter may score high until its baseline is learnt.
* Trained and tested on pictures of at most 416 px.
"""


def write(d, worst) -> None:
    """REPORT.md beside report.json, and MODEL_CARD.md beside the model."""
    m = d["model"]
    head = [f"Model `{m['file']}`, sha256 `{m['sha256']}`, made {m['created']}; evaluated {d['evaluated']} through onnxruntime and the shipped letterbox.", ""]
    extra = HERE / "report" / "NOTES.md"
    notes = extra.read_text().splitlines() if extra.exists() else []
    rendered = HERE / "report" / "RENDERED.md"
    more = rendered.read_text().splitlines() + [""] if rendered.exists() else []
    (HERE / "report" / "REPORT.md").write_text("\n".join(["# Detector report", ""] + head + notes + [""] + body(d, worst) + more))
    r, f = d["recall"], d["falseWebcam"]["all"]
    card = ["# Model card: vigil-strands-1", "", *head, "A fully convolutional heat map of loose strands (spaghetti) on webcam pictures of 3D printers: 0.5 M parameters,",
            "input 416 x 416 letterboxed RGB, output one map of logits at stride 8. Trained from scratch; `training/README.md` has the commands.", "",
            "Trained on the sources of `ATTRIBUTION.md` (some AGPL-3.0; `--without-licence AGPL-3.0` trains without them) and on rendered scenes.",
            "Licences there are the uploaders' own claims. Never trained on: validation groups, `validation-only` frames, pictures of the simulated printer.", "",
            "## Figures at the shipped threshold", "", f"* Recall on failure photos: {frac(r['photos, labels mended'])}; with the labels as given {frac(r['photos, labels as given'])}.",
            f"* Recall on the one failing webcam print, from its 11th failing frame: {frac(r['webcam, from the 11th frame of the failure'])}. Same printer as a training print, seen from another side.",
            f"* False frames among good webcam frames of validation: {frac(f)}; two cameras.", "", "All of it, with intervals and sweep: `training/report/REPORT.md`.", "", LIMITS]
    (MODEL_DIR / "MODEL_CARD.md").write_text("\n".join(card))
