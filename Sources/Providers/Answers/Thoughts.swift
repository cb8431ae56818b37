import Engine
import Expressions
import Synchronization

/// Separates the thoughts at the beginning of an answer, `<think>…</think>`, from its words.
///
/// Many servers write the thoughts of a model into the text of the answer. Tags later in the text are words: an answer may be
/// about them.
struct Thoughts: Sendable {
  private static let tags: [(open: [UInt8], close: [UInt8])] =
    ["think", "thinking", "thought", "reasoning"].map {
      (Array("<\($0)>".utf8), Array("</\($0)>".utf8))
    } + [(Array("[THINK]".utf8), Array("[/THINK]".utf8))]

  private enum Place { case start, words, thought(close: [UInt8]) }

  private var place = Place.start
  private var held: [UInt8] = []
  private var hasThoughts = false

  /// Creates a separator for one answer.
  init() {}

  /// Takes the next piece of an answer. A piece that may be the beginning of a tag is held back.
  mutating func add(_ piece: String) -> (text: String, thought: String) {
    if case .words = place { return (piece, "") }
    held += piece.utf8
    var (text, thought): ([UInt8], [UInt8]) = ([], [])
    scan: while !held.isEmpty {
      switch place {
      case .words:
        text += held
        held = []
      case .start:
        let words = held.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        if words.isEmpty { break scan }
        if let tag = Self.tags.first(where: { words.starts(with: $0.open) }) {
          (place, hasThoughts) = (.thought(close: tag.close), true)
          held = Array(words.dropFirst(tag.open.count))
        } else if Self.tags.contains(where: { $0.open.starts(with: words) }) {
          break scan
        } else {
          place = .words
          // The blanks between the thoughts and the answer belong to neither.
          if hasThoughts { held = Array(words) }
        }
      case .thought(let close):
        if let end = held.firstRange(of: close) {
          thought += held[..<end.lowerBound]
          held = Array(held[end.upperBound...])
          place = .start
        } else {
          let kept = (1..<close.count).reversed().first { held.suffix($0).elementsEqual(close.prefix($0)) } ?? 0
          thought += held.dropLast(kept)
          held = Array(held.suffix(kept))
          break scan
        }
      }
    }
    return (String(decoding: text, as: UTF8.self), String(decoding: thought, as: UTF8.self))
  }

  /// Gives the rest that was held back.
  mutating func finish() -> (text: String, thought: String) {
    let rest = String(decoding: held, as: UTF8.self)
    held = []
    if case .thought = place { return ("", rest) }
    // After thoughts only blanks, or the beginning of a tag, are left.
    return (hasThoughts && rest.allSatisfy(\.isWhitespace) ? "" : rest, "")
  }

  /// Separates a complete answer.
  static func separate(_ text: String) -> (text: String, thought: String) {
    var thoughts = Thoughts()
    let (begin, end) = (thoughts.add(text), thoughts.finish())
    guard !thoughts.hasThoughts else { return (begin.text + end.text, begin.thought + end.thought) }
    return closed(text) ?? (text, "")
  }

  /// The parts of an answer whose opening tag was part of the prompt: `thoughts\n</think>\n\nanswer`, as templates of Qwen and
  /// DeepSeek make them.
  private static func closed(_ text: String) -> (text: String, thought: String)? {
    let bytes = Array(text.utf8)
    for tag in tags {
      guard let end = bytes.firstRange(of: tag.close), bytes[..<end.lowerBound].firstRange(of: tag.open) == nil else {
        continue
      }
      let isLineBreak = { (byte: UInt8?) in byte.map { $0 == 0x0A || $0 == 0x0D } ?? true }
      guard isLineBreak(bytes[..<end.lowerBound].last) || isLineBreak(bytes[end.upperBound...].first) else { continue }
      let words = bytes[end.upperBound...].drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
      return (String(decoding: words, as: UTF8.self), String(decoding: bytes[..<end.lowerBound], as: UTF8.self))
    }
    return nil
  }

  /// An output of `chat.complete` with the thoughts of its text as `reasoning`.
  static func separated(_ output: ValueMap) -> ValueMap {
    guard output["extractive"] != true, let text = output["text"]?.stringValue else { return output }
    let (words, thought) = separate(text)
    guard words != text else { return output }
    var output = output
    output["text"] = .string(words)
    let reasoning = (output["reasoning"]?.stringValue ?? "") + thought
    if !reasoning.isEmpty { output["reasoning"] = .string(reasoning) }
    return output
  }
}

/// Reports the pieces of an answer with its thoughts as `reasoning`.
final class ThoughtReporter: ActionReporter {
  private let base: any ActionReporter
  private let thoughts = Mutex(Thoughts())

  init(_ base: any ActionReporter) { self.base = base }

  func log(_ level: LogLevel, _ message: String) { base.log(level, message) }
  func progress(done: UInt64, total: UInt64, label: String) { base.progress(done: done, total: total, label: label) }

  func delta(_ delta: Value) {
    guard case .map(var map) = delta, let piece = map["text"]?.stringValue else { return base.delta(delta) }
    let (text, thought) = thoughts.withLock { $0.add(piece) }
    let reasoning = (map["reasoning"]?.stringValue ?? "") + thought
    map["text"] = text.isEmpty ? nil : .string(text)
    map["reasoning"] = reasoning.isEmpty ? nil : .string(reasoning)
    if !map.isEmpty { base.delta(.map(map)) }
  }

  /// Reports the rest that was held back.
  func finish() {
    let (text, thought) = thoughts.withLock { $0.finish() }
    var map = ValueMap()
    if !text.isEmpty { map["text"] = .string(text) }
    if !thought.isEmpty { map["reasoning"] = .string(thought) }
    if !map.isEmpty { base.delta(.map(map)) }
  }
}
