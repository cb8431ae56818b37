"""A server for the tests of the network: asyncio and nothing else.

python3 peer.py http|lines [--cert FILE --key FILE]

Prints its port on a line, answers until its standard input ends.
http: the path of a request says what to do; lines: what a line says.
"""

import argparse
import asyncio
import gzip
import json
import socket
import ssl
import struct
import sys
import threading
import urllib.parse
import zlib

gates = {}
connections = 0
requests = []


def gate(name):
    return gates.setdefault(name, asyncio.Event())


def head(status, *fields, version="HTTP/1.1"):
    return "\r\n".join([f"{version} {status} X", *fields, "", ""]).encode()


def whole(body, *fields, status=200):
    return head(status, f"Content-Length: {len(body)}", *fields) + body


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


async def read_body(reader, fields):
    if "content-length" in fields:
        return await reader.readexactly(int(fields["content-length"]))
    body = b""
    if fields.get("transfer-encoding") == "chunked":
        while size := int(await reader.readline(), 16):
            body += await reader.readexactly(size)
            await reader.readexactly(2)
        await reader.readline()
    return body


async def http(reader, writer):
    global connections
    connections += 1
    mine = connections
    try:
        while line := await reader.readline():
            method, target, _ = line.decode().split()
            fields = {}
            names = []
            while (field := await reader.readline()) not in (b"\r\n", b""):
                name, _, value = field.decode().partition(":")
                fields[name.lower()] = value.strip()
                names.append(name.lower())
            url = urllib.parse.urlsplit(target)
            query = dict(urllib.parse.parse_qsl(url.query))
            if not await answer(reader, writer, method, url.path, query, fields, names, mine):
                break
            await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError, ValueError):
        pass
    finally:
        try:
            writer.close()
        except Exception:
            pass


