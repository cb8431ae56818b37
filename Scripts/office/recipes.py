"""The configuration of the office and its eight recipes."""

import os

from letters import OFFICE
from servers import PEOPLE

BOSS = f"boss@{PEOPLE}"
CUSTOMER = f"customer@{PEOPLE}"
# The filters of INBOX that move and answer. They take turns by name.
SORTING, VACATION = "sorting", "vacation"


def saver(seed):
    """The name of the filter that saves files. It comes before or after `sorting`, as filters take turns by name."""
    return "invoices" if seed % 2 else "vouchers"


RECIPES = {
    "sorting": """
kind: mail-filter
name: sorting
folder: INBOX
on: [{ mail: new }]
rules:
  - name: spam
    when: message.headers.exists(h, h.name == "X-Spam-Flag" && h.value == "YES")
    then: delete
  - name: lists
    when: message.headers.exists(h, h.name == "List-Id" && h.value.contains("news.lists.test"))
    then: [mark_seen, { move: Lists }]
  - name: invoices
    when: message.subject.contains("Rechnung")
    then: [{ copy: Accounting }, { move: Invoices }]
  - name: orders
    when: message.subject.contains("Auftrag")
    then: { move: Aufträge }
  - name: urgent
    when: message.subject.contains("dringend")
    then: [flag, { copy: Urgent }]
""",
    "saver": """
kind: mail-filter
name: SAVER
folder: INBOX
on: [{ mail: new }]
rules:
  - name: save
    when: message.subject.contains("Rechnung") && message.attachments.exists(a, a.type == "application/pdf")
    then: { save: { folder: saved, types: application/pdf } }
""",
    "vacation": f"""
kind: mail-filter
name: vacation
folder: INBOX
on: [{{ mail: new }}]
rules:
  - name: away
    when: message.subject.contains("Anfrage")
    then: {{ reply: {{ addresses: [{OFFICE}], text: "I am away.", every: 7d }} }}
""",
    "follow-up": f"""
name: follow-up
on: {{ mail: {{ event: new, folder: Sent, filter: 'event.message.subject.startsWith("Angebot")' }} }}
steps:
  - {{ id: wait, uses: sleep, with: {{ for: 4s }} }}
  - id: answers
    uses: mail.search
    with:
      folder: INBOX
      query: {{ header: {{ name: In-Reply-To, contains: "{{{{ event.message.message_id }}}}" }} }}
      fields: [message_id]
  - id: ask
    when: size(steps.answers.output.messages) == 0
    uses: mail.send
    with:
      to: [{BOSS}]
      subject: "Nachfassen {{{{ run.id }}}}"
      text: "{{{{ event.message.subject }}}}"
""",
    "digest": f"""
name: digest
on: {{ schedule: {{ every: 20s }} }}
steps:
  - {{ id: unread, uses: mail.search, with: {{ unseen: true, limit: 3, fields: [subject, text] }} }}
  - id: summaries
    for_each: "{{{{ steps.unread.output.messages }}}}"
    as: message
    uses: chat.complete
    with: {{ prompt: "Summarise in a sentence:", input: "{{{{ message.subject }}}}: {{{{ message.text }}}}" }}
    timeout: 20s
    retry: {{ attempts: 3, backoff: 300ms }}
    on_error: continue
  - id: send
    uses: mail.send
    with:
      to: [{BOSS}]
      subject: "Digest {{{{ run.id }}}}"
      text: "{{{{ steps.summaries.output.map(o, o.text).join('\\n') }}}}."
""",
    "tea": f"""
kind: reminder
name: tea
text: Tea
on: {{ schedule: {{ every: 25s }} }}
deliver: {{ mail: {{ to: {BOSS}, subject: "Tea {{{{ run.id }}}}" }} }}
""",
    "later": f"""
kind: send
name: later
inputs: {{ number: string, at: string }}
send_at: "{{{{ inputs.at }}}}"
mail: {{ to: {CUSTOMER}, subject: "Geplant {{{{ inputs.number }}}}.", text: "As agreed." }}
""",
    "order": f"""
name: order
on: {{ webhook: {{ name: order, secret: HOOK_SECRET }} }}
steps:
  - {{ id: note, uses: file.append, with: {{ path: saved-orders/orders.txt, content: "order {{{{ event.body.number }}}}", newline: true }} }}
  - id: confirm
    uses: mail.send
    with: {{ to: [{CUSTOMER}], subject: "Order {{{{ run.id }}}}", text: "Order {{{{ event.body.number }}}}" }}
""",
}


def write(folder, dovecot, postfix, model, hook_port, seed):
    """Writes `sous.yaml` and the recipes."""
    os.makedirs(f"{folder}/recipes", exist_ok=True)
    account = "user: office, password: { secret: OFFICE_PASSWORD }"
    with open(f"{folder}/sous.yaml", "w", encoding="utf-8") as file:
        file.write(
            "providers:\n"
            f"  office: {{ plugin: imap, host: 127.0.0.1, port: {dovecot.port}, tls: none, {account}, from: {OFFICE} }}\n"
            f"  relay:\n    plugin: smtp\n    host: 127.0.0.1\n    port: {postfix.port}\n    tls: none\n    from: {OFFICE}\n"
            f"    sent: {{ host: 127.0.0.1, port: {dovecot.port}, tls: none, {account} }}\n"
            f"  model: {{ plugin: openai, base_url: \"http://127.0.0.1:{model.port}/v1\", model: scripted }}\n"
            "defaults: { mail.store: office, mail.transport: relay, chat: model }\n"
            f"secrets: [environment]\nrecipes: [recipes]\nlisten: 127.0.0.1:{hook_port}\n")
    for name, text in RECIPES.items():
        name = saver(seed) if name == "saver" else name
        with open(f"{folder}/recipes/{name}.yaml", "w", encoding="utf-8") as file:
            file.write(text.lstrip().replace("SAVER", name))
