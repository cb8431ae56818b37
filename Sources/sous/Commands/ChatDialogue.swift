import Glibc
import Localization
import Synchronization
import UseCases

/// A conversation on a terminal, line by line.
final class ChatDialogue: Sendable {
  /// The result of a line: the conversation after it, and why it has no whole answer.
  typealias Outcome = (conversation: Conversation, failure: CommandError?)

  /// The time between two looks at the terminal, in milliseconds.
  private static let pause = 30
  private static let sign = "> "
  private let answering = Mutex<Task<Outcome, Never>?>(nil)
  private let terminal = Terminal()

  /// Ctrl-C: stops the answer. Without an answer it begins a new line, as the terminal has dropped the words.
  @Sendable func interrupt() {
    let isAnswering = answering.withLock { task in
      task?.cancel()
      return task != nil
    }
    if !isAnswering { write("\n" + Self.sign) }
  }

  /// Reads lines and has each answered, until the input ends. A failure is shown, and the conversation goes on.
  func converse(
    _ conversation: Conversation, _ answer: @escaping @Sendable (String, Conversation) async -> Outcome
  ) async {
    let help = say(
      "Ctrl-C stops an answer, Ctrl-D ends. A line with \\ at its end goes on.",
      de: "Strg-C hält eine Antwort an, Strg-D beendet. Eine Zeile mit \\ am Ende geht weiter.")
    write(terminal.styled(help, .dim) + "\n")
    var conversation = conversation
    var lines = TerminalLines()
    while let question = await question(&lines) {
      guard !question.allSatisfy(\.isWhitespace) else { continue }
      let task = Task { [conversation] in await answer(question, conversation) }
      answering.withLock { $0 = task }
      let outcome = await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
      answering.withLock { $0 = nil }
      conversation = outcome.conversation
      if let message = outcome.failure?.message { writeError(message.spoken + "\n") }
      if Task.isCancelled { break }
    }
    write("\n")
  }

  /// The next question, which may have several lines; `nil` at the end of the input.
  private func question(_ lines: inout TerminalLines) async -> String? {
    var question = ""
    write(Self.sign)
    while let line = await lines.next(pause: Self.pause) {
      guard line.hasSuffix("\\") else { return question + line }
      question += line.dropLast() + "\n"
      write("… ")
    }
    return nil
  }
}

/// The lines that a person types.
private struct TerminalLines {
  private var bytes: [UInt8] = []

  /// The next line without its end; `nil` at the end of the input, or if the task is cancelled.
  mutating func next(pause: Int) async -> String? {
    while true {
      if let end = bytes.firstIndex(of: 0x0A) {
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        bytes.removeFirst(end + 1)
        return line
      }
      var poll = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&poll, 1, 0) != 0 else {
        guard (try? await Task.sleep(for: .milliseconds(pause))) != nil else { return nil }
        continue
      }
      var piece = [UInt8](repeating: 0, count: 4096)
      let count = read(STDIN_FILENO, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      bytes += piece[..<count]
    }
  }
}
