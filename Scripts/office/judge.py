"""The judge: reads the mailboxes on the disk, the saved files and the run log, and changes nothing.

It knows from the people's record what they wrote and did. From the run log it accepts only which runs need a person, and which
messages were skipped with a reason. Whether an effect happened, it checks in the mailboxes and files.
"""

import collections
import dataclasses
import hashlib
import json
import os
import re
import sqlite3
from email.header import decode_header
from email.parser import BytesHeaderParser

from letters import Letter
from recipes import SORTING, VACATION
from servers import USER

ATTENTION = "needs_attention"


@dataclasses.dataclass(frozen=True, order=True)
class Finding:
    """A line of the judgement. `kind`: lost, twice, wrong, undone, ended; or listed, which is not a violation."""

    kind: str
    text: str

    @property
    def is_violation(self):
        return self.kind != "listed"

    @property
    def needs_person(self):
        return self.kind == "listed" and self.text.startswith("needs a person")

    def __str__(self):
        return f"{'violation: ' if self.is_violation else ''}{self.kind}: {self.text}"


@dataclasses.dataclass
class Run:
    """A run as the run log has it."""

    id: str
    recipe: str
    status: str
    trigger: str
    event: dict
    failure: str
    steps: dict = dataclasses.field(default_factory=dict)   # id: (action, status)
    texts: list = dataclasses.field(default_factory=list)   # outputs and log lines
    inputs: dict = dataclasses.field(default_factory=dict)

    def __str__(self):
        failure = f": {' '.join(self.failure.split())[:160]}" if self.failure else ""
        return f"{self.recipe} {self.id} {self.status}{failure}"


def header(data, name):
    """The decoded text of a header field."""
    value = BytesHeaderParser().parsebytes(data[:4_000_000]).get(name)
    if value is None:
        return ""
    try:
        parts = decode_header(str(value))
    except Exception:  # a broken encoded word
        return str(value)
    return "".join(
        part.decode(charset or "ascii", "replace") if isinstance(part, bytes) else part for part, charset in parts)


def messages(maildir):
    """The content of each message of one Maildir folder."""
    for part in ("new", "cur"):
        folder = f"{maildir}/{part}"
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            with open(f"{folder}/{name}", "rb") as file:
                yield name, file.read()


def decoded_folder(name):
    """The name of a folder of Maildir++, from modified UTF-7."""
    def letters(match):
        if not match[1]:
            return "&"
        return ("+" + match[1].replace(",", "/") + "-").encode("ascii").decode("utf-7")
    return re.sub(r"&([^-]*)-", letters, name)


class Servers:
    """What is in the mailboxes and in the folder of saved files."""

    def __init__(self, folder):
        self.letters = collections.defaultdict(list)    # number: folders
        self.empty = collections.Counter()              # folder: messages without any byte
        self.offers, self.answers = collections.Counter(), collections.Counter()
        self.sent = collections.Counter()               # Message-ID: copies in Sent
        self.strange = []
        maildir = f"{folder}/dovecot/home/{USER}/Maildir"
        names = ["INBOX"] + [name for name in sorted(os.listdir(maildir)) if name.startswith(".")]
        for name in names:
            box = decoded_folder(name[1:]) if name != "INBOX" else name
            for file, data in messages(maildir if name == "INBOX" else f"{maildir}/{name}"):
                self.sort(box, file, data)
        self.mails = []                                 # (mailbox, subject, Message-ID, In-Reply-To, Auto-Submitted)
        base = f"{folder}/postfix/mail"
        for box in sorted(os.listdir(base)):
            for _, data in messages(f"{base}/{box}"):
                self.mails.append((box, *(header(data, name).strip() for name in (
                    "Subject", "Message-ID", "In-Reply-To", "Auto-Submitted"))))
        self.files = collections.defaultdict(list)      # SHA-256: paths
        for root, _, files in os.walk(f"{folder}/office/saved"):
            for name in files:
                path = os.path.join(root, name)
                with open(path, "rb") as file:
                    self.files[hashlib.sha256(file.read()).hexdigest()].append(os.path.relpath(path, f"{folder}/office"))
        self.outside = self.escaped(folder)
        self.orders = collections.Counter()
        path = f"{folder}/office/saved-orders/orders.txt"
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                self.orders.update(line.rstrip("\n") for line in file)

    def sort(self, box, file, data):
        if not data:
            self.empty[box] += 1
            return
        head = data[:1_000_000]
        for field, count in (("Offer", self.offers), ("Answer", self.answers)):
            match = re.search(rb"(?m)^X-Office-" + field.encode() + rb": (\d+)", head)
            if match:
                count[int(match[1])] += 1
                return
        match = re.search(rb"(?m)^X-Office-Letter: (\d+)", head)
        if match:
            self.letters[int(match[1])].append(box)
        elif box == "Sent":
            self.sent[header(data, "Message-ID").strip()] += 1
        else:
            self.strange.append(f"{box}/{file}: {header(data, 'Subject')[:80]}")

    @staticmethod
    def escaped(folder):
        """Files whose names show that an attachment left its folder."""
        found = [f"/tmp/{name}" for name in os.listdir("/tmp") if name.startswith("sous-office-evil-")]
        for root, folders, files in os.walk(folder):
            folders[:] = [name for name in folders if name not in ("dovecot", "postfix", ".sous", "cache", "saved")]
            found += [os.path.join(root, name) for name in files if "office-evil" in name]
        return found


