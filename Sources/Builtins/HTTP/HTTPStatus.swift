import Engine
import Expressions
import Foundation
import Localization

/// The failure for an unexpected status of a response (RFC 9110, section 15).
struct HTTPStatus {
  private let response: HTTPResponse
  private let host: String
  private let isOnce: Bool
  private let now: Timestamp

  /// Creates a reading of a status.
  ///
  /// - Parameter isOnce: Whether the request must not take effect twice.
  init(_ response: HTTPResponse, host: String, isOnce: Bool, now: Timestamp) {
    self.response = response
    self.host = host
    self.isOnce = isOnce
    self.now = now
  }

  /// The failure of the action.
  var failure: ActionFailure {
    ActionFailure(
      kind,
      LocalizedText(
        "\(host) answers with status \(response.status)", de: "\(host) antwortet mit Status \(response.status)")
        + redirection,
      advice: isRedirection && target != nil
        ? LocalizedText(
          "name the address it leads to; only 'http.get' follows redirects, where 'redirects' is not false",
          de:
            "die Adresse angeben, zu der sie führt; nur 'http.get' folgt Umleitungen, solange 'redirects' nicht false ist"
        )
        : nil,
      retryAfter: kind.isTransient ? retryAfter : nil)
  }

  private var isRedirection: Bool { [301, 302, 303, 307, 308].contains(response.status) }

  /// Where a redirect leads: the origin alone, as paths and queries may hold secrets.
  private var target: String? {
    guard let location = response.header("location")?.trimmingCharacters(in: .whitespaces), !location.isEmpty else {
      return nil
    }
    guard let url = URLComponents(string: location), let name = url.host else { return host }
    return (url.scheme.map { $0 + "://" } ?? "") + name + (url.port.map { ":\($0)" } ?? "")
  }

  private var redirection: LocalizedText {
    guard isRedirection else { return LocalizedText(verbatim: "") }
    guard let target else {
      return LocalizedText(", a redirect that does not say where to", de: ", eine Umleitung, die nicht sagt, wohin")
    }
    return LocalizedText(", a redirect to \(target)", de: ", eine Umleitung zu \(target)")
  }

  private var kind: ActionFailure.Kind {
    switch response.status {
    case 401, 403, 407: .auth
    case 402: .quota
    case 404, 410: .notFound
    // The server says that it has not dealt with the request.
    case 408, 425, 503: .server
    case 429: .rateLimited
    case 501, 505: .unsupported
    // The server may have processed the request, wholly or in part, before the error; this is unknown.
    case 500...599: isOnce ? .io : .server
    case 400...499: .invalidInput
    default: .failed
    }
  }

  /// Seconds to wait, as `Retry-After` has them or until its date, at most a day.
  private var retryAfter: Double? {
    guard let text = response.header("retry-after")?.trimmingCharacters(in: .whitespaces) else { return nil }
    if let seconds = Double(text), seconds >= 0 { return min(seconds, 86_400) }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    guard let date = formatter.date(from: text) else { return nil }
    return min(max(0, date.timeIntervalSince1970 - Double(now.seconds)), 86_400)
  }
}
