"""The messages of a day and their expected results; the seed decides both."""

import base64
import dataclasses
import hashlib
import random
from email.utils import formatdate

from servers import DOMAIN, PEOPLE, USER

OFFICE = f"{USER}@{DOMAIN}"
FIRMS = ("werke", "strom", "papier", "reisen", "möbel")


@dataclasses.dataclass
class Letter:
    """One message and its expected result. `data` is not recorded for the judge."""

    number: int
    role: str             # request, urgent, invoice, list, spam, order
    odd: str              # what is unusual about it; empty for most
    route: str            # smtp, append or file: how it gets into the mailbox
    sender: str
    message_id: str
    place: str            # the folder in which the rules leave it
    copies: tuple         # the folders that get one copy
    files: tuple          # SHA-256 of the PDF files that have to be saved
    answered: bool        # whether its sender has to get the automatic reply
    data: bytes = b""

    def kept(self):
        return {key: value for key, value in dataclasses.asdict(self).items() if key != "data"}

    def __str__(self):
        odd = f", {self.odd}" if self.odd else ""
        return f"letter {self.number} ({self.role}{odd}, Message-ID {self.message_id or 'none'})"


# place, copies, share of all letters
ROLES = {
    "request": ("INBOX", (), 30), "urgent": ("INBOX", ("Urgent",), 10), "invoice": ("Invoices", ("Accounting",), 28),
    "list": ("Lists", (), 14), "spam": ("Trash", (), 8), "order": ("Aufträge", (), 10),
}

# Messages of unusual forms, by the roles that they come in.
ODD = {
    "empty file": ("request",), "malformed multipart": ("invoice", "request"), "no boundary": ("request",),
    "no Message-ID": ("invoice", "order", "request"), "Message-ID of another": ("invoice", "request"),
    "huge header": ("invoice", "list"), "8-bit header": ("request", "invoice"), "not UTF-8": ("request",),
    "../ in the name": ("invoice",), "S/MIME": ("request", "order"), "winmail.dat": ("request", "invoice"),
    "long lines": ("request", "list"), "no name": ("invoice",), "two of a name": ("invoice",),
    "deep": ("invoice",), "no date": ("request", "order"), "lone LF": ("request",), "long name": ("invoice",),
    "encoded name": ("invoice",), "false charset": ("request",), "message/rfc822": ("request",),
}


def pdf(number, part=0):
    return b"%PDF-1.4\n% invoice " + f"{number}.{part}".encode() + b"\n" + bytes(range(200, 256)) + b"\n%%EOF\n"


