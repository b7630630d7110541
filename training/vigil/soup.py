"""Average checkpoints of one run's stages: less bound to the few training cameras than the last stage."""

import argparse

import torch

from .data import RUNS


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("names", nargs="+")
    ap.add_argument("--out", default="main")
    args = ap.parse_args()
    states = [torch.load(RUNS / f"{n}.pt", map_location="cpu") for n in args.names]
    mean = {k: sum(s[k] for s in states) / len(states) if v.dtype.is_floating_point else v for k, v in states[0].items()}
    torch.save(mean, RUNS / f"{args.out}.pt")


if __name__ == "__main__":
    main()
