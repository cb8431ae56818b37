import Engine
import Expressions
import Localization
import UseCases

extension WaitStart {
  /// The wait of a step in one line; `nil` for a pause of Sous's own.
  var spoken: String? {
    let end = until.map { say(" until \($0.spokenLocalTime)", de: " bis \($0.spokenLocalTime)") } ?? ""
    switch kind {
    case .approval:
      let question = message?.singleLine ?? ""
      return say("asks for a decision\(end): \(question)", de: "bittet um eine Entscheidung\(end): \(question)")
    case .event:
      let name = [event, key.isEmpty ? nil : key].compactMap { $0?.singleLine }.joined(separator: ", ")
      return say("waits for the event \(name)\(end)", de: "wartet auf das Ereignis \(name)\(end)")
    case .time: return say("waits\(end)", de: "wartet\(end)")
    case .retry, .recipe: return nil
    }
  }

  /// The command that ends the wait from outside; `nil` if there is none.
  var answer: String? { commands().first }

  /// The commands that end the wait from outside, ready to be filled in; optional parts are between brackets.
  ///
  /// - Parameter place: The options that say which step is meant, where a run waits for several things.
  func commands(place: String = "") -> [String] {
    switch kind {
    case .approval:
      return ["sous answer yes \(run.short)\(place)\(fields)", "sous answer no \(run.short)\(place) --reason TEXT"]
    case .event:
      guard let event else { return [] }
      let key = key.isEmpty ? "" : " --key \(key.shellQuoted)"
      return ["sous answer event \(event.shellQuoted)\(key) [--data JSON]"]
    case .time, .retry, .recipe: return []
    }
  }

  /// The fields of the form, those that must be filled in first.
  private var fields: String {
    let fields = FormField.all(of: form)
    func text(_ field: FormField) -> String { "--field \(field.name.shellQuoted)=\(field.placeholder)" }
    return
      (fields.filter(\.isRequired).map { " " + text($0) } + fields.filter { !$0.isRequired }.map { " [\(text($0))]" })
      .joined().singleLine
  }
}

extension [OpenWait] {
  /// The question that a run waits for, with the command that answers a decision; `nil` if it waits for neither a decision nor an event.
  var spokenQuestion: String? {
    let decisions = filter { $0.wait.kind == .approval }
    guard let first = decisions.first else { return first { $0.wait.kind == .event }?.wait.spoken }
    guard decisions.count == 1 else {
      return say(
        "waits for \(decisions.count) answers: sous answer", de: "wartet auf \(decisions.count) Antworten: sous answer")
    }
    let end = first.wait.until.map { say(" until \($0.spokenLocalTime)", de: " bis \($0.spokenLocalTime)") } ?? ""
    return say("waits for an answer\(end): sous answer", de: "wartet auf eine Antwort\(end): sous answer")
  }
}

extension String {
  /// The text as one word of a shell.
  fileprivate var shellQuoted: String {
    let line = singleLine
    let isPlain =
      !line.isEmpty
      && line.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || [0x2D, 0x2E, 0x2F, 0x3A, 0x40, 0x5F].contains(byte)
      }
    return isPlain ? line : "'" + line.replacing("'", with: "'\\''") + "'"
  }
}