class RunLog:
    """The runs, by recipe and by letter."""

    def __init__(self, database, letters, filters):
        self.filters = filters
        connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=60)
        try:
            self.read(connection)
        finally:
            connection.close()
        by_message_id = collections.defaultdict(list)
        for letter in letters.values():
            if letter.message_id:
                by_message_id[letter.message_id.strip("<>")].append(letter.number)
        self.of_letter = collections.defaultdict(list)
        for run in self.runs.values():
            for number in self.numbers(run, by_message_id):
                self.of_letter[number].append(run)

    def read(self, connection):
        self.runs = {}
        blobs = "SELECT content FROM blobs WHERE hash = "
        for id, recipe, status, trigger, event, inputs, kind, message in connection.execute(
            f"SELECT id, recipe, status, trigger, coalesce(event, ({blobs} event_blob)),"
            f" coalesce(inputs, ({blobs} inputs_blob)), failure_kind, failure_message FROM runs ORDER BY number"):
            failure = f"{kind}: {message}" if kind else ""
            self.runs[id] = Run(id, recipe, status, trigger, value(event), failure, inputs=value(inputs))
        for run, step, action, status in connection.execute("SELECT run, id, action, status FROM steps"):
            if run in self.runs:
                self.runs[run].steps[step] = (action, status)
        for run, text in connection.execute(
            f"SELECT run, coalesce(value, ({blobs} blob)) FROM outputs UNION ALL SELECT run, message FROM logs"):
            if run in self.runs and text:
                self.runs[run].texts.append(text if isinstance(text, str) else text.decode("utf-8", "replace"))
        self.damage = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
        self.occurrences = connection.execute(
            "SELECT recipe, json_extract(event, '$.at'), count(*) FROM runs WHERE trigger = 'schedule'"
            " AND event IS NOT NULL AND parent IS NULL AND origin IS NULL GROUP BY 1, 2 HAVING count(*) > 1").fetchall()

    def numbers(self, run, by_message_id):
        """The letters that the event of a run is about."""
        message = run.event.get("message") if isinstance(run.event, dict) else None
        if run.recipe not in self.filters or not isinstance(message, dict):
            return []
        match = re.search(r"#(\d+)#", str(message.get("subject") or ""))
        if match:
            return [int(match[1])]
        return by_message_id.get(str(message.get("message_id") or "").strip("<>"), [])

    def by_recipe(self, recipe):
        return [run for run in self.runs.values() if run.recipe == recipe]


def value(text):
    """The value of a JSON text; an empty map if there is none."""
    try:
        return json.loads(text) if text else {}
    except ValueError:
        return {}


