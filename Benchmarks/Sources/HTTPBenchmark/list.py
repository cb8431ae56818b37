"""Measures list requests to `sous serve` beside a bare route of Hummingbird that returns a constant of the same size.

Usage: list.py SOUS BARE [SECONDS]. Both are loaded in turns, in the same minutes of the same machine, while the daemon works through 20
runs a second. Then it measures how far the throughput of runs falls while requests come. Needs h2load (Debian: nghttp2-client).
Ends with status 1 where something misses its bound.
"""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time

SOUS, BARE = sys.argv[1:3]
SECONDS = int(sys.argv[3]) if len(sys.argv) > 3 else 5
CLIENTS = 8
RUNS_PER_SECOND = 20
failed = False


def report(what, value, unit, bound=None, least=False):
    global failed
    good = bound is None or (value >= bound if least else value <= bound)
    failed = failed or not good
    limit = "" if bound is None else f"{'' if good else 'MISSED '}{'>=' if least else '<='} {bound:g}"
    print(f"  {what:<52} {value:>9.1f} {unit:<5} {limit}", flush=True)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait(port):
    for _ in range(600):
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    sys.exit(f"nothing listens at {port}")


def rate(url, headers, seconds=SECONDS):
    """Answers in a second, by h2load over HTTP/1.1."""
    command = ["h2load", "--h1", "-c", str(CLIENTS), "-t", "1", "-D", str(seconds), url]
    for header in headers:
        command += ["-H", header]
    text = subprocess.run(command, capture_output=True, text=True).stdout
    codes = re.search(r"status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx", text)
    if not codes or any(int(count) for count in codes.groups()[1:]):
        sys.exit("requests fail:\n" + text)
    return float(re.search(r"finished in [^,]+, ([\d.]+) req/s", text).group(1))


class Feeder(threading.Thread):
    """Queues so many runs a second over the API."""

    def __init__(self, port, token, per_second):
        super().__init__(daemon=True)
        self.port, self.token, self.pause = port, token, 1 / per_second
        self.ends, self.count = threading.Event(), 0

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        headers = {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"}
        due = time.monotonic()
        while not self.ends.is_set():
            connection.request("POST", "/api/v1/recipes/load/runs", "{}", headers)
            connection.getresponse().read()
            self.count += 1
            due += self.pause
            time.sleep(max(0, due - time.monotonic()))


def sous(folder, *arguments, **options):
    return subprocess.run([SOUS, *arguments], cwd=folder, capture_output=True, text=True, check=True, **options).stdout


def drain(folder, count, port=None, headers=()):
    """Runs a second that a daemon works through, with requests to list them if a port is given."""
    path = folder + "/inputs.jsonl"
    with open(path, "w") as file:
        file.write("{}\n" * count)
    sous(folder, "run", "--queue", "--inputs-from", path, "recipes/load.yaml")
    daemon = subprocess.Popen([SOUS, "serve"], cwd=folder, stdout=subprocess.DEVNULL)
    wait(PORT)
    load = None
    if port:
        load = subprocess.Popen(
            ["h2load", "--h1", "-c", "2", "--rps", "50", "-D", "600", f"http://127.0.0.1:{port}/api/v1/runs?limit=20"]
            + [part for header in headers for part in ("-H", header)],
            stdout=subprocess.DEVNULL)
    log = sqlite3.connect(f"file:{folder}/.sous/sous.db?mode=ro", uri=True)
    open_runs = "SELECT count(*) FROM runs WHERE status IN ('queued', 'running')"
    first, began = log.execute(open_runs).fetchone()[0], time.monotonic()
    while log.execute(open_runs).fetchone()[0]:
        time.sleep(0.05)
    result = first / (time.monotonic() - began)
    if load:
        load.kill()
        load.wait()
    daemon.send_signal(signal.SIGTERM)
    daemon.wait()
    return result


top = tempfile.mkdtemp()
os.environ.update(HOME=top, SOUS_TRUST=tempfile.gettempdir())
PORT, bare_port = free_port(), free_port()
processes = []
try:
    folder = top + "/work"
    os.makedirs(folder + "/recipes")
    with open(folder + "/sous.yaml", "w") as file:
        file.write(f"server:\n  listen: 127.0.0.1:{PORT}\n  limits: {{ per_minute: 1000000 }}\n")
    with open(folder + "/recipes/load.yaml", "w") as file:
        file.write("name: load\nsteps:\n" + "".join(
            f"  - {{ id: s{number}, uses: template, with: {{ text: x }} }}\n" for number in range(3)))
    sous(folder, "users", "add", "bench", "--no-password")
    token = sous(folder, "tokens", "add", "bench", "--user", "bench").split()[0]
    headers = ["Authorization: Bearer " + token]
    daemon = subprocess.Popen([SOUS, "serve"], cwd=folder, stdout=subprocess.DEVNULL)
    processes.append(daemon)
    wait(PORT)
    feeder = Feeder(PORT, token, RUNS_PER_SECOND)
    feeder.start()
    time.sleep(3)
    print(f"List requests beside a bare route of Hummingbird, {CLIENTS} clients, beside {RUNS_PER_SECOND} runs a second")
    for limit in (1, 20):
        connection = http.client.HTTPConnection("127.0.0.1", PORT)
        path = f"/api/v1/runs?limit={limit}"
        connection.request("GET", path, headers=dict(header.split(": ", 1) for header in headers))
        size = len(connection.getresponse().read())
        bare = subprocess.Popen([BARE, str(bare_port), str(size)])
        processes.append(bare)
        wait(bare_port)
        pairs = []
        for _ in range(5):
            pairs.append((rate(f"http://127.0.0.1:{bare_port}/constant", []), rate(f"http://127.0.0.1:{PORT}{path}", headers)))
        bare.kill()
        bare.wait()
        constant, listed = (statistics.median(side) for side in zip(*pairs))
        share = statistics.median(mine / peer for peer, mine in pairs)
        report(f"a constant of {size} bytes", constant, "/s")
        report(f"list of {limit} runs, {size} bytes", listed, "/s")
        report("  share of the constant's rate", 100 * share, "%", 100 / 3, least=True)
    feeder.ends.set()
    feeder.join()
    with open(f"/proc/{daemon.pid}/status") as file:
        memory = next(int(line.split()[1]) for line in file if line.startswith("VmRSS:")) / 1024
    report("memory of the daemon", memory, "MB")
    daemon.send_signal(signal.SIGTERM)
    daemon.wait()
    print("Runs of three steps that the daemon works through, alone and beside 100 list requests a second")
    alone, beside = [], []
    for _ in range(3):
        alone.append(drain(folder, 3000))
        beside.append(drain(folder, 3000, PORT, headers))
    report("runs alone", statistics.median(alone), "/s")
    report("runs beside requests", statistics.median(beside), "/s")
    report("  loss", 100 * (1 - statistics.median(beside) / statistics.median(alone)), "%", 10)
finally:
    for process in processes:
        process.kill()
    shutil.rmtree(top, ignore_errors=True)
sys.exit(1 if failed else 0)
