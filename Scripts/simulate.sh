#!/usr/bin/env bash
# Simulates the engine, the run log and providers with faults that seeds decide, on all processors.
# Usage: Scripts/simulate.sh PROGRAM [SEEDS]
# FIRST=n begins with another seed than 1; SEED=n repeats one and tells its history; PLANT=name plants a defect, which
# must be found. The exit status is 1 where a simulation broke a promise.
set -euo pipefail

program=$1
seeds=${2:-1000}
first=${FIRST:-1}
plant=()
[ -z "${PLANT:-}" ] || plant=(--plant "$PLANT")
[ -z "${SEED:-}" ] || exec "$program" --seed "$SEED" "${plant[@]}"

work=$(mktemp -d)
pids=()
finish() {
  local pid
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait || true
  rm -rf "$work"
}
trap finish EXIT

# Each process takes an equal share; the first one shows how far it has come.
processes=$(nproc)
[ "$processes" -le "$seeds" ] || processes=$seeds
begin=$first
for ((number = 0; number < processes; number++)); do
  share=$(((seeds + number) / processes))
  if [ "$number" -eq 0 ]; then
    "$program" --first "$begin" --seeds "$share" "${plant[@]}" >"$work/$number" &
  else
    "$program" --first "$begin" --seeds "$share" "${plant[@]}" >"$work/$number" 2>"$work/$number.errors" &
  fi
  pids+=($!)
  begin=$((begin + share))
done

left=${#pids[@]}
while [ "$left" -gt 0 ]; do
  if ! wait -n -p ended "${pids[@]}"; then
    for number in "${!pids[@]}"; do
      [ "${pids[$number]}" != "$ended" ] || cat "$work/$number" "$work/$number.errors" 2>/dev/null || true
    done
    exit 1
  fi
  for number in "${!pids[@]}"; do
    [ "${pids[$number]}" != "$ended" ] || unset "pids[$number]"
  done
  left=${#pids[@]}
done
for ((number = 0; number < processes; number++)); do cat "$work/$number"; done
