"""Measures how much later the first token comes through Sous than through curl, from one server on this machine.

python3 first_token.py SOUS NETWORK_BENCHMARK LIBRARY ROUNDS

The server answers each request with the head and the first event in one piece, and with the rest 5 ms later. curl tells
the time from the start of a transfer to its first byte; Sous the time from the call of chat.complete in a running
program to its first delta, which includes the plugin, the host and the reading of JSON. Both ask in turn, round by round.
"""

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

CALLS = 20
BODY = json.dumps(
    {
        "model": "gpt-4o-mini",
        "messages": [{"role": "user", "content": "Say hello."}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
)


def event(data):
    return f"data: {data}\n\n".encode()


def delta(text, finish=None):
    choice = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": finish}
    return event(json.dumps({"id": "1", "object": "chat.completion.chunk", "model": "m", "choices": [choice]}))


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


def serve(connection):
    """Answers the requests of one connection; a path that begins with /once gets a connection for itself alone."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    reader = connection.makefile("rb")
    while line := reader.readline():
        once = b" /once" in line
        length = 0
        while (field := reader.readline()) not in (b"\r\n", b""):
            name, _, value = field.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        reader.read(length)
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
        head += b"Connection: close\r\n\r\n" if once else b"\r\n"
        connection.sendall(head + chunk(delta("Hello")))
        time.sleep(0.005)
        connection.sendall(chunk(delta(" there", "stop") + event("[DONE]")) + chunk(b""))
        if once:
            break
    reader.close()
    connection.close()


def listen():
    server = socket.create_server(("127.0.0.1", 0), backlog=128)
    print(server.getsockname()[1], flush=True)
    while True:
        connection, _ = server.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


def curl(url):
    """Microseconds to the first byte, for each of several transfers of one curl."""
    command = ["curl", "-N", "-s", "-S", "-o", "/dev/null", "-H", "Content-Type: application/json", "-d", BODY]
    command += ["-w", "%{time_starttransfer}\n", f"{url}/chat/completions?[0-{CALLS}]"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [float(line) * 1e6 for line in output.split()][1:]


def started(command, environment=None):
    """Microseconds from the start of a program to its first byte on standard output."""
    begin = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, env=environment) as process:
        if not process.stdout.read(1):
            raise SystemExit(f"{command[0]} wrote nothing")
        passed = (time.perf_counter() - begin) * 1e6
        process.stdout.read()
    return passed


def line(name, peer, ours):
    low, high = statistics.median(peer), statistics.median(ours)
    late = sorted(ours)[len(ours) * 99 // 100]
    print(f"{name:<46}{low / 1000:>9.2f}{high / 1000:>9.2f}{(high - low) / 1000:>9.2f}{late / 1000:>9.2f}")


def main():
    sous, benchmark, library, rounds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    server = subprocess.Popen([sys.executable, __file__, "serve"], stdout=subprocess.PIPE, text=True)
    caller = subprocess.Popen([benchmark, sous, library], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        port = server.stdout.readline().strip()
        base = f"http://127.0.0.1:{port}"

        def ask(isolation, url):
            caller.stdin.write(f"{CALLS + 1} {isolation} {url}\n")
            caller.stdin.flush()
            answer = caller.stdout.readline()
            if not answer or not answer[0].isdigit():
                raise SystemExit(answer or "the benchmark ended")
            # The first call of a round is not counted: there is no connection yet, and caches are cold.
            return [float(word) for word in answer.split()][1:]

        print(f"{'':<46}{'curl':>9}{'Sous':>9}{'added':>9}{'99 %':>9}   ms")
        for name, path in [("on a connection that stands", "/v1"), ("on a connection of its own", "/once/v1")]:
            for isolation in ["in-process", "process"]:
                peer, ours = [], []
                for number in range(rounds + 1):
                    a, b = curl(base + path), ask(isolation, base + path)
                    if number:
                        peer += a
                        ours += b
                line(f"{name}, {isolation}", peer, ours)
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/sous.yaml", "w") as file:
                file.write(f"providers: {{ m: {{ plugin: openai, base_url: '{base}/v1' }} }}\n")
            environment = dict(os.environ, OPENAI_API_KEY="none")
            command = [sous, "chat", "--config", f"{folder}/sous.yaml", "Say hello."]
            web = ["curl", "-N", "-s", "-d", BODY, f"{base}/v1/chat/completions"]
            peer, ours = [], []
            for number in range(rounds * 2 + 1):
                a, b = started(web), started(command, environment)
                if number:
                    peer.append(a)
                    ours.append(b)
            line("whole programs, from their start", peer, ours)
    finally:
        caller.stdin.close()
        caller.wait()
        server.kill()
        server.wait()


if sys.argv[1:] == ["serve"]:
    listen()
else:
    main()
