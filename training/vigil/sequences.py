"""Whole prints at 10 s a frame, judged by both decision logics on the same scores.

Three steps, each of which goes on where it stopped: `render` (frames into `runs/sequences/`, once), `score` (the exported
model over all frames, once a model), `decide` (`bench/replay.ts` plays the scores through the rules that the server runs).
"""

import argparse
import subprocess
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from . import sequences_decide, sequences_render, sequences_score


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--count", type=int, default=212, help="prints; half of them fail")
    ap.add_argument("--first", type=int, default=0, help="number of the first print: 1000 for prints to tune the decision on, which the report never counts")
    ap.add_argument("--step", choices=("render", "score", "decide", "all"), default="all")
    ap.add_argument("--jobs", type=int, default=1, help="prints rendered or scored at a time")
    ap.add_argument("--node", default=sequences_decide.NODE, help="Node 22.18 or later: runs TypeScript as it is")
    args = ap.parse_args()
    begin, numbers = time.time(), range(args.first, args.first + args.count)
    if args.step in ("render", "all"):
        with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
            for number, new in zip(numbers, pool.map(sequences_render.render, numbers)):
                if new:
                    print(f"print {number} rendered, {time.time() - begin:.0f} s", flush=True)
    if args.step in ("score", "all"):
        sequences_score.score_all(numbers, args.jobs)
    if args.step in ("decide", "all"):
        print("\n".join(sequences_decide.decide(numbers, args.node)))


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as e:
        raise SystemExit(e.stderr or str(e)) from e
