"""Mistakes for the judge to find: changes of mailboxes, files and records, as a faulty program would make them."""

import glob
import json
import os
import shutil
import sqlite3

from judge import header
from recipes import SORTING
from servers import USER


class Planter:
    """Makes one mistake in the folder of a day that is over, and takes it back."""

    def __init__(self, judge):
        self.judge, self.folder, self.record = judge, judge.folder, judge.record
        self.maildir = f"{self.folder}/dovecot/home/{USER}/Maildir"

    KINDS = {
        # A filter found nothing and succeeded, because another one had moved the message; or the message is gone.
        "lost-save": "lost", "lost-message": "lost",
        # The second did not find the message that the first had moved, and gave a false reason.
        "false-reason": "lost",
        # An effect of Sous itself came back as an event and was judged again.
        "circle": "undone",
        # A rule was carried out in part, and then once more.
        "copied-twice": "twice", "saved-twice": "twice",
        # An unknown outcome counted as "did not happen".
        "stored-twice": "twice", "sent-twice": "twice", "answered-twice": "twice", "ordered-twice": "twice",
    }

    def plant(self, kind):
        """Returns a word that the finding has to contain, and a function that takes the mistake back; None if it does not fit."""
        return getattr(self, kind.replace("-", "_"))()

    # -- What is there

    def clean(self, *roles):
        """Letters without a finding, which no person has touched."""
        named = " ".join(str(finding) for finding in self.judge.findings)
        busy = {entry["letter"] for entry in self.record["acts"] + self.record["undone"]}
        return [letter for letter in self.judge.letters.values()
                if letter.role in roles and not letter.odd and letter.number not in busy
                and f"letter {letter.number} (" not in named]

    def file_of(self, folder, letter):
        """The file of a letter in a folder."""
        box = self.maildir if folder == "INBOX" else f"{self.maildir}/.{folder}"
        for path in sorted(glob.glob(f"{box}/cur/*") + glob.glob(f"{box}/new/*")):
            with open(path, "rb") as file:
                if f"X-Office-Letter: {letter.number}\r".encode() in file.read().replace(b"\n", b"\r\n").replace(b"\r\r", b"\r"):
                    return path
        return None

    @staticmethod
    def doubled(path):
        copy = os.path.join(os.path.dirname(path), "planted." + os.path.basename(path))
        shutil.copy(path, copy)
        return lambda: os.remove(copy)

    @staticmethod
    def removed(path):
        with open(path, "rb") as file:
            data = file.read()
        os.remove(path)

        def restore():
            with open(path, "wb") as file:
                file.write(data)
        return restore

    # -- The kinds

    def lost_save(self):
        for letter in self.clean("invoice"):
            paths = self.judge.servers.files.get(letter.files[0])
            if paths:
                return f"letter {letter.number} (", self.removed(f"{self.folder}/office/{paths[0]}")
        return None

    def false_reason(self):
        for letter in self.clean("invoice"):
            paths = self.judge.servers.files.get(letter.files[0])
            runs = self.judge.runs(letter, self.judge.saver)
            if paths and runs:
                forget = self.skipped(runs[-1], letter)
                put_back = self.removed(f"{self.folder}/office/{paths[0]}")

                def restore():
                    put_back()
                    forget()
                return f"letter {letter.number} (", restore
        return None

    def skipped(self, run, letter):
        """Makes a run report that a letter is not where another filter has moved it to."""
        left = {"uid": "1", "message_id": letter.message_id, "recipe": SORTING, "gone": True,
                "reason": f"filter '{SORTING}' has moved it to {letter.place}, where it is not any more"}

        def change(sql, *values):
            connection = sqlite3.connect(f"{self.folder}/office/.sous/sous.db", timeout=60)
            try:
                with connection:
                    connection.execute(sql, values)
            finally:
                connection.close()
        change("INSERT INTO outputs (run, step, item, bytes, value) VALUES (?, 0, 9999, 0, ?)", run.id,
               json.dumps({"left": [left]}))
        return lambda: change("DELETE FROM outputs WHERE run = ? AND item = 9999", run.id)

    def lost_message(self):
        for letter in self.clean("invoice", "list", "order"):
            path = self.file_of(letter.place, letter)
            if path:
                return f"letter {letter.number} (", self.removed(path)
        return None

    def circle(self):
        for letter in self.clean("list", "order"):
            if self.file_of("Lists" if letter.role == "list" else "Auftr&AOQ-ge", letter):
                entry = {"letter": letter.number, "run": "planted", "status": 0, "said": ""}
                self.record["undone"].append(entry)
                return f"letter {letter.number} (", lambda: self.record["undone"].remove(entry)
        return None

    def copied_twice(self):
        for letter in self.clean("invoice", "urgent"):
            path = self.file_of(letter.copies[0], letter)
            if path:
                return f"letter {letter.number} (", self.doubled(path)
        return None

    def saved_twice(self):
        for letter in self.clean("invoice"):
            paths = self.judge.servers.files.get(letter.files[0])
            if paths:
                return f"letter {letter.number} (", self.doubled(f"{self.folder}/office/{paths[0]}")
        return None

    def stored_twice(self):
        for letter in self.clean("invoice", "list"):
            path = self.file_of(letter.place, letter)
            if path:
                return f"letter {letter.number} (", self.doubled(path)
        return None

    def mail(self, holds):
        """A mail that was delivered once: its path, subject and mailbox."""
        named = " ".join(str(finding) for finding in self.judge.findings)
        for path in sorted(glob.glob(f"{self.folder}/postfix/mail/*/new/*")):
            with open(path, "rb") as file:
                data = file.read()
            subject, box = header(data, "Subject").strip(), path.split("/")[-3]
            if holds(subject, header(data, "Auto-Submitted")) and subject not in named and f"{box} got" not in named:
                return path, subject, box
        return None

    def sent_twice(self):
        found = self.mail(lambda subject, automatic: not automatic and subject.startswith(("Geplant", "Digest", "Tea", "Order")))
        return (f"'{found[1]}'", self.doubled(found[0])) if found else None

    def answered_twice(self):
        found = self.mail(lambda _, automatic: automatic.startswith("auto-replied"))
        return (f"{found[2]} got 2", self.doubled(found[0])) if found else None

    def ordered_twice(self):
        path = f"{self.folder}/office/saved-orders/orders.txt"
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            text = file.read()
        lines = [line for line in text.splitlines() if text.count(line + "\n") == 1]
        if not lines:
            return None

        def write(content):
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
        write(text + lines[0] + "\n")
        return f"{lines[0]} is in orders.txt 2", lambda: write(text)
