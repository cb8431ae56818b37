"""One day: its events, which the seed decides, and how they are played."""

import json
import random
import threading
import time
from datetime import datetime, timedelta, timezone

from judge import Judge
from letters import ROLES, Writer
from people import People
from recipes import SORTING, saver
from stage import Stage

# Triggers that have to listen before the first message: three filters, the follow-up and the webhook.
LISTENERS = 5


class Stuck(Exception):
    """The day cannot continue. The judge still judges it."""


def say(text):
    print(text, flush=True)


class Plan:
    """The events of a day in their order. Only the seed decides them."""

    def __init__(self, seed, count, kills, stops, without=()):
        draw = self.random = random.Random(f"day {seed}")
        writer = Writer(seed, count, without)
        self.letters = writer.letters(count)
        self.people = ["boss", "customer", *ROLES, *(address.split("@")[0] for address in writer.people)]
        events = []
        offers = orders = sends = 0
        for letter in self.letters:
            events.append(("letter", letter))
            if draw.random() < 0.05:
                events.append((draw.choice(("grab", "grab", "shred")), letter))
            if draw.random() < 0.12:
                events.append((draw.choice(("file", "file", "bin", "read")), None))
            if draw.random() < 0.06:
                events.append(("undo", None))
            if draw.random() < 0.1:
                offers += 1
                events.append(("offer", offers))
                if draw.random() < 0.5:
                    events.append(("answer", offers))
            if draw.random() < 0.15:
                orders += 1
                events.append(("order", orders))
            if draw.random() < 0.12:
                sends += 1
                events.append(("send", (sends, draw.uniform(8, 25), draw.random() < 0.25)))
        # Spread over the day, none before the first few messages.
        for word, number in (("kill", kills), ("stop", stops)):
            for index in range(number):
                share = (index + draw.uniform(0.2, 0.9)) / number
                place = min(len(events), max(3, int(share * len(events))))
                events.insert(place, (word, draw.uniform(0, 0.3) if word == "kill" else draw.uniform(0.5, 3)))
        self.events = events


