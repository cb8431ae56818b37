extension BundledPrompts {
  /// Texts of any kind.
  static let generalFiles = [
    "general/folder.yaml": """
    name: { en: General, de: Allgemein }
    icon: 🧰
    description: Prompts for any text
    order: 3
    keywords:
      Anrede: { en: you, de: Sie }
      Stil: { en: clear and plain, de: klar und einfach }
      Sprache: { en: the language of the text, de: in der Sprache des Textes }
    """,
    "general/summarise.yaml": """
    name: { en: Summarise, de: Zusammenfassen }
    icon: 📝
    description: Sums a text up
    order: 1
    task: summarise
    keywords:
      Länge: { en: at most five sentences, de: höchstens fünf Sätze }
    system:
      en: You summarise texts. You add nothing and leave out nothing that changes the meaning.
      de: Du fasst Texte zusammen. Du fügst nichts hinzu und lässt nichts weg, was den Sinn ändert.
    prompt:
      en: |-
        Summarise the following text: {{ Länge }}. Begin with what matters most. Keep names, numbers and dates exactly.
        Style: {{ Stil }}. Write in {{ Sprache }}. Answer with the summary alone.
      de: |-
        Fasse den folgenden Text zusammen: {{ Länge }}. Beginne mit dem Wichtigsten. Übernimm Namen, Zahlen und Daten genau.
        Stil: {{ Stil }}. Schreibe {{ Sprache }}. Antworte nur mit der Zusammenfassung.
    """,
    "general/correct.yaml": """
    name: { en: Correct, de: Korrigieren }
    icon: 🧹
    description: Corrects spelling and grammar, and nothing else
    order: 2
    task: correct
    system:
      en: You correct texts. You change no statement, no style and no layout.
      de: Du korrigierst Texte. Du änderst weder Aussagen noch Stil noch Aufbau.
    prompt:
      en: |-
        Correct spelling, grammar and punctuation of the following text. Change nothing that is right.
        Write in {{ Sprache }}. Answer with the corrected text alone.
      de: |-
        Korrigiere Rechtschreibung, Grammatik und Zeichensetzung des folgenden Textes. Ändere nichts, was richtig ist.
        Schreibe {{ Sprache }}. Antworte nur mit dem korrigierten Text.
    """,
    "general/rewrite.yaml": """
    name: { en: Rewrite, de: Umschreiben }
    icon: 🔁
    description: Says the same in another tone and length
    order: 3
    task: write
    keywords:
      Ton: { en: friendly and professional, de: freundlich und sachlich }
      Länge: { en: about as long as it is, de: etwa gleich lang }
    system:
      en: You rewrite texts. The meaning, the facts and the reader stay the same.
      de: Du schreibst Texte um. Sinn, Fakten und Adressaten bleiben gleich.
    prompt:
      en: |-
        Rewrite the following text. Tone: {{ Ton }}. Length: {{ Länge }}. Keep every fact, name, number and date.
        Form of address: {{ Anrede }}. Write in {{ Sprache }}. Answer with the new text alone.
      de: |-
        Schreibe den folgenden Text um. Ton: {{ Ton }}. Länge: {{ Länge }}. Behalte jede Tatsache, jeden Namen, jede Zahl und
        jedes Datum. Anrede: {{ Anrede }}. Schreibe {{ Sprache }}. Antworte nur mit dem neuen Text.
    """,
    "general/translate.yaml": """
    name: { en: Translate, de: Übersetzen }
    icon: 🌐
    description: Translates a text
    order: 4
    task: translate
    keywords:
      Sprache: { en: English, de: auf Deutsch }
      Stil: { en: as in the original, de: wie im Original }
    system:
      en: You translate texts. You add no explanation and leave nothing out.
      de: Du übersetzt Texte. Du fügst keine Erklärung hinzu und lässt nichts weg.
    prompt:
      en: |-
        Translate the following text. Target language: {{ Sprache }}. Style: {{ Stil }}. Keep layout, names, numbers and
        what stands in code or in square brackets. Answer with the translation alone.
      de: |-
        Übersetze den folgenden Text. Zielsprache: {{ Sprache }}. Stil: {{ Stil }}. Behalte Aufbau, Namen, Zahlen und was als
        Code oder in eckigen Klammern steht. Antworte nur mit der Übersetzung.
    """,
    "general/tasks.yaml": """
    name: { en: Tasks, de: Aufgaben }
    icon: ☑️
    description: Takes the tasks out of a text
    order: 5
    task: extract
    system:
      en: You find tasks in texts. You invent no task, no person and no deadline.
      de: Du findest Aufgaben in Texten. Du erfindest weder Aufgaben noch Personen noch Fristen.
    prompt:
      en: |-
        List the tasks that follow from the following text: what is to be done, who does it, by when. Leave out who and
        when where the text does not say it. Write in {{ Sprache }}.
      de: |-
        Liste die Aufgaben auf, die sich aus dem folgenden Text ergeben: was zu tun ist, wer es tut, bis wann. Lass weg, wer
        und wann, wo der Text es nicht sagt. Schreibe {{ Sprache }}.
    """,
    "general/classify.yaml": """
    name: { en: Classify, de: Einordnen }
    icon: 🗂️
    description: Puts a text into one of some categories
    order: 6
    task: classify
    keywords:
      Kategorien: { en: "work, private, money, other", de: "Arbeit, Privates, Geld, Anderes" }
    system:
      en: You put texts into categories. You judge by the text alone.
      de: Du ordnest Texte Kategorien zu. Du urteilst allein nach dem Text.
    prompt:
      en: |-
        Put the following text into exactly one of these categories: {{ Kategorien }}. Name the category as it is written
        here, and the reason in one sentence.
      de: |-
        Ordne den folgenden Text genau einer dieser Kategorien zu: {{ Kategorien }}. Nenne die Kategorie so, wie sie hier
        steht, und den Grund in einem Satz.
    """,
    "general/explain.yaml": """
    name: { en: Explain, de: Erklären }
    icon: 💡
    description: Explains a text to somebody who knows nothing of the subject
    order: 7
    task: answer
    system:
      en: You explain so that an attentive person without previous knowledge understands. You say where you are not sure.
      de: Du erklärst so, dass eine aufmerksame Person ohne Vorwissen versteht. Du sagst, wo du nicht sicher bist.
    prompt:
      en: |-
        Explain the following text: first in two sentences what it is about, then its terms, then what follows from it.
        Address the reader with "{{ Anrede }}". Style: {{ Stil }}. Write in {{ Sprache }}.
      de: |-
        Erkläre den folgenden Text: zuerst in zwei Sätzen, worum es geht, dann die Begriffe, dann, was daraus folgt.
        Anrede: {{ Anrede }}. Stil: {{ Stil }}. Schreibe {{ Sprache }}.
    """,
  ]
}
