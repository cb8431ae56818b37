"""Measures `sous serve` from outside: start, memory, idle CPU and lateness with many schedules, memory with few.

Usage: serve.py SOUS [SCHEDULES]. Ends with status 1 where something misses its bound.
"""

import datetime
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

SOUS = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
PER_RECIPE = 1000
DUE = 500
failed = False


def report(what, value, unit, bound):
    global failed
    good = value <= bound
    failed = failed or not good
    print(f"  {what:<44} {value:>9.1f} {unit:<4} {'' if good else 'MISSED '}<= {bound:g}", flush=True)


def schedules(folder, count):
    """Writes recipes whose schedules lie ahead: none is due while it is measured."""
    os.makedirs(folder + "/recipes")
    hour = (datetime.datetime.now(datetime.timezone.utc).hour + 6) % 24
    for recipe in range(0, count, PER_RECIPE):
        lines = [f"name: many-{recipe}", "on:"]
        for number in range(recipe, min(recipe + PER_RECIPE, count)):
            cron = f"{number % 60} {number // 60 % 60} {hour} {number // 3600 % 28 + 1} * *"
            lines.append(f'  - schedule: {{ cron: "{cron}", timezone: UTC }}')
        lines += ["steps:", "  - { uses: template, with: { text: x } }", ""]
        with open(f"{folder}/recipes/many-{recipe}.yaml", "w") as file:
            file.write("\n".join(lines))


def due(folder, at):
    """Writes schedules that all are due at one second."""
    text = at.strftime("%Y-%m-%dT%H:%M:%SZ")
    lines = ["name: due", "on:"]
    for number in range(DUE):
        other = (at + datetime.timedelta(days=400, seconds=number)).strftime("%Y-%m-%dT%H:%M:%SZ")
        lines.append(f'  - schedule: {{ once: ["{text}", "{other}"] }}')
    lines += ["steps:", "  - { uses: template, with: { text: x } }", ""]
    with open(folder + "/recipes/due.yaml", "w") as file:
        file.write("\n".join(lines))


class Daemon:
    def __init__(self, folder):
        begin = time.monotonic()
        self.process = subprocess.Popen([SOUS, "serve"], cwd=folder, stdout=subprocess.PIPE, text=True)
        self.first = self.process.stdout.readline()
        self.start = time.monotonic() - begin
        # What it says later must not fill the pipe.
        os.set_blocking(self.process.stdout.fileno(), False)

    def drain(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            while self.process.stdout.readline():
                pass
            time.sleep(0.05)

    def memory(self, name):
        with open(f"/proc/{self.process.pid}/status") as file:
            for line in file:
                if line.startswith(name + ":"):
                    return int(line.split()[1]) / 1024
        return 0

    def cpu(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def idle(self, seconds):
        self.drain(5)
        before, begin = self.cpu(), time.monotonic()
        self.drain(seconds)
        return 100 * (self.cpu() - before) / (time.monotonic() - begin)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        while self.process.poll() is None:
            self.drain(0.1)


def lateness(folder, at):
    with sqlite3.connect(f"file:{folder}/.sous/sous.db?mode=ro", uri=True) as database:
        rows = database.execute("SELECT queued_at, started_at, ended_at FROM runs WHERE recipe = 'due'").fetchall()

    def late(column):
        times = sorted(
            (datetime.datetime.fromisoformat(row[column].replace("Z", "+00:00")) - at).total_seconds() * 1000
            for row in rows
            if row[column]
        )
        return times[int(len(times) * 0.99)] if len(times) == DUE else float("inf")

    return late(0), late(2)


def many(folder):
    schedules(folder, COUNT)
    with open(folder + "/sous.yaml", "w") as file:
        file.write("{}\n")
    first = Daemon(folder)
    print(f"  first start, which writes all schedules: {first.start:.2f} s, {first.first.strip()}", flush=True)
    first.drain(3)
    first.stop()
    daemon = Daemon(folder)
    report("start", daemon.start, "s", 2)
    report("idle CPU", daemon.idle(20), "%", 0.5)
    report("memory (VmRSS)", daemon.memory("VmRSS"), "MiB", 120)
    report("memory (VmHWM)", daemon.memory("VmHWM"), "MiB", 120)
    at = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0) + datetime.timedelta(seconds=15)
    due(folder, at)
    daemon.drain(25)
    daemon.stop()
    queued, ended = lateness(folder, at)
    report(f"p99 lateness of {DUE} due at once, in the queue", queued, "ms", 100)
    print(f"  the same, until the runs have ended: {ended:.1f} ms", flush=True)


def few(folder):
    os.makedirs(folder + "/recipes")
    with open(folder + "/sous.yaml", "w") as file:
        file.write("{}\n")
    for number in range(10):
        with open(f"{folder}/recipes/r{number}.yaml", "w") as file:
            file.write(f"name: r{number}\non: {{ schedule: {{ cron: \"{number} 3 1 1 *\" }} }}\n"
                       "steps: [{ uses: template, with: { text: x } }]\n")
    daemon = Daemon(folder)
    report("idle CPU", daemon.idle(10), "%", 0.5)
    report("memory (VmRSS)", daemon.memory("VmRSS"), "MiB", 35)
    daemon.stop()


for title, part in ((f"{COUNT} schedules", many), ("10 recipes", few)):
    print(title)
    folder = tempfile.mkdtemp()
    try:
        part(folder)
    finally:
        shutil.rmtree(folder)
sys.exit(1 if failed else 0)
