"""Headers of a mailbox: Sous beside imaplib, which only fetches them, from one Dovecot, in turns.

Usage: imap.py IMAPBENCHMARK [MESSAGES] [TURNS]
imaplib fetches UID, FLAGS, RFC822.SIZE, INTERNALDATE and the header of every message: all of it, and, in turns of their own, only
the fields of it that Sous asks for. Sous finds the messages by a sorted search, parses their headers, and passes on 21 fields of
each as JSON, in pages of 1000. Ends with status 1 where Sous takes more than 1.5 times what imaplib takes for the headers.
"""

import os
import statistics
import subprocess
import sys
import time

from dovecot import Dovecot, processor_time

program = sys.argv[1]
count = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
turns = int(sys.argv[3]) if len(sys.argv) > 3 else 5
# How many times as long as imaplib Sous may take.
RATIO = 1.5
# As Sous asks for it.
FIELDS = (
    "AUTO-SUBMITTED CC DATE FEEDBACK-ID FROM IN-REPLY-TO LIST-ID LIST-POST LIST-UNSUBSCRIBE LIST-UNSUBSCRIBE-POST MESSAGE-ID "
    "PRECEDENCE REFERENCES REPLY-TO RETURN-PATH SENDER SUBJECT TO X-CAMPAIGN X-CAMPAIGNID X-CLEVERREACH X-CSA-COMPLAINTS "
    "X-GMAIL-LABELS X-MAILCHIMP-ID X-MAILGUN-SID X-MAILJET-CAMPAIGN X-MC-USER X-NEWSLETTER X-SG-EID")
ITEMS = {
    "imaplib, headers": "(UID FLAGS RFC822.SIZE INTERNALDATE BODY.PEEK[HEADER])",
    "imaplib, the same fields": "(UID FLAGS RFC822.SIZE INTERNALDATE BODY.PEEK[HEADER.FIELDS (%s)])" % FIELDS,
}


def start(port, user):
    return subprocess.Popen([program, str(port), user], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(process, word):
    process.stdin.write(word + "\n")
    process.stdin.flush()
    return process.stdout.readline().split()


def headers(server):
    """Whether the headers came fast enough."""
    client = server.connect("many")
    client.select("INBOX", readonly=True)
    sous = start(server.port, "many")
    times = {name: [] for name in [*ITEMS, "sous"]}
    processor = {name: [] for name in times}

    def fetch(items):
        own, begin = processor_time(os.getpid()), time.monotonic()
        _, data = client.uid("FETCH", "1:*", items)
        spent = time.monotonic() - begin
        assert sum(isinstance(item, tuple) for item in data) == count
        return spent, processor_time(os.getpid()) - own

    def read():
        own = processor_time(sous.pid)
        seconds, found = ask(sous, "headers")
        assert int(found) == count, found
        return float(seconds), processor_time(sous.pid) - own

    for turn in range(turns + 1):
        for name in times:
            spent, own = fetch(ITEMS[name]) if name in ITEMS else read()
            if turn:  # the first turn fills the server's index and cache
                times[name].append(spent)
                processor[name].append(own)
    sous.stdin.close()
    print("headers of %d messages, %d turns" % (count, turns))
    for name, values in times.items():
        print("  %-24s %6.2f s  (%s), processor %.2f s" % (
            name, statistics.median(values), " ".join("%.2f" % t for t in values), statistics.median(processor[name])))
    ratios = {
        name: [ours / theirs for ours, theirs in zip(times["sous"], times[name])] for name in ITEMS}
    for name, values in ratios.items():
        print("  ratio to %-24s %6.2f  (%s)" % (name, statistics.median(values), " ".join("%.2f" % r for r in values)))
    ratio = statistics.median(next(iter(ratios.values())))
    if ratio > RATIO:
        print("  too slow: %.2f times what imaplib takes only to fetch the headers, more than %.1f" % (ratio, RATIO))
    return ratio <= RATIO


with Dovecot({"many": count}) as server:
    is_fast = headers(server)
sys.exit(0 if is_fast else 1)
