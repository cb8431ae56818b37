"""The folder of a day: the servers, the daemon and calls of the program."""

import ctypes
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

import recipes
from servers import Dovecot, Model, Postfix, free_port, unblock_signals

OPEN = ("queued", "running", "waiting", "interrupted")
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def bound_to_parent():
    """The daemon ends with this script, even after SIGKILL."""
    unblock_signals()
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Stage:
    def __init__(self, sous, seed):
        self.sous, self.seed, self.is_over = os.path.abspath(sous), seed, False
        # Dovecot and Postfix have users of their own, who have to reach their files.
        self.folder = tempfile.mkdtemp(prefix="sous-office-", dir="/tmp")
        os.chmod(self.folder, 0o755)
        self.office = f"{self.folder}/office"
        os.mkdir(self.office)
        self.database = f"{self.office}/.sous/sous.db"
        self.servers, self.daemon, self.hook_port = [], None, free_port()
        environment = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        environment.update(
            HOME=self.office, LANG="C.UTF-8", XDG_CACHE_HOME=f"{self.office}/cache", OFFICE_PASSWORD="secret",
            HOOK_SECRET="a-secret-word", SWIFT_BACKTRACE="enable=no")
        self.environment = environment

    def open(self, people):
        """Starts the servers, with mailboxes for these people, and writes the recipes."""
        self.dovecot = Dovecot(f"{self.folder}/dovecot")
        self.servers.append(self.dovecot)
        self.postfix = Postfix(f"{self.folder}/postfix", self.dovecot.lmtp_port, people)
        self.servers.append(self.postfix)
        self.model = Model(self.seed)
        self.servers.append(self.model)
        recipes.write(self.office, self.dovecot, self.postfix, self.model, self.hook_port, self.seed)

    def close(self, keeps):
        """Ends the daemon and the servers; removes the folder unless it `keeps` it."""
        self.is_over = True
        if self.daemon is not None and self.daemon.poll() is None:
            self.daemon.send_signal(signal.SIGCONT)
            self.daemon.kill()
            self.daemon.wait()
        for server in reversed(self.servers):
            server.stop()
        self.servers = []
        if not keeps:
            shutil.rmtree(self.folder, ignore_errors=True)

    # -- The program

    def call(self, *arguments, timeout=300):
        """Runs the program to its end."""
        return subprocess.run(
            [self.sous, *arguments], cwd=self.office, env=self.environment, capture_output=True, text=True,
            errors="replace", stdin=subprocess.DEVNULL, check=False, timeout=timeout, preexec_fn=unblock_signals)

    def serve(self):
        with open(f"{self.office}/serve.log", "ab") as log:
            self.daemon = subprocess.Popen(
                [self.sous, "serve"], cwd=self.office, env=self.environment, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, start_new_session=True, preexec_fn=bound_to_parent)

    def last_words(self):
        """Why the daemon ended, if it said so; else the last lines that it printed."""
        with open(f"{self.office}/serve.log", "rb") as file:
            lines = [line.strip() for line in file.read()[-40_000:].decode(errors="replace").split("\n") if line.strip()]
        reasons = [line for line in lines if re.search("Fatal error|[Cc]rashed at|signal [0-9]+:| in .* at /.*swift", line)]
        return " / ".join((reasons or lines)[-3:])[-400:]

    def strike(self):
        """Sends SIGKILL; returns whether the daemon was alive."""
        was_alive = self.daemon.poll() is None
        self.daemon.send_signal(signal.SIGKILL)
        self.daemon.wait()
        return was_alive

    def pause(self, seconds):
        self.daemon.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.daemon.send_signal(signal.SIGCONT)

    def end(self, seconds=120):
        """Sends SIGTERM; returns the exit status, or None if the daemon did not end in time."""
        self.daemon.send_signal(signal.SIGTERM)
        try:
            return self.daemon.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.strike()
            return None

    # -- The run log

    def query(self, sql, *arguments):
        """Reads the run log; nothing is ever written."""
        if not os.path.exists(self.database):
            return []
        connection = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=60)
        try:
            return connection.execute(sql, arguments).fetchall()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                return []
            raise
        finally:
            connection.close()

    def statuses(self):
        return dict(self.query("SELECT status, count(*) FROM runs GROUP BY status"))

    def open_runs(self):
        counts = self.statuses()
        return sum(counts.get(status, 0) for status in OPEN)
