#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ActionError {
  /// The error of a response with a status of failure, if the service gives no details.
  ///
  /// 401 and 403 are `auth`, 402 `quota`, 404 and 410 `not_found`, 408 `timeout`, 429 `rate_limited`, 501 `unsupported`,
  /// other 5xx `server`, 400, 409, 413, 415 and 422 `invalid_input`, all others `protocol`. Retry-After is taken over.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - headers: The header fields of the response.
  ///   - detail: The service's own words, if it gave any; cut after 500 characters. No message bodies.
  ///   - now: The time, for a Retry-After that is a date.
  public init(status: Int, headers: HTTPHeaders = [:], detail: String? = nil, now: HostClock? = nil) {
    let kind: Kind =
      switch status {
      case 401, 403: .auth
      case 402: .quota
      case 404, 410: .notFound
      case 408, 504: .timeout
      case 429: .rateLimited
      case 501: .unsupported
      case 500..<600: .server
      case 400, 409, 413, 415, 422: .invalidInput
      default: .protocol
      }
    let words = detail.map { ": " + String($0.prefix(500)) } ?? ""
    self.init(
      kind, "The service answered with status \(status)\(words)",
      german: "Der Dienst antwortete mit Status \(status)\(words)", retryAfter: headers.retryAfter(now: now))
    if kind == .auth {
      advice = "Check the credentials in sous.yaml, and what they are allowed to do."
      adviceGerman = "Die Zugangsdaten in sous.yaml prüfen, und was sie dürfen."
    }
  }

  /// A failure as the host reports it: the payload of a `SOUS_STATUS_ERROR` result.
  package init(payload: [UInt8]) {
    guard case .object(let members)? = try? JSONReader.read(payload), let kind = members["kind"]?.string else {
      self.init(
        .io, "The host reported a failure without saying which.",
        german: "Der Host meldete einen Fehler, ohne ihn zu nennen.")
      return
    }
    let seconds: Double? =
      switch members["retry_after"] {
      case .integer(let number): Double(number)
      case .number(let number): number
      default: nil
      }
    self.init(
      Kind(rawValue: kind), members["message"]?.string ?? kind, german: members["message_de"]?.string,
      advice: members["advice"]?.string, adviceGerman: members["advice_de"]?.string, retryAfter: seconds)
  }
}

extension HTTPHeaders {
  /// Seconds that the service asks to wait: `retry-after-ms`, or `Retry-After` as seconds or as a date, RFC 9110 10.2.3.
  ///
  /// - Parameter now: The time from which a date counts; without it a date is skipped.
  /// - Returns: Seconds, never negative; `nil` if the response has no usable time.
  public func retryAfter(now: HostClock? = nil) -> Double? {
    if let text = self["retry-after-ms"], let milliseconds = Double(text), milliseconds.isFinite {
      return max(0, milliseconds / 1000)
    }
    guard let text = self["retry-after"] else { return nil }
    if let seconds = Double(text) { return seconds.isFinite ? max(0, seconds) : nil }
    guard let now, let date = HTTPDate.parse(text) else { return nil }
    return max(0, date.timeIntervalSince(now.now))
  }
}

/// The date format of HTTP, `Sun, 06 Nov 1994 08:49:37 GMT`, RFC 9110 section 5.6.7.
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  static func parse(_ text: String) -> Date? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), (1...31).contains(day),
      let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3]), (1970...9999).contains(year)
    else { return nil }
    let time = parts[4].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]), (0...60).contains(time[2]) else {
      return nil
    }
    // Days since 1970 after Howard Hinnant's `days_from_civil`, with years that begin in March.
    let shifted = month < 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    return Date(timeIntervalSince1970: Double(days * 86_400 + time[0] * 3600 + time[1] * 60 + time[2]))
  }
}
