"""Contact sheets of the worst pictures. Pictures of `ml/` are never committed: of those the committed sheet shows the maps alone."""

import json

import cv2
import numpy as np

from .data import HERE, RUNS
from .infer import read, read_item, sigmoid
from .sequences_render import FOLDER, truths
from .sequences_score import lines_of

TILE = 208
COLUMNS = 6
#: Frames after the onset from which a missed one is shown.
SETTLED = 12


def heat_of(det, picture):
    """The map as 0..1, cut to the picture."""
    z, inside, _ = det.heat(picture)
    rows, cols = np.where(inside.any(1))[0], np.where(inside.any(0))[0]
    s = det.card["score"]
    return sigmoid(s["a"] * z + s["b"])[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]


def tile(picture, words, heat=None):
    """A picture (RGB), or a map if there is none, in a square with words below."""
    if heat is not None:
        big = cv2.resize((heat * 255).astype(np.uint8), None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
        colours = cv2.cvtColor(cv2.applyColorMap(big, cv2.COLORMAP_INFERNO), cv2.COLOR_BGR2RGB)
        if picture is None:
            picture = colours
        else:
            colours = cv2.resize(colours, (picture.shape[1], picture.shape[0]))
            picture = cv2.addWeighted(picture, 0.65, colours, 0.55, 0)
    k = TILE / max(picture.shape[:2])
    small = cv2.resize(picture, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
    out = np.full((TILE + 34, TILE, 3), 245, np.uint8)
    out[: small.shape[0], : small.shape[1]] = small[:TILE, :TILE]
    for i, w in enumerate(words):
        cv2.putText(out, w, (4, TILE + 13 + 14 * i), cv2.FONT_HERSHEY_SIMPLEX, 0.38, (20, 20, 20), 1, cv2.LINE_AA)
    return out


def band(title, tiles):
    """A titled row or rows of tiles."""
    head = np.full((24, TILE * COLUMNS, 3), 255, np.uint8)
    cv2.putText(head, title, (4, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 1, cv2.LINE_AA)
    tiles = tiles + [np.full((TILE + 34, TILE, 3), 255, np.uint8)] * (-len(tiles) % COLUMNS)
    return [head] + [np.hstack(tiles[i : i + COLUMNS]) for i in range(0, len(tiles), COLUMNS)]


def worst_rendered() -> tuple[list, list]:
    """(number, frame, score, print) of the worst rendered frames, one a print: sound with high, failing with low scores."""
    truth = {t["number"]: t for t in truths()}
    high, low = [], []
    for line in open(lines_of([0])) if lines_of([0]).exists() else ():
        x = json.loads(line)
        t = truth.get(x["seed"])
        if t is None:
            continue
        score = [f["score"] for f in x["frames"]]
        n = int(np.argmax(score[: x["onset"]]))
        high.append((score[n], x["seed"], n, t))
        seen = [i for i in range((x["onset"] or 0) + SETTLED, len(score)) if t["covered"][i] >= 0.01] if x["onset"] is not None else []
        if seen:
            n = min(seen, key=lambda i: score[i])
            low.append((score[n], x["seed"], n, t))
    high.sort(key=lambda r: -r[0])
    low.sort(key=lambda r: r[0])
    return high[:12], low[:12]


def moment(t, n) -> str:
    """What a frame of a print shows, in a few words."""
    if t["onset"] is None:
        return t["hard"] or "sound"
    return f"before {t['kind']}" if n < t["onset"] else f"{t['kind']} {t['covered'][n] * 100:.1f} %"


def sheets(det, worst, by_file) -> None:
    """`report/worst.jpg` (rendered pictures with their maps; maps of real ones) and `runs/worst-real.png` (real pictures)."""
    high, low = worst_rendered()
    rows = []
    for title, some in (("Rendered, sound, highest scores (map laid over)", high), ("Rendered, strands over at least 1 % of the frame, lowest scores", low)):
        tiles = []
        for score, number, n, t in some:
            picture = read(FOLDER / f"{number:04d}" / f"{n:03d}.jpg")
            tiles.append(tile(picture, [f"print {number} frame {n}", f"{score:.3f} {moment(t, n)}"], heat_of(det, picture)))
        rows += band(title, tiles)
    real = []
    for key, title in (("falseWebcams", "Good webcam frames, highest scores"), ("missedWebcams", "Failing webcam frames, lowest scores"), ("falsePhotos", "Sound photos, highest scores"), ("missedPhotos", "Failure photos, lowest scores")):
        pictures = [(s, f, read_item(by_file[f])) for s, f in worst[key][:12]]
        real += band(title, [tile(p, [f[:26], f"{s:.3f}"], heat_of(det, p)) for s, f, p in pictures])
        rows += band(f"{title}: maps alone", [tile(None, [f[:26], f"{s:.3f}"], heat_of(det, p)) for s, f, p in pictures[:6]])
    sheet = np.vstack(rows)[..., ::-1]
    cv2.imwrite(str(HERE / "report" / "worst.jpg"), sheet, [cv2.IMWRITE_JPEG_QUALITY, 82])
    cv2.imwrite(str(RUNS / "worst-real.png"), np.vstack(real)[..., ::-1])
