/// A time of day on a clock without a zone: `09:00`, `23:59:30`.
public struct TimeOfDay: Sendable, Hashable, CustomStringConvertible {
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59.
  public let minute: Int
  /// 0 to 59.
  public let second: Int

  /// Reads `HH:MM` or `HH:MM:SS`; `nil` where the text is something else.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part -> Int? in
      part.utf8.count == 2 && part.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int(part) : nil
    }
    guard numbers.count == parts.count, parts.count == 2 || parts.count == 3, numbers[0] < 24,
      numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    (hour, minute, second) = (numbers[0], numbers[1], numbers.count == 3 ? numbers[2] : 0)
  }

  /// Seconds since midnight.
  public var seconds: Int { hour * 3600 + minute * 60 + second }

  /// `09:00`, with seconds where there are some.
  public var description: String {
    let numbers = second == 0 ? [hour, minute] : [hour, minute, second]
    return numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
