internal import CRE2
public import Localization
internal import Synchronization

/// A compiled RE2 pattern: linear time whatever the pattern and the text.
// The C++ object is immutable after compilation and RE2 documents concurrent matching as safe.
final class RegularExpression: @unchecked Sendable {
  private let pattern: OpaquePointer
  /// The number of instructions: what a search may cost for each byte of text.
  let programSize: Int
  /// The number of groups that capture.
  let groupCount: Int

  /// The most groups that a search reports.
  private static let maximumGroups = 9
  /// The largest pattern in bytes.
  static let maximumLength = 10_000
  /// The memory of one compiled pattern with its state cache, in bytes.
  private static let maximumMemory: Int64 = 4 << 20

  init(_ text: String) throws(Fault) {
    guard text.utf8.count <= Self.maximumLength else {
      throw .evaluation(
        LocalizedText(
          "a pattern may have \(Self.maximumLength) bytes",
          de: "Ein Muster darf \(Self.maximumLength) Bytes haben"))
    }
    let (compiled, reason) = compile(text, memory: Self.maximumMemory)
    guard let compiled else {
      throw .evaluation(
        LocalizedText(
          "this regular expression is invalid: \(reason)", de: "Dieser reguläre Ausdruck ist ungültig: \(reason)"))
    }
    pattern = compiled
    programSize = max(1, Int(cre2_program_size(compiled)))
    groupCount = min(max(0, Int(cre2_group_count(compiled))), Self.maximumGroups)
  }

  deinit {
    cre2_free(pattern)
  }

  /// Whether the pattern is found anywhere in the text.
  func matches(_ text: String, _ frame: inout Frame) throws(Fault) -> Bool {
    try frame.charge(1 + text.utf8.count / 10 + text.utf8.count * programSize / 10_000)
    return text.withBytes { cre2_matches(pattern, $0.baseAddress, $0.count) }
  }

  /// Calls the closure with the byte ranges of each match and of its groups, `nil` for a group that takes no part.
  ///
  /// After an empty match the search goes on one code point later.
  ///
  /// - Parameter limit: The most matches.
  func forEachMatch(
    _ text: [UInt8], limit: Int64, _ frame: inout Frame, _ visit: ([Range<Int>?]) -> Void
  ) throws(Fault) {
    var ranges = [Int64](repeating: -1, count: 2 * (groupCount + 1))
    var start = 0
    var count: Int64 = 0
    while start <= text.count, count < limit {
      try frame.charge(1 + groupCount)
      let isFound = text.withUnsafeBufferPointer {
        cre2_search(pattern, $0.baseAddress, $0.count, start, &ranges, Int32(truncatingIfNeeded: groupCount + 1))
      }
      // Many matches in a long text cost its length once, and a little for what a search may read behind its match.
      let end = isFound ? Int(ranges[1]) : text.count
      let length = max(0, end - start)
      try frame.charge(length / 10 + length * programSize / 10_000 + (text.count - start) / 1000)
      guard isFound, ranges[0] >= 0 else { return }
      visit(
        stride(from: 0, to: ranges.count, by: 2).map { index in
          ranges[index] < 0 ? nil : Int(ranges[index])..<Int(ranges[index + 1])
        })
      count += 1
      start = end
      guard ranges[0] == ranges[1] else { continue }
      start += 1
      while start < text.count, text[start] & 0xC0 == 0x80 { start += 1 }
    }
  }
}

extension RegularExpression {
  private static let cache = Mutex<[String: RegularExpression]>([:])
  private static let cachedCount = 64

  /// The compiled form of a pattern that only evaluation knows; the last ones are kept.
  static func compiled(_ text: String, _ frame: inout Frame) throws(Fault) -> RegularExpression {
    if let known = cache.withLock({ $0[text] }) { return known }
    try frame.charge(100 + text.utf8.count)
    let expression = try RegularExpression(text)
    cache.withLock { cache in
      if cache.count >= cachedCount { cache.removeAll(keepingCapacity: true) }
      cache[text] = expression
    }
    return expression
  }
}

/// Patterns that other modules match.
public enum LinearPatterns {
  /// Why RE2 does not take a pattern; `nil` if it does.
  ///
  /// - Parameter memory: The bytes that the compiled pattern may take.
  public static func problem(of pattern: String, memory: Int64 = 16 << 20) -> LocalizedText? {
    let (compiled, why) = compile(pattern, memory: memory)
    if let compiled {
      cre2_free(compiled)
      return nil
    }
    return LocalizedText(
      "'\(pattern)' is not a regular expression of RE2: \(why)",
      de: "'\(pattern)' ist kein regulärer Ausdruck von RE2: \(why)")
  }
}

/// Compiles a pattern within so many bytes of memory.
///
/// - Returns: The pattern, which the caller frees; `nil` with the words of RE2 where it takes none.
private func compile(_ text: String, memory: Int64) -> (pattern: OpaquePointer?, reason: String) {
  var reason = [CChar](repeating: 0, count: 200)
  let pattern = text.withBytes { cre2_compile($0.baseAddress, $0.count, memory, &reason, reason.count) }
  return (pattern, String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
}
