"""The servers of the office: a Dovecot, a Postfix and a model. Each ends with this process, even after SIGKILL."""

import http.server
import json
import os
import pwd
import random
import signal
import socket
import subprocess
import threading
import time

USER, PASSWORD = "office", "secret"
DOMAIN = "office.test"  # the domain of Dovecot's mailbox
PEOPLE = "people.test"  # the domain of everyone else; Postfix keeps these mailboxes


class NotStarted(Exception):
    """A server does not answer."""


def free_port():
    """A port of 127.0.0.1 below those that the kernel assigns by itself."""
    for _ in range(1000):
        port = random.SystemRandom().randrange(10_240, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise NotStarted("no port of 127.0.0.1 is free")


def leashed(script, *words):
    """Starts a shell script whose standard input is a pipe that only this process holds: `read` returns when it ends."""
    return subprocess.Popen(
        ["sh", "-c", script, "sh", *words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=unblock_signals)


def unblock_signals():
    """Swift's threads block signals, and a child inherits that: a server would ignore SIGTERM."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def wait_for_greeting(port, begin, name, seconds=120):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            with socket.create_connection(("127.0.0.1", port), 5) as connection:
                if connection.recv(64).startswith(begin):
                    return
        except OSError:
            pass
        time.sleep(0.05)
    raise NotStarted(f"{name} does not answer at port {port} after {seconds} s")


class Dovecot:
    """IMAP for the mailbox of the office, LMTP for what Postfix delivers to it."""

    def __init__(self, folder):
        self.folder, self.port, self.lmtp_port = folder, free_port(), free_port()
        for name in ("", "/run", "/state", "/home"):
            os.makedirs(folder + name, exist_ok=True)
            os.chmod(folder + name, 0o755)
        owner = pwd.getpwnam("mail")
        os.chown(f"{folder}/home", owner.pw_uid, owner.pw_gid)
        self.owner = owner
        self.maildir = f"{folder}/home/{USER}/Maildir"
        with open(f"{folder}/dovecot.conf", "w", encoding="ascii") as file:
            file.write(self.configuration())
        self.process = leashed(
            'dovecot -F -c "$1" </dev/null & server=$!; read line; kill $server; wait $server',
            f"{folder}/dovecot.conf")
        wait_for_greeting(self.port, b"* OK", "Dovecot")
        wait_for_greeting(self.lmtp_port, b"220", "Dovecot's LMTP")

    def configuration(self):
        return f"""
protocols = imap lmtp
listen = 127.0.0.1
base_dir = {self.folder}/run
state_dir = {self.folder}/state
log_path = {self.folder}/log
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
mail_max_userip_connections = 200
first_valid_uid = 1
mail_location = maildir:~/Maildir
imap_idle_notify_interval = 1 s
passdb {{
  driver = static
  args = password={PASSWORD}
}}
userdb {{
  driver = static
  args = uid=mail gid=mail home={self.folder}/home/%n
}}
namespace inbox {{
  inbox = yes
  separator = .
  prefix =
  mailbox Trash {{
    special_use = \\Trash
    auto = create
  }}
  mailbox Sent {{
    special_use = \\Sent
    auto = create
  }}
  mailbox Done {{
    auto = create
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {self.port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {self.lmtp_port}
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""

    def stop(self):
        stop(self.process)


class Postfix:
    """SMTP: delivers to the office through Dovecot's LMTP and to everyone else into Maildirs of its own."""

    def __init__(self, folder, lmtp_port, people):
        self.folder, self.port = folder, free_port()
        for name in ("", "/conf", "/spool", "/data", "/mail"):
            os.makedirs(folder + name, exist_ok=True)
            os.chmod(folder + name, 0o755)
        postfix, nobody = pwd.getpwnam("postfix"), pwd.getpwnam("nobody")
        os.chown(f"{folder}/data", postfix.pw_uid, postfix.pw_gid)
        os.chown(f"{folder}/mail", nobody.pw_uid, nobody.pw_gid)
        with open(f"{folder}/conf/people", "w", encoding="ascii") as file:
            file.write("".join(f"{name}@{PEOPLE} {name}/\n" for name in people))
        with open(f"{folder}/conf/main.cf", "w", encoding="ascii") as file:
            file.write(
                f"compatibility_level = 3.6\nqueue_directory = {folder}/spool\ndata_directory = {folder}/data\n"
                "mail_owner = postfix\nsetgid_group = postdrop\ncommand_directory = /usr/sbin\n"
                "daemon_directory = /usr/lib/postfix/sbin\nmyhostname = mx.office.test\nmynetworks = 127.0.0.0/8\n"
                "inet_interfaces = 127.0.0.1\ninet_protocols = ipv4\nmydestination =\nalias_maps =\n"
                "local_header_rewrite_clients =\nlmtp_line_length_limit = 0\nheader_size_limit = 4096000\n"
                f"virtual_mailbox_domains = {PEOPLE}, {DOMAIN}\nvirtual_mailbox_base = {folder}/mail\n"
                f"virtual_mailbox_maps = texthash:{folder}/conf/people, inline:{{ {{ {USER}@{DOMAIN} = {USER}/ }} }}\n"
                f"transport_maps = inline:{{ {{ {DOMAIN} = lmtp:inet:[127.0.0.1]:{lmtp_port} }} }}\n"
                f"virtual_uid_maps = static:{nobody.pw_uid}\nvirtual_gid_maps = static:{nobody.pw_gid}\n"
                "virtual_minimum_uid = 100\nvirtual_mailbox_limit = 0\nmessage_size_limit = 100000000\n"
                "smtpd_client_connection_count_limit = 0\nsmtpd_client_connection_rate_limit = 0\n"
                "minimal_backoff_time = 1s\nmaximal_backoff_time = 5s\nqueue_run_delay = 1s\n"
                "transport_retry_time = 1s\n"
                "smtpd_recipient_restrictions = permit_mynetworks, reject_unauth_destination\n"
                f"maillog_file = {folder}/mail.log\nmaillog_file_prefixes = /tmp, {os.path.dirname(folder)}\n")
        with open(f"{folder}/conf/master.cf", "w", encoding="ascii") as file:
            file.write(
                f"127.0.0.1:{self.port} inet n - n - - smtpd\npostlog unix-dgram n - n - 1 postlogd\n"
                "pickup unix n - n 60 1 pickup\ncleanup unix n - n - 0 cleanup\nqmgr unix n - n 300 1 qmgr\n"
                "rewrite unix - - n - - trivial-rewrite\nbounce unix - - n - 0 bounce\ndefer unix - - n - 0 bounce\n"
                "trace unix - - n - 0 bounce\nproxymap unix - - n - - proxymap\nerror unix - - n - - error\n"
                "retry unix - - n - - error\nvirtual unix - n n - - virtual\nlmtp unix - - n - - lmtp\n"
                "anvil unix - - n - 1 anvil\nscache unix - - n - 1 scache\n")
        self.process = leashed(
            'postfix -c "$1" start </dev/null; read line; postfix -c "$1" stop </dev/null', f"{folder}/conf")
        wait_for_greeting(self.port, b"220", "Postfix")

    def is_idle(self):
        for name in ("maildrop", "incoming", "active", "deferred"):
            for _, _, files in os.walk(f"{self.folder}/spool/{name}"):
                if files:
                    return False
        return True

    def stop(self):
        stop(self.process)


def stop(process):
    try:
        process.stdin.close()
        process.wait(timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


class Model:
    """A server that speaks as OpenAI does and answers by script: mostly at once, sometimes late, 500, 429 or cut off."""

    def __init__(self, seed):
        self.random, self.lock, self.counts = random.Random(seed), threading.Lock(), {}
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                self.answer(200, {"object": "list", "data": [{"id": "scripted", "object": "model"}]})

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                try:
                    outer.serve(self, json.loads(body))
                except OSError:
                    pass  # the client has gone

            def answer(self, status, value, **headers):
                data = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                for name, text in headers.items():
                    self.send_header(name.replace("_", "-"), text)
                self.end_headers()
                self.wfile.write(data)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", free_port()), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def serve(self, handler, request):
        with self.lock:
            mood = self.random.choices(("well", "late", "500", "429", "cut"), (70, 10, 8, 8, 4))[0]
            pause = self.random.uniform(0.5, 2)
            self.counts[mood] = self.counts.get(mood, 0) + 1
        if mood == "late":
            time.sleep(pause)
        if mood == "500":
            return handler.answer(500, {"error": {"message": "the server is tired", "type": "server_error"}})
        if mood == "429":
            return handler.answer(
                429, {"error": {"message": "too many requests", "type": "rate_limit"}}, Retry_After="1")
        texts = [message.get("content") for message in request.get("messages", [])]
        text = next((text for text in reversed(texts) if isinstance(text, str) and text), "")
        words = f"Summary: {' '.join(text.split())[:80]}"
        if not request.get("stream"):
            return handler.answer(200, {
                "id": "x", "model": "scripted", "object": "chat.completion",
                "choices": [{"index": 0, "message": {"role": "assistant", "content": words}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12}})
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.close_connection = True
        events = [{"model": "scripted", "choices": [{"index": 0, "delta": {"content": words}}]}]
        if mood != "cut":
            events.append({
                "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 5, "completion_tokens": 7}})
        for event in events:
            handler.wfile.write(b"data: " + json.dumps(event).encode() + b"\n\n")
            handler.wfile.flush()
        if mood != "cut":
            handler.wfile.write(b"data: [DONE]\n\n")
        return None

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
