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

  /// The last eight characters, for people: 40 random bits, so that two of a run log's runs hardly ever share them.
  ///
  /// Commands take them in the place of the whole name, and refuse them where they name several runs.
  public var short: String { String(rawValue.suffix(8)) }

  /// How many characters of the end of a name a person has to give at least.
  public static let leastEnding = 4

  /// Whether a person means this run: the beginning of its name, or its end; in either case.
  public func isNamed(_ reference: String) -> Bool {
    let reference = reference.uppercased()
    return rawValue.hasPrefix(reference) || reference.utf8.count >= Self.leastEnding && rawValue.hasSuffix(reference)
  }

  /// Whether one run was created before another.
  public static func < (left: RunID, right: RunID) -> Bool { left.rawValue < right.rawValue }
}
