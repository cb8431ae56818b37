/// An HTTP/1.1 request to this process.
public struct IncomingRequest: Sendable {
  /// `POST`, `GET` …
  public var method: String
  /// The path as it is sent, without the query.
  public var path: String
  /// The query, without the `?`; empty if there is none.
  public var query: String
  /// The fields of the header, names in lower case, in the order in which they came.
  public var fields: [(name: String, value: String)]
  /// The body.
  public var body: [UInt8] = []

  /// The first field of a name in lower case.
  public func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}

/// The answer to a request.
public struct OutgoingAnswer: Sendable {
  /// The status of HTTP.
  public var status: Int
  /// Further fields of the header.
  public var fields: [(name: String, value: String)]
  /// The body, JSON.
  public var body: [UInt8]

  /// Creates an answer.
  public init(_ status: Int, body: [UInt8], fields: [(name: String, value: String)] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }
}

/// Answers requests.
public protocol RequestHandler: Sendable {
  /// Looks at a request before its body comes. Called on the thread of the network; returns at once.
  ///
  /// - Returns: How many bytes the body may have, or an answer that needs no body.
  func admit(_ request: IncomingRequest) -> Result<Int, RefusedRequest>

  /// Answers a request.
  func answer(_ request: IncomingRequest) async -> OutgoingAnswer
}

/// Why a request is not looked at any further.
public struct RefusedRequest: Error {
  /// The answer.
  public var answer: OutgoingAnswer

  /// Creates a refusal.
  public init(_ answer: OutgoingAnswer) { self.answer = answer }
}
