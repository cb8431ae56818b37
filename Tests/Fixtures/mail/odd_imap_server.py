"""An IMAP server for tests of the program: two messages in INBOX, folders that cannot be copied, and, where it is asked to, an
answer to APPEND that is lost after the message was stored. Writes its port to the file `port`, and what it has stored to `stored`.

odd_imap_server.py FOLDER [lose]"""

import os
import re
import socket
import sys
import threading

folder = sys.argv[1]
loses = sys.argv[2:] == ["lose"]
lock = threading.Lock()
stored = []
BAD_STRUCTURE = b'(("text" "plain" NIL NIL NIL "7bit" -2 -1)("RELATED" NIL ("ATTACHMENT" NIL) NIL) "mixed")'


def message(number):
    return b"From: a@example.org\r\nSubject: m%d\r\nMessage-ID: <%d@example.org>\r\n\r\nText\r\n" % (number, number)


def store(text):
    global loses
    with lock:
        stored.append(text)
        with open(os.path.join(folder, "stored"), "w") as file:
            for one in stored:
                file.write(re.search(rb"Subject: (.*)", one)[1].decode().strip() + "\n")
        # The answer to the first message tells that the conversation is well, and the second one is lost.
        if loses and len(stored) == 2:
            loses = False
            return None
        return len(stored)


def fetch(send, uids, items):
    """One message cannot be read."""
    end = b"OK done"
    for uid, text in [(1, message(1)), (2, message(2)), (3, message(3))]:
        if not any(first <= uid <= last for first, last in uids):
            continue
        if uid == 2 and b"BODY.PEEK" in items:
            end = b"NO [SERVERBUG] it is broken"
            continue
        line = b"* %d FETCH (UID %d" % (uid, uid)
        if b"FLAGS" in items:
            line += b" FLAGS (\\Seen)"
        if b"RFC822.SIZE" in items:
            line += b" RFC822.SIZE 0"
        if b"INTERNALDATE" in items:
            line += b' INTERNALDATE "01-Jul-2025 10:00:00 +0000"'
        if b"BODYSTRUCTURE" in items:
            line += b" BODYSTRUCTURE " + BAD_STRUCTURE
        if b"HEADER" in items:
            head = text.split(b"\r\n\r\n")[0] + b"\r\n\r\n"
            line += b" BODY[HEADER] {%d}\r\n" % len(head) + head
        if b"PEEK[]" in items:
            line += b" BODY[]%s {%d}\r\n" % (b"<0>" if b"<" in items else b"", len(text)) + text
        send(line + b")\r\n")
    return end


def serve(connection):
    file = connection.makefile("rb")
    send = connection.sendall
    send(b"* OK [CAPABILITY IMAP4rev1 UIDPLUS MOVE LITERAL+ AUTH=PLAIN SASL-IR] ready\r\n")
    for line in file:
        tag, command = line.rstrip(b"\r\n").split(b" ", 1)
        literal = re.search(rb"\{(\d+)\+?\}$", command)
        end = b"OK done"
        if literal:
            text = file.read(int(literal[1]))
            file.readline()
            number = store(text)
            if number is None:
                connection.close()
                return
            end = b"OK [APPENDUID 7 %d] done" % (3 + number)
        elif command.startswith(b"CAPABILITY"):
            send(b"* CAPABILITY IMAP4rev1 UIDPLUS MOVE LITERAL+ AUTH=PLAIN SASL-IR\r\n")
        elif command == b'LIST "" ""':
            send(b'* LIST (\\Noselect) "/" ""\r\n')
        elif command.startswith(b"LIST"):
            for name in (b"../../up", b"Locked", b"INBOX", b"Target"):
                send(b'* LIST () "/" "' + name + b'"\r\n')
        elif command.startswith(b"STATUS"):
            count = len(stored) if b"Target" in command else 3
            send(b"* STATUS %s (MESSAGES %d UIDNEXT %d UIDVALIDITY 7)\r\n" % (command.split()[1], count, 4 + len(stored)))
        elif command.startswith((b"SELECT", b"EXAMINE")):
            if b"Locked" in command:
                end = b"NO [NOPERM] not for you"
            else:
                opened = command
                count = len(stored) if b"Target" in command else 3
                send(b"* %d EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT %d] x\r\n" % (count, 4 + len(stored)))
        elif command.startswith(b"UID SEARCH"):
            uids = [4 + n for n in range(len(stored))] if b"Target" in opened else [1, 2, 3]
            wanted = re.search(rb"UID ([\d:,]+)", command[4:])
            if wanted:
                bounds = [[int(x) for x in part.split(b":")] for part in wanted[1].split(b",")]
                uids = [uid for uid in uids if any(b[0] <= uid <= b[-1] for b in bounds)]
            send(b"* SEARCH" + b"".join(b" %d" % uid for uid in uids) + b"\r\n")
        elif command.startswith(b"UID FETCH"):
            set_, items = command.split(b" ", 3)[2:]
            bounds = [
                (int(part.split(b":")[0]), 10**9 if part.endswith(b"*") else int(part.split(b":")[-1]))
                for part in set_.split(b",")
            ]
            if b"Target" in opened:
                for number, text in enumerate(stored):
                    if any(first <= 4 + number <= last for first, last in bounds):
                        line = b"* %d FETCH (UID %d FLAGS (\\Seen) RFC822.SIZE %d" % (number + 1, 4 + number, len(text))
                        if b"BODY" in items:
                            line += b" BODY[]%s {%d}\r\n" % (b"<0>" if b"<" in items else b"", len(text)) + text
                        send(line + b")\r\n")
            else:
                end = fetch(send, bounds, items)
        elif command.startswith(b"LOGOUT"):
            send(b"* BYE\r\n" + tag + b" OK done\r\n")
            return
        send(tag + b" " + end + b"\r\n")


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(20)
with open(os.path.join(folder, "port.new"), "w") as file:
    file.write(str(listener.getsockname()[1]))
os.rename(os.path.join(folder, "port.new"), os.path.join(folder, "port"))
while True:
    connection, _ = listener.accept()
    threading.Thread(target=serve, args=(connection,), daemon=True).start()
