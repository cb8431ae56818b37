import Expressions
import Localization

/// The answer of a server that starts a sign-in on another device (RFC 8628, section 3.2).
struct DeviceAuthorization: Sendable {
  /// The code of the device, which is not shown.
  let deviceCode: String
  /// The code that the user enters.
  let userCode: String
  /// Where.
  let verificationURL: String
  /// A URL that has the code in it already; `nil` if there is none.
  let completeURL: String?
  /// The seconds until the codes end.
  let lifetime: Int64
  /// The seconds between two questions.
  let interval: Int64

  /// Reads an answer.
  ///
  /// - Throws: ``OAuthError``: the error of the server, or ``OAuthError/Code/invalidResponse``.
  init(_ answer: HTTPAnswer, hiding secrets: [String]) throws(OAuthError) {
    if let failure = ServerFailure(answer) { throw failure.error(hiding: secrets) }
    guard let object = answer.object, let device = object["device_code"]?.stringValue, !device.isEmpty,
      device.utf8.count <= 16 << 10, let code = object["user_code"]?.stringValue, (1...64).contains(code.count),
      // Google's older name.
      let url = object["verification_uri"]?.stringValue ?? object["verification_url"]?.stringValue, Self.isWebPage(url)
    else {
      throw .invalidResponse(
        "it begins no sign-in on another device", de: "sie beginnt keine Anmeldung auf einem anderen Gerät")
    }
    deviceCode = device
    userCode = ServerWords().clean(code)
    verificationURL = url
    completeURL = object["verification_uri_complete"]?.stringValue.flatMap { Self.isWebPage($0) ? $0 : nil }
    func seconds(_ name: String, _ bounds: ClosedRange<Double>, otherwise usual: Double) -> Double {
      let said = object[name]?.doubleValue ?? object[name]?.stringValue.flatMap(Double.init) ?? usual
      return said.isFinite ? min(max(said, bounds.lowerBound), bounds.upperBound) : usual
    }
    lifetime = Int64(seconds("expires_in", 1...3600, otherwise: 600))
    // Rounded up: a poll before the interval has passed makes the server slow the device down.
    interval = Int64(seconds("interval", 1...300, otherwise: 5).rounded(.up))
  }

  /// Whether a text may be shown, and opened, as a web page's address.
  private static func isWebPage(_ text: String) -> Bool {
    (text.hasPrefix("https://") || text.hasPrefix("http://")) && text.utf8.count <= 4096
      && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }
}

/// Decides when a device polls for the token (RFC 8628, sections 3.4 and 3.5). Does no I/O.
struct DevicePolling: Sendable {
  /// The next action.
  enum Action: Equatable {
    /// Ask after so many seconds.
    case ask(after: Int64)
    /// Stop.
    case end(OAuthError)
  }

  /// What `slow_down` adds to the interval.
  private static let slower: Int64 = 5
  private static let slowest: Int64 = 300

  private var interval: Int64
  private let end: Int64

  /// - Parameters:
  ///   - interval: The seconds between two questions.
  ///   - end: When the codes end, or patience does; in seconds since 1970.
  init(interval: Int64, end: Int64) {
    self.interval = max(1, interval)
    self.end = end
  }

  /// The first question.
  func begin(at now: Int64) -> Action { next(at: now) }

  /// The action after an answer without tokens.
  mutating func handle(_ error: OAuthError, at now: Int64) -> Action {
    switch error.serverCode {
    case "authorization_pending": return next(at: now)
    case "slow_down":
      interval = min(Self.slowest, interval + Self.slower)
      return next(at: now)
    case "expired_token", "invalid_grant": return .end(Self.late)
    default: break
    }
    guard error.isTemporary else { return .end(error) }
    // Section 3.5: exponential backoff where the server does not answer.
    interval = min(Self.slowest, max(interval * 2, Int64(min(error.retryAfter ?? 0, 300).rounded(.up))))
    return next(at: now)
  }

  private func next(at now: Int64) -> Action {
    now + interval <= end ? .ask(after: interval) : .end(Self.late)
  }

  private static let late = OAuthError(
    .timedOut,
    LocalizedText("the code was not entered before it expired", de: "der Code wurde nicht eingegeben, bevor er ablief"))
}
