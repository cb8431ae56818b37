import Expressions

/// The answer of a server.
public struct HTTPAnswer: Sendable {
  /// The status.
  public var status: Int
  /// The value of `Retry-After` in seconds, if there is one (RFC 9110, section 10.2.3); a date is not read.
  public var retryAfter: Double?
  /// The body.
  public var body: [UInt8]

  /// The most bytes of a body: 256 KiB.
  public static let longest = 256 << 10

  /// Creates an answer.
  public init(status: Int, retryAfter: Double? = nil, body: [UInt8]) {
    self.status = status
    self.retryAfter = retryAfter
    self.body = body
  }

  /// The body as a JSON object; `nil` if it is none.
  var object: ValueMap? {
    (try? Value(json: body, limits: JSONLimits(depth: 16, size: Self.longest)))?.mapValue
  }
}
