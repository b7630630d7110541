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
    ap.add_argument("--step", choices=("render", "score", "decide", "all"), default="all")
    ap.add_argument("--jobs", type=int, default=1, help="prints rendered or scored at a time")
    ap.add_argument("--node", default=sequences_decide.NODE, help="Node 22.18 or later: runs TypeScript as it is")
    args = ap.parse_args()
    begin = time.time()
    if args.step in ("render", "all"):
        with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
            for number, new in enumerate(pool.map(sequences_render.render, range(args.count))):
                if new:
                    print(f"print {number} rendered, {time.time() - begin:.0f} s", flush=True)
    if args.step in ("score", "all"):
        sequences_score.score_all(args.count, args.jobs)
    if args.step in ("decide", "all"):
        print("\n".join(sequences_decide.decide(args.count, args.node)))


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as e:
        raise SystemExit(e.stderr or str(e)) from e
