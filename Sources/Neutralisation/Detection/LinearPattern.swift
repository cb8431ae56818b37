import CRE2
import Localization

/// A regular expression of RE2: linear in the length of the text, whatever the pattern.
// The C++ object is immutable after compilation and RE2 documents concurrent matching as safe.
final class LinearPattern: @unchecked Sendable {
  /// The longest pattern, in bytes.
  static let longest = 4_000
  private static let memory: Int64 = 16 << 20
  private static let groups = 3
  /// The most bytes of a character in UTF-8.
  private static let longestCharacter = 4

  private let pattern: OpaquePointer

  /// Compiles a pattern.
  ///
  /// - Throws: ``NeutralisationError`` with code `invalid_pattern`.
  init(_ text: String) throws(NeutralisationError) {
    var reason = [CChar](repeating: 0, count: 200)
    var text = text
    let compiled =
      text.utf8.count > Self.longest
      ? nil : text.withUTF8 { cre2_compile($0.baseAddress, $0.count, Self.memory, &reason, reason.count) }
    guard let compiled else {
      let why = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      throw NeutralisationError(
        .invalidPattern,
        .init(
          "'\(text)' is not a regular expression of RE2: \(why)",
          de: "'\(text)' ist kein regulärer Ausdruck von RE2: \(why)"))
    }
    pattern = compiled
  }

  deinit { cre2_free(pattern) }

  /// Every match from the left, none overlapping another: the range of the whole and of the first two groups, in bytes.
  ///
  /// - Parameter sharesBoundary: Whether the one character after the first group may also begin the next match. A pattern that
  ///   requires a character before and after its data would otherwise miss every second of adjacent lines.
  func matches(
    in bytes: UnsafeBufferPointer<UInt8>, sharesBoundary: Bool = false,
    _ body: (_ whole: Range<Int>, _ groups: [Range<Int>?]) -> Void
  ) {
    var start = 0
    var ranges = [Int64](repeating: -1, count: 2 * Self.groups)
    while start <= bytes.count,
      cre2_search(pattern, bytes.baseAddress, bytes.count, start, &ranges, Int32(Self.groups))
    {
      func range(_ group: Int) -> Range<Int>? {
        let (lower, upper) = (Int(ranges[2 * group]), Int(ranges[2 * group + 1]))
        return lower >= 0 && upper >= lower ? lower..<upper : nil
      }
      guard let whole = range(0) else { return }
      if !whole.isEmpty { body(whole, (1..<Self.groups).map(range)) }
      var end = whole.upperBound
      if sharesBoundary, let group = range(1), !group.isEmpty, end - group.upperBound <= Self.longestCharacter {
        end = group.upperBound
      }
      start = max(end, start + 1)
    }
  }
}
