/// Makes lines of what a worker writes to standard output and error: bounded in length and in number; pure.
struct OutputLines {
  enum Line: Equatable {
    case text(String)
    /// From here on lines are left out.
    case cutOff
  }

  private let lineBytes: Int
  private var pending: [UInt8] = []
  private var allowance = LineAllowance()
  private var isCutOff = false
  /// The last line that was not empty, also one that was left out.
  private(set) var lastWords = ""

  init(lineBytes: Int) { self.lineBytes = lineBytes }

  /// Takes bytes that arrived at a time, monotonic in seconds, and gives the lines that are complete with them.
  mutating func append(_ bytes: some Collection<UInt8>, at time: Double) -> [Line] {
    allowance.advance(to: time)
    var lines: [Line] = []
    for byte in bytes {
      guard byte == 0x0a else {
        if pending.count < lineBytes { pending.append(byte) }
        continue
      }
      finishLine(into: &lines)
    }
    return lines
  }

  /// The rest, if the output does not end with a line break.
  mutating func finish() -> [Line] {
    var lines: [Line] = []
    if !pending.isEmpty { finishLine(into: &lines) }
    return lines
  }

  private mutating func finishLine(into lines: inout [Line]) {
    let text = String(decoding: pending, as: UTF8.self)
    pending.removeAll(keepingCapacity: true)
    if !text.isEmpty { lastWords = text }
    if allowance.take() {
      isCutOff = false
      lines.append(.text(text))
    } else if !isCutOff {
      isCutOff = true
      lines.append(.cutOff)
    }
  }
}
