"""Takes webhooks: python3 receiver.py FOLDER SECRET FAILURES

Writes its port to FOLDER/port and each request as a line of JSON to FOLDER/requests, with whether its signatures are right.
The first FAILURES requests get 503. Ends with its input.
"""
import base64
import hashlib
import hmac
import http.server
import json
import os
import sys
import threading

folder, secret, failures = sys.argv[1], sys.argv[2].encode(), int(sys.argv[3])


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        global failures
        body = self.rfile.read(int(self.headers["Content-Length"]))
        plain = "sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest()
        dated = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + body
        standard = "v1," + base64.b64encode(hmac.new(secret, dated, hashlib.sha256).digest()).decode()
        record = {
            "path": self.path,
            "body": json.loads(body),
            "headers": {name.lower(): value for name, value in self.headers.items()},
            "signed": hmac.compare_digest(plain, self.headers["x-hub-signature-256"])
            and hmac.compare_digest(standard, self.headers["webhook-signature"]),
        }
        with open(folder + "/requests", "a") as file:
            file.write(json.dumps(record) + "\n")
        failed, failures = failures > 0, failures - 1
        self.send_response(503 if failed else 204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
with open(folder + "/port.new", "w") as file:
    file.write(str(server.server_port))
os.rename(folder + "/port.new", folder + "/port")
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
