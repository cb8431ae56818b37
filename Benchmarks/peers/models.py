"""What a question to a model costs beside the model: time to the first word and processor time of whole commands.

Usage: models.py SOUS LITELLM RUNS [LLM]   LITELLM is the mock server (Scripts/install-peers.sh installs it), LLM the program of
that name (PyPI `llm`).
Asks the same server with each program in turn, and prints a line for each: program, median milliseconds until the first
byte of the answer, until the end, and of processor time (its own, waited for by wait4). Then what one step of a run costs
of processor time, over 200 steps, and the same calls made by curl over one connection; and what answers of 0.5 to 4 MB cost,
streamed by a server of this file. Ends with status 1 where a step costs 5 ms or more beside the bare call, or where four
times the answer costs more than eight times the time.
"""
import atexit
import http.server
import json
import os
import select
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

sous, litellm, runs = sys.argv[1:4]
llm = sys.argv[4] if len(sys.argv) > 4 else None
model, key = "mock-chat", "sk-loopback-master"
folder = tempfile.mkdtemp()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
base = f"http://127.0.0.1:{port}/v1"
settings = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tests/Fixtures/peers/litellm.yaml")
server = subprocess.Popen(
    [litellm, "--config", settings, "--host", "127.0.0.1", "--port", str(port)], cwd=folder,
    env={**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "NO_PROXY": "*"}, stdin=subprocess.DEVNULL,
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
atexit.register(server.kill)
for _ in range(600):
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/health/liveliness", timeout=2)
        break
    except OSError:
        time.sleep(0.2)
environment = {
    "PATH": os.environ["PATH"], "HOME": folder, "LLM_USER_PATH": folder + "/llm", "KEY": key, "NO_PROXY": "*",
    "LANG": "C.UTF-8",
}
os.makedirs(folder + "/llm")
with open(folder + "/llm/extra-openai-models.yaml", "w") as file:
    file.write(f'- model_id: mock\n  model_name: {model}\n  api_base: "{base}"\n  api_key_name: mock\n')
with open(folder + "/sous.yaml", "w") as file:
    file.write(
        f'providers:\n  gpt: {{ plugin: openai, base_url: "{base}", model: {model}, '
        "api_key: { secret: KEY }, local: false }\n")
with open(folder + "/steps.yaml", "w") as file:
    file.write(
        "inputs: { count: { type: integer, default: 1 } }\nsteps:\n"
        "  - { id: ask, uses: chat.complete, for_each: \"{{ lists.range(inputs.count) }}\", with: { prompt: Hi } }\n")
body = f'{{"model":"{model}","messages":[{{"role":"user","content":"Hi"}}],"stream":true}}'
curl = [
    "curl", "-sN", base + "/chat/completions", "-H", "Authorization: Bearer " + key, "-H",
    "Content-Type: application/json", "-d", body,
]


def measure(command):
    """Seconds to the first byte, to the end, and of processor time."""
    begin = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL)
    first = None
    while True:
        select.select([process.stdout], [], [])
        if not os.read(process.stdout.fileno(), 65536):
            break
        first = first or time.perf_counter() - begin
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status != 0 or first is None:
        sys.exit(f"{command[0]} failed")
    return first, time.perf_counter() - begin, usage.ru_utime + usage.ru_stime


programs = {"curl": curl, "sous chat": [sous, "chat", "--private", "Hi"]}
if llm:
    programs["llm"] = [llm, "-m", "mock", "--key", key, "Hi"]
found = {name: [] for name in programs}
for _ in range(int(runs) + 1):
    for name, command in programs.items():
        found[name].append(measure(command))
print(f"{'program':12}{'first byte':>12}{'end':>10}{'CPU':>10}   ms, median of {runs}")
for name, results in found.items():
    # The first of each warms caches up.
    first, end, cpu = (statistics.median(column) * 1000 for column in zip(*results[1:]))
    print(f"{name:12}{first:12.0f}{end:10.0f}{cpu:10.1f}")

steps = 200
few = statistics.median(measure([sous, "run", "steps.yaml", "-i", "count=1"])[2] for _ in range(3))
many = statistics.median(measure([sous, "run", "steps.yaml", "-i", f"count={steps + 1}"])[2] for _ in range(3))
again = []
for _ in range(steps):
    again += ["--next"] + curl[1:]
one = statistics.median(measure(curl)[2] for _ in range(3))
bare = statistics.median(measure(curl + again)[2] for _ in range(3))
step, call = (many - few) / steps * 1000, (bare - one) / steps * 1000
print(f"a step of a run: {step:.2f} ms CPU; the bare call by curl: {call:.2f} ms CPU; beside it: {step - call:.2f} ms")


class Streaming(http.server.BaseHTTPRequestHandler):
    """Answers in pieces of 200 bytes, as many as the model's name says: `megabytes-2`."""

    def log_message(self, *_):
        pass

    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["content-length"])))
        piece = json.dumps({"choices": [{"index": 0, "delta": {"content": "word " * 40}, "finish_reason": None}]})
        end = json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for _ in range(int(float(question["model"].split("-")[1]) * 5000)):
            self.wfile.write(f"data: {piece}\n\n".encode())
        self.wfile.write(f"data: {end}\n\ndata: [DONE]\n\n".encode())


streaming = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Streaming)
threading.Thread(target=streaming.serve_forever, daemon=True).start()
with open(folder + "/sous.yaml", "w") as file:
    file.write(f'providers: {{ gpt: {{ plugin: openai, base_url: "http://127.0.0.1:{streaming.server_port}/v1" }} }}\n')
with open(folder + "/large.yaml", "w") as file:
    file.write(
        "inputs: { model: string }\nsteps:\n"
        '  - { id: ask, uses: chat.complete, with: { prompt: Hi, model: "{{ inputs.model }}" } }\n')
sizes = (0.5, 1, 2, 4)
print("a streamed answer, ms CPU   " + "".join(f"{size:>8} MB" for size in sizes))
grows = False
for name, command in {
    "sous chat": lambda size: [sous, "chat", "--private", "-m", f"megabytes-{size}", "Hi"],
    "sous run": lambda size: [sous, "run", "large.yaml", "--json", "-i", f"model=megabytes-{size}"],
}.items():
    cpu = [statistics.median(measure(command(size))[2] for _ in range(3)) * 1000 for size in sizes]
    print(f"{name:28}" + "".join(f"{value:11.0f}" for value in cpu))
    # Four times the text takes up to four times the time; quadratic work would take sixteen times as long.
    grows = grows or cpu[3] > 8 * cpu[1]
if step - call >= 5 or grows:
    sys.exit("slower than it may be")
