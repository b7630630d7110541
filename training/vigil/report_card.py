"""The model card that lies beside the model: what it is, what it was trained on, how good it is, what it cannot see."""

LIMITS = """## What it cannot see

* Thin or few strands, black on black, strands behind the hot end: mostly missed.
* Solid parts that came loose, layer shifts, warping: not what it looks for.
* It judges one frame. A warning needs the decision logic over time.
* Real webcams of prints going well are few in training (about fifteen cameras) and two in validation:
  an unseen camera with cables, lattices or glitter may score high until its baseline is learnt.
* Trained and tested on pictures of at most 416 px."""


def card(d, head, frac) -> list[str]:
    """Lines of MODEL_CARD.md from the report's data."""
    r, f, net = d["recall"], d["falseWebcam"]["all"], d["speed"]["network"]["1"]
    side = d["model"]["input"]["width"]
    return [
        f"# Model card: {d['model']['name']}-{d['model']['version']}", "", *head,
        f"A fully convolutional heat map of loose strands (spaghetti) on webcam pictures of 3D printers: {d['speed']['megabytes']} MB, {min(net['min'], net['cpu'])} ms a frame on one core,",
        f"input {side} x {side} letterboxed RGB, output one map of logits at stride 8. Trained from scratch; `training/README.md` has the commands.", "",
        "Trained on the sources of `ATTRIBUTION.md` (some AGPL-3.0; `--without-licence AGPL-3.0` trains without them) and on rendered scenes.",
        "Licences there are the uploaders' own claims. Never trained on: validation groups, `validation-only` frames, pictures of the simulated printer.", "",
        "## Figures at the shipped threshold", "",
        f"* Recall on failure photos: {frac(r['photos, labels mended'])}; with the labels as given {frac(r['photos, labels as given'])}.",
        f"* Recall on the one failing webcam print, from its 11th failing frame: {frac(r['webcam, from the 11th frame of the failure'])}. Same printer as a training print, seen from another side.",
        f"* False frames among good webcam frames of validation: {frac(f)}; two cameras.", "",
        "All of it, with intervals and sweep: `training/report/REPORT.md`.", "", *LIMITS.splitlines(),
    ]
