"""Pair: two processes work through one queue on one database."""

import collections
import json
import time

from stage import Judge, Stage, Violation, say

STEPS = [("note", "note", "near"), ("pay", "pay", "near")]


def play(sous, seed, runs):
    stage = Stage(sous, seed, delay_ms=0, steps=STEPS)
    judge = Judge(stage)
    facts = {"runs": runs}
    began = time.monotonic()
    try:
        lines = "".join(json.dumps({"n": n}) + "\n" for n in range(runs))
        stage.run("run", "--queue", "recipe.yaml", "--inputs-from", "-", text=lines)
        facts["s to queue"] = round(time.monotonic() - began, 2)
        began = time.monotonic()
        workers = [stage.start("work", "--until-idle") for _ in range(2)]
        for worker in workers:
            worker.wait(timeout=1200)
            judge.expect(worker.returncode == 0, f"'sous work' ended with {worker.returncode}")
        facts["s to work"] = round(time.monotonic() - began, 2)
        repeated = judge.judge(range(runs))
        judge.expect(repeated == 0, f"{repeated} effects were repeated, though nobody was killed")
        processes = collections.defaultdict(set)
        share = collections.Counter()
        for key, _, _, _, pid in stage.ledger_lines()[0]:
            run = key.split(".")[0]
            processes[run].add(pid)
        for pids in processes.values():
            for pid in pids:
                share[pid] += 1
        both = sum(1 for pids in processes.values() if len(pids) > 1)
        judge.expect(both == 0, f"{both} runs were worked on by both")
        attempts = stage.query("SELECT count(*) FROM attempts WHERE number > 1")[0][0]
        judge.expect(attempts == 0, f"{attempts} attempts were repeated")
        facts["shares"] = " : ".join(str(count) for count in sorted(share.values()))
        with open(stage.path("sous.log"), encoding="utf-8", errors="replace") as log:
            locked = [line for line in log if "locked" in line or "gesperrt" in line]
        judge.expect(not locked, f"'database is locked': {locked[:1]}")
    except Violation as error:
        judge.expect(False, str(error))
    finally:
        stage.close()
    return stage, judge.conclude(f"pair (SEED={seed})", facts)
