"""What the frozen backbones say of pictures, computed once and kept: of freshly drawn training frames, chunk by chunk, and of the
real pictures that heads are judged on. A stopped run goes on with the next chunk."""

import argparse
import json
import os
import time

import cv2
import numpy as np
import torch

from . import pretrained
from .augment import paste, photometric
from .data import RUNS, cache, load
from .frames import Frames
from .infer import read_item
from .letterbox import inside_cells, letterbox, resized
from .present import present_network
from .rendered import rendered
from .windows import Windows

#: Frames in a chunk.
CHUNK = 400
STRIDES = (8, 16, 32)
#: ssd ends every tap in relu6: a byte holds 0..6.
STEPS = 255 / 6
#: Drawn in training; fewer failing webcams than before, since there are two such pictures, and more sound ones.
MIX = {"photo": 0.23, "webcam_fail": 0.02, "composite": 0.16, "spilt": 0.12, "webcam": 0.2, "other": 0.12, "render": 0.15}


class Extractor:
    """Maps of pictures [B,3,S,S] in 0..1 by name: `ssd.8` to `nanodet.32`, and `present.8`, the logits of the network that shipped before."""

    def __init__(self, present: bool, names=("ssd", "nanodet"), threads=1):
        self.names, self.net = names, pretrained.features(names, threads)
        self.present = pretrained.session(present_network()) if present else None

    def __call__(self, x: np.ndarray) -> dict:
        out = dict(zip([f"{n}.{s}" for n in self.names for s in STRIDES], self.net.run(None, {"input": x})))
        if self.present:
            out["present.8"] = self.present.run(None, {"input": x})[0]
        return out


def pack(name: str, v: np.ndarray) -> np.ndarray:
    """As it is kept on disk."""
    return np.floor(v * STEPS + 0.5).astype(np.uint8) if name.startswith("ssd") else v.astype(np.float16)


def unpack(name: str, v) -> torch.Tensor:
    """As heads take it: half precision, ssd still in steps of a byte (heads scale what they take)."""
    return torch.from_numpy(np.array(v)).to(torch.bfloat16).contiguous(memory_format=torch.channels_last)


def chunk_dir(side: int, kind: str):
    """Where chunks of a side are kept; kind is `frames` or `real`."""
    return RUNS / f"features-{side}" / kind


def write(folder, arrays: dict, told: dict) -> None:
    """A chunk, whole or not at all."""
    part = folder.with_suffix(".tmp")
    part.mkdir(parents=True, exist_ok=True)
    for name, v in arrays.items():
        np.save(part / f"{name}.npy", v)
    (part / "told.json").write_text(json.dumps(told))
    os.rename(part, folder)


def draw(number: int, side: int, get: Extractor, items, pictures, rects, renders, size: int) -> None:
    """One chunk of training frames: maps, `neg`, `bag`, `pos`, `label`, and the printers and groups each frame is made of."""
    stream = Frames(items, pictures, rects, renders, side=side, gratings=0.15, mix=MIX)
    rng, rows, used = np.random.default_rng([77, side, number]), [], []
    for _ in range(size):
        rows.append(stream.sample(rng))
        used.append(sorted({i.printer for i in stream.windows.used}))
    x, neg, bag, pos, label = (np.stack(v) for v in zip(*rows))
    maps = [get(x[i : i + 10].astype(np.float32) / 255) for i in range(0, size, 10)]
    arrays = {k: np.concatenate([pack(k, m[k]) for m in maps]) for k in maps[0]}
    write(chunk_dir(side, "frames") / f"{number:03d}", {**arrays, "neg": neg, "bag": bag, "pos": pos, "label": label}, {"used": used})


