"""Sending over one connection: Sous beside Postfix's smtp-source, to smtp-sink and to a Postfix, in turns.

Usage: smtp.py SMTPBENCHMARK [MESSAGES] [TURNS]
Both send so many messages of one size, one after another over one connection without TLS. smtp-source repeats a text that it has
made before, waits for the reply to each command, and keeps no record. Sous makes each message out of the JSON of a call, sends
MAIL, RCPT and DATA at once where the server takes that (PIPELINING), and notes each message before its end goes out and after the
reply; its host is in memory, so no disk waits for the notes. What they cost on this disk is told beside it.
Ends with status 1 where the median of the ratios is below 0.7.
"""

import os
import pwd
import resource
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
count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
turns = int(sys.argv[3]) if len(sys.argv) > 3 else 5
bound = 0.7
is_root = os.getuid() == 0


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(port):
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("nothing answers on port %d" % port)


def own(port, messages):
    """Messages a second of Sous."""
    spent = subprocess.run(
        [program, "rate", str(port), str(messages)], check=True, stdout=subprocess.PIPE, text=True).stdout
    return messages / float(spent)


def source(port, messages):
    """Messages a second of smtp-source."""
    begin = time.monotonic()
    subprocess.run(
        ["/usr/sbin/smtp-source", "-d", "-m", str(messages), "-s", "1", "-l", str(length), "-f", "me@example.org", "-t",
         "you@example.org", "127.0.0.1:%d" % port], check=True, stderr=subprocess.DEVNULL)
    return messages / (time.monotonic() - begin)


def processor_time():
    """What the programs that have ended have taken of the processors, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def size_of(send):
    """The bytes of the last message that is sent to a port, as they go over the wire."""
    sizes = []

    def serve(connection):
        file = connection.makefile("rwb")
        lines, inside = [b"220 size\r\n"], -1
        while True:
            file.writelines(lines)
            file.flush()
            lines = []
            line = file.readline()
            if not line:
                return
            if inside >= 0:
                if line == b".\r\n":
                    sizes.append(inside)
                    inside, lines = -1, [b"250 taken\r\n"]
                else:
                    inside += len(line)
            elif line.upper().startswith(b"DATA"):
                inside, lines = 0, [b"354 go\r\n"]
            else:
                lines = [b"250 yes\r\n"]

    listener = socket.create_server(("127.0.0.1", 0))
    def accept():
        try:
            serve(listener.accept()[0])
        except ConnectionError:
            pass  # this is how smtp-source ends

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    send(listener.getsockname()[1], 2)
    thread.join(10)
    listener.close()
    return sizes[-1]


def start_sink():
    port = free_port()
    user = ["-u", "nobody"] if is_root else []
    sink = subprocess.Popen(["/usr/sbin/smtp-sink", *user, "127.0.0.1:%d" % port, "100"])
    return port, lambda: (sink.send_signal(signal.SIGTERM), sink.wait())


def start_postfix():
    """A Postfix with a queue of its own, which throws away what it has taken."""
    place = tempfile.mkdtemp(prefix="smtp-benchmark-")
    os.chmod(place, 0o755)
    for name in ("conf", "spool", "data"):
        os.mkdir("%s/%s" % (place, name))
    owner = pwd.getpwnam("postfix")
    os.chown(place + "/data", owner.pw_uid, owner.pw_gid)
    port = free_port()
    with open(place + "/conf/main.cf", "w") as file:
        file.write("""compatibility_level = 3.6
queue_directory = %(f)s/spool
data_directory = %(f)s/data
mail_owner = postfix
setgid_group = postdrop
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
myhostname = mx.example.org
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mydestination =
alias_maps =
default_transport = discard
relay_transport = discard
smtpd_recipient_restrictions = permit_mynetworks, reject_unauth_destination
smtpd_client_connection_rate_limit = 0
maillog_file = %(f)s/mail.log
maillog_file_prefixes = /tmp
""" % {"f": place})
    with open(place + "/conf/master.cf", "w") as file:
        file.write("127.0.0.1:%d inet n - n - - smtpd\n" % port)
        for service in (
                "postlog unix-dgram n - n - 1 postlogd", "pickup unix n - n 60 1 pickup", "cleanup unix n - n - 0 cleanup",
                "qmgr unix n - n 300 1 qmgr", "rewrite unix - - n - - trivial-rewrite", "bounce unix - - n - 0 bounce",
                "defer unix - - n - 0 bounce", "trace unix - - n - 0 bounce", "proxymap unix - - n - - proxymap",
                "error unix - - n - - error", "retry unix - - n - - error", "discard unix - - n - - discard",
                "anvil unix - - n - 1 anvil"):
            file.write(service + "\n")

    def call(word):
        subprocess.run(["/usr/sbin/postfix", "-c", place + "/conf", word], stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    call("start")
    return port, lambda: (call("stop"), shutil.rmtree(place, ignore_errors=True))


def measure(name, start, messages):
    port, stop = start()
    try:
        wait_for(port)
        rates, processor = [], []
        for turn in range(turns + 1):
            marks = [processor_time()]
            pair = []
            for send in (source, own):
                pair.append(send(port, messages))
                marks.append(processor_time())
            if turn:  # the first turn warms the server up
                rates.append(pair)
                processor.append([(end - begin) / messages * 1e6 for begin, end in zip(marks, marks[1:])])
    finally:
        stop()
    ratios = sorted(ours / theirs for theirs, ours in rates)
    ratio = statistics.median(ratios)

    def median(pairs, index):
        return statistics.median(pair[index] for pair in pairs)

    print("  %-9s %5d messages: smtp-source %6.0f/s (%.0f µs of processor each), sous %6.0f/s (%.0f µs), ratio %.2f (%s)%s" % (
        name, messages, median(rates, 0), median(processor, 0), median(rates, 1), median(processor, 1), ratio,
        " ".join("%.2f" % r for r in ratios), "" if ratio >= bound else "  TOO SLOW"))
    return ratio >= bound


length = 1024
size = size_of(own)
length += size - size_of(source)
print("sending messages of %d bytes (smtp-source: %d) over one connection, %d turns, wanted %.1f" % (
    size, size_of(source), turns, bound))
is_fast = measure("smtp-sink", start_sink, count)
if is_root and os.path.exists("/usr/sbin/postfix"):
    is_fast = measure("Postfix", start_postfix, max(100, count // 4)) and is_fast
else:
    print("  Postfix needs to be root, and Postfix")
port, stop = start_sink()
try:
    wait_for(port)
    subprocess.run([program, "large", str(port)], check=True)
finally:
    stop()
sys.exit(0 if is_fast else 1)
