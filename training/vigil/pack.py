"""All that `together` needs of the pictures in one file of some 30 MB, for a machine that is lent for a quarter of an hour: webcams as large as
they are, the others smaller, as WebP, with the manifest, the backbone `ssd` and what ships says of every picture (`life.py`). `--unpack` there
puts it where `VIGIL_ML` and the packages are looked for."""

import argparse
import io
import tarfile
from concurrent.futures import ThreadPoolExecutor

import cv2

from .data import HERE, ROOT, RUNS, load
from .life import HEATS, heats
from .pretrained import PACKAGES, SOURCES, file_of

#: The longer side in px of packed pictures, of webcams and of others, and the quality of their WebP (under the name that the manifest has).
WEBCAM, OTHER = (416, 70), (304, 55)
PACK = RUNS / "pack.tar"
#: Where a pack is laid out; `VIGIL_ML` names it then.
FOLDER = RUNS / "ml"


def small(item) -> bytes:
    """A picture file as it is packed."""
    (side, quality), picture = WEBCAM if item.view == "webcam" else OTHER, cv2.imread(str(ROOT / "images" / item.file))
    h, w = picture.shape[:2]
    scale = min(1.0, side / max(h, w))
    if scale < 1:
        picture = cv2.resize(picture, (max(1, round(w * scale)), max(1, round(h * scale))), interpolation=cv2.INTER_AREA)
    return cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, quality])[1].tobytes()


def members() -> list[tuple]:
    """(name, path) of what is packed as it is; names begin with `ml` or `packages`."""
    found = [(f"ml/{n}", ROOT / n) for n in ("manifest.csv", "sequences.csv")]
    file_of("ssd")
    package = SOURCES["ssd"]["package"]
    name = f"{package}/objectron_solution_packed_assets.data"
    return [*found, (f"packages/{name}", PACKAGES / name), (f"runs/{HEATS.name}", HEATS)]


def pack() -> None:
    """Write the one file."""
    RUNS.mkdir(exist_ok=True)
    heats()
    pictures = load()
    with tarfile.open(PACK, "w") as tar, ThreadPoolExecutor(2) as pool:
        for name, path in members():
            tar.add(path, name)
        for item, data in zip(pictures, pool.map(small, pictures)):
            row = tarfile.TarInfo(f"ml/images/{item.file}")
            row.size = len(data)
            tar.addfile(row, io.BytesIO(data))
    print(f"{PACK}: {PACK.stat().st_size / 1e6:.1f} MB, {len(pictures)} pictures")


def unpack() -> None:
    """Lay a pack out."""
    with tarfile.open(PACK) as tar:
        for row in tar.getmembers():
            kind, _, rest = row.name.partition("/")
            row.name = rest
            tar.extract(row, {"ml": FOLDER, "packages": PACKAGES, "runs": RUNS}[kind], filter="data")
    # `training/run` fetches the packages unless this says that they are there.
    (PACKAGES / ".ready").write_bytes((HERE / "package.json").read_bytes())
    print(f"VIGIL_ML={FOLDER}")


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--unpack", action="store_true")
    (unpack if ap.parse_args().unpack else pack)()


if __name__ == "__main__":
    main()
