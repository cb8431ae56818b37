internal import Hashing

/// The names that traces and spans have in OpenTelemetry: made from the names of the run log, so that the same run gives
/// the same trace every time.
package enum TraceID {
  /// The trace of a run and of all that belong to it, 16 bytes in hexadecimal: the 128 bits of the ULID.
  package static func trace(of run: RunID) -> String {
    let digits = run.rawValue.utf8.compactMap { character in alphabet.firstIndex(of: character) }
    // 26 digits are 130 bits; those of a ULID begin with two zeros.
    guard digits.count == 26, run.rawValue.utf8.count == 26, let first = digits.first, first < 8 else {
      return String(hash("run", run.rawValue).prefix(32))
    }
    var bits: UInt64 = 0
    var count = 0
    var text = ""
    for (index, digit) in digits.enumerated() {
      bits = bits << 5 | UInt64(digit)
      count += index == 0 ? 3 : 5
      while count >= 4 {
        count -= 4
        text += String(bits >> UInt64(count) & 15, radix: 16)
      }
      bits &= (1 << UInt64(count)) - 1
    }
    return text
  }

  /// The span of a run, 8 bytes in hexadecimal.
  package static func span(of run: RunID) -> String { String(hash("run", run.rawValue).prefix(16)) }

  /// The span of a step.
  package static func span(of run: RunID, step: Int) -> String {
    String(hash("step", run.rawValue, "\(step)").prefix(16))
  }

  /// The span of an attempt.
  package static func span(of run: RunID, step: Int, item: Int?, number: Int) -> String {
    String(hash("attempt", run.rawValue, "\(step)", "\(item ?? -1)", "\(number)").prefix(16))
  }

  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  private static func hash(_ parts: String...) -> String {
    ContentHash.hexadecimal(of: Array(parts.joined(separator: "/").utf8))
  }
}
