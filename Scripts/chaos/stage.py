"""A folder with a project in it, the program, and what both leave behind."""

import collections
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Eight steps of every effect, inside the program (near) and in a worker process (far). Each adds 1 to n.
STEPS = [
    ("plan", "compute", "near"),
    ("look", "look", "far"),
    ("note", "note", "near"),
    ("pay", "pay", "near"),
    ("tell", "note", "far"),
    ("buy", "pay", "far"),
    ("post", "post", "near"),
    ("close", "note", "far"),
]
ONCE = {"ledger.pay", "ledger.post"}


class Violation(Exception):
    """Something that must never happen."""


class Stage:
    def __init__(self, sous, seed, delay_ms=16.0, plant=None, every=50, recipe=None, steps=STEPS):
        self.sous = os.path.realpath(sous)
        self.seed = seed
        self.random = random.Random(seed)
        self.steps = steps
        self.folder = tempfile.mkdtemp(prefix="sous-chaos-")
        self.ledger = os.path.join(self.folder, "ledger")
        # The plugin runs in a worker process, which may write this file and make no other.
        open(self.ledger, "a", encoding="utf-8").close()
        self.database = os.path.join(self.folder, ".sous", "sous.db")
        self.log = open(os.path.join(self.folder, "sous.log"), "ab")
        self.processes = set()
        environment = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        environment.update(HOME=self.folder, LANG="C.UTF-8", XDG_CACHE_HOME=os.path.join(self.folder, "cache"),
                           SOUS_TRUST=self.folder)
        self.environment = environment
        subprocess.run(
            ["cc", "-O2", "-shared", "-fPIC", "-pthread", "-I", ROOT + "/plugins/PluginKit/Sources/CPluginABI/include",
             "-o", self.path("libledger.so"), ROOT + "/Tests/Fixtures/plugins/ledger.c"], check=True)
        self.configure(delay_ms, plant, every)
        self.write("recipe.yaml", recipe or self.recipe(steps))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def configure(self, delay_ms, plant=None, every=50):
        settings = f'plugin: ./libledger.so, file: "{self.ledger}", delay_ms: {delay_ms}, every: {every}'
        if plant:
            settings += f", plant: {plant}"
        self.write(
            "sous.yaml",
            "providers:\n"
            f"  near: {{ {settings}, isolation: in-process }}\n"
            f"  far: {{ {settings}, isolation: process }}\n"
            "engine: { breaker: { failures: 1000 } }\n")

    @staticmethod
    def recipe(steps):
        """Each step adds 1 to what the one before gave."""
        lines = [
            "name: eight", "inputs: { n: { type: integer } }",
            "retry: { attempts: 20, backoff: 20ms, factor: 1, max: 20ms }", "steps:"]
        value = "inputs.n"
        for name, action, provider in steps:
            lines.append(
                f'  - {{ id: {name}, uses: ledger.{action}, provider: {provider}, with: {{ n: "{{{{ {value} }}}}" }} }}')
            value = f"steps.{name}.output.n"
        lines.append(f'outputs: {{ n: "{{{{ {value} }}}}" }}')
        return "\n".join(lines) + "\n"

    # -- The program

    def start(self, *arguments, stdin=None, stdout=None, environment=None):
        process = subprocess.Popen(
            [self.sous, *arguments], cwd=self.folder, env=dict(self.environment, **(environment or {})),
            stdin=stdin or subprocess.DEVNULL, stdout=stdout or self.log, stderr=self.log, start_new_session=True)
        self.processes.add(process)
        return process

    def run(self, *arguments, text=None, expect=(0,), timeout=600, environment=None):
        """Runs the program to its end; the result's stdout and stderr are texts."""
        process = subprocess.Popen(
            [self.sous, *arguments], cwd=self.folder, env=dict(self.environment, **(environment or {})),
            stdin=subprocess.PIPE if text is not None else subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.processes.add(process)
        try:
            process.stdout_text, process.stderr_text = process.communicate(text, timeout=timeout)
        except subprocess.TimeoutExpired:
            self.kill(process)
            raise Violation(f"'sous {' '.join(arguments)}' did not end within {timeout} s")
        self.processes.discard(process)
        self.log.write(process.stderr_text.encode())
        if expect is not None and process.returncode not in expect:
            raise Violation(
                f"'sous {' '.join(arguments)}' ended with {process.returncode}, not {expect}: {process.stderr_text}")
        return process

    def kill(self, process):
        """SIGKILL; whether it was still alive."""
        was_alive = process.poll() is None
        if was_alive:
            process.send_signal(signal.SIGKILL)
        process.wait()
        self.processes.discard(process)
        return was_alive and process.returncode == -signal.SIGKILL

    def close(self):
        for process in list(self.processes):
            self.kill(process)
        self.log.close()

    @staticmethod
    def children(pid):
        """The worker processes of plugins below a process, whichever thread started them."""
        found = []
        try:
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                    children = [int(child) for child in file.read().split()]
                for child in children:
                    with open(f"/proc/{child}/cmdline", "rb") as file:
                        is_worker = b"plugin-worker" in file.read().split(b"\0")
                    # A plugin inside Sous that did not come with it makes `sous` run as a child of a `sous` that waits for it.
                    found += [child] if is_worker else Stage.children(child)
        except OSError:
            pass
        return found

    # -- What it leaves

    def query(self, sql, *arguments):
        """Reads the database from outside."""
        connection = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=30)
        try:
            return connection.execute(sql, arguments).fetchall()
        finally:
            connection.close()

    def statuses(self):
        return collections.Counter(dict(self.query("SELECT status, count(*) FROM runs GROUP BY status")))

    def ledger_lines(self):
        """(key, action, attempt, provider, pid) of every line, and how many lines are torn."""
        lines, torn = [], 0
        if os.path.exists(self.ledger):
            with open(self.ledger, encoding="utf-8") as file:
                for line in file:
                    fields = line.rstrip("\n").split("\t")
                    if len(fields) == 5 and line.endswith("\n"):
                        lines.append((fields[0], fields[1], int(fields[2]), fields[3], int(fields[4])))
                    else:
                        torn += 1
        return lines, torn


