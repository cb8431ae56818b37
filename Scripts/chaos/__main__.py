"""Breaks Sous from outside and looks whether anything is lost, done twice, or half-written.

Usage: python3 Scripts/chaos SOUS [PART]...      Parts: kills planted faults pair sleep; all where none is named.

RUNS, KILLS and SEED come from the environment. Ends with status 1 where something was violated; the folder with run log,
ledger and the program's messages is then kept.
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
from stage import fail, say  # noqa: E402


def number(name, otherwise):
    text = os.environ.get(name) or str(otherwise)
    if not text.isdigit():
        fail(f"{name} has to be a number, not '{text}'")
    return int(text)


def planted(sous, seed, runs, strikes):
    """The judge is judged: mistakes made on purpose have to be found."""
    all_found = True
    for plant, every in (("lose", 40), ("double", 40), ("key", 1), ("verdict", 1)):
        stage, is_well = kills.play(sous, seed, runs, strikes, plant=plant, every=every, delay_ms=4.0)
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
    plays = {
        "kills": lambda: kills.play(sous, seed, runs, strikes),
        "planted": lambda: planted(sous, seed, min(runs, 60), min(strikes, 25)),
        "faults": lambda: faults.play(sous, seed),
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
