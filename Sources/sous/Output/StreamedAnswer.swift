import Engine
import Expressions
import Localization
import Synchronization

/// Shows the answer of a language model as it comes: words on standard output, thoughts on standard error where wanted.
final class StreamedAnswer: ActionReporter {
  private struct State {
    var hasBegun = false
    var isInLine = false
    var isThinking = false
    var firstWord: Duration?
    var text = ""
  }

  private let state = Mutex(State())
  private let isSilent: Bool
  private let isVerbose: Bool
  private let start = ContinuousClock.now
  private let terminal = Terminal(descriptor: 2)

  /// Prepares for an answer.
  ///
  /// - Parameters:
  ///   - isSilent: Whether nothing is shown on the way.
  ///   - isVerbose: Whether thoughts and lines of the log are shown.
  init(isSilent: Bool, isVerbose: Bool) {
    self.isSilent = isSilent
    self.isVerbose = isVerbose
  }

  /// Whether a word of the answer has been shown.
  var hasBegun: Bool { state.withLock(\.hasBegun) }

  /// The text of the answer so far, shown or not.
  var text: String { state.withLock(\.text) }

  /// Whether words of the answer have come.
  var hasWords: Bool { !text.allSatisfy(\.isWhitespace) }

  func delta(_ delta: Value) {
    if let text = delta["text"]?.stringValue { state.withLock { $0.text += text } }
    guard !isSilent else { return }
    if isVerbose, let thought = delta["reasoning"]?.stringValue, !thought.isEmpty {
      state.withLock { state in
        state.isThinking = true
        writeErrorVerbatim(terminal.styled(thought.harmless, .dim))
      }
    }
    if let text = delta["text"]?.stringValue { show(text) }
  }

  /// Shows words of the answer.
  func show(_ text: String) {
    guard !text.isEmpty else { return }
    state.withLock { state in
      if state.isThinking {
        state.isThinking = false
        writeError("\n")
      }
      if !state.hasBegun { state.firstWord = ContinuousClock.now - start }
      state.hasBegun = true
      state.isInLine = !text.hasSuffix("\n")
      writeOutput(text)
    }
  }

  /// Ends the line that the answer is in.
  func endLine() {
    state.withLock { state in
      guard state.isInLine else { return }
      state.isInLine = false
      writeOutput("\n")
    }
  }

  func log(_ level: LogLevel, _ message: String) {
    guard isVerbose || level >= .warning else { return }
    writeError("\(level.rawValue): \(message.singleLine)\n")
  }

  func progress(done: UInt64, total: UInt64, label: String) {}

  /// Who answered, what it cost, how long it took.
  func summary(of output: Value, provider: String) -> String {
    let seconds = { (duration: Duration) in (duration / .seconds(1)).spokenDuration }
    let usage = output["usage"]
    let count = { (name: String) -> Int64 in if case .int(let number)? = usage?[name] { number } else { 0 } }
    let (prompt, completion) = (count("prompt_tokens"), count("completion_tokens"))
    var parts = [
      provider, output["model"]?.stringValue ?? "", output["finish_reason"]?.stringValue ?? "",
      say("\(prompt) + \(completion) tokens", de: "\(prompt) + \(completion) Tokens"),
      seconds(ContinuousClock.now - start),
    ]
    if let first = state.withLock(\.firstWord) {
      parts.append(say("first word after \(seconds(first))", de: "erstes Wort nach \(seconds(first))"))
    }
    return terminal.styled(parts.filter { !$0.isEmpty }.map(\.singleLine).joined(separator: " · "), .dim)
  }
}
