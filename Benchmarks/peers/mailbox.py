"""A mailbox on a server: `sous mail pull` beside mbsync, `sous run` with a mail filter beside Pigeonhole's sieve-filter, from one
Dovecot, in turns; and how soon `sous mail watch` tells of a new message.

Usage: mailbox.py SOUS [MESSAGES] [TURNS]
mbsync and sieve-filter have their usual settings. Both sides write into new folders each turn. Ends with status 1 where a bound is
missed: a first pull at least 5 times as fast as mbsync; a second one without changes within a second; a filter of five rules at
least as fast as sieve-filter, with the same folder and flags for each message; a new message told of within 100 ms and 20 KB.
"""

import collections
import email.parser
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time

from dovecot import Dovecot, header

sous = os.path.abspath(sys.argv[1])
count = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
turns = int(sys.argv[3]) if len(sys.argv) > 3 else 3

SCRIPT = """require ["fileinto", "imap4flags"];
# rule:[Newsletters]
if allof (exists "List-Id", header :contains "Subject" "7") { addflag "\\\\Seen"; fileinto "Newsletters"; stop; }
# rule:[People]
if address :is "From" ["person1@example.org", "person22@example.org", "person333@example.org"] { fileinto "People"; stop; }
# rule:[Answers]
if allof (exists "In-Reply-To", size :over 60K) { fileinto "Large"; stop; }
# rule:[Years]
if header :contains "Subject" "Bericht 199" { addflag "\\\\Flagged"; }
# rule:[Old]
if header :contains "Message-ID" "<1000" { discard; }
"""
results = []


def judge(text, is_good, bound):
    print("  %s%s" % (text, "" if is_good else "  MISSED: " + bound))
    sys.stdout.flush()
    results.append(is_good)