class Writer:
    """Writes the letters of one day."""

    def __init__(self, seed, count, without=()):
        """`without`: unusual forms that are left out."""
        self.random = random.Random(f"letters {seed}")
        self.without = without
        self.seed = seed
        self.people = [f"person{number}@{PEOPLE}" for number in range(max(6, count // 8))]
        self.odd = []
        self.written = []

    def letters(self, count):
        names = [name for name in ODD if name not in self.without]
        self.random.shuffle(names)
        odd = {}
        # One of each kind if there is room, at most a third of all.
        for index in self.random.sample(range(count), min(count // 3, max(len(names), count // 12))):
            odd[index] = names[len(odd) % len(names)]
        return [self.letter(number + 1, odd.get(number, "")) for number in range(count)]

    def letter(self, number, odd):
        draw = self.random
        if odd:
            role = draw.choice(ODD[odd])
        else:
            role = draw.choices(list(ROLES), [share for _, _, share in ROLES.values()])[0]
        place, copies, _ = ROLES[role]
        sender = draw.choice(self.people) if role in ("request", "urgent", "order") else f"{role}@{PEOPLE}"
        message_id = f"<office.{self.seed}.{number}@{PEOPLE}>"
        if odd in ("no Message-ID", "empty file"):
            message_id = ""
        elif odd == "Message-ID of another" and self.written:
            others = [other for other in self.written if other.message_id and not other.odd]
            if others:
                message_id = draw.choice(others[-5:]).message_id
        letter = Letter(
            number=number, role=role, odd=odd, route="append" if odd else draw.choice(("smtp", "smtp", "append")),
            sender=sender, message_id=message_id, place=place, copies=copies, files=(), answered=role in ("request", "urgent"))
        files = []
        letter.data = self.write(letter, files)
        letter.files = tuple(hashlib.sha256(data).hexdigest() for data in files)
        if odd in ("empty file", "lone LF"):
            letter.route = "file"
        if odd == "empty file":
            letter.data, letter.answered = b"", False
        self.written.append(letter)
        return letter

    def write(self, letter, files):
        number, odd = letter.number, letter.odd
        word = {
            "request": "Anfrage", "urgent": "Anfrage, dringend", "invoice": "Rechnung", "list": "Neues", "spam": "Gewinn",
            "order": "Auftrag"}[letter.role]
        head = [
            f"Received: from a.{PEOPLE} by mx.{DOMAIN}; {formatdate(1790000000 + number)}",
            f"From: {letter.role.title()} {number} <{letter.sender}>", f"To: {OFFICE}", f"Subject: {word} #{number}#",
            f"X-Office-Letter: {number}"]
        if odd != "no date":
            head.append(f"Date: {formatdate(1790000000 + number)}")
        if letter.message_id:
            head.append(f"Message-ID: {letter.message_id}")
        if letter.role == "list":
            head += ["List-Id: <news.lists.test>", "Precedence: bulk"]
        if letter.role == "spam":
            head.append("X-Spam-Flag: YES")
        text = f"Hello,\r\nthis is letter {number}. {self.random.choice(FIRMS)}\r\n"
        lines = [line.encode() for line in head]
        if odd == "huge header":
            lines += [f"X-Trace-{index}: {'x' * 900}".encode() for index in range(180)]
        if odd == "8-bit header":
            lines[3] = f"Subject: {word} #{number}# für Müller".encode("latin-1")
            lines[1] = f"From: Jürg Ötzi <{letter.sender}>".encode("latin-1")
        if letter.role == "invoice":
            return self.invoice(letter, lines, text, files)
        body = text.encode()
        if odd == "malformed multipart":
            # The end is missing, and a part has no header.
            lines += [b"MIME-Version: 1.0", b'Content-Type: multipart/mixed; boundary="b"']
            body = b"--b\r\n\r\n" + body + b"--b\r\nContent-Type: text/html; charset=\r\nContent-Disposition: ;;\r\n\r\n<p>x"
        elif odd == "no boundary":
            lines += [b"MIME-Version: 1.0", b"Content-Type: multipart/alternative"]
        elif odd == "not UTF-8":
            body += "Grüsse aus Zürich\r\n".encode("latin-1") + b"\xff\xfe\x80\r\n"
        elif odd == "false charset":
            lines += [b"MIME-Version: 1.0", b"Content-Type: text/plain; charset=x-unknown-9", b"Content-Transfer-Encoding: 8bit"]
            body += bytes(range(128, 256)) + b"\r\n"
        elif odd == "S/MIME":
            lines += [
                b"MIME-Version: 1.0", b'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"',
                b"Content-Transfer-Encoding: base64", b'Content-Disposition: attachment; filename="smime.p7m"']
            body = base64.encodebytes(self.random.randbytes(900)).replace(b"\n", b"\r\n")
        elif odd == "winmail.dat":
            body = self.multipart(lines, text, [
                (b'Content-Type: application/ms-tnef; name="winmail.dat"', b"\x78\x9f\x3e\x22" + self.random.randbytes(300))])
        elif odd == "long lines":
            body += b"word " * 40_000 + b"\r\n"
        elif odd == "message/rfc822":
            lines += [b"MIME-Version: 1.0", b'Content-Type: multipart/digest; boundary="d"']
            body = b"--d\r\n\r\nSubject: inner\r\n\r\ninner\r\n--d\r\nContent-Type: message/rfc822\r\n\r\n\r\n--d--\r\n"
        data = b"\r\n".join(lines) + b"\r\n\r\n" + body
        return data.replace(b"\r\n", b"\n") if odd == "lone LF" else data

    def invoice(self, letter, lines, text, files):
        number, odd = letter.number, letter.odd
        names = [f'filename="rechnung-{number}.pdf"']
        if odd == "../ in the name":
            names = [self.random.choice((
                f'filename="../../../../../../../tmp/sous-office-evil-{number}.pdf"',
                f'filename="..\\\\..\\\\sous-office-evil-{number}.pdf"',
                f'filename="/tmp/sous-office-evil-{number}.pdf"', 'filename=".."',
                f"filename*=utf-8''..%2F..%2Fsous-office-evil-{number}.pdf"))]
        elif odd == "no name":
            names = [""]
        elif odd == "two of a name":
            names = names * 2
        elif odd == "long name":
            names = [f'filename="{"sehr-" * 80}{number}.pdf"']
        elif odd == "encoded name":
            names = [f"filename*=iso-8859-1'de'Rechnung%20f%FCr%20{number}.pdf"]
        parts = []
        for part, name in enumerate(names):
            content = pdf(number, part)
            files.append(content)
            disposition = f"attachment; {name}" if name else "attachment"
            parts.append((f"Content-Type: application/pdf\r\nContent-Disposition: {disposition}".encode(), content))
        if odd == "winmail.dat":
            parts.append((b'Content-Type: application/ms-tnef; name="winmail.dat"', b"\x78\x9f\x3e\x22" + bytes(40)))
        body = self.multipart(lines, text, parts, levels=12 if odd == "deep" else 0)
        if odd == "malformed multipart":
            # As some programs write it: the last boundary is missing.
            body = body[:-len(b"--b--\r\n")]
        return b"\r\n".join(lines) + b"\r\n\r\n" + body

    @staticmethod
    def multipart(lines, text, parts, levels=0):
        lines += [b"MIME-Version: 1.0", b'Content-Type: multipart/mixed; boundary="b"']
        body = b"--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + text.encode() + b"\r\n"
        for head, content in parts:
            encoded = base64.encodebytes(content).replace(b"\n", b"\r\n")
            part = head + b"\r\nContent-Transfer-Encoding: base64\r\n\r\n" + encoded
            for level in range(levels):
                mark = f"l{level}".encode()
                part = (b'Content-Type: multipart/mixed; boundary="' + mark + b'"\r\n\r\n--' + mark + b"\r\n" + part
                        + b"\r\n--" + mark + b"--\r\n")
            body += b"--b\r\n" + part + b"\r\n"
        return body + b"--b--\r\n"
