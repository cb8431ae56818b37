"""Sleep: very many runs that wait for a point in time; what that costs, and whether they wake on time."""

import datetime
import json
import os
import time

from stage import Judge, Stage, Violation, say, wait_until

RECIPE = """\
name: sleeper
inputs: { at: { type: string } }
steps:
  - { id: nap, uses: until, with: { time: "{{ inputs.at }}" } }
  - { id: up, uses: template, with: { text: "{{ inputs.at }}" } }
"""
MEMORY = int(os.environ.get("MEMORY") or 80) << 20


def resident(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        fields = dict(line.split(":", 1) for line in file)
    return {name: int(fields[name].split()[0]) << 10 for name in ("VmRSS", "VmHWM")}


def cpu(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stamp(seconds):
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def play(sous, seed, count, due=1000):
    stage = Stage(sous, seed, delay_ms=0, recipe=RECIPE)
    judge = Judge(stage)
    due = min(due, count)
    facts = {"sleeping runs": count}
    try:
        began = time.monotonic()
        later = stamp(time.time() + 30 * 86400)
        lines = "".join(json.dumps({"at": later}) + "\n" for _ in range(count))
        stage.run("run", "--queue", "recipe.yaml", "--inputs-from", "-", text=lines)
        facts["s to queue"] = round(time.monotonic() - began, 1)
        began = time.monotonic()
        worker = stage.start("work", "--parallel", "64")
        wait_until(lambda: stage.statuses()["waiting"] == count, 1800, "all runs asleep")
        facts["s to fall asleep"] = round(time.monotonic() - began, 1)
        facts["MB at most on the way"] = resident(worker.pid)["VmHWM"] >> 20
        stage.kill(worker)

        # A process that finds them asleep; a thousand more are due at once.
        worker = stage.start("work", "--parallel", "64")
        moment = time.time() + max(10, due / 100)
        lines = "".join(json.dumps({"at": stamp(moment)}) + "\n" for _ in range(due))
        stage.run("run", "--queue", "recipe.yaml", "--inputs-from", "-", text=lines)
        wait_until(lambda: stage.statuses()["waiting"] == count + due, moment - time.time() - 1, "the due runs asleep")
        time.sleep(1)
        facts["MB asleep"] = resident(worker.pid)["VmRSS"] >> 20
        judge.expect(resident(worker.pid)["VmRSS"] < MEMORY, f"{facts['MB asleep']} MB are resident")
        # Counting a hundred thousand rows all the time would take the processor from whom it is to judge.
        time.sleep(max(0, moment - time.time()) + 1)
        wait_until(lambda: stage.statuses()["succeeded"] == due, 120, "the due runs awake")
        woken = stage.query(
            "SELECT started_at FROM steps WHERE id = 'up' AND status = 'succeeded'")
        late = sorted(seconds(row[0]) - moment for row in woken)
        facts["woken"] = len(late)
        facts["ms late, the median"] = round(1000 * late[len(late) // 2])
        facts["ms late, the last"] = round(1000 * late[-1])
        judge.expect(late[0] > -0.002, f"a run woke {-late[0]:.3f} s too early")
        judge.expect(late[-1] < float(os.environ.get("LATE") or 1), f"a run woke {late[-1]:.3f} s late")
        facts["MB at most when they woke"] = resident(worker.pid)["VmHWM"] >> 20
        judge.expect(resident(worker.pid)["VmHWM"] < MEMORY, f"{facts['MB at most when they woke']} MB were resident")

        # Asleep it does next to nothing, and writes nothing but a sign of life every 15 s.
        used = cpu(worker.pid)
        writes = set()
        idle = 10 if count >= 10_000 else 3
        for _ in range(idle * 10):
            time.sleep(0.1)
            writes.add(os.stat(stage.database + "-wal").st_mtime_ns)
        facts["% of a processor while idle"] = round((cpu(worker.pid) - used) * 100 / idle, 1)
        judge.expect(len(writes) <= 2, f"an idle process wrote {len(writes) - 1} times in {idle} s")
        facts["MB of database"] = os.path.getsize(stage.database) >> 20
    except Violation as error:
        judge.expect(False, str(error))
    finally:
        stage.close()
    return stage, judge.conclude(f"sleep (SEED={seed})", facts)
