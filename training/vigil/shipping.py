"""What lies beside a model that ships, whoever made it: parity vectors, and the table of the pictures that it learnt from."""

import json
from collections import Counter

import cv2

from .infer import read
from .letterbox import topk_mean
from .render import Scene


def vectors(detector, folder):
    """Small rendered pictures with the expected numbers, for parity tests in other languages."""
    folder = folder / "vectors"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*"):
        old.unlink()
    rows = []
    for name, seed, fails, width in (("sound", 31, False, 150), ("strands", 50002, True, 200), ("wide", 50008, True, 960)):
        scene = Scene(seed, fail=fails or None)
        picture, _ = scene.frame(0.9, 0.3 if fails else None)
        height = round(picture.shape[0] * width / picture.shape[1])
        picture = cv2.resize(cv2.GaussianBlur(picture, (3, 3), 0), (width, height), interpolation=cv2.INTER_LINEAR)
        if width > 416:
            picture = (picture // 24) * 24 + 12
        path = folder / f"{name}.png"
        cv2.imwrite(str(path), picture[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 9])
        z, inside, rect = detector.heat(read(path))
        rows.append({
            "file": path.name, "width": width, "height": height,
            "placement": dict(zip(("left", "top", "width", "height"), rect)),
            "cellsInside": int(inside.sum()),
            "topk": round(topk_mean(z, inside, detector.card["score"]["k"]), 5),
            "maxLogit": round(float(z[inside].max()), 5),
            "score": round(detector.score_of(z, inside), 5),
            "boxes": detector.boxes(z, inside, rect),
        })
    text = {"model": detector.card["file"], "sha256": detector.card["sha256"], "tolerance": {"score": 0.01, "logit": 0.05}, "vectors": rows}
    (folder / "vectors.json").write_text(json.dumps(text, indent=1) + "\n")


def pictures_table(items) -> list[str]:
    """Source, licence and number of the pictures."""
    table = Counter((i.source, i.licence) for i in items)
    lines = ["| source | licence | pictures |", "| --- | --- | --- |"]
    lines += [f"| {s} | {lic} | {n} |" for (s, lic), n in sorted(table.items(), key=lambda t: -t[1])]
    return [*lines, f"| in all | | {sum(table.values())} |", ""]
