public import Expressions

/// The name of a run: a ULID, 26 characters of Crockford's Base32 that sort by time of creation.
///
/// See <https://github.com/ulid/spec>: 48 bits of milliseconds since 1970, then 80 random bits.
public struct RunID: RawRepresentable, Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The 26 characters.
  public let rawValue: String

  /// Takes a name as it stands in the run log.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Makes a new name.
  ///
  /// - Parameters:
  ///   - time: When the run is created.
  ///   - random: Where the random part comes from.
  public init(at time: Timestamp, using random: inout some RandomNumberGenerator) {
    let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    let milliseconds = UInt64(clamping: time.seconds) &* 1000 &+ UInt64(clamping: time.nanoseconds / 1_000_000)
    var text = ""
    for position in stride(from: 9, through: 0, by: -1) {
      text.append(alphabet[Int((milliseconds >> UInt64(position * 5)) & 31)])
    }
    for _ in 0..<16 { text.append(alphabet[Int(random.next() & 31)]) }
    rawValue = text
  }

  /// The 26 characters.
  public var description: String { rawValue }

  /// Whether one run was created before another.
  public static func < (left: RunID, right: RunID) -> Bool { left.rawValue < right.rawValue }
}
