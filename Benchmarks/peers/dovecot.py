"""A Dovecot of its own on a port of this machine, and generated mailboxes for it."""

import imaplib
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time

imaplib._MAXLINE = 1 << 24
# When the first message of a mailbox was received; each further one comes a second later.
START = 1751360000


def header(number):
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
    return "\r\n".join(lines) + "\r\n\r\n"


def message(number):
    """A message whose text has 8 KB in the middle, and 19 KB on average."""
    size = int(min(400_000, random.Random(number).lognormvariate(9, 1.3)))
    return (header(number) + "Guten Tag, hier der Bericht.\r\n" * (1 + size // 30)).encode()


def processor_time(pid):
    with open("/proc/%d/stat" % pid) as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Dovecot:
    """Runs until it is closed; each user has a mailbox with `count` messages, or none."""

    def __init__(self, users):
        self.folder = tempfile.mkdtemp(prefix="imap-benchmark-")
        os.chmod(self.folder, 0o755)
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        # Dovecot refuses to open mail as root.
        self.owner = pwd.getpwnam("mail") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
        self.home = self.folder + "/home"
        for user, count in users.items():
            self.fill(user, count)
        self.give(self.home)
        internal = "" if os.getuid() == 0 else "default_internal_user = %s\ndefault_login_user = %s\n" % (
            self.owner.pw_name, self.owner.pw_name)
        self.configuration = self.folder + "/dovecot.conf"
        with open(self.configuration, "w") as file:
            file.write(CONFIGURATION % {
                "f": self.folder, "i": internal, "u": self.owner.pw_uid, "g": self.owner.pw_gid, "h": self.home, "p": self.port})
        program = next(p for p in ("/usr/sbin/dovecot", "/usr/local/sbin/dovecot") if os.path.exists(p))
        self.server = subprocess.Popen(
            [program, "-F", "-c", self.configuration], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def fill(self, user, count):
        for box in ("cur", "new", "tmp"):
            os.makedirs("%s/%s/Maildir/%s" % (self.home, user, box))
        for number in range(count):
            # With CRLF: Pigeonhole takes for the size of a message that of its file, which then is the size that IMAP tells.
            content = message(number)
            name = "%s/%s/Maildir/cur/%d.M%dP1.host,S=%d:2,%s" % (
                self.home, user, START + number, number, len(content), "S" if number % 2 else "")
            with open(name, "wb") as file:
                file.write(content)
            os.utime(name, (START + number, START + number))

    def give(self, path):
        """Makes all below a folder the property of the mailboxes' owner."""
        for path, _, files in os.walk(path):
            os.chown(path, self.owner.pw_uid, self.owner.pw_gid)
            for name in files:
                os.chown(path + "/" + name, self.owner.pw_uid, self.owner.pw_gid)

    def connect(self, user):
        for _ in range(600):
            try:
                client = imaplib.IMAP4("127.0.0.1", self.port)
                client.login(user, "secret")
                return client
            except OSError:
                time.sleep(0.1)
        raise SystemExit("Dovecot does not answer")

    def close(self):
        self.server.send_signal(signal.SIGTERM)
        self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


CONFIGURATION = """protocols = imap
listen = 127.0.0.1
base_dir = %(f)s/run
state_dir = %(f)s/state
log_path = %(f)s/log
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain
first_valid_uid = 1
first_valid_gid = 1
mail_uid = %(u)s
mail_gid = %(g)s
mail_home = %(h)s/%%u
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
"""