def took(arguments, log=subprocess.DEVNULL, **options):
    begin = time.monotonic()
    done = subprocess.run(arguments, stdout=log, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        raise SystemExit("%s ended with status %d" % (" ".join(arguments), done.returncode))
    return time.monotonic() - begin


def show(name, values):
    print("  %-28s %7.2f s  (%s)" % (name, statistics.median(values), " ".join("%.2f" % v for v in values)))


class Workspace:
    """A configuration of Sous with an account, its data in a folder of its own."""

    def __init__(self, server, user, name, port=None):
        self.folder = "%s/%s" % (server.folder, name)
        os.makedirs(self.folder)
        with open(self.folder + "/sous.yaml", "w") as file:
            file.write(
                "providers:\n  work: { plugin: imap, host: 127.0.0.1, port: %d, tls: none, user: %s, password: secret, compress: false }\n"
                "  home: { plugin: maildir, path: %s/Maildir, create: true }\ndefaults: { mail.store: work }\n"
                % (port or server.port, user, self.folder))
        self.environment = dict(os.environ, XDG_DATA_HOME=self.folder + "/data", XDG_CACHE_HOME=server.folder + "/cache")

    def command(self, *arguments):
        return [sous, *arguments, "--config", self.folder + "/sous.yaml"]


def pull(server):
    print("mail pull of %d messages into a Maildir, %d turns" % (count, turns))
    times = collections.defaultdict(list)
    # Nothing is removed before the end: ext4 passes over inodes that were freed a moment ago, each time that it looks for one.
    for turn in range(turns):
        work = Workspace(server, "many", "pull%d" % turn)
        arguments = work.command("mail", "pull", "work", "--to", "home", "INBOX")
        os.sync()
        times["sous"].append(took(arguments, env=work.environment))
        times["sous, no changes"].append(min(took(arguments, env=work.environment) for _ in range(3)))
        copied = sum(len(files) for _, _, files in os.walk(work.folder + "/Maildir/cur")) + sum(
            len(files) for _, _, files in os.walk(work.folder + "/Maildir/new"))
        assert copied == count, copied
        peer = "%s/mbsync%d" % (server.folder, turn)
        os.makedirs(peer + "/mail")
        with open(peer + "/mbsyncrc", "w") as file:
            file.write(
                "IMAPAccount work\nHost 127.0.0.1\nPort %d\nUser many\nPass secret\nSSLType None\nAuthMechs LOGIN\n\n"
                "IMAPStore far\nAccount work\n\nMaildirStore near\nPath %s/mail/\nInbox %s/mail/INBOX\n\n"
                "Channel all\nFar :far:\nNear :near:\nPatterns INBOX\nCreate Near\nSync Pull\nSyncState *\n"
                % (server.port, peer, peer))
        os.sync()
        times["mbsync"].append(took(["mbsync", "-c", peer + "/mbsyncrc", "-a"]))
        assert len(os.listdir(peer + "/mail/INBOX/cur")) + len(os.listdir(peer + "/mail/INBOX/new")) == count
    for name, values in times.items():
        show(name, values)
    ratio = statistics.median(theirs / ours for ours, theirs in zip(times["sous"], times["mbsync"]))
    judge("%.1f times as fast as mbsync" % ratio, ratio >= 5, "at least 5 times")
    second = statistics.median(times["sous, no changes"])
    judge("a second pull without changes: %.2f s" % second, second < 1, "less than a second")


def placed(maildir):
    """Folder and flags of each message by Message-ID."""
    places = collections.defaultdict(list)
    for name in sorted(os.listdir(maildir)):
        folder = "INBOX" if name == "cur" else name[1:] if name.startswith(".") else None
        path = maildir + "/cur" if name == "cur" else maildir + "/" + name + "/cur"
        if folder is None or not os.path.isdir(path):
            continue
        for part in (path, path[:-3] + "new"):
            for file in os.listdir(part):
                with open("%s/%s" % (part, file), "rb") as content:
                    header = email.parser.BytesHeaderParser().parse(content)
                flags = file.partition(":2,")[2]
                places[header["Message-ID"]].append((folder, "".join(sorted(f for f in flags if f in "FS"))))
    return places


def filters(server):
    print("a filter of five rules over %d messages, %d turns" % (count, turns))
    # sieve-filter compiles the script into a file beside it.
    os.makedirs(server.home + "/sieve")
    script = server.home + "/sieve/mail.sieve"
    with open(script, "w") as file:
        file.write(SCRIPT)
    server.give(server.home + "/sieve")
    recipe = server.folder + "/filter.yaml"
    took([sous, "sieve", "import", script, "--output", recipe, "--name", "five"])
    times = collections.defaultdict(list)
    for turn in range(turns):
        for user in ("ours", "theirs"):
            shutil.rmtree("%s/%s" % (server.home, user), ignore_errors=True)
            took(["cp", "-a", server.home + "/pristine", "%s/%s" % (server.home, user)])
            client = server.connect(user)
            # Neither makes folders, and either finds an index.
            for folder in ("Newsletters", "People", "Large", "Trash"):
                client.create(folder)
            client.select("INBOX")
            client.logout()
        work = Workspace(server, "ours", "filter%d" % turn)
        os.sync()
        times["sous"].append(took(work.command("run", recipe, "-q"), env=work.environment))
        os.sync()
        # -e carries out, -W may write.
        times["sieve-filter"].append(took(
            ["sieve-filter", "-c", server.configuration, "-u", "theirs", "-e", "-W", script, "INBOX", "move", "Trash"]))
    for name, values in times.items():
        show(name, values)
    ratio = statistics.median(theirs / ours for ours, theirs in zip(times["sous"], times["sieve-filter"]))
    judge("%.2f times as fast as sieve-filter" % ratio, ratio >= 1, "at least as fast")
    ours, theirs = placed(server.home + "/ours/Maildir"), placed(server.home + "/theirs/Maildir")
    # What sieve-filter discards loses its flags on the way to the Trash.
    for places in (ours, theirs):
        for key, found in places.items():
            places[key] = [(folder, "" if folder == "Trash" else flags) for folder, flags in found]
    differing = [key for key in ours.keys() | theirs.keys() if ours[key] != theirs[key]]
    for key in differing[:3]:
        print("  %s: %s, sieve-filter %s" % (key, ours[key], theirs[key]))
    where = collections.Counter(place for places in ours.values() for place in places)
    print("  " + ", ".join("%s%s: %d" % (folder, " " + flags if flags else "", number) for (folder, flags), number in sorted(where.items())))
    judge("%d messages, %d of them elsewhere or with other flags" % (len(ours), len(differing)), not differing, "none")


class Counting(threading.Thread):
    """Passes one connection on and counts its bytes."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.target = port
        self.bytes = 0
        self.said = None

    def run(self):
        while True:
            client, _ = self.listener.accept()
            other = socket.create_connection(("127.0.0.1", self.target))
            for pair in ((client, other, False), (other, client, True)):
                threading.Thread(target=self.relay, args=pair, daemon=True).start()

    def relay(self, source, target, is_server):
        while piece := source.recv(1 << 16):
            self.bytes += len(piece)
            if is_server and self.said is None:
                self.said = time.monotonic()
            target.sendall(piece)


def news(server):
    counting = Counting(server.port)
    counting.start()
    work = Workspace(server, "many", "news", counting.port)
    watch = subprocess.Popen(
        work.command("mail", "watch", "work", "INBOX", "--json"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env=work.environment)
    other = server.connect("many")
    delays, sizes = [], []
    for turn in range(turns + 1):
        # Until nothing moves any more, it waits.
        seen = -1
        while counting.bytes != seen or not seen:
            seen = counting.bytes
            time.sleep(1)
        counting.said = None
        other.append("INBOX", None, None, (header(turn) + "Guten Tag, hier der Bericht.\r\n" * 40).encode())
        json.loads(watch.stdout.readline())
        # Dovecot says so half a second after the message was stored.
        delay = time.monotonic() - counting.said
        time.sleep(0.2)
        if turn:  # the first one finds folders as well
            delays.append(delay)
            sizes.append(counting.bytes - seen)
    watch.terminate()
    print("one new message among %d, the worst of %d" % (count, turns))
    judge("told of %.0f ms after the server said so" % (max(delays) * 1000), max(delays) < 0.1, "less than 100 ms")
    judge("%d bytes of traffic, both ways" % max(sizes), max(sizes) < 20_000, "less than 20 KB")


with Dovecot({"many": count, "pristine": count}) as server:
    server.connect("many").select("INBOX")
    server.connect("pristine").select("INBOX")
    if shutil.which("mbsync"):
        pull(server)
    if shutil.which("sieve-filter"):
        filters(server)
    news(server)
sys.exit(0 if all(results) else 1)
