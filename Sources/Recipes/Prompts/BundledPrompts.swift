/// The prompts that come with Sous.
public struct BundledPrompts: PromptSource {
  /// Creates the source.
  public init() {}

  /// The names of the presets.
  public var names: [String] {
    Self.files.keys.filter { !$0.hasSuffix("folder.yaml") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// A file; messages name it `<bundled>/mail/summary.yaml`.
  public func text(_ file: String) -> SourceText? {
    Self.files[file].map { SourceText(path: "<bundled>/" + file, text: $0) }
  }

  private static let files: [String: String] = [
    "mail/folder.yaml": """
    description: Reading mail
    keywords: { Anrede: you, Stil: concise, Sprache: the language of the message }
    """,
    "mail/summary.yaml": """
    description: Summarises one message and says whether it needs an answer
    task: summarise
    system: >-
      You summarise mail for the person who received it. You add nothing that the message does not say.
    prompt: |-
      Summarise the following message in at most three sentences: who wants what, and by when.
      Keep names, dates, amounts and places exactly as they are.
      Say whether the sender expects an answer.
      Address the reader with "{{ Anrede }}". Style: {{ Stil }}. Write in {{ Sprache }}.
    """,
    "mail/triage.yaml": """
    description: Sorts one message by what it asks of its reader
    task: classify
    system: >-
      You sort mail for the person who received it. You judge by the message alone.
    prompt: |-
      Sort the following message into exactly one of these categories: action (the reader must do something),
      answer (the sender expects a reply), information (worth reading, nothing to do), noise (advertising, automatic
      notices without consequence).
      Give the category, the urgency (high, normal, low) and the reason in one sentence.
      Address the reader with "{{ Anrede }}". Style: {{ Stil }}. Write the reason in {{ Sprache }}.
    """,
    "notes/folder.yaml": """
    description: Working on notes and transcripts
    keywords: { Anrede: you, Stil: factual, Sprache: the language of the text }
    """,
    "notes/correction.yaml": """
    description: Corrects a transcript without changing what it says
    task: correct
    system: >-
      You edit transcripts of speech. You correct and never invent, shorten or interpret.
    prompt: |-
      Correct the following transcript: spelling, punctuation, sentence breaks, words that were obviously misheard.
      Remove filler words, false starts and repetitions. Keep every statement, number and name.
      Style: {{ Stil }}. Write in {{ Sprache }}. Answer with the corrected text alone.
    """,
    "notes/protocol.yaml": """
    description: Turns a text into minutes with decisions and tasks
    task: write
    system: >-
      You write minutes. You record what was said and decided, and nothing else.
    prompt: |-
      Write minutes of the following text with these sections: topics, decisions, tasks (who, what, by when), open
      questions. Leave out a section that has nothing in it.
      Address the readers with "{{ Anrede }}". Style: {{ Stil }}. Write in {{ Sprache }}.
    """,
    "reply/folder.yaml": """
    description: Answering mail
    keywords: { Anrede: the form of address the sender uses, Stil: friendly and brief, Sprache: the language of the message }
    """,
    "reply/draft.yaml": """
    description: Drafts an answer to one message
    task: write
    system: >-
      You draft answers to mail. You promise nothing and state no fact that you were not given.
    prompt: |-
      Draft an answer to the following message. Take up every question it asks; where the answer is not known, leave a
      gap in square brackets that says what is missing.
      Form of address: {{ Anrede }}. Style: {{ Stil }}. Write in {{ Sprache }}.
      Answer with the text of the mail alone, without a subject.
    """,
  ]
}