async def answer(reader, writer, method, path, query, fields, names, mine):
    """Answers one request; whether the connection goes on."""
    if path == "/early":
        writer.write(whole(b"too large", "Connection: close", status=413))
        await writer.drain()
        return False
    if path == "/wait-before-body":
        gate(query["arrived"]).set()
    body = await read_body(reader, fields)
    if path == "/hello":
        writer.write(whole(b"" if method == "HEAD" else b"hello"))
    elif path == "/one-request":
        # The server ends a kept connection when the next request arrives.
        requests.append(mine)
        if requests.count(mine) > 1:
            return False
        writer.write(whole(str(len(requests)).encode()))
    elif path == "/connection":
        writer.write(whole(str(mine).encode()))
    elif path == "/request":
        writer.write(whole(json.dumps({"method": method, "fields": fields, "names": names, "query": query}).encode()))
    elif path in ("/echo", "/wait-before-body"):
        writer.write(whole(body))
    elif path == "/release":
        gate(query["gate"]).set()
        writer.write(whole(b""))
    elif path == "/await":
        await gate(query["gate"]).wait()
        writer.write(whole(b""))
    elif path == "/events":
        writer.write(head(200, "Content-Type: text/event-stream", "Transfer-Encoding: chunked"))
        writer.write(chunk(b"data: one\n\n"))
        await writer.drain()
        for word in range(int(query.get("words", 0))):
            await asyncio.sleep(0.001)
            writer.write(chunk(f"word {word} ".encode()))
            await writer.drain()
        await gate(query["gate"]).wait()
        writer.write(chunk(b"data: two\n\n") + chunk(b""))
    elif path == "/silent":
        if "arrived" in query:
            gate(query["arrived"]).set()
        await reader.read()
        if "closed" in query:
            gate(query["closed"]).set()
        return False
    elif path == "/loris":
        writer.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(100000):
            writer.write(b"X-%d: y\r\n" % number if query.get("by") == "line" else b"x")
            await writer.drain()
            await asyncio.sleep(0.01)
    elif path == "/endless-header":
        writer.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
        for _ in range(100000):
            writer.write(b"x" * 10000)
            await writer.drain()
    elif path == "/endless-headers":
        writer.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(1000000):
            writer.write(b"X-%d: %s\r\n" % (number, b"y" * 100))
            await writer.drain()
    elif path == "/bytes":
        count = int(query["count"])
        writer.write(head(200, "Content-Length: %d" % count))
        sent = 0
        while sent < count:
            piece = min(65536, count - sent)
            writer.write(b"x" * piece)
            await writer.drain()
            sent += piece
            if "progress" in query:
                progress[query["progress"]] = sent
    elif path == "/progress":
        writer.write(whole(str(progress.get(query["of"], 0)).encode()))
    elif path == "/line":
        writer.write(head(200, "Transfer-Encoding: chunked"))
        for _ in range(80):
            writer.write(chunk(b"x" * 65536))
            await writer.drain()
        writer.write(chunk(b""))
    elif path == "/trailers":
        writer.write(head(200, "Transfer-Encoding: chunked", "Trailer: X-Sum"))
        writer.write(chunk(b"hello ") + chunk(b"world") + b"0\r\nX-Sum: 1\r\n\r\n")
    elif path == "/cut-chunked":
        writer.write(head(200, "Transfer-Encoding: chunked") + chunk(b"hello") + b"10\r\nhel")
        return False
    elif path == "/cut-length":
        writer.write(head(200, "Content-Length: 100") + b"hello")
        return False
    elif path == "/cut-head":
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Le")
        return False
    elif path == "/close":
        return False
    elif path == "/until-closed":
        writer.write(head(200) + b"until the end")
        return False
    elif path == "/version-1.0":
        writer.write(head(200, version="HTTP/1.0") + b"old")
        return False
    elif path == "/gzip":
        writer.write(whole(gzip.compress(b"hello " * 1000), "Content-Encoding: gzip"))
    elif path == "/deflate":
        writer.write(whole(zlib.compress(b"hello " * 1000), "Content-Encoding: deflate"))
    elif path == "/gzip-events":
        squeeze = zlib.compressobj(wbits=31)
        writer.write(head(200, "Content-Encoding: gzip", "Transfer-Encoding: chunked"))
        writer.write(chunk(squeeze.compress(b"data: one\n\n") + squeeze.flush(zlib.Z_SYNC_FLUSH)))
        await writer.drain()
        await gate(query["gate"]).wait()
        writer.write(chunk(squeeze.compress(b"data: two\n\n") + squeeze.flush()) + chunk(b""))
    elif path == "/gzip-cut":
        writer.write(whole(gzip.compress(bytes(range(256)) * 100)[:-20], "Content-Encoding: gzip"))
    elif path == "/gzip-broken":
        writer.write(whole(b"this is not compressed", "Content-Encoding: gzip"))
    elif path == "/gzip-empty":
        writer.write(head(int(query["status"]), "Content-Encoding: gzip"))
    elif path == "/bomb":
        writer.write(whole(gzip.compress(b"\0" * (100 << 20)), "Content-Encoding: gzip"))
    elif path == "/garbage":
        writer.write(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")
        return False
    elif path == "/reset":
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return False
    elif path == "/continue":
        writer.write(head(100) + head(103, "Link: </x>") + whole(b"after"))
    elif path == "/switch":
        writer.write(head(101, "Upgrade: x", "Connection: upgrade"))
    elif path == "/redirect":
        text = b"" if method == "HEAD" else b"x" * int(query.get("body", "3"))
        writer.write(whole(text, "Location: " + query["to"], status=int(query.get("status", "302"))))
    elif path == "/again":
        count = int(query["count"])
        if count:
            writer.write(whole(b"", "Location: /again?count=%d" % (count - 1), status=302))
        else:
            writer.write(whole(b"arrived"))
    elif path == "/unasked":
        writer.write(whole(b"hello") + whole(b"more"))
    else:
        writer.write(whole(b"", status=404))
    return fields.get("connection") != "close"


progress = {}


async def lines(reader, writer):
    async def say(text):
        writer.write(text)
        await writer.drain()

    try:
        await say(b"220 ready\r\n")
        while line := await reader.readline():
            word, _, rest = line.decode().strip().partition(" ")
            if word == "STARTTLS":
                # rest: what is sent in plain text behind the answer
                await say(b"220 go\r\n" + rest.encode())
                await writer.start_tls(contexts[0])
            elif word == "STARTTLS-LATE":
                await say(b"220 go\r\n")
                await say(b"250 injected\r\n")
                await writer.start_tls(contexts[0])
            elif word == "STARTTLS-PLAIN":
                # rest: the plain text that comes in place of TLS, once the client has begun it; then nothing more
                await say(b"220 go\r\n")
                await reader.read(1)
                await say(rest.encode())
                await reader.read()
            elif word == "SECURED":
                await say(b"250 %s\r\n" % (b"yes" if writer.get_extra_info("ssl_object") else b"no"))
            elif word == "ECHO":
                await say(rest.encode() + b"\r\n")
            elif word == "FLOOD":
                sent = 0
                while sent < int(rest):
                    await say(b"x" * 65536)
                    sent += 65536
                    progress["flood"] = sent
            elif word == "FLOODED":
                await say(b"250 %d\r\n" % progress.get("flood", 0))
            elif word == "SINK":
                count = len(await reader.readexactly(int(rest)))
                await say(b"250 %d\r\n" % count)
                gate("sunk").set()
            elif word == "SUNK":
                await gate("sunk").wait()
                await say(b"250 sunk\r\n")
            elif word == "ALL":
                # Reads to the end, then answers: only whoever closed half can hear it.
                await say(b"354 go on\r\n")
                await say(b"250 %d\r\n" % len(await reader.read()))
            elif word == "HALF":
                writer.write_eof()
                totals.append(len(await reader.read()))
                gate("half").set()
            elif word == "TOTAL":
                await gate("half").wait()
                await say(b"250 %d\r\n" % totals[-1])
            elif word == "RESET":
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.transport.abort()
                return
            elif word == "DROP":
                # Without close_notify.
                writer.transport.abort()
                return
            elif word == "QUIT":
                await say(b"221 bye\r\n")
                break
    except (ConnectionError, ssl.SSLError, asyncio.IncompleteReadError):
        pass
    finally:
        try:
            writer.close()
        except Exception:
            pass


totals = []
contexts = []


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=["http", "lines"])
    parser.add_argument("--cert")
    parser.add_argument("--key")
    parser.add_argument("--implicit", action="store_true")
    options = parser.parse_args()
    if options.cert:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.cert, options.key)
        contexts.append(context)
    secured = contexts[0] if options.implicit else None
    handler = http if options.mode == "http" else lines
    server = await asyncio.start_server(handler, "127.0.0.1", 0, ssl=secured, limit=1 << 24, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()

    def wait():
        sys.stdin.buffer.read()
        loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=wait, daemon=True).start()
    await ended.wait()


asyncio.run(main())
