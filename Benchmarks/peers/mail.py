"""The peer of the benchmark of mail: Python's email package, and GMime called from Python.

Reads lines: `load PATH`, `check LIBRARY`, `run LIBRARY WORK`; answers `ok`, or the seconds of processor time that the work has taken for all
messages that were loaded. `parse` takes messages apart; `read` asks for the same fields and contents as Sous is asked for.
"""

import email
import email.policy
import email.utils
import sys
import time

messages = []


def email_parse(content):
    message = email.message_from_bytes(content, policy=email.policy.default)
    return sum(1 for _ in message.walk())


def email_read(content):
    message = email.message_from_bytes(content, policy=email.policy.default)
    size = 0
    for name in ("subject", "message-id", "date", "from", "to", "cc", "reply-to", "references"):
        try:
            size += len(str(message[name]))
            if name in ("from", "to", "cc", "reply-to") and message[name]:
                size += sum(len(a.addr_spec) + len(a.display_name) for a in message[name].addresses)
            if name == "date" and message[name]:
                size += message[name].datetime is not None
        except Exception:  # broken fields
            pass
    for part in message.walk():
        if part.is_multipart():
            continue
        content = part.get_payload(decode=True) or b""
        if part.get_content_maintype() == "text":
            try:
                content = content.decode(part.get_content_charset() or "utf-8", "replace")
            except LookupError:
                pass
        else:
            part.get_filename()
        size += len(content)
    return size


try:
    import gi

    gi.require_version("GMime", "3.0")
    from gi.repository import GMime

    GMime.init()
    options = GMime.ParserOptions.get_default()
except (ImportError, ValueError):
    GMime = None


def gmime_message(content):
    parser = GMime.Parser.new_with_stream(GMime.StreamMem.new_with_buffer(content))
    return parser.construct_message(options)


def gmime_parse(content):
    return gmime_message(content)


def gmime_addresses(addresses):
    size = 0
    for index in range(addresses.length()):
        address = addresses.get_address(index)
        size += len(address.get_name() or "")
        if isinstance(address, GMime.InternetAddressMailbox):
            size += len(address.get_addr() or "")
    return size


def gmime_leaf(parent, part):
    global read_size
    if isinstance(part, GMime.TextPart):
        read_size += len(part.get_text() or "")
    elif isinstance(part, GMime.Part):
        content = part.get_content()
        if content is not None:
            target = GMime.StreamMem.new()
            content.write_to_stream(target)
            read_size += target.length()
        part.get_filename()
    elif isinstance(part, GMime.MessagePart):
        inner = part.get_message()
        if inner is not None:
            inner.foreach(gmime_leaf)


def gmime_read(content):
    global read_size
    read_size = 0
    message = gmime_message(content)
    if message is None:
        return 0
    read_size += len(message.get_subject() or "") + len(message.get_message_id() or "")
    message.get_date()
    message.get_header("References")
    for addresses in (message.get_from(), message.get_to(), message.get_cc(), message.get_reply_to()):
        if addresses is not None:
            read_size += gmime_addresses(addresses)
    message.foreach(gmime_leaf)
    return read_size


works = {
    ("email", "parse"): email_parse,
    ("email", "read"): email_read,
    ("gmime", "parse"): gmime_parse,
    ("gmime", "read"): gmime_read,
}


def run(library, work):
    body = works[library, work]
    turns = 1 if library == "email" else 4
    start = time.process_time()
    for _ in range(turns):
        for content in messages:
            body(content)
    return (time.process_time() - start) / turns


for line in sys.stdin:
    words = line.rstrip("\n").split(" ", 2)
    try:
        if words[0] == "load":
            with open(line.rstrip("\n")[5:], "rb") as file:
                messages.append(file.read())
            answer = "ok"
        elif words[0] == "check":
            answer = "ok" if words[1] == "email" or GMime is not None else "absent"
        else:
            answer = repr(run(words[1], words[2]))
    except Exception as error:
        answer = f"error {type(error).__name__}: {error}".replace("\n", " ")[:200]
    print(answer, flush=True)