class Judge:
    """Compares runs with the ledger; gathers every violation."""

    def __init__(self, stage):
        self.stage = stage
        self.steps = stage.steps
        self.problems = []

    def expect(self, holds, text):
        if not holds:
            self.problems.append(text)

    def judge(self, inputs):
        """`inputs`: the n of every run that was asked for. Returns how many effects were repeated."""
        stage = self.stage
        runs = stage.query("SELECT id, status, inputs, outputs FROM runs")
        found = collections.Counter(json.loads(row[2])["n"] for row in runs)
        for n in inputs:
            self.expect(found[n] == 1, f"the run for n={n} is there {found[n]} times")
        self.expect(len(runs) == len(inputs), f"{len(runs)} runs instead of {len(inputs)}")
        lines, torn = stage.ledger_lines()
        self.expect(torn == 0, f"{torn} lines of the ledger are torn")
        effects = collections.Counter((key, action) for key, action, *_ in lines)
        known = set()
        for run, status, given, gave in runs:
            self.expect(status == "succeeded", f"run {run} is {status}")
            n = json.loads(given)["n"]
            if status == "succeeded":
                outcome = json.loads(gave or "{}").get("n")
                self.expect(
                    outcome == n + len(self.steps), f"run {run} gave {outcome} instead of {n + len(self.steps)}")
            for step, action, _ in self.steps:
                place = (f"{run}.{step}", f"ledger.{action}")
                known.add(place)
                count = effects[place]
                if status == "succeeded":
                    self.expect(count >= 1, f"the effect of {place} is missing")
                if place[1] in ONCE:
                    self.expect(count <= 1, f"the once effect of {place} is there {count} times")
        for place in effects:
            self.expect(place in known, f"an effect with a key that no step has: {place}")
        problems = [row[0] for row in stage.query("PRAGMA integrity_check") if row[0] != "ok"]
        self.expect(not problems, f"the database is damaged: {problems[:3]}")
        checked = stage.run("db", "check", expect=None)
        self.expect(checked.returncode == 0, f"the journal is not sound: {checked.stdout_text.splitlines()[:3]}")
        return sum(count - 1 for count in effects.values() if count > 1)

    def conclude(self, title, facts):
        """Prints one line of figures and what is wrong; whether all is well."""
        print(f"{title}: " + ", ".join(f"{value} {name}" for name, value in facts.items()), flush=True)
        for problem in self.problems[:20]:
            print(f"  violation: {problem}", flush=True)
        if len(self.problems) > 20:
            print(f"  … and {len(self.problems) - 20} more", flush=True)
        return not self.problems


def say(text):
    print(text, flush=True)


def wait_until(condition, seconds, what):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise Violation(f"{what}: not within {seconds} s")
        time.sleep(0.02)


def fail(text):
    print(text, file=sys.stderr)
    sys.exit(2)
