"""A server for the tests of the actions of HTTP, made of Python's own http.server.

Prints its port on a line, answers until its standard input ends. The path says what to do:
/echo tells the request as JSON, /status/503 answers with that status, /redirect leads to /echo, everything else is text.
"""

import http.server
import json
import sys
import threading
import urllib.parse


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        url = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qsl(url.query, keep_blank_values=True)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if url.path == "/echo":
            fields = {name.lower(): value for name, value in self.headers.items()}
            text = {"method": self.command, "query": query, "headers": fields, "body": body.decode()}
            self.reply(200, json.dumps(text).encode(), {"Content-Type": "application/json", "X-Twice": "a"})
        elif url.path.startswith("/status/"):
            self.reply(int(url.path.split("/")[2]), b"no", dict(query))
        elif url.path == "/redirect":
            self.reply(302, b"", {"Location": "/echo?from=redirect"})
        elif url.path == "/latin":
            self.reply(200, "Grüezi".encode("latin-1"), {"Content-Type": "text/plain; charset=ISO-8859-1"})
        elif url.path == "/cut":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
            self.close_connection = True
        elif url.path == "/silent":
            self.rfile.read()
        elif url.path == "/big":
            self.reply(200, b"x" * 100_000, {})
        else:
            self.reply(200, b"hello", {})

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def reply(self, status, body, fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
