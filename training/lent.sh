#!/usr/bin/env bash
# On a machine with a GPU that is lent: lays out `runs/pack.tar`, decodes it and renders scenes on all cores, once; then trains side by side.
# `lent.sh --seconds 420 --recipe usual=1.5e-4,1,1` hands what follows to `vigil.together`. VIGIL_PYTHON: a Python that has torch, OpenCV and onnxruntime.
set -euo pipefail
cd "$(dirname "$0")"
# Else a machine may bind all that is forked to one core.
unset OMP_PROC_BIND OMP_PLACES GOMP_CPU_AFFINITY KMP_AFFINITY
export VIGIL_ML="$PWD/runs/ml" OMP_NUM_THREADS=1 PYTHONUNBUFFERED=1
python="${VIGIL_PYTHON:-python3}"
drawing=$(($(nproc) > 1 ? $(nproc) - 1 : 1))
names=()
for i in $(seq 1 "$drawing"); do names+=("renders_lent$i"); done
if [ ! -f runs/rects.npy ]; then
  "$python" -m vigil.pack --unpack
  jobs=()
  for i in $(seq 1 "$drawing"); do
    "$python" -m vigil.render --count "${SCENES:-160}" --seed $((300000 + i * 1000)) --out "_lent$i" >/dev/null &
    jobs+=($!)
  done
  "$python" -m vigil.data | tail -1
  for job in "${jobs[@]}"; do wait "$job"; done
fi
exec "$python" -m vigil.together --workers "$drawing" --renders "$(IFS=,; echo "${names[*]}")" "$@"
