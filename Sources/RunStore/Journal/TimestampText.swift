internal import Expressions

/// A point in time as the columns of the database hold it, made anew only where it changes: the entries of a journal
/// mostly lie milliseconds apart.
struct TimestampText {
  private var seconds: Int64?
  private var bytes: [UInt8] = []

  /// Takes another point in time.
  mutating func set(_ time: Timestamp) {
    let milliseconds = Int(time.nanoseconds) / 1_000_000
    // `2009-02-13T23:31:30.500Z`; a year may have more than four digits.
    guard seconds == time.seconds, (0..<1000).contains(milliseconds), bytes.count == 24 else {
      bytes = Array(time.rfc3339Milliseconds.utf8)
      seconds = time.seconds
      return
    }
    bytes[20] = 48 + UInt8(milliseconds / 100)
    bytes[21] = 48 + UInt8(milliseconds / 10 % 10)
    bytes[22] = 48 + UInt8(milliseconds % 10)
  }

  /// Lends the text out, in UTF-8.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    bytes.withUnsafeBufferPointer(body)
  }
}