class Day:
    def __init__(self, sous, seed, count, kills, stops, seconds, without=()):
        self.plan = Plan(seed, count, kills, stops, without)
        self.random, self.seconds, self.seed = self.plan.random, seconds, seed
        self.stage = Stage(sous, seed)
        self.people = People(self.stage)
        self.threads, self.facts = [], {"messages": count, "kills": 0, "stops": 0}

    def play(self):
        """Plays the day and brings it to its end: the daemon has ended, the servers still run."""
        self.stage.open(self.plan.people)
        try:
            self.work()
        except Stuck as error:
            self.people.record["crashes"].append(f"the day was broken off: {error}")
            self.stage.strike()
        self.keep()

    def work(self):
        self.trust()
        self.stage.serve()
        self.wait(self.listens, 300, "the triggers to listen")
        began = time.monotonic()
        pause = self.seconds / max(1, len(self.plan.events))
        for word, value in self.plan.events:
            self.look_after_daemon()
            getattr(self, word)(value)
            # The people wait while the daemon has many open runs.
            self.wait(lambda: self.stage.open_runs() < 60, 120, None)
            time.sleep(self.random.uniform(0, 2 * pause))
        self.drain()
        self.facts["seconds"] = int(time.monotonic() - began)
        status = self.stage.end()
        if status != 0:
            self.people.record["crashes"].append(
                f"SIGTERM ended it with {status}" if status is not None else "SIGTERM did not end it within 120 s")

    def keep(self):
        """Writes the record of the people for the judge."""
        with open(f"{self.stage.folder}/record.json", "w", encoding="utf-8") as file:
            json.dump(self.people.record, file, indent=1, ensure_ascii=False)

    def trust(self):
        """Trusts the folder, as the person who wrote it does."""
        if "\n  trust " in self.stage.call("--help").stdout:
            self.stage.call("trust", "--yes")

    # -- Waiting

    def wait(self, condition, seconds, what):
        """Waits until `condition` holds. After `seconds`, raises Stuck if `what` has a name, and returns False otherwise."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                if what is None:
                    return False
                raise Stuck(f"waited {seconds} s for {what}: {self.stage.last_words()}")
            time.sleep(0.1)
        return True

    def listens(self):
        self.look_after_daemon()
        outcome = self.stage.call("triggers", "--json")
        return outcome.returncode == 0 and outcome.stdout.count('"alive_at":"') >= LISTENERS

    def look_after_daemon(self):
        if self.stage.daemon.poll() is not None:
            self.people.record["crashes"].append(
                f"status {self.stage.daemon.returncode}, its last words: {self.stage.last_words()}")
            if len(self.people.record["crashes"]) >= 5:
                raise Stuck("the daemon ends again and again")
            self.stage.serve()

    def drain(self):
        """Waits until all runs have ended and all letters were seen, or until nothing changes for a minute."""
        for thread in self.threads:
            thread.join(timeout=600)
        self.wait(lambda: self.stage.postfix.is_idle(), 120, None)
        for recipe in ("digest", "tea"):
            self.stage.call("recipes", "disable", recipe)
        quiet, last, deadline = time.monotonic(), None, time.monotonic() + 300 + self.facts["messages"]
        while time.monotonic() < deadline:
            self.look_after_daemon()
            state = (self.stage.statuses(), self.stage.query("SELECT count(*), count(settled_at) FROM trigger_events"))
            if state != last:
                quiet, last = time.monotonic(), state
            is_idle = self.stage.open_runs() == 0 and state[1] and state[1][0][0] == state[1][0][1]
            if is_idle and self.stage.postfix.is_idle():
                # A letter whose event was lost never gets a run: after a minute the judge reports it.
                rest = time.monotonic() - quiet
                if rest > 60 or rest > 3 and not Judge(self.stage.folder, self.people.record).unseen():
                    return
            time.sleep(0.5)

    # -- Events

    def letter(self, letter):
        self.people.deliver(letter)

    def grab(self, letter):
        """A person moves a message away while the filters look at it."""
        if not letter.odd and self.people.move(letter, "INBOX", "Done", is_race=True):
            self.count("grabbed")

    def shred(self, letter):
        if not letter.odd and self.people.delete(letter, "INBOX", is_race=True):
            self.count("shredded")

    def settled(self, roles, share=8):
        """A message in the folder that the rules choose, which no person has touched."""
        busy = {act["letter"] for act in self.people.record["acts"]}
        busy |= {undo["letter"] for undo in self.people.record["undone"]}
        there = [letter for letter in self.people.letters.values()
                 if letter.role in roles and letter.number not in busy and not letter.odd]
        for letter in self.random.sample(there, min(share, len(there))):
            if letter.place != "INBOX" and self.people.find(letter, letter.place) is not None:
                return letter
        return None

    def file(self, _):
        letter = self.settled(("invoice", "order", "list"))
        if letter and self.run_of(letter) and self.people.move(letter, letter.place, "Done", is_race=False):
            self.count("moved")

    def bin(self, _):
        letter = self.settled(("list", "spam"))
        if letter and self.run_of(letter) and self.people.delete(letter, letter.place, is_race=False):
            self.count("deleted")

    def read(self, _):
        letter = self.settled(("invoice", "order", "list"))
        if letter:
            self.people.read(letter, letter.place)

    def run_of(self, letter):
        """The run of the sorting filter that has moved a letter, after the runs of all filters for it have ended."""
        ended = {}
        for run, recipe, status in self.stage.query(
            "SELECT id, recipe, status FROM runs WHERE trigger = 'mail' AND coalesce(event,"
            " (SELECT content FROM blobs WHERE hash = event_blob)) LIKE ?", f"%#{letter.number}#%"):
            if status == "skipped" and recipe != SORTING:
                continue
            if status != "succeeded" or recipe in ended:
                return None
            ended[recipe] = run
        return ended.get(SORTING) if not letter.files or saver(self.seed) in ended else None

    def undo(self, _):
        letter = self.settled(("list", "order"))
        run = letter and self.run_of(letter)
        if run and self.people.undo(letter, run):
            self.count("undone")

    def offer(self, number):
        self.people.offer(number)
        self.count("offers")

    def answer(self, number):
        self.people.answer(number)

    def order(self, number):
        thread = threading.Thread(target=self.people.order, args=(number,), daemon=True)
        thread.start()
        self.threads.append(thread)
        self.count("orders")

    def send(self, value):
        number, seconds, cancels = value
        at = datetime.now(timezone.utc) + timedelta(seconds=seconds)
        self.people.send_later(number, at.strftime("%Y-%m-%dT%H:%M:%SZ"), cancels)
        self.count("scheduled")

    def kill(self, moment):
        """SIGKILL while the daemon works on something, if it does within a few seconds."""
        self.wait(lambda: self.stage.statuses().get("running", 0) > 0, 5, None)
        time.sleep(moment)
        if self.stage.strike():
            self.count("kills")
        time.sleep(self.random.uniform(0, 1))
        self.stage.serve()

    def stop(self, seconds):
        self.stage.pause(seconds)
        self.count("stops")

    def count(self, name):
        self.facts[name] = self.facts.get(name, 0) + 1
