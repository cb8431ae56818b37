import Expressions
import Localization

/// What a server answers where a sign-in on another device begins (RFC 8628, section 3.2).
struct DeviceAuthorization: Sendable {
  /// What the device asks with; nobody sees it.
  let deviceCode: String
  /// What a person types in.
  let userCode: String
  /// Where.
  let verificationURL: String
  /// A URL that has the code in it already; `nil` where there is none.
  let completeURL: String?
  /// The seconds until the codes end.
  let lifetime: Int64
  /// The seconds between two questions.
  let interval: Int64

  /// Reads an answer.
  ///
  /// - Throws: ``OAuthError``: what the server says, or ``OAuthError/Code/invalidResponse``.
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
    func seconds(_ name: String, _ bounds: ClosedRange<Double>, otherwise usual: Double) -> Int64 {
      let said = object[name]?.doubleValue ?? usual
      return Int64(said.isFinite ? min(max(said, bounds.lowerBound), bounds.upperBound) : usual)
    }
    lifetime = seconds("expires_in", 1...3600, otherwise: 600)
    interval = seconds("interval", 1...300, otherwise: 5)
  }

  /// Whether a text may be shown, and opened, as a web page's address.
  private static func isWebPage(_ text: String) -> Bool {
    (text.hasPrefix("https://") || text.hasPrefix("http://")) && text.utf8.count <= 4096
      && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }
}

/// When a device asks whether somebody has typed the code in (RFC 8628, sections 3.4 and 3.5). Does nothing itself.
struct DevicePolling: Sendable {
  /// What is to be done next.
  enum Action: Equatable {
    /// Ask at this moment, in seconds since 1970.
    case ask(at: Int64)
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

  /// What follows an answer that gives no tokens.
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
    interval = min(Self.slowest, max(interval * 2, Int64(min(error.retryAfter ?? 0, 300))))
    return next(at: now)
  }

  private func next(at now: Int64) -> Action {
    let moment = now + interval
    return moment <= end ? .ask(at: moment) : .end(Self.late)
  }

  private static let late = OAuthError(
    .timedOut,
    LocalizedText("nobody typed the code in before it ended", de: "niemand hat den Code eingegeben, bevor er ablief"))
}
