"""A day at an office: Sous beside a Dovecot, a Postfix, a model and people, killed at random; a judge looks afterwards.

Usage: python3 Scripts/office SOUS [--short] [--plant KIND] [--keep]
       python3 Scripts/office --judge FOLDER
  --short       a day of about two minutes: 60 messages, 2 kills
  --plant KIND  makes one mistake from outside after the day, which the judge has to find; 'all': each kind in turn
  --keep        keeps the folder of a day without violations
  --judge       judges a kept folder again
Variables:
  SEED (random)         decides the messages, the people's acts and the times of the kills; not the timing of the processes.
                        With an odd seed the filter that saves files comes before the one that moves messages
  DAYS (1)              number of days; each one has the next seed
  MESSAGES (2000)       messages per day
  WITHOUT               unusual forms of messages to leave out, with commas: 'empty file,huge header' (see letters.py)
  KILLS (20)            number of SIGKILLs to the daemon
  STOPS (KILLS / 4)     number of SIGSTOPs, each for up to three seconds
One 'sous serve' works with eight recipes at once: three filters of INBOX (sorting, invoices, vacation), follow-up of sent
mail, digest, reminder, scheduled mail, webhook. The judge reads the mailboxes, the saved files and the run log. Each
message has to be in the folder that the rules or a person chose, each file saved once, each mail sent once. The judge lists
separately what needs a person, and what Sous refused or skipped with a reason. Needs root, Dovecot and Postfix. After a
violation the exit status is 1, and the folder is kept.
"""

import json
import os
import random
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from day import Day, say  # noqa: E402
from judge import Judge  # noqa: E402
from plants import Planter  # noqa: E402


def fail(text):
    print(text, file=sys.stderr)
    sys.exit(2)


def number(name, otherwise):
    text = os.environ.get(name) or str(otherwise)
    if not text.isdigit():
        fail(f"{name} has to be a number, not '{text}'")
    return int(text)


def conclude(findings, title, most=40):
    """Prints the findings; returns whether no violation is among them."""
    violations = [finding for finding in findings if finding.is_violation]
    decisions = [finding for finding in findings if finding.needs_person]
    listed = [finding for finding in findings if not finding.is_violation and not finding.needs_person]
    say(f"{title}: {len(violations)} violations, {len(decisions)} for a person to decide, {len(listed)} listed")
    # What a person has to decide is never left out.
    for part, most in ((violations, most), (decisions, len(decisions)), (listed, most)):
        for finding in part[:most]:
            say(f"  {finding}")
        if len(part) > most:
            say(f"  … and {len(part) - most} more")
    return not violations


def judged(folder, record):
    judge = Judge(folder, record)
    return judge, judge.judge()


def plant(folder, record, kinds):
    """Makes each mistake and takes it back; returns whether the judge has found all."""
    all_found = True
    for kind in kinds:
        judge, before = judged(folder, record)
        planter = Planter(judge)
        planted = planter.plant(kind)
        if planted is None:
            say(f"planted '{kind}': NO ROOM FOR IT in this day")
            all_found = False
            continue
        word, restore = planted
        _, after = judged(folder, record)
        restore()
        new = [finding for finding in after if finding not in before and finding.is_violation]
        found = [finding for finding in new if finding.kind == Planter.KINDS[kind] and word in finding.text]
        say(f"planted '{kind}': {f'found: {found[0]}' if found else 'NOT FOUND'}")
        all_found = all_found and bool(found)
    return all_found


def play(sous, seed, options):
    """Plays and judges one day; returns whether it had no violation."""
    is_short = "--short" in options
    count = number("MESSAGES", 60 if is_short else 2000)
    kills = number("KILLS", 2 if is_short else 20)
    stops = number("STOPS", max(1, kills // 4) if kills else 0)
    without = [name for name in (os.environ.get("WITHOUT") or "").split(",") if name]
    say(f"SEED={seed}: {count} messages, {kills} kills, {stops} stops")
    day = Day(sous, seed, count, kills, stops, seconds=35 if is_short else count / 20, without=without)
    is_well = False
    try:
        day.play()
        kind = options.get("--plant")
        if kind:
            kinds = list(Planter.KINDS) if kind == "all" else [kind]
            is_well = plant(day.stage.folder, day.people.record, kinds)
        else:
            facts = ", ".join(f"{value} {name}" for name, value in day.facts.items())
            _, findings = judged(day.stage.folder, day.people.record)
            is_well = conclude(findings, f"office (SEED={seed}): {facts}, model {dict(day.stage.model.counts)}")
    finally:
        day.keep()
        keeps = not is_well or "--keep" in options
        day.stage.close(keeps)
        if keeps:
            say(f"kept in {day.stage.folder}; SEED={seed} begins the same way")
    return is_well


def main(arguments):
    options, rest = {}, []
    arguments = list(arguments)
    while arguments:
        word = arguments.pop(0)
        if word in ("--short", "--keep"):
            options[word] = True
        elif word in ("--plant", "--judge") and arguments:
            options[word] = arguments.pop(0)
        else:
            rest.append(word)
    if "--judge" in options and not rest:
        with open(f"{options['--judge']}/record.json", encoding="utf-8") as file:
            record = json.load(file)
        return 0 if conclude(judged(options["--judge"], record)[1], "office", most=10_000) else 1
    if len(rest) != 1 or not os.access(rest[0], os.X_OK) or options.get("--plant", "all") not in {"all", *Planter.KINDS}:
        fail(__doc__ + f"Kinds of --plant: {', '.join(Planter.KINDS)}")
    if os.geteuid() != 0:
        fail("Dovecot and Postfix with mailboxes of their own need root")
    # With these signals too, the servers end and the folder is removed.
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, lambda *_: sys.exit(143))
    seed = number("SEED", random.randrange(1_000_000))
    outcomes = [play(rest[0], seed + day, options) for day in range(number("DAYS", 1))]
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
