extension BundledPrompts {
  /// Answering mail.
  static let replyFiles = [
    "mail/reply/folder.yaml": """
    name: { en: Reply, de: Antworten }
    icon: ↩️
    description: Templates for answers
    order: 3
    keywords:
      Anrede: { en: the form of address the sender uses, de: wie in der Nachricht }
      Stil: { en: friendly and brief, de: freundlich und kurz }
      Sprache: { en: the language of the message, de: in der Sprache der Nachricht }
    """,
    "mail/reply/draft.yaml": """
    name: { en: Draft, de: Entwurf }
    icon: ✍️
    description: Drafts an answer to one message
    order: 1
    task: write
    system:
      en: >-
        You draft answers to mail. You promise nothing and state no fact that you were not given.
      de: >-
        Du entwirfst Antworten auf Mails. Du versprichst nichts und behauptest nichts, was dir nicht gegeben wurde.
    prompt:
      en: |-
        Draft an answer to the following message. Take up every question it asks; where the answer is not known, leave a
        gap in square brackets that says what is missing.
        Form of address: {{ Anrede }}. Style: {{ Stil }}. Write in {{ Sprache }}.
        Answer with the text of the mail alone, without a subject.
      de: |-
        Entwirf eine Antwort auf die folgende Nachricht. Geh auf jede Frage ein; wo die Antwort nicht bekannt ist, lass eine
        Lücke in eckigen Klammern, die sagt, was fehlt.
        Anrede: {{ Anrede }}. Stil: {{ Stil }}. Schreibe {{ Sprache }}.
        Antworte nur mit dem Text der Mail, ohne Betreff.
    """,
    "mail/reply/accept.yaml": """
    name: { en: Accept, de: Zusagen }
    icon: ✅
    description: Says yes to what a message asks
    order: 2
    task: write
    system:
      en: You draft answers to mail. You state no fact that you were not given.
      de: Du entwirfst Antworten auf Mails. Du behauptest nichts, was dir nicht gegeben wurde.
    prompt:
      en: |-
        Draft an answer that says yes to what the following message asks. Repeat what is agreed with date, time, place and
        amount as the message gives them, so that nobody can misunderstand it. Ask for what is missing.
        Form of address: {{ Anrede }}. Style: {{ Stil }}. Write in {{ Sprache }}.
        Answer with the text of the mail alone, without a subject.
      de: |-
        Entwirf eine Antwort, die zusagt, worum die folgende Nachricht bittet. Wiederhole, was vereinbart ist, mit Tag, Zeit,
        Ort und Betrag, wie die Nachricht sie nennt, damit es niemand missversteht. Frage nach dem, was fehlt.
        Anrede: {{ Anrede }}. Stil: {{ Stil }}. Schreibe {{ Sprache }}.
        Antworte nur mit dem Text der Mail, ohne Betreff.
    """,
    "mail/reply/decline.yaml": """
    name: { en: Decline, de: Absagen }
    icon: 🙅
    description: Says no, kindly and without excuses
    order: 3
    task: write
    system:
      en: You draft answers to mail. You invent no reason and no excuse.
      de: Du entwirfst Antworten auf Mails. Du erfindest weder Gründe noch Ausreden.
    prompt:
      en: |-
        Draft an answer that declines what the following message asks: clearly in the first sentence, with thanks, without
        an invented reason. Offer an alternative only where the message itself names one.
        Form of address: {{ Anrede }}. Style: {{ Stil }}. Write in {{ Sprache }}.
        Answer with the text of the mail alone, without a subject.
      de: |-
        Entwirf eine Antwort, die ablehnt, worum die folgende Nachricht bittet: klar im ersten Satz, mit Dank, ohne
        erfundenen Grund. Biete nur dann etwas anderes an, wenn die Nachricht selbst es nennt.
        Anrede: {{ Anrede }}. Stil: {{ Stil }}. Schreibe {{ Sprache }}.
        Antworte nur mit dem Text der Mail, ohne Betreff.
    """,
    "mail/reply/ask.yaml": """
    name: { en: Ask back, de: Nachfragen }
    icon: ❓
    description: Asks for what a message leaves open
    order: 4
    task: write
    system:
      en: You draft answers to mail. You ask only what is needed to act.
      de: Du entwirfst Antworten auf Mails. Du fragst nur, was man zum Handeln wissen muss.
    prompt:
      en: |-
        Draft an answer that asks for what the following message leaves open and what somebody would have to know in order
        to act: at most three questions, numbered, each to be answered in one line.
        Form of address: {{ Anrede }}. Style: {{ Stil }}. Write in {{ Sprache }}.
        Answer with the text of the mail alone, without a subject.
      de: |-
        Entwirf eine Antwort, die nach dem fragt, was die folgende Nachricht offenlässt und was man zum Handeln wissen
        müsste: höchstens drei nummerierte Fragen, jede in einer Zeile zu beantworten.
        Anrede: {{ Anrede }}. Stil: {{ Stil }}. Schreibe {{ Sprache }}.
        Antworte nur mit dem Text der Mail, ohne Betreff.
    """,
    "mail/reply/three.yaml": """
    name: { en: Three short replies, de: Drei kurze Antworten }
    icon: ⚡
    description: Three short answers to choose from
    order: 5
    task: write
    system:
      en: You suggest short answers to mail. You promise nothing that the person has not decided.
      de: Du schlägst kurze Antworten auf Mails vor. Du versprichst nichts, was die Person nicht entschieden hat.
    prompt:
      en: |-
        Suggest three short answers to the following message that differ in what they say: one that agrees, one that
        declines, one that asks back or puts off. At most 20 words each, ready to be sent.
        Form of address: {{ Anrede }}. Style: {{ Stil }}. Write in {{ Sprache }}.
        Answer with three lines, one answer on each, without numbers.
      de: |-
        Schlage drei kurze Antworten auf die folgende Nachricht vor, die sich im Inhalt unterscheiden: eine, die zusagt,
        eine, die absagt, eine, die nachfragt oder vertagt. Je höchstens 20 Wörter, fertig zum Senden.
        Anrede: {{ Anrede }}. Stil: {{ Stil }}. Schreibe {{ Sprache }}.
        Antworte mit drei Zeilen, je eine Antwort, ohne Nummern.
    """,
  ]
}
