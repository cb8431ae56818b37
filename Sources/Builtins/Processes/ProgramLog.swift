import Engine

/// Writes the output of a program as lines of the run log while it runs.
///
/// A program that writes few lines has all of them there. One that writes many has as many as ``mostLines`` and
/// ``linesPerSecond`` allow; the last ``lastLines`` of each stream are kept beside that, and written when it has failed.
struct ProgramLog: Sendable {
  /// Where a program writes.
  enum Stream: String, CaseIterable {
    case output = "stdout"
    case errors = "stderr"
  }

  /// Bytes of a line that are kept.
  static let longestLine = 500
  /// Lines that may be written at once.
  static let burst = 100.0
  /// Lines a second that may be written for long.
  static let linesPerSecond = 10.0
  /// Lines of one attempt, beside its last ones.
  static let mostLines = 2000
  /// The last lines of a stream that are always kept.
  static let lastLines = 20

  fileprivate struct Source {
    /// The rest that has not been searched for secrets yet: an incomplete line, or what may be the beginning of a secret.
    var raw: [UInt8] = []
    /// The beginning of a line, without secrets.
    var line: [UInt8] = []
    /// The last lines that are not in the run log.
    var withheld: [String] = []
    /// How many lines are not in the run log.
    var withheldCount = 0
  }

  private let reporter: any ActionReporter
  private let mask: SecretMask
  private var output = Source()
  private var errors = Source()
  private var written = 0
  private var allowance = burst
  private var allowedAt: Double?
  /// Whether lines are kept back until there is room for a number of them, so that they stay together.
  private var isFull = false

  init(_ reporter: any ActionReporter, _ mask: SecretMask) {
    self.reporter = reporter
    self.mask = mask
  }

  /// Takes what the program has written.
  ///
  /// - Parameter now: Seconds of a monotonic clock.
  mutating func add(_ bytes: UnsafeRawBufferPointer, from stream: Stream, at now: Double) {
    var source = self[stream]
    source.raw.append(contentsOf: bytes)
    // A line without an end is taken in pieces.
    guard bytes.contains(Self.lineEnd) || source.raw.count > 64 << 10 else {
      self[stream] = source
      return
    }
    let end = source.raw.lastIndex(of: Self.lineEnd).map { $0 + 1 } ?? source.raw.count
    // A secret may have several lines.
    let (masked, held) = mask.split(String(decoding: source.raw[..<end], as: UTF8.self))
    source.raw = Array(held.utf8) + source.raw[end...]
    let lines = source.take(masked)
    self[stream] = source
    for line in lines { write(line, from: stream, at: now) }
  }

  /// Writes what is left when the program has ended.
  ///
  /// - Parameter hasFailed: Whether its last lines are wanted.
  mutating func finish(hasFailed: Bool, at now: Double) {
    for stream in Stream.allCases {
      var source = self[stream]
      var lines = source.take(mask(String(decoding: source.raw, as: UTF8.self)))
      lines += source.take("\n")
      source.raw = []
      self[stream] = source
      for line in lines { write(line, from: stream, at: now) }
      if hasFailed {
        release(stream)
      } else if self[stream].withheldCount > 0 {
        tellLeftOut(self[stream].withheldCount, of: stream)
      }
    }
  }

  private mutating func write(_ line: String, from stream: Stream, at now: Double) {
    allowance = min(Self.burst, allowance + max(0, now - (allowedAt ?? now)) * Self.linesPerSecond)
    allowedAt = now
    if isFull, allowance >= Double(Stream.allCases.count * Self.lastLines + 1), written < Self.mostLines {
      isFull = false
      for stream in Stream.allCases { release(stream) }
    }
    if !isFull, allowance >= 1, written < Self.mostLines {
      log(line, from: stream)
      return
    }
    isFull = true
    self[stream].withhold(line)
  }

  private mutating func release(_ stream: Stream) {
    let lines = self[stream].withheld
    let leftOut = self[stream].withheldCount - lines.count
    self[stream].withheld = []
    self[stream].withheldCount = 0
    if leftOut > 0 { tellLeftOut(leftOut, of: stream) }
    for line in lines { log(line, from: stream) }
  }

  private mutating func log(_ line: String, from stream: Stream) {
    written += 1
    allowance -= 1
    reporter.log(.info, "\(stream.rawValue): \(line)")
  }

  private func tellLeftOut(_ count: Int, of stream: Stream) {
    reporter.log(.info, "\(stream.rawValue): (\(count) lines are not in the log)")
  }

  private subscript(_ stream: Stream) -> Source {
    get { stream == .output ? output : errors }
    set { if stream == .output { output = newValue } else { errors = newValue } }
  }

  private static let lineEnd = UInt8(ascii: "\n")
}

extension ProgramLog.Source {
  /// Takes text without secrets, and gives the lines that are complete by it; none that are empty.
  fileprivate mutating func take(_ text: String) -> [String] {
    var lines: [String] = []
    let pieces = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, piece) in pieces.enumerated() {
      // One byte more than is kept shows that there was more.
      line += piece.prefix(max(0, ProgramLog.longestLine + 1 - line.count))
      guard index < pieces.count - 1 else { break }
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if line.count > ProgramLog.longestLine {
        lines.append(String(decoding: line.prefix(ProgramLog.longestLine), as: UTF8.self) + "…")
      } else if !line.isEmpty {
        lines.append(String(decoding: line, as: UTF8.self))
      }
      line = []
    }
    return lines
  }

  fileprivate mutating func withhold(_ line: String) {
    withheldCount += 1
    if withheld.count == ProgramLog.lastLines { withheld.removeFirst() }
    withheld.append(line)
  }
}
