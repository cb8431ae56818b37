public import Engine
public import Expressions
public import Localization

/// What undoes what a run has done to messages: their flags and labels, then their folders.
public struct MailUndo: Sendable {
  /// Flags and labels of some messages, where they are now.
  public struct Marks: Sendable, Equatable {
    /// The provider that has the messages.
    public var provider: String
    /// The folder they are in now.
    public var folder: String
    /// Their names there.
    public var uids: [String]
    /// What they get back.
    public var add: [String]
    /// What is taken off them.
    public var remove: [String]
  }

  /// Messages that go back to their folder.
  public struct Move: Sendable, Equatable {
    /// The provider that has the messages.
    public var provider: String
    /// The folder they are in now.
    public var from: String
    /// The folder they came from.
    public var to: String
    /// Their names where they are now.
    public var uids: [String]
    /// Their keys, see ``MessageJourney/key(of:)``, as far as recorded. By these the recipe that moved them ignores them later.
    var keys: [String] = []
  }

  /// What is done first.
  public internal(set) var marks: [Marks] = []
  /// What is done then, the last move of the run first.
  public internal(set) var moves: [Move] = []
  /// The runs that have undone it before, and those that have undone these, oldest first: what they did is taken into account.
  public internal(set) var earlier: [RunID] = []
  /// The recipe of the run, and the version of its text.
  var recipe = ""
  var version = ""
  /// The steps whose effects stay, with the reason.
  public internal(set) var remains: [(step: String, reason: LocalizedText)] = []

  /// The messages that the run of an undo did not find where they had been left, by their names there: they stay as they are.
  public static func missing(in record: RunRecord) -> [String] {
    let items = record.steps.flatMap(\.items)
    return Set(items.flatMap { $0.output["missing"]?.listValue ?? [] }.compactMap(\.stringValue)).sorted()
  }

  /// Whether nothing is left to do.
  public var isEmpty: Bool { marks.isEmpty && moves.isEmpty }

  /// `{marks: [{provider, folder, uids, add, remove}], moves: [{provider, from, to, uids}], remains: [{step, reason}],
  /// earlier: [RUN]}`.
  public func json(in language: Language) -> Value {
    [
      "marks": .list(marks.map(\.value)), "moves": .list(moves.map(\.value)),
      "remains": .list(
        remains.map { ["step": .string($0.step), "reason": .string($0.reason.string(in: language))] }),
      "earlier": .texts(earlier.map(\.rawValue)),
    ]
  }
}

extension MailUndo.Marks {
  var value: Value {
    [
      "provider": .string(provider), "folder": .string(folder), "uids": .texts(uids), "add": .texts(add),
      "remove": .texts(remove),
    ]
  }
}

extension MailUndo.Move {
  var value: Value {
    ["provider": .string(provider), "from": .string(from), "to": .string(to), "uids": .texts(uids)]
  }

  /// The move as an input of the undo's recipe.
  fileprivate func inputValue(_ recipe: String, _ version: String) -> Value {
    [
      "provider": .string(provider), "from": .string(from), "to": .string(to), "uids": .texts(uids),
      "keys": .texts(keys), "recipe": .string(recipe), "version": .string(version),
    ]
  }
}

extension MailUndo {
  /// What the recipe is called that carries an undo out.
  static let recipeName = "mail-undo"
  /// Its input that names the run.
  static let runInput = "run"

  /// The recipe that carries it out, and its inputs: a run like any other, which is resumed where it is interrupted.
  func recipe(of run: RunID) -> (text: String, inputs: Value) {
    var steps = ""
    // By this the undo is found again.
    var inputs: ValueMap = [Self.runInput: .string(run.rawValue)]
    let providers = Set(marks.map(\.provider)).union(moves.map(\.provider)).sorted()
    for (number, provider) in providers.enumerated() {
      let name = Value.string(provider).jsonString
      let marks = marks.filter { $0.provider == provider }
      if !marks.isEmpty {
        inputs["marks_\(number)"] = .list(marks.map(\.value))
        steps += """
            - id: marks_\(number)
              for_each: "{{ inputs.marks_\(number) }}"
              as: change
              uses: mail.flag
              provider: \(name)
              with:
                folder: "{{ change.folder }}"
                uids: "{{ change.uids }}"
                add: "{{ change.add }}"
                remove: "{{ change.remove }}"

          """
      }
      let moves = moves.filter { $0.provider == provider }
      guard !moves.isEmpty else { continue }
      inputs["moves_\(number)"] = .list(moves.map { $0.inputValue(recipe, version) })
      // Recorded before the move, because the daemon sees the messages arrive at once.
      steps += """
          - id: noted_\(number)
            for_each: "{{ inputs.moves_\(number) }}"
            as: change
            uses: mail.returned
            with:
              provider: \(name)
              folder: "{{ change.to }}"
              keys: "{{ change.keys }}"
              recipe: "{{ change.recipe }}"
              version: "{{ change.version }}"

          - id: moves_\(number)
            for_each: "{{ inputs.moves_\(number) }}"
            as: change
            uses: mail.move
            provider: \(name)
            with: { folder: "{{ change.from }}", uids: "{{ change.uids }}", to: "{{ change.to }}" }

        """
    }
    let declared = inputs.keys.map { "  \($0.text): \($0.text == Self.runInput ? "string" : "array")\n" }.joined()
    let text = """
      name: \(Self.recipeName)
      description: Takes back what run \(run) has done to messages
      inputs:
      \(declared)steps:
      \(steps)
      """
    return (text, .map(inputs))
  }
}

extension Value {
  fileprivate static func texts(_ texts: [String]) -> Value { .list(texts.map { .string($0) }) }
}
