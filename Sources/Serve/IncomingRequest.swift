/// An HTTP request to a webhook.
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

  /// Creates a request.
  public init(
    method: String, path: String, query: String, fields: [(name: String, value: String)], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.fields = fields
    self.body = body
  }

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

/// Why a request is not looked at any further.
public struct RefusedRequest: Error {
  /// The answer.
  public var answer: OutgoingAnswer

  /// Creates a refusal.
  public init(_ answer: OutgoingAnswer) { self.answer = answer }
}
