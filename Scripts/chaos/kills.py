"""Kills: many runs of eight steps while the processes that work on them die at random instants."""

import collections
import json
import os
import signal
import subprocess
import time

from stage import STEPS, Judge, Stage, Violation, say


class Kills:
    def __init__(self, stage, runs, kills):
        self.stage = stage
        self.random = stage.random
        self.runs = runs
        self.wanted = kills
        self.inputs = []
        self.counts = collections.Counter()
        self.workers = []

    # -- Putting runs in

    def present(self, batch):
        if not os.path.exists(self.stage.database):
            return 0
        low, high = min(batch), max(batch)
        try:
            rows = self.stage.query("SELECT inputs FROM runs")
        except Exception:  # the file is there, its schema is not
            return 0
        return sum(1 for row in rows if low <= json.loads(row[0])["n"] <= high)

    def feed(self, count):
        """Queues some runs, all at once; sometimes the program is killed over it, and then all are there or none."""
        first = len(self.inputs)
        batch = [1000 * number for number in range(first, first + count)]
        lines = "".join(json.dumps({"n": n}) + "\n" for n in batch)
        self.stage.write("items.jsonl", lines)
        arguments = ("run", "--queue", "recipe.yaml", "--inputs-from", "items.jsonl")
        while True:
            if self.random.random() < 0.1:
                process = self.stage.start(*arguments)
                time.sleep(self.random.uniform(0, 0.08))
                if self.stage.kill(process):
                    self.counts["kills"] += 1
                    self.counts["kills while queueing"] += 1
                there = self.present(batch)
                if there not in (0, count):
                    raise Violation(f"{there} of {count} runs were queued by a process that was killed")
                if there == count:
                    break
            else:
                self.stage.run(*arguments)
                break
        self.inputs += batch

    def foreground(self):
        """A run that is not queued but started, and killed."""
        n = 1000 * len(self.inputs)
        process = self.stage.start("run", "recipe.yaml", "-i", f"n={n}")
        time.sleep(self.random.uniform(0.01, 0.35))
        killed = self.stage.kill(process)
        self.counts["kills"] += killed
        self.counts["kills of foreground runs"] += killed
        if self.present([n]):
            self.inputs.append(n)

    # -- Killing

    def keep_working(self):
        for process in list(self.workers):
            if process.poll() is not None:
                self.workers.remove(process)
                self.stage.processes.discard(process)
                raise Violation(f"'sous work' ended by itself with {process.returncode}")
        while len(self.workers) < 2:
            self.workers.append(self.stage.start("work", "--parallel", str(self.random.choice([1, 2, 4, 8]))))

    def strike(self):
        draw = self.random.random()
        if draw < 0.12:
            worker = self.random.choice(self.workers)
            for child in Stage.children(worker.pid):
                try:
                    os.kill(child, signal.SIGKILL)
                    self.counts["kills of plugin workers"] += 1
                except ProcessLookupError:
                    pass
            return
        victims = list(self.workers) if draw < 0.3 else [self.random.choice(self.workers)]
        for victim in victims:
            self.workers.remove(victim)
            if not self.stage.kill(victim):
                raise Violation(f"'sous work' ended by itself with {victim.returncode}")
            self.counts["kills"] += 1

    def resume_one(self):
        """`sous resume` of a run whose process was killed, killed as well."""
        rows = self.stage.query("SELECT id FROM runs WHERE status IN ('running', 'interrupted') ORDER BY random() LIMIT 1")
        if not rows:
            return
        process = self.stage.start("resume", rows[0][0])
        time.sleep(self.random.uniform(0.01, 0.25))
        killed = self.stage.kill(process)
        self.counts["kills"] += killed
        self.counts["kills of 'resume'"] += killed

    def storm(self):
        told = 0
        while self.counts["kills"] < self.wanted or len(self.inputs) < self.runs:
            due = self.runs * min(1, (self.counts["kills"] + 1) / max(1, self.wanted))
            missing = int(due) - len(self.inputs)
            if missing > 0:
                self.feed(missing)
            elif len(self.inputs) < self.runs and self.random.random() < 0.5:
                self.foreground()
            self.keep_working()
            time.sleep(self.random.uniform(0.0, 0.4))
            self.strike()
            if self.random.random() < 0.1:
                self.resume_one()
            if self.counts["kills"] >= told + 50:
                told = self.counts["kills"] // 50 * 50
                say(f"  {self.counts['kills']} kills, {len(self.inputs)} runs: {dict(self.stage.statuses())}")
        for worker in self.workers:
            worker.send_signal(signal.SIGTERM)
        for worker in self.workers:
            worker.wait(timeout=120)
            self.stage.processes.discard(worker)
        self.workers = []

    # -- Settling

    def settle(self):
        """Works through what is left; what needs attention is looked into, as a person would, and settled."""
        for _ in range(50):
            self.stage.run("work", "--until-idle")
            listed = self.stage.run("runs", "--status", "needs_attention", "--limit", "10000", "--json")
            waiting = json.loads(listed.stdout_text)
            waiting = waiting["runs"] if isinstance(waiting, dict) else waiting
            if not waiting:
                break
            lines, _ = self.stage.ledger_lines()
            done = {(key, action) for key, action, *_ in lines}
            for record in waiting:
                self.settle_one(record["id"] if "id" in record else record["run"], done)
        left = {status: count for status, count in self.stage.statuses().items() if status != "succeeded"}
        if left:
            raise Violation(f"runs did not end: {left}")

    def settle_one(self, run, done):
        self.counts["needs_attention"] += 1
        rows = self.stage.query(
            "SELECT s.id, s.action, r.inputs FROM attempts AS a JOIN steps AS s ON s.run = a.run AND s.position = a.step"
            " JOIN runs AS r ON r.id = a.run WHERE a.run = ? AND a.uncertain = 1", run)
        if len(rows) != 1:
            raise Violation(f"run {run} needs attention, and {len(rows)} attempts are in doubt")
        step, action, inputs = rows[0]
        if action != "ledger.post":
            raise Violation(f"run {run} needs attention over {step}, which can be verified")
        if (f"{run}.{step}", action) in done:
            position = [name for name, *_ in self.stage.steps].index(step)
            output = json.dumps({"n": json.loads(inputs)["n"] + position + 1})
            self.stage.run("settle", run, "--done", "--output", output)
            self.counts["settled as done"] += 1
        else:
            self.stage.run("settle", run, "--not-done")
            self.counts["settled as not done"] += 1

    def verified(self):
        """How often `verify` was asked after a kill, and what it said."""
        return dict(self.stage.query(
            "SELECT CASE WHEN a.failure_kind IS NULL THEN 'verified as done' ELSE 'verified as not done' END, count(*)"
            " FROM attempts AS a JOIN steps AS s ON s.run = a.run AND s.position = a.step"
            " WHERE s.action = 'ledger.pay' AND a.duration_ms = 0 GROUP BY 1"))


def play(sous, seed, runs, kills, plant=None, every=50, steps=STEPS):
    """Returns the stage and whether all is well."""
    stage = Stage(sous, seed, plant=plant, every=every, steps=steps)
    judge = Judge(stage)
    began = time.monotonic()
    part = Kills(stage, runs, kills)
    repeated = 0
    try:
        part.storm()
        part.settle()
        repeated = judge.judge(part.inputs)
    except (Violation, subprocess.TimeoutExpired) as error:
        judge.expect(False, str(error))
    finally:
        stage.close()
    facts = {"runs": len(part.inputs)}
    facts.update({name: part.counts[name] for name in (
        "kills", "kills while queueing", "kills of foreground runs", "kills of 'resume'", "kills of plugin workers")})
    facts["repeated effects"] = repeated
    try:
        facts.update(part.verified())
    except Exception as error:  # no database at all
        judge.expect(False, f"the database cannot be read: {error}")
    facts.update({name: part.counts[name] for name in (
        "needs_attention", "settled as done", "settled as not done")})
    facts["violations"] = len(judge.problems)
    facts["s"] = round(time.monotonic() - began, 1)
    return stage, judge.conclude(f"kills (SEED={seed})", facts)
