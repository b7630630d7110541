"""The model card that lies beside the model: what it is, what it was trained on, how good it is, what it cannot see."""

LIMITS = """## What it cannot see

* Thin or few strands, black on black, strands behind the hot end: mostly missed.
* Solid parts that came loose, layer shifts, warping: not what it looks for.
* It judges one frame. A warning needs the decision logic over time.
* Real webcams of prints going well are few: 25 printers in training, 17 in calibration, of most of them one picture; two printers with more
  than one in validation. An unseen camera with cables, lattices or glitter may score high until its baseline is learnt.
* Real webcams of prints that fail are fewer still: one picture teaches it, the rest is photos and renders laid on sound webcams.
* Trained and tested on pictures of at most 416 px."""


def card(d, head, frac) -> list[str]:
    """Lines of MODEL_CARD.md from the report's data."""
    r, f, net = d["recall"], d["falseWebcam"]["all"], d["speed"]["network"]["1"]
    side = d["model"]["input"]["width"]
    parts = ", ".join(f"`{k}` {v}" for k, v in d["model"]["made"]["parts"].items())
    worst = d["unseen"]["ours"][0]
    return [
        f"# Model card: {d['model']['name']}-{d['model']['version']}", "", *head,
        f"A fully convolutional heat map of loose strands (spaghetti) on webcam pictures of 3D printers: {d['speed']['megabytes']} MB, {min(net['min'], net['cpu'])} ms a frame on one core (other work running),",
        f"input {side} x {side} letterboxed RGB, output one map of logits at stride 8. It is a sum of parts, with these weights: {parts}.",
        "`ssd` is a MobileNetV2 that Google trained on Open Images V4 (Apache-2.0), its part above stride 8 trained further, with a head of ours; `present` is `vigil-strands-4`, trained from nothing.",
        "`ATTRIBUTION.md` names where it comes from, with its hash; `training/README.md` has the commands.", "",
        "Trained on the sources of `ATTRIBUTION.md` (some AGPL-3.0; `--without-licence AGPL-3.0` trains without them) and on rendered scenes.",
        "Licences there are the uploaders' own claims. Never trained on: validation groups, `validation-only` frames, pictures of the simulated printer; `ssd` never on any",
        "picture of a printer that validation shows nor of ender3lab; `present` on both, but of the printer of obico-pink only obico-white, another print from another side.", "",
        "## Figures at the shipped threshold", "",
        f"* Recall on failure photos: {frac(r['photos, labels mended'])}; with the labels as given {frac(r['photos, labels as given'])}.",
        f"* Recall on the one failing webcam print, from its 11th failing frame: {frac(r['webcam, from the 11th frame of the failure'])}. `ssd` never saw this printer; `present` saw another print of it, from another side.",
        f"* False frames of an unseen printer, at worst ({worst['printer']}): {worst['false']} of {worst['of']}.",
        f"* False frames among good webcam frames of validation: {frac(f)}; two cameras.", "",
        "All of it, with intervals and sweep: `training/report/REPORT.md`.", "", *LIMITS.splitlines(),
    ]
