"""Breaks Sous from outside and looks whether anything is lost, done twice, or half-written.

Usage: python3 Scripts/chaos SOUS [PART]...
  kills      RUNS (1000) runs of eight steps, KILLS (300) kills at random instants
  planted    mistakes that are made on purpose have to be found
  full-disk, read-only, cut-off, stop    what happens to the run log (at CUTS places, 12), and to a process (for STOP
             seconds, 60)
  pair       two processes, RUNS (10000) runs
  sleep      SLEEPERS (100000) runs that wait, 1000 that are due at once and wake within LATE seconds (1), in at most MEMORY megabytes (80)
All parts where none is named. SEED (random) repeats what was drawn, though not what the kernel made of it; PLANT=lose,
double, key or verdict makes one mistake in 'kills'. Ends with status 1 where something was violated; the folder with run
log, ledger and the program's messages is then kept.
"""

import os
import random
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import faults  # noqa: E402
import kills  # noqa: E402
import pair  # noqa: E402
import sleepers  # noqa: E402
from stage import STEPS, fail, say  # noqa: E402


def number(name, otherwise):
    text = os.environ.get(name) or str(otherwise)
    if not text.isdigit():
        fail(f"{name} has to be a number, not '{text}'")
    return int(text)


def planted(sous, seed):
    """The judge is judged: mistakes made on purpose have to be found."""
    all_found = True
    verifiable = [(f"pay{number}", "pay", ("near", "far")[number % 2]) for number in range(8)]
    for plant, every, steps in (
        ("lose", 40, STEPS), ("double", 40, STEPS), ("key", 1, STEPS), ("verdict", 1, verifiable)
    ):
        stage, is_well = kills.play(sous, seed, 60, 30, plant=plant, every=every, steps=steps)
        say(f"planted '{plant}': {'NOT FOUND' if is_well else 'found'}")
        all_found = all_found and not is_well
        shutil.rmtree(stage.folder, ignore_errors=True)
    return all_found


def main(arguments):
    if not arguments or not os.access(arguments[0], os.X_OK):
        fail(__doc__)
    sous, *parts = arguments
    seed = number("SEED", random.randrange(1_000_000))
    runs = number("RUNS", 1000)
    strikes = number("KILLS", max(1, runs * 3 // 10))
    plant = os.environ.get("PLANT") or None
    plays = {
        "kills": lambda: kills.play(sous, seed, runs, strikes, plant=plant, every=10 if plant else 50),
        "planted": lambda: planted(sous, seed),
        "full-disk": lambda: faults.play(sous, seed, "full-disk"),
        "read-only": lambda: faults.play(sous, seed, "read-only"),
        "cut-off": lambda: faults.play(sous, seed, "cut-off"),
        "stop": lambda: faults.play(sous, seed, "stop"),
        "pair": lambda: pair.play(sous, seed, number("RUNS", 10_000)),
        "sleep": lambda: sleepers.play(sous, seed, number("SLEEPERS", 100_000)),
    }
    unknown = [part for part in parts if part not in plays]
    if unknown:
        fail(f"there is no part {', '.join(unknown)}; parts are: {', '.join(plays)}")
    failed = []
    for part in parts or plays:
        outcome = plays[part]()
        if isinstance(outcome, bool):
            if not outcome:
                failed.append(part)
            continue
        stage, is_well = outcome
        if is_well:
            shutil.rmtree(stage.folder, ignore_errors=True)
        else:
            failed.append(part)
            say(f"{part}: kept in {stage.folder}; SEED={seed} begins the same way")
    if failed:
        say(f"violated: {', '.join(failed)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
