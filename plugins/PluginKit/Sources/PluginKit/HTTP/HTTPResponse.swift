/// The answer to a request: its head, and a body that is still arriving.
public struct HTTPResponse: Sendable {
  /// The status code, 200 for success.
  public let status: Int
  /// The header fields.
  public let headers: HTTPHeaders
  /// The body, decompressed, as it arrives. Read once. Letting go of the response calls the rest off.
  public let body: HTTPBody

  /// Whether the status is one of success, 200 to 299.
  public var isSuccess: Bool { (200..<300).contains(status) }

  /// The response itself, where its status is one of success.
  ///
  /// - Parameter now: The time, for a Retry-After that is a date; ``ActionContext/clock``.
  /// - Throws: What ``ActionError/init(status:headers:detail:now:)`` makes of any other status, without the body.
  public func checked(now: HostClock? = nil) throws(ActionError) -> HTTPResponse {
    guard isSuccess else { throw ActionError(status: status, headers: headers, now: now) }
    return self
  }

  /// The whole body as JSON in a type of one's own.
  ///
  /// - Parameters:
  ///   - type: The type; names as ``JSONValue`` describes, or as they are declared.
  ///   - limit: The largest body in bytes.
  /// - Throws: `parse` if the body does not fit the type, `protocol` if it is larger, or what ended it early.
  public func json<Value: Decodable>(
    as type: Value.Type = Value.self, upTo limit: Int = 16 << 20
  ) async throws(ActionError) -> Value {
    let bytes = try await body.collect(upTo: limit)
    do {
      return try JSONCoding.decode(type, from: bytes)
    } catch {
      let failure = DecodingFailure(error)
      throw ActionError(
        .parse, "The answer of the service is not as expected: \(failure.english)",
        german: "Die Antwort des Dienstes ist nicht wie erwartet: \(failure.german)")
    }
  }

  /// The whole body as text; invalid UTF-8 becomes U+FFFD.
  ///
  /// - Throws: `protocol` if it is larger than `limit` bytes, or what ended it early.
  public func text(upTo limit: Int = 16 << 20) async throws(ActionError) -> String {
    String(decoding: try await body.collect(upTo: limit), as: UTF8.self)
  }
}
