"""All that training needs of the pictures in one file under 40 MB, for a machine that is lent for half an hour: each at most 320 px, as a
WebP, with the manifest and the pretrained weights. `--unpack` there puts it where `VIGIL_ML` and the packages are looked for."""

import argparse
import io
import tarfile
from concurrent.futures import ThreadPoolExecutor

import cv2

from .data import HERE, ROOT, RUNS
from .pretrained import PACKAGES, SOURCES, file_of

#: The longer side of a packed picture in px, and the quality of its WebP (under the name that the manifest has).
SIDE, QUALITY = 320, 70
PACK = RUNS / "pack.tar"
#: Where a pack is laid out; `VIGIL_ML` names it then.
FOLDER = RUNS / "ml"


def small(path) -> bytes:
    """A picture file as it is packed."""
    picture = cv2.imread(str(path))
    h, w = picture.shape[:2]
    scale = min(1.0, SIDE / max(h, w))
    if scale < 1:
        picture = cv2.resize(picture, (max(1, round(w * scale)), max(1, round(h * scale))), interpolation=cv2.INTER_AREA)
    return cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])[1].tobytes()


def members() -> list[tuple]:
    """(name, path) of what is packed as it is; names begin with `ml` or `packages`."""
    found = [(f"ml/{n}", ROOT / n) for n in ("manifest.csv", "sequences.csv")]
    for name, files in {"ssd": ["objectron_solution_packed_assets.data"], "nanodet": ["models/nanodet.bin", "models/nanodet.json"]}.items():
        file_of(name)
        found += [(f"packages/{SOURCES[name]['package']}/{f}", PACKAGES / SOURCES[name]["package"] / f) for f in files]
    return found


def pack() -> None:
    """Write the one file."""
    RUNS.mkdir(exist_ok=True)
    pictures = sorted((ROOT / "images").iterdir())
    with tarfile.open(PACK, "w") as tar, ThreadPoolExecutor(2) as pool:
        for name, path in members():
            tar.add(path, name)
        for path, data in zip(pictures, pool.map(small, pictures)):
            row = tarfile.TarInfo(f"ml/images/{path.name}")
            row.size = len(data)
            tar.addfile(row, io.BytesIO(data))
    print(f"{PACK}: {PACK.stat().st_size / 1e6:.1f} MB, {len(pictures)} pictures")


def unpack() -> None:
    """Lay a pack out."""
    with tarfile.open(PACK) as tar:
        for row in tar.getmembers():
            kind, _, rest = row.name.partition("/")
            row.name = rest
            tar.extract(row, FOLDER if kind == "ml" else PACKAGES, filter="data")
    # `training/run` fetches the packages unless this says that they are there.
    (PACKAGES / ".ready").write_bytes((HERE / "package.json").read_bytes())
    print(f"VIGIL_ML={FOLDER}")


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--unpack", action="store_true")
    (unpack if ap.parse_args().unpack else pack)()


if __name__ == "__main__":
    main()