class Judge:
    """Judges one day; `folder` has the folders `dovecot`, `postfix` and `office`."""

    def __init__(self, folder, record):
        self.folder, self.record = folder, record
        self.letters = {entry["number"]: Letter(**{**entry, "copies": tuple(entry["copies"]), "files": tuple(entry["files"])})
                        for entry in record["letters"]}
        self.saver = record["saver"]
        self.filters = (self.saver, SORTING, VACATION)
        self.servers = Servers(folder)
        self.log = RunLog(f"{folder}/office/.sous/sous.db", self.letters, self.filters)
        self.acts, self.undone = collections.defaultdict(list), collections.defaultdict(list)
        for act in record["acts"]:
            self.acts[act["letter"]].append(act)
        for undo in record["undone"]:
            self.undone[undo["letter"]].append(undo)
        self.findings = []

    def find(self, kind, text):
        self.findings.append(Finding(kind, text))

    def judge(self):
        """All findings, the violations first."""
        for letter in self.letters.values():
            if letter.odd != "empty file":
                self.judge_place(letter)
                self.judge_copies(letter)
                self.judge_rounds(letter)
            self.judge_files(letter)
            self.judge_reasons(letter)
        self.judge_empty()
        self.judge_replies()
        self.judge_mails()
        self.judge_runs()
        self.judge_rest()
        return sorted(set(self.findings), key=lambda finding: (not finding.is_violation, finding))

    # -- Evidence

    def runs(self, letter, recipe):
        return [run for run in self.log.of_letter[letter.number] if run.recipe == recipe]

    def evidence(self, letter, recipe):
        """The runs of a recipe for a letter, as text."""
        runs = self.runs(letter, recipe)
        return f"recipe {recipe}: " + ("; ".join(f"run {run}" for run in runs[-3:]) if runs else "no run is about it")

    def excuse(self, letter, recipe):
        """The reason why a recipe need not have done its work for a letter; empty if it had to."""
        runs = self.runs(letter, recipe)
        for run in runs:
            if run.status == ATTENTION:
                return f"needs a person: run {run}"
        for run in runs:
            for entry in self.left(run):
                if self.can_be_true(entry, run, letter):
                    return f"skipped: run {run}; {entry.get('reason')}"
        if letter.odd:
            for run in runs:
                if run.status == "failed" and run.failure:
                    return f"refused with a reason: run {run}"
        return ""

    def can_be_true(self, entry, run, letter):
        """Whether the reason for which a run skipped a letter can be true."""
        by, reason = entry.get("recipe"), str(entry.get("reason"))
        if self.acts[letter.number] or self.undone[letter.number]:
            return by is None or by in self.filters
        # No person was at it, so it is where a filter has put it, and there the run has to find it.
        is_there = letter.place in self.servers.letters[letter.number]
        return by in self.filters and by != run.recipe and (not is_there or "no Message-ID" in reason)

    @staticmethod
    def left(run):
        """The messages that a filter reports as skipped: `{uid, message_id, reason, recipe}` each."""
        entries = []
        for text in run.texts:
            output = value(text) if text.startswith("{") and '"left"' in text else {}
            if isinstance(output, dict) and isinstance(output.get("left"), list):
                entries += [entry for entry in output["left"] if isinstance(entry, dict)]
        return entries

    def people(self, letter):
        """Whether a person moved or deleted the letter while the filters worked on it."""
        return any(act["race"] for act in self.acts[letter.number])

    # -- Letters

    def judge_place(self, letter):
        found = collections.Counter(self.servers.letters[letter.number])
        for folder in letter.copies:
            found[folder] = max(0, found[folder] - 1)
        places = [folder for folder in found.elements() if folder not in letter.copies]
        acts = self.acts[letter.number]
        is_back = any(undo["status"] == 0 for undo in self.undone[letter.number])
        wanted, may_be_gone = {"INBOX"} if is_back else {letter.place}, False
        for act in acts:
            if act["act"] == "delete":
                may_be_gone = True
            elif act["race"] or not act["done"]:
                wanted.add(act["to"])
            else:
                wanted = {act["to"]}
        shown = ", ".join(sorted(places)) or "nowhere"
        by = self.evidence(letter, SORTING)
        if not places:
            if not may_be_gone:
                self.find("lost", f"{letter} is in none of the folders (wanted: {', '.join(sorted(wanted))}); {by}")
        elif len(places) > 1:
            if self.people(letter) and set(places) == wanted and len(places) == 2:
                self.find("listed", f"moved by a person and by a recipe at once: {letter} is in {shown}; {by}")
            else:
                self.find("twice", f"{letter} is in {shown} (wanted once: {', '.join(sorted(wanted))}); {by}")
        elif places[0] not in wanted:
            excuse = self.excuse(letter, SORTING) if places[0] == "INBOX" else ""
            if is_back:
                undo = self.undone[letter.number][-1]
                self.find("undone", f"{letter} was put back by an undo of run {undo['run']} and is in {shown}; {by}")
            elif excuse:
                self.find("listed", f"{excuse}: {letter} is in {shown} instead of {', '.join(sorted(wanted))}")
            else:
                self.find("wrong", f"{letter} is in {shown} instead of {', '.join(sorted(wanted))}; {by}")

    def judge_copies(self, letter):
        found = collections.Counter(self.servers.letters[letter.number])
        for folder in letter.copies:
            count, by = found[folder], self.evidence(letter, SORTING)
            if count > 1:
                self.find("twice", f"{letter} was copied {count} times to {folder}; {by}")
            elif count == 0 and not self.people(letter):
                excuse = self.excuse(letter, SORTING)
                if excuse:
                    self.find("listed", f"{excuse}: {letter} was not copied to {folder}")
                else:
                    self.find("lost", f"the copy of {letter} to {folder} is missing; {by}")

    def judge_rounds(self, letter):
        """Finds letters that the sorting filter moved again after an undo."""
        undone = [undo for undo in self.undone[letter.number] if undo["status"] == 0]
        runs = [run for run in self.runs(letter, SORTING) if run.trigger == "mail" and self.moved(run)]
        if len(runs) > 1 and letter.odd != "Message-ID of another":
            back = "; it was put back by an undo" if undone else ""
            self.find("undone", f"{letter} was moved by {len(runs)} runs of sorting{back}: {', '.join(run.id for run in runs)}")

    @staticmethod
    def moved(run):
        return run.status == "succeeded" and any(
            action == "mail.move" and status == "succeeded" for action, status in run.steps.values())

    def judge_files(self, letter):
        for part, digest in enumerate(letter.files):
            paths, by = self.servers.files.get(digest, []), self.evidence(letter, self.saver)
            what = f"file {part + 1} of {letter}"
            if len(paths) > 1:
                self.find("twice", f"{what} was saved as {', '.join(sorted(paths))}; {by}")
            elif not paths and not self.people(letter):
                excuse = self.excuse(letter, self.saver)
                if excuse:
                    self.find("listed", f"{excuse}: {what} was not saved")
                else:
                    self.find("lost", f"{what} was not saved; {by}; {self.evidence(letter, SORTING)}")

    def judge_reasons(self, letter):
        """A run that did not see a letter which it could find."""
        for run in self.log.of_letter[letter.number]:
            for entry in self.left(run):
                if entry.get("gone") and not self.can_be_true(entry, run, letter):
                    self.find("wrong", f"a reason for {letter} is false; run {run}")

    def judge_empty(self):
        empty = [letter for letter in self.letters.values() if letter.odd == "empty file"]
        gone = sum(1 for letter in empty if self.acts[letter.number])
        found = sum(self.servers.empty.values())
        if not len(empty) - gone <= found <= len(empty):
            kind = "lost" if found < len(empty) else "twice"
            self.find(kind, f"{found} of {len(empty)} messages of size 0 are in the folders: {dict(self.servers.empty)}")
        elif found != self.servers.empty["INBOX"] and not gone:
            self.find("wrong", f"messages of size 0 have left INBOX: {dict(self.servers.empty)}")

    # -- Replies and mails

    def judge_replies(self):
        """Each sender gets one automatic reply, however many messages it wrote."""
        senders = collections.defaultdict(list)
        for letter in self.letters.values():
            if letter.answered:
                senders[letter.sender.split("@")[0]].append(letter)
        replies = collections.Counter(box for box, *_, automatic in self.servers.mails if automatic.startswith("auto-replied"))
        for sender, letters in sorted(senders.items()):
            count = replies.pop(sender, 0)
            if count == 1:
                continue
            by = self.evidence(letters[0], VACATION)
            if count > 1:
                self.find("twice", f"{sender} got {count} automatic replies to {letters[0]}; {by}")
                continue
            excuses = [self.excuse(letter, VACATION) for letter in letters]
            if any(excuses):
                self.find("listed", f"{next(filter(None, excuses))}: {sender} got no automatic reply to {letters[0]}")
            elif not all(self.people(letter) for letter in letters):
                letter = next(letter for letter in letters if not self.people(letter))
                self.find("lost", f"{sender} got no automatic reply to {letter}; {self.evidence(letter, VACATION)}")
        for sender, count in replies.items():
            self.find("wrong", f"{sender} got {count} automatic replies and wrote nothing that is to be answered")

    def judge_mails(self):
        delivered = collections.Counter()
        for box, subject, message_id, _, automatic in self.servers.mails:
            if not automatic.startswith("auto-replied"):
                delivered[subject] += 1
            if self.servers.sent[message_id] > 1:
                self.find("twice", f"{self.servers.sent[message_id]} copies of '{subject}' to {box} are in Sent ({message_id})")
        asked = set()
        for recipe, word, step in (("digest", "Digest", "send"), ("follow-up", "Nachfassen", "ask"), ("order", "Order", "confirm")):
            for run in self.log.by_recipe(recipe):
                asked.add(f"{word} {run.id}")
                self.judge_mail(run, f"{word} {run.id}", delivered, run.steps.get(step, ("", "missing"))[1])
        for run in self.log.by_recipe("tea"):
            asked.add(f"Tea {run.id}")
            status = next((status for action, status in run.steps.values() if action == "mail.send"), "missing")
            self.judge_mail(run, f"Tea {run.id}", delivered, status)
        for entry in self.record["sends"]:
            subject = f"Geplant {entry['number']}."
            asked.add(subject)
            self.judge_send(entry, subject, delivered[subject])
        for subject, count in sorted(delivered.items()):
            if subject not in asked:
                self.find("wrong", f"'{subject}' was delivered {count} times, and no run or person sent it")
        self.judge_offers()
        self.judge_orders()

    def judge_mail(self, run, subject, delivered, status):
        """A mail that a run sends, with the run's name in its subject."""
        count = delivered[subject]
        if count > 1:
            self.find("twice", f"'{subject}' was delivered {count} times; run {run}")
        elif run.status == ATTENTION:
            self.find("listed", f"needs a person: run {run}; '{subject}' was delivered {count} times")
        elif status == "succeeded" and count == 0:
            self.find("lost", f"'{subject}' was not delivered, and its step succeeded; run {run}")
        elif status in ("skipped", "failed", "missing") and count == 1:
            self.find("wrong", f"'{subject}' was delivered, and its step is {status}; run {run}")
        elif run.status == "failed":
            self.find("listed", f"failed with a reason: run {run}; '{subject}' was not delivered")

    def judge_send(self, entry, subject, count):
        run = self.log.runs.get(entry["run"])
        by = f"run {run}" if run else f"the run {entry['run'] or entry.get('said', '')} is not in the run log"
        if count > 1:
            self.find("twice", f"'{subject}' was delivered {count} times; {by}")
        elif entry["status"] != 0:
            if count:
                self.find("wrong", f"'{subject}' was refused and delivered; {by}")
            self.find("listed", f"refused with a reason: '{subject}': {entry.get('said', '')}")
        elif entry["cancelled"]:
            if count:
                self.find("wrong", f"'{subject}' was cancelled in time and delivered; {by}")
        elif count == 0:
            if run and run.status == ATTENTION:
                self.find("listed", f"needs a person: {by}; '{subject}' was not delivered")
            else:
                self.find("lost", f"'{subject}' was not delivered; {by}")

    def judge_offers(self):
        runs = collections.defaultdict(list)
        for run in self.log.by_recipe("follow-up"):
            message = run.event.get("message") or {}
            match = re.search(r"#(\d+)#", str(message.get("subject") or ""))
            runs[int(match[1]) if match else 0].append(run)
        for number in self.record["offers"]:
            begun = runs[number]
            if len(begun) != 1:
                self.find(
                    "twice" if begun else "lost",
                    f"offer {number} in Sent began {len(begun)} runs of follow-up: {', '.join(run.id for run in begun)}")
            for run in begun:
                asked = run.steps.get("ask", ("", ""))[1]
                if asked == "skipped" and number not in self.record["answers"]:
                    self.find("lost", f"offer {number} has no answer, and nothing was asked; run {run}")
            if self.servers.offers[number] != 1:
                kind = "twice" if self.servers.offers[number] else "lost"
                self.find(kind, f"offer {number} is in the folders {self.servers.offers[number]} times")
        for number in self.record["answers"]:
            if self.servers.answers[number] != 1:
                kind = "twice" if self.servers.answers[number] else "lost"
                self.find(kind, f"the answer to offer {number} is in the folders {self.servers.answers[number]} times")

    def judge_orders(self):
        runs = collections.defaultdict(list)
        for run in self.log.by_recipe("order"):
            body = run.event.get("body")
            runs[body.get("number") if isinstance(body, dict) else None].append(run)
        lines = dict(self.servers.orders)
        for entry in self.record["hooks"]:
            number, begun = entry["number"], runs.pop(entry["number"], [])
            by = "; ".join(f"run {run}" for run in begun) or "no run"
            count = lines.pop(f"order {number}", 0)
            if len(begun) > 1:
                self.find("twice", f"order {number} began {len(begun)} runs: {by}")
            if entry["accepted"] and not begun:
                self.find("lost", f"order {number} was accepted by the webhook and began no run")
            elif not entry["accepted"]:
                self.find("listed", f"refused: the webhook did not accept order {number} ({entry['asked']} requests); {by}")
            if count > 1:
                self.find("twice", f"order {number} is in orders.txt {count} times; {by}")
            elif begun and count == 0 and begun[0].steps.get("note", ("", ""))[1] == "succeeded":
                self.find("lost", f"order {number} is not in orders.txt; {by}")
        for line, count in lines.items():
            self.find("wrong", f"orders.txt has a line that no order wrote, {count} times: {line[:80]!r}")

    # -- Runs and the rest

    def judge_runs(self):
        named = " ".join(finding.text for finding in self.findings)
        for run in self.log.runs.values():
            if run.id in named and run.status in (ATTENTION, "skipped"):
                continue
            if run.status == ATTENTION:
                self.find("listed", f"needs a person: run {run}")
            elif run.status == "skipped" and run.recipe in self.filters:
                self.find("listed", f"skipped: run {run}")
            elif run.status in ("queued", "running", "waiting", "interrupted", "removed"):
                self.find("ended", f"the run has not ended: {run}")
            elif run.status == "failed" and run.recipe in self.filters:
                numbers = [number for number, runs in self.log.of_letter.items() if run in runs]
                odd = not numbers or any(self.letters[number].odd for number in numbers if number in self.letters)
                about = ", ".join(str(self.letters[number]) for number in numbers if number in self.letters)
                self.find("listed", f"failed with a reason{'' if odd else ' over an ordinary message'}: run {run}; {about}")
        for recipe, at, count in self.log.occurrences:
            self.find("twice", f"the schedule of {recipe} began {count} runs for {at}")
        for text in self.log.damage[:3]:
            self.find("wrong", f"the run log is damaged: {text}")

    def judge_rest(self):
        for crash in self.record["crashes"]:
            self.find("ended", f"the daemon: {crash}")
        for undo in self.record["undone"]:
            if undo["status"] != 0:
                self.find("listed", f"refused: the undo of run {undo['run']} ended with {undo['status']}: {undo['said']}")
        known = {digest for letter in self.letters.values() for digest in letter.files}
        for digest, paths in sorted(self.servers.files.items()):
            if digest not in known:
                self.find("wrong", f"a file that no invoice has was saved: {', '.join(paths)}")
        for path in self.servers.outside:
            self.find("wrong", f"an attachment was saved outside of its folder: {path}")
        for text in self.servers.strange:
            self.find("wrong", f"a message that no person wrote is in {text}")

    def unseen(self):
        """Letters for which a filter has work and no run yet."""
        missing = []
        for letter in self.letters.values():
            if letter.odd in ("empty file", "Message-ID of another") or self.acts[letter.number]:
                continue
            seen = {run.recipe for run in self.log.of_letter[letter.number]}
            wanted = {
                SORTING: letter.place != "INBOX" or letter.copies, self.saver: letter.files, VACATION: letter.answered}
            missing += [(letter.number, recipe) for recipe in self.filters if wanted[recipe] and recipe not in seen]
        return missing
