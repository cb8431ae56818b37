"""Headers of a mailbox: Sous beside imaplib, which only fetches them, from one Dovecot, in turns; and how soon news is told.

Usage: imap.py IMAPBENCHMARK [MESSAGES] [TURNS]
Both fetch UID, FLAGS, RFC822.SIZE, INTERNALDATE and BODY.PEEK[HEADER] of every message. Sous also finds the messages by a sorted
search, parses the headers, and passes on 21 fields of each as JSON, in pages of 1000.
"""

import imaplib
import os
import pwd
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

program = sys.argv[1]
count = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
turns = int(sys.argv[3]) if len(sys.argv) > 3 else 5
imaplib._MAXLINE = 1 << 24
folder = tempfile.mkdtemp(prefix="imap-benchmark-")
os.chmod(folder, 0o755)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def message(number):
    lines = [
        "Return-Path: <bounce-%d@list.example.org>" % number,
        "Received: from mx%d.example.org (mx%d.example.org [192.0.2.%d])\r\n\tby mail.example.com (Postfix) with ESMTPS id %08X\r\n"
        "\tfor <owner@example.com>; Tue, 1 Jul 2025 10:52:37 +0200 (CEST)" % (number % 9, number % 9, number % 250, number),
        "Received: by 2002:a05:6a10:1234 with SMTP id x%dcsp%d;\r\n\tTue, 1 Jul 2025 01:52:35 -0700 (PDT)" % (number, number),
        "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=2025;\r\n\th=from:to:subject:date:message-id;\r\n"
        "\tbh=%s=;\r\n\tb=%s" % ("A" * 43, "\r\n\t ".join(["B" * 70] * 5)),
        "From: =?utf-8?q?J=C3=BCrg_M=C3=BCller?= <person%d@example.org>" % (number % 500),
        "To: Owner <owner@example.com>, Team <team@example.com>",
        "Subject: =?utf-8?q?Bericht_%d_f=C3=BCr_M=C3=A4rz?= und was dazu noch zu sagen ist" % number,
        "Date: Tue, %d Jul 2025 %02d:%02d:37 +0200" % (1 + number % 28, number // 60 % 24, number % 60),
        "Message-ID: <%d.%x@example.org>" % (number, number * 7919),
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
    ]
    if number % 3:
        lines.append("In-Reply-To: <%d.%x@example.org>" % (number - 1, (number - 1) * 7919))
        lines.append("References: <%d.%x@example.org>" % (number - 1, (number - 1) * 7919))
    if number % 4 == 0:
        lines += ["List-Id: News <news.example.org>", "List-Unsubscribe: <https://example.org/u/%d>, <mailto:u@example.org>" % number,
                  "Precedence: bulk"]
    return ("\r\n".join(lines) + "\r\n\r\n" + "Guten Tag, hier der Bericht.\r\n" * 40).encode()


port = free_port()
owner = pwd.getpwnam("mail") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
home = folder + "/home"
internal = "" if os.getuid() == 0 else "default_internal_user = %s\ndefault_login_user = %s\n" % (owner.pw_name, owner.pw_name)
for user in ("many", "news"):
    for box in ("cur", "new", "tmp"):
        os.makedirs("%s/%s/Maildir/%s" % (home, user, box))
start = 1751360000
for number in range(count):
    name = "%s/many/Maildir/cur/%d.M%dP1.host:2,%s" % (home, start + number, number, "S" if number % 2 else "")
    with open(name, "wb") as file:
        file.write(message(number).replace(b"\r\n", b"\n"))
    os.utime(name, (start + number, start + number))
for path, _, files in os.walk(home):
    os.chown(path, owner.pw_uid, owner.pw_gid)
    for name in files:
        os.chown(path + "/" + name, owner.pw_uid, owner.pw_gid)
with open(folder + "/dovecot.conf", "w") as file:
    file.write("""protocols = imap
listen = 127.0.0.1
base_dir = %(f)s/run
state_dir = %(f)s/state
log_path = %(f)s/log
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain
first_valid_uid = 1
mail_max_userip_connections = 100
mail_location = maildir:~/Maildir
%(i)spassdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=%(u)s gid=%(g)s home=%(h)s/%%u
}
namespace inbox {
  inbox = yes
}
service imap-login {
  chroot =
  inet_listener imap {
    port = %(p)d
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
""" % {"f": folder, "i": internal, "u": owner.pw_uid, "g": owner.pw_gid, "h": home, "p": port})
dovecot = next(p for p in ("/usr/sbin/dovecot", "/usr/local/sbin/dovecot") if os.path.exists(p))
server = subprocess.Popen([dovecot, "-F", "-c", folder + "/dovecot.conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def connect(user):
    for _ in range(600):
        try:
            client = imaplib.IMAP4("127.0.0.1", port)
            client.login(user, "secret")
            return client
        except OSError:
            time.sleep(0.1)
    raise SystemExit("Dovecot does not answer")


class Counting(threading.Thread):
    """Passes one connection on and counts its bytes."""

    def __init__(self):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.bytes = 0
        self.said = None

    def run(self):
        while True:
            client, _ = self.listener.accept()
            other = socket.create_connection(("127.0.0.1", port))
            for pair in ((client, other, False), (other, client, True)):
                threading.Thread(target=self.relay, args=pair, daemon=True).start()

    def relay(self, source, target, is_server):
        while piece := source.recv(1 << 16):
            self.bytes += len(piece)
            if is_server and self.said is None:
                self.said = time.monotonic()
            target.sendall(piece)


def processor_time(pid):
    with open("/proc/%d/stat" % pid) as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(process, word):
    process.stdin.write(word + "\n")
    process.stdin.flush()
    return process.stdout.readline().split()


try:
    client = connect("many")
    client.select("INBOX", readonly=True)
    sous = subprocess.Popen([program, str(port), "many"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    times = {"imaplib": [], "sous": []}
    processor = {"imaplib": [], "sous": []}
    for turn in range(turns + 1):
        own, theirs = processor_time(os.getpid()), processor_time(sous.pid)
        begin = time.monotonic()
        _, data = client.uid("FETCH", "1:*", "(UID FLAGS RFC822.SIZE INTERNALDATE BODY.PEEK[HEADER])")
        spent = time.monotonic() - begin
        own = processor_time(os.getpid()) - own
        assert sum(isinstance(item, tuple) for item in data) == count
        seconds, found = ask(sous, "headers")
        assert int(found) == count, found
        if turn:  # the first turn fills the server's index and cache
            times["imaplib"].append(spent)
            times["sous"].append(float(seconds))
            processor["imaplib"].append(own)
            processor["sous"].append(processor_time(sous.pid) - theirs)
    ratios = [ours / theirs for ours, theirs in zip(times["sous"], times["imaplib"])]
    print("headers of %d messages, %d turns" % (count, turns))
    for name in ("imaplib", "sous"):
        print("  %-8s %6.2f s  (%s), processor %.2f s" % (
            name, statistics.median(times[name]), " ".join("%.2f" % t for t in times[name]), statistics.median(processor[name])))
    print("  ratio    %6.2f    (%s)" % (statistics.median(ratios), " ".join("%.2f" % r for r in ratios)))
    sous.stdin.close()

    counting = Counting()
    counting.start()
    watcher = subprocess.Popen([program, str(counting.port), "news"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    other = connect("news")
    other.append("INBOX", None, None, message(0))
    assert ask(watcher, "news") == ["watching"]
    time.sleep(2)
    before = counting.bytes
    counting.said = None
    other.append("INBOX", None, None, message(1))
    begin = time.monotonic()
    watcher.stdout.readline()
    end = time.monotonic()
    print("one new message told of %.0f ms after the server said so (%.0f ms after it was stored), %d bytes of traffic" % (
        (end - counting.said) * 1000, (end - begin) * 1000, counting.bytes - before))
    watcher.stdin.close()
finally:
    server.send_signal(signal.SIGTERM)
    server.wait()
    shutil.rmtree(folder, ignore_errors=True)
