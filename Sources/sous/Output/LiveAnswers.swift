import Engine
import Expressions
import Providers

/// The answers of language models that a step is getting, for each item of a loop.
struct LiveAnswers {
  private struct Answer {
    var partial = PartialAnswer()
    var isThinking = false
  }

  private var answers: [Int: Answer] = [:]
  /// The item that a piece has come for last.
  private var latest = -1

  /// Takes a piece of an answer.
  mutating func take(_ delta: Value, item: Int?) {
    latest = item ?? -1
    if let text = delta["text"]?.stringValue, !text.isEmpty {
      answers[latest, default: Answer()].partial.append(text)
      answers[latest]?.isThinking = false
    } else if delta["reasoning"] != nil, answers[latest] == nil {
      answers[latest, default: Answer()].isThinking = true
    }
  }

  /// Drops an item's answer: its attempt is over.
  ///
  /// - Returns: Whether words of it have come.
  mutating func end(item: Int?) -> Bool { answers.removeValue(forKey: item ?? -1)?.partial.isEmpty == false }

  /// Whether the model only thinks so far.
  var isThinking: Bool { answers[latest]?.isThinking == true }

  /// The end of the latest answer in so many lines at most, none longer than so many columns.
  func lines(_ count: Int, columns: Int) -> [String] {
    guard count > 0, let answer = answers[latest], columns > 10 else { return [] }
    let fields = answer.partial.fields.suffix(count)
    var lines: [String] = []
    for (position, field) in fields.enumerated() {
      let room = position == fields.count - 1 ? max(1, count - lines.count) : 1
      let name = field.name.map { "\($0.singleLine): " } ?? ""
      lines += Self.end(of: (field.isShortened ? "…" : "") + field.text, name: name, room, columns)
    }
    return Array(lines.suffix(count))
  }

  /// The last lines of a text, wrapped.
  private static func end(of text: String, name: String, _ count: Int, _ columns: Int) -> [String] {
    var lines = [name]
    var width = name.columns
    for piece in text.suffix(count * columns).split(separator: "\n", omittingEmptySubsequences: true) {
      if lines.count > 1 || width > name.columns {
        lines.append("")
        width = 0
      }
      for character in String(piece).singleLine {
        let more = String(character).columns
        if width + more > columns {
          lines.append("")
          width = 0
        }
        lines[lines.count - 1].append(character)
        width += more
      }
    }
    return Array(lines.filter { !$0.isEmpty }.suffix(count))
  }
}
