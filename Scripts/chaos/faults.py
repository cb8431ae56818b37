"""Faults: a full disk, a file that may not be written, a write-ahead log that was cut off, a process that is stopped."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time

from stage import Judge, Stage, Violation, say, wait_until
from kills import Kills

FULL = ("No room is left", "kein Platz mehr")
READ_ONLY = ("may not be written", "darf nicht geschrieben werden")
DAMAGED = ("is damaged", "ist beschädigt")


def play(sous, seed, name):
    """Returns the stage and whether all is well."""
    part = {"full-disk": full_disk, "read-only": read_only, "cut-off": cut_off, "stop": stop}[name]
    stage = Stage(sous, seed, delay_ms=4.0)
    judge = Judge(stage)
    facts = {}
    skipped = None
    try:
        skipped = part(stage, judge, facts)
    except (Violation, subprocess.TimeoutExpired) as error:
        judge.expect(False, str(error))
    finally:
        stage.close()
        unmount(stage)
    if skipped:
        say(f"{name}: skipped, {skipped}")
        return stage, True
    return stage, judge.conclude(f"{name} (SEED={seed})", facts)


# -- Small file systems


def mount(stage, kilobytes):
    """Puts the run log on a small file system; why that cannot be, or nothing."""
    if os.geteuid() != 0:
        return "a small file system can only be mounted by root"
    os.makedirs(stage.path(".sous"), mode=0o700, exist_ok=True)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", stage.path(".sous")], capture_output=True,
        text=True)
    return None if mounted.returncode == 0 else f"mount: {mounted.stderr.strip()}"


def remount(stage, options):
    subprocess.run(["mount", "-o", f"remount,{options}", stage.path(".sous")], check=True)


def unmount(stage):
    if os.path.ismount(stage.path(".sous")):
        subprocess.run(["umount", "-l", stage.path(".sous")], check=False)


def fill(stage, left):
    """Takes up all room but `left` bytes."""
    room = os.statvfs(stage.path(".sous"))
    size = max(0, room.f_bavail * room.f_frsize - left)
    try:
        with open(stage.path(".sous/filler"), "wb", buffering=0) as file:
            file.write(b"\0" * size)
    except OSError:
        pass  # somebody was faster


def empty(stage):
    if os.path.exists(stage.path(".sous/filler")):
        os.remove(stage.path(".sous/filler"))


def expect_refusal(stage, judge, texts, *arguments, text=None):
    """The program has to end with status 3 and the right sentence in either language."""
    for language, sentence in zip(("en", "de"), texts):
        ended = stage.run(*arguments, "--lang", language, text=text, expect=None, timeout=120)
        place = f"'sous {' '.join(arguments)} --lang {language}'"
        judge.expect(ended.returncode == 3, f"{place} ended with {ended.returncode}, not 3: {ended.stderr_text}")
        judge.expect(sentence in ended.stderr_text, f"{place} said: {ended.stderr_text or ended.stdout_text}")


def lines(numbers):
    return "".join(json.dumps({"n": n}) + "\n" for n in numbers)


def queue(stage, numbers, expect=(0,)):
    return stage.run("run", "--queue", "recipe.yaml", "--inputs-from", "-", text=lines(numbers), expect=expect)


def bring_to_an_end(stage, judge, inputs):
    part = Kills(stage, 0, 0)
    part.settle()
    repeated = judge.judge(inputs)
    return repeated, part.counts["needs_attention"]


# -- The parts


def full_disk(stage, judge, facts):
    # Room for the run log and for a -wal file of the usual size.
    problem = mount(stage, 40_000)
    if problem:
        return problem
    # Not even a run log fits.
    fill(stage, 8192)
    expect_refusal(stage, judge, FULL, "run", "recipe.yaml", "-i", "n=0")
    empty(stage)
    inputs = list(range(0, 60_000, 1000))
    queue(stage, inputs)
    # What does not fit is not there at all.
    fill(stage, 65_536)
    many = range(1_000_000, 1_000_000 + 3000)
    expect_refusal(
        stage, judge, FULL, "run", "--queue", "recipe.yaml", "--inputs-from", "-", text=lines(many))
    judge.expect(stage.statuses()["queued"] == len(inputs), f"{stage.statuses()} after a batch that did not fit")
    # It fills up while runs are under way, again and again; whoever works for days outlasts that.
    outlasted = 0
    for left in (0, 4096, 20_000, 50_000, 100_000, 150_000):
        empty(stage)
        done = len(stage.ledger_lines()[0])
        worker = stage.start("work", "--parallel", "2")
        wait_until(lambda: len(stage.ledger_lines()[0]) > done, 60, "an effect")
        time.sleep(stage.random.uniform(0, 0.2))
        fill(stage, left)
        time.sleep(stage.random.uniform(0.3, 1.5))
        # One that could not even begin says so.
        judge.expect(worker.poll() in (None, 3), f"'sous work' on a full disk ended with {worker.returncode}")
        if stage.random.random() < 0.7:
            empty(stage)
            time.sleep(stage.random.uniform(0.5, 1.5))
        if worker.poll() is None:
            outlasted += 1
            worker.send_signal(signal.SIGTERM)
            worker.wait(timeout=120)
            judge.expect(worker.returncode in (0, 3, 130), f"'sous work' ended with {worker.returncode} after SIGTERM")
        stage.processes.discard(worker)
        inputs += [2_000_000 + 1000 * len(inputs) + 1000 * number for number in range(40)]
        empty(stage)
        queue(stage, inputs[-40:])
    judge.expect(outlasted > 0, "no 'sous work' outlasted a full disk")
    fill(stage, 0)
    listed = stage.run("runs", expect=None)
    judge.expect(
        listed.returncode == 0 or listed.returncode == 3 and FULL[0] in listed.stderr_text,
        f"'sous runs' on a full disk ended with {listed.returncode}: {listed.stderr_text}")
    empty(stage)
    facts["runs"] = len(inputs)
    facts["outlasted"] = outlasted
    facts["repeated effects"], facts["needs_attention"] = bring_to_an_end(stage, judge, inputs)
    return None


def read_only(stage, judge, facts):
    # Room for the run log and for a -wal file of the usual size.
    problem = mount(stage, 40_000)
    inputs = [1000, 2000, 3000]
    queue(stage, inputs)
    refused = (("run", "recipe.yaml", "-i", "n=0"), ("work", "--until-idle"), ("resume", "last"), ("cancel", "last"))

    def locked_up(kind):
        before = stage.ledger_lines()
        for command in refused:
            expect_refusal(stage, judge, READ_ONLY, *command)
        listed = stage.run("runs", "--json", expect=None)
        judge.expect(
            listed.returncode == 0 and listed.stdout_text.count('"queued"') == len(inputs),
            f"'sous runs' ({kind}) ended with {listed.returncode}: {listed.stderr_text}")
        judge.expect(stage.ledger_lines() == before, f"an effect took place ({kind})")
        facts[kind] = "refused"

    if problem is None:
        remount(stage, "ro")
        locked_up("a file system that is read-only")
        remount(stage, "rw")
    os.chmod(stage.database, 0o444)
    if os.geteuid() != 0:
        locked_up("a file that is read-only")
    elif subprocess.run(["setpriv", "--version"], capture_output=True, check=False).returncode == 0:
        # Root may write whatever the mode says; somebody else may not.
        subprocess.run(["chmod", "-R", "a+rX", stage.folder], check=True)
        os.chmod(stage.path(".sous"), 0o555)
        program = stage.sous
        stage.write("as-nobody", f'#!/bin/sh\nexec setpriv --reuid 65534 --regid 65534 --clear-groups {program} "$@"\n')
        os.chmod(stage.path("as-nobody"), 0o755)
        stage.environment["XDG_CACHE_HOME"] = stage.path("cache-of-nobody")
        stage.sous = stage.path("as-nobody")
        locked_up("a file of somebody else's")
        stage.sous = program
    os.chmod(stage.database, 0o600)
    os.chmod(stage.path(".sous"), 0o700)
    facts["repeated effects"], facts["needs_attention"] = bring_to_an_end(stage, judge, inputs)
    judge.expect(facts["repeated effects"] == 0, "an effect was repeated")
    return None


def cut_off(stage, judge, facts):
    """What a disk that lies leaves after a power cut: the end of the write-ahead log is missing, or rubbish."""
    inputs = list(range(0, 60_000, 1000))
    queue(stage, inputs)
    worker = stage.start("work")
    wait_until(lambda: stage.statuses()["succeeded"] >= 12, 60, "a dozen runs")
    stage.kill(worker)
    log = stage.database + "-wal"
    size = os.path.getsize(log)
    judge.expect(size > 100_000, f"the log has only {size} bytes")
    saved = stage.path("saved")
    shutil.copytree(stage.path(".sous"), saved)
    shutil.copy(stage.ledger, stage.path("saved-ledger"))
    cuts = [0, 1, 31, 32, 32 + 24 + 2000, size // 2, size - 1] + [stage.random.randrange(size) for _ in range(3)]
    cuts = (cuts + [-1, -2])[-int(os.environ.get("CUTS") or len(cuts) + 2):]
    facts["cuts"] = 0
    facts["once effects repeated, as their record was lost"] = 0
    for cut in cuts:
        shutil.rmtree(stage.path(".sous"))
        shutil.copytree(saved, stage.path(".sous"))
        shutil.copy(stage.path("saved-ledger"), stage.ledger)
        with open(log, "r+b") as file:
            if cut >= 0:
                file.truncate(cut)
            else:
                file.seek(stage.random.randrange(size // 2, size - 64))
                file.write(random.Random(cut).randbytes(64))
        if cut >= 0 and stage.random.random() < 0.5:
            os.remove(stage.database + "-shm")
        stage.run("runs", "--json")
        part = Kills(stage, 0, 0)
        part.settle()
        runs = stage.query("SELECT id, status FROM runs")
        judge.expect(len(runs) in (0, len(inputs)), f"{len(runs)} of {len(inputs)} runs after a cut at {cut}")
        inner = Judge(stage)
        inner.judge(inputs)
        lost = [text for text in inner.problems if "once effect" in text]
        facts["once effects repeated, as their record was lost"] += len(lost)
        allowed = set(lost)
        if not runs:
            allowed |= {text for text in inner.problems if "the run for" in text or "no step has" in text or "runs inst" in text}
        for text in inner.problems:
            judge.expect(text in allowed, f"cut at {cut}: {text}")
        facts["cuts"] += 1
    # The database itself is cut off: told, and not written over.
    shutil.rmtree(stage.path(".sous"))
    shutil.copytree(saved, stage.path(".sous"))
    os.remove(log)
    with open(stage.database, "r+b") as file:
        file.truncate(os.path.getsize(stage.database) // 2 + 100)
    before = open(stage.database, "rb").read()
    for arguments in (("work", "--until-idle"), ("runs",)):
        ended = stage.run(*arguments, expect=None)
        judge.expect(ended.returncode in (0, 3), f"'sous {arguments[0]}' on half a database ended with {ended.returncode}")
        facts[f"'{arguments[0]}' on half a database"] = f"exit {ended.returncode}"
    judge.expect(len(before) <= os.path.getsize(stage.database) + 4096, "half a database was thrown away")
    with open(stage.database, "r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 8192)
    expect_refusal(stage, judge, DAMAGED, "runs")
    expect_refusal(stage, judge, DAMAGED, "work", "--until-idle")
    return None


def is_locked(stage):
    """Whether somebody is in the middle of a transaction that writes."""
    connection = sqlite3.connect(stage.database, timeout=0.1, isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
        return False
    except sqlite3.OperationalError:
        return True
    finally:
        connection.close()


def has_stopped(pid):
    """Whether every thread of a process stands still."""
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/stat", encoding="utf-8") as file:
            # The name before it, in parentheses, may hold anything.
            if file.read().rpartition(")")[2].split()[0] not in "Tt":
                return False
    return True


def stop(stage, judge, facts):
    seconds = int(os.environ.get("STOP") or 60)
    inputs = list(range(0, 120_000, 1000))
    queue(stage, inputs)
    stopped = stage.start("work", "--parallel", "8")
    wait_until(lambda: stage.statuses()["succeeded"] >= 5, 60, "five runs")
    # Stopped in the middle of a transaction it would hold the other up, which is safe but shows nothing.
    while True:
        stopped.send_signal(signal.SIGSTOP)
        # A thread may still be at work when the signal has been sent, and begin a transaction.
        wait_until(lambda: has_stopped(stopped.pid), 60, "all threads to stop")
        if not is_locked(stage):
            break
        stopped.send_signal(signal.SIGCONT)
        time.sleep(stage.random.uniform(0.005, 0.02))
    mine = {row[0] for row in stage.query(
        "SELECT r.id FROM runs AS r JOIN processes AS p ON p.id = r.owner WHERE r.status = 'running' AND p.pid = ?",
        stopped.pid)}
    judge.expect(len(mine) > 0, "the process was stopped while it had no run")
    other = stage.start("work", "--parallel", "8")
    began = time.monotonic()
    left = len(inputs) - len(mine)
    # It has all the time that it is given, and more where the machine is busy.
    while time.monotonic() - began < seconds or (
            stage.statuses()["succeeded"] < left and time.monotonic() - began < seconds + 120):
        time.sleep(0.25)
        judge.expect(other.poll() is None, f"the other process ended with {other.returncode}")
        if other.poll() is not None:
            break
    still = {row[0] for row in stage.query(
        "SELECT r.id FROM runs AS r JOIN processes AS p ON p.id = r.owner WHERE r.status = 'running' AND p.pid = ?",
        stopped.pid)}
    judge.expect(mine == still, f"{len(mine - still)} runs were taken from a process that stood still")
    facts["runs of the stopped process"] = len(mine)
    facts["s stopped"] = round(time.monotonic() - began)
    facts["done by the other meanwhile"] = stage.statuses()["succeeded"]
    judge.expect(
        stage.statuses()["succeeded"] == left,
        f"the other process has not done what was left: {stage.statuses()}")
    stopped.send_signal(signal.SIGCONT)
    wait_until(lambda: stage.statuses()["succeeded"] == len(inputs), 120, "all runs after SIGCONT")
    for process in (stopped, other):
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=120)
        judge.expect(process.returncode in (0, 130), f"'sous work' ended with {process.returncode}")
        stage.processes.discard(process)
    repeated = judge.judge(inputs)
    judge.expect(repeated == 0, f"{repeated} effects were repeated")
    return None