def real(side: int, get: Extractor, items) -> None:
    """Every real picture as the server would see it, in chunks by place in the manifest; maps, `inside` and the file's name."""
    for first in range(0, len(items), CHUNK):
        folder = chunk_dir(side, "real") / f"{first:05d}"
        if folder.exists():
            continue
        some, rows, inside = items[first : first + CHUNK], [], []
        for it in some:
            square, rect = letterbox(read_item(it), side)
            m = get(np.ascontiguousarray(square.transpose(2, 0, 1)[None] / np.float32(255)))
            rows.append({k: pack(k, v) for k, v in m.items()})
            inside.append(inside_cells(rect, 8, side))
        arrays = {k: np.concatenate([r[k] for r in rows]) for k in rows[0]}
        write(folder, {**arrays, "inside": np.stack(inside)}, {"files": [i.file for i in some]})


def made(side: int, get: Extractor, items, count: int = 240) -> None:
    """Failing crops and decoys of calibration photos laid on calibration's sound webcams, each under other light: failing webcams that
    nobody trained on are four, too few to choose by. Their names are `made-N-failing.jpg` and `made-N-sound.jpg`."""
    folder = chunk_dir(side, "real") / "made"
    if folder.exists():
        return
    pictures, rects = cache()
    items = [i for i in items if i.fold == "calibration"]
    crops, rng = Windows([i for i in items if i.view == "photo"], pictures, rects), np.random.default_rng(99)
    cameras = {}
    for i in items:
        if i.view == "webcam" and i.label == "good":
            cameras.setdefault(i.printer, []).append(i)
    cameras, files, rows, inside = list(cameras.values()), [], [], []
    while len(files) < count:
        n = len(files)
        some, failing = cameras[n // 2 % len(cameras)], n % 2 == 0
        it = some[rng.integers(len(some))]
        crop = crops.crop(crops.crops if failing else crops.decoys, rng)
        left, top, nw, nh = rect = rects[it.index]
        if crop is None:
            continue
        where = [left + nw * rng.uniform(0.25, 0.75), top + nh * rng.uniform(0.4, 0.8)]
        picture, laid = paste(pictures[it.index], crop, rng, where, np.exp(rng.uniform(np.log(45), np.log(140))))
        if (laid > 0.4).mean() < 0.004:
            continue
        square, rect = resized(photometric(picture, rng), rect, side)
        m = get(np.ascontiguousarray(square.transpose(2, 0, 1)[None].astype(np.float32) / np.float32(255)))
        rows.append({k: pack(k, v) for k, v in m.items()})
        inside.append(inside_cells(rect, 8, side))
        files.append(f"made-{n}-{'failing' if failing else 'sound'}.jpg")
    write(folder, {**{k: np.concatenate([r[k] for r in rows]) for k in rows[0]}, "inside": np.stack(inside)}, {"files": files})


def trainable(items) -> list:
    """Pictures that heads may be trained on. The printer of obico-white is validation's; its train rows are drawn too, but only for
    heads that say so, to tell what they would bring."""
    return [i for i in items if i.label != "ignore" and (i.fold == "train" or (i.split == "train" and i.fold == "validation"))]


def judged(items) -> list:
    """Pictures that heads are judged on: calibration, validation, and every webcam."""
    return [i for i in items if i.label not in ("ignore", "nozzle_cam") and (i.fold != "train" or i.view == "webcam")]


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("what", choices=["frames", "real"])
    ap.add_argument("--chunks", type=int, default=10)
    ap.add_argument("--first", type=int, default=0)
    ap.add_argument("--side", type=int, default=288)
    ap.add_argument("--renders", default="renders2")
    ap.add_argument("--without-licence", action="append", default=[])
    args = ap.parse_args()
    cv2.setNumThreads(1)
    items, get = load(tuple(args.without_licence)), Extractor(args.what == "real")
    if args.what == "real":
        real(args.side, get, judged(items))
        made(args.side, get, items)
        return
    pictures, rects = cache()
    renders, begin = rendered(args.renders), time.time()
    for n in range(args.first, args.first + args.chunks):
        if not (chunk_dir(args.side, "frames") / f"{n:03d}").exists():
            draw(n, args.side, get, trainable(items), pictures, rects, renders, CHUNK)
            print(f"chunk {n}: {time.time() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
