public import PluginKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How long a service asks to wait, read from the header fields of its answer.
public struct RetryDelay: Sendable {
  /// The seconds to wait; `nil` if nothing usable is said. The caller decides about the maximum.
  public let seconds: Double?

  /// Reads `retry-after-ms`, `retry-after` (seconds, or a date) and, where these say nothing and the limit was reached,
  /// when the allowances of `x-ratelimit-*` that are used up begin anew.
  ///
  /// - Parameters:
  ///   - headers: The header fields.
  ///   - status: The status; allowances matter for 429 alone.
  ///   - now: The time, from which a date counts.
  public init(_ headers: HTTPHeaders, status: Int, now: HostClock? = nil) {
    let asked = headers.retryAfter(now: now) ?? (status == 429 ? Self.reset(headers) : nil)
    seconds = asked.flatMap { $0 > 0 ? $0 : nil }
  }

  /// When the last of the allowances that are used up begins anew, in seconds.
  private static func reset(_ headers: HTTPHeaders) -> Double? {
    var longest: Double?
    for field in headers.fields {
      let name = field.name.lowercased()
      guard name.hasPrefix("x-ratelimit-reset-"), let seconds = duration(field.value) else { continue }
      let kind = name.dropFirst("x-ratelimit-reset-".count)
      if let left = headers["x-ratelimit-remaining-\(kind)"], let number = Double(left), number > 0 { continue }
      longest = max(longest ?? 0, seconds)
    }
    return longest
  }

  /// Seconds of a duration as Go writes them: `1m30s`, `12ms`, `1h0m2.5s`; a bare number is seconds.
  public static func duration(_ text: String) -> Double? {
    let text = text.filter { !$0.isWhitespace }
    if let seconds = Double(text) { return seconds.isFinite ? seconds : nil }
    var total = 0.0
    var rest = Substring(text)
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { !($0.isASCII && $0.isNumber) && $0 != "." }
      rest = rest.dropFirst(unit.count)
      guard let number = Double(digits), let factor = units[String(unit)] else { return nil }
      total += number * factor
    }
    return total.isFinite ? total : nil
  }

  private static let units: [String: Double] = [
    "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600, "d": 86_400,
  ]
}
