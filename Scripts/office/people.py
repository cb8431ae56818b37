"""The people of the office: they write, move, answer, delete, undo and order, and keep a record of what they did."""

import http.client
import imaplib
import json
import os
import smtplib
import time

from letters import OFFICE
from recipes import CUSTOMER, saver
from servers import PASSWORD, PEOPLE, USER

# Names of folders as IMAP writes them (modified UTF-7).
WIRE = {"Aufträge": "Auftr&AOQ-ge"}


class People:
    """What people do to the servers. `record` is their own account of it for the judge, as JSON."""

    def __init__(self, stage):
        self.stage, self.connection = stage, None
        self.record = {
            "saver": saver(stage.seed), "letters": [], "acts": [], "offers": [], "answers": [], "sends": [], "hooks": [], "undone": [], "crashes": []}
        self.letters = {}

    def imap(self):
        """A connection that is signed in."""
        try:
            if self.connection is not None:
                self.connection.noop()
                return self.connection
        except (imaplib.IMAP4.error, OSError):
            pass
        self.connection = imaplib.IMAP4("127.0.0.1", self.stage.dovecot.port, timeout=120)
        self.connection.login(USER, PASSWORD)
        return self.connection

    # -- Writing

    def deliver(self, letter):
        self.letters[letter.number] = letter
        self.record["letters"].append(letter.kept())
        if letter.route == "smtp":
            with smtplib.SMTP("127.0.0.1", self.stage.postfix.port, timeout=120) as connection:
                connection.sendmail(letter.sender, [OFFICE], letter.data)
        elif letter.route == "append":
            self.append("INBOX", letter.data)
        else:
            self.drop(letter.number, letter.data)

    def append(self, folder, data, flags=None):
        status, answer = self.imap().append(WIRE.get(folder, folder), flags, None, data)
        if status != "OK":
            raise RuntimeError(f"APPEND to {folder}: {answer}")

    def drop(self, number, data):
        """Puts a file into the Maildir, as a local delivery program does."""
        maildir, owner = self.stage.dovecot.maildir, self.stage.dovecot.owner
        name = f"{int(time.time())}.L{number}P{os.getpid()}.office"
        with open(f"{maildir}/tmp/{name}", "wb") as file:
            file.write(data)
            os.fchown(file.fileno(), owner.pw_uid, owner.pw_gid)
        os.rename(f"{maildir}/tmp/{name}", f"{maildir}/new/{name}")

    def offer(self, number):
        """Sends an offer: its copy in Sent begins a follow-up."""
        self.record["offers"].append(number)
        self.append("Sent", (
            f"From: {OFFICE}\r\nTo: {CUSTOMER}\r\nSubject: Angebot #{number}#\r\nX-Office-Offer: {number}\r\n"
            f"Message-ID: <offer.{number}@office.test>\r\nDate: Sat, 28 Nov 2026 08:00:00 +0000\r\n\r\nOffer {number}\r\n"
        ).encode(), "(\\Seen)")

    def answer(self, number):
        """The customer answers an offer."""
        self.record["answers"].append(number)
        data = (
            f"From: {CUSTOMER}\r\nTo: {OFFICE}\r\nSubject: Re: Angebot ({number})\r\nX-Office-Answer: {number}\r\n"
            f"Message-ID: <answer.{number}@{PEOPLE}>\r\nIn-Reply-To: <offer.{number}@office.test>\r\n"
            f"Date: Sat, 28 Nov 2026 09:00:00 +0000\r\n\r\nYes\r\n")
        with smtplib.SMTP("127.0.0.1", self.stage.postfix.port, timeout=120) as connection:
            connection.sendmail(CUSTOMER, [OFFICE], data.encode())

    # -- Moving and deleting

    def find(self, letter, folder):
        """The UID of a letter in a folder; nothing if it is not there."""
        connection = self.imap()
        status, _ = connection.select(WIRE.get(folder, folder))
        if status != "OK":
            return None
        status, found = connection.uid("SEARCH", "HEADER", "X-Office-Letter", str(letter.number))
        for uid in (found[0] or b"").decode().split() if status == "OK" else []:
            status, head = connection.uid("FETCH", uid, "(BODY.PEEK[HEADER.FIELDS (X-Office-Letter)])")
            texts = [part[1] for part in head if isinstance(part, tuple)]
            if any(text.split(b":")[-1].strip() == str(letter.number).encode() for text in texts):
                return uid
        return None

    def move(self, letter, folder, to, is_race):
        """Moves a letter; `is_race`: filters may be working on it."""
        uid = self.find(letter, folder)
        if uid is None:
            return False
        # Recorded first: if the answer is lost, the judge has to know that a person has touched the letter.
        act = {"letter": letter.number, "act": "move", "from": folder, "to": to, "race": is_race, "done": False}
        self.record["acts"].append(act)
        connection = self.imap()
        connection.response("COPYUID")
        status, _ = connection.uid("MOVE", uid, WIRE.get(to, to))
        act["done"] = status == "OK" and connection.response("COPYUID")[1] not in (None, [None], [])
        return act["done"]

    def delete(self, letter, folder, is_race):
        uid = self.find(letter, folder)
        if uid is None:
            return False
        act = {"letter": letter.number, "act": "delete", "from": folder, "race": is_race, "done": False}
        self.record["acts"].append(act)
        connection = self.imap()
        connection.uid("STORE", uid, "+FLAGS.SILENT", "(\\Deleted)")
        status, _ = connection.uid("EXPUNGE", uid)
        act["done"] = status == "OK"
        return True

    def read(self, letter, folder):
        uid = self.find(letter, folder)
        if uid is not None:
            self.imap().uid("STORE", uid, "+FLAGS.SILENT", "(\\Seen)")

    def undo(self, letter, run):
        """Undoes the run of the filter that moved the letter."""
        outcome = self.stage.call("mail", "undo", run)
        self.record["undone"].append({
            "letter": letter.number, "run": run, "status": outcome.returncode,
            "said": (outcome.stdout + outcome.stderr).strip()[:300]})
        return outcome.returncode == 0

    # -- Asking Sous

    def send_later(self, number, at, cancels):
        """Schedules a mail by the command line or by a recipe of kind send; sometimes takes it back."""
        if number % 2:
            outcome = self.stage.call(
                "send", "--to", CUSTOMER, "--subject", f"Geplant {number}.", "--text", "As agreed.", "--at", at, "--json")
        else:
            outcome = self.stage.call("run", "recipes/later.yaml", "-i", f"number={number}", "-i", f"at={at}", "--json")
        entry = {"number": number, "status": outcome.returncode, "run": "", "cancelled": False}
        self.record["sends"].append(entry)
        try:
            answer = json.loads(outcome.stdout)
            answer = answer[0] if isinstance(answer, list) else answer
            entry["run"] = answer.get("run") or answer.get("id") or ""
        except (ValueError, AttributeError, IndexError):
            entry["said"] = (outcome.stdout + outcome.stderr)[:300]
        if cancels and entry["run"]:
            entry["cancelled"] = self.stage.call("outbox", "cancel", entry["run"]).returncode == 0

    def order(self, number, seconds=300):
        """Orders by webhook; repeats the request with the same key until the daemon accepts it."""
        entry = {"number": number, "accepted": False, "asked": 0}
        self.record["hooks"].append(entry)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not self.stage.is_over:
            entry["asked"] += 1
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.stage.hook_port, timeout=15)
                connection.request(
                    "POST", "/hooks/order", json.dumps({"number": number}),
                    {"Authorization": "Bearer a-secret-word", "Content-Type": "application/json",
                     "Idempotency-Key": f"order-{self.stage.seed}-{number}"})
                status = connection.getresponse().status
                connection.close()
                if status in (200, 202):
                    entry["accepted"] = True
                    return
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.2)
