public import Foundation

/// Traffic between a plugin and the services it uses, kept to be played back in tests. Holds no secrets.
///
/// In a file it is JSON, indented, keys sorted, so that a change shows as such in a review:
///
/// ```json
/// {
///   "exchanges": [
///     {
///       "request": { "method": "GET", "url": "https://api.example.com/v1/rates?api_key=<secret>" },
///       "response": { "body": ["{\"CHF\":", "1}"], "headers": [{ "name": "content-type", "value": "application/json" }], "status": 200 }
///     },
///     {
///       "dialogue": [{ "receive": "* OK\r\n" }, { "send": "a1 LOGIN me <secret:password>\r\n" }, { "end": true }],
///       "stream": { "host": "imap.example.com", "port": 993, "tls": true }
///     }
///   ],
///   "version": 1
/// }
/// ```
public struct Recording: Codable, Sendable, Equatable {
  /// The format; 1.
  public var version = 1
  /// Where it comes from, for people: when it was made, or that it was written by hand.
  public var note: String?
  /// What was said, in the order in which it began.
  public var exchanges: [RecordedExchange]

  /// Creates a recording.
  public init(note: String? = nil, exchanges: [RecordedExchange] = []) {
    self.note = note
    self.exchanges = exchanges
  }

  /// Reads a recording.
  ///
  /// - Throws: ``RecordingError`` where it is none, or of another version.
  public init(json: Data) throws(RecordingError) {
    do {
      self = try JSONDecoder().decode(Recording.self, from: json)
    } catch {
      throw RecordingError(.unreadable, "This is no recording: \(error)")
    }
    guard version == 1 else {
      throw RecordingError(.unreadable, "This recording has version \(version); only version 1 is known.")
    }
  }

  /// The recording as JSON, the same bytes for the same content.
  ///
  /// - Throws: ``RecordingError`` where it cannot be encoded.
  public func json() throws(RecordingError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(self) + Data("\n".utf8)
    } catch {
      throw RecordingError(.unreadable, "The recording cannot be encoded: \(error)")
    }
  }
}

/// One request with its response, or one stream from its opening to its end.
public struct RecordedExchange: Codable, Sendable, Equatable {
  /// The request; `nil` for a stream.
  public var request: RecordedRequest?
  /// The response to the request.
  public var response: RecordedResponse?
  /// The connection; `nil` for a request.
  public var stream: RecordedStream?
  /// What was said over the stream.
  public var dialogue: [RecordedTurn]?

  /// A request with its response.
  public init(request: RecordedRequest, response: RecordedResponse) {
    self.request = request
    self.response = response
  }

  /// A stream and what was said over it.
  public init(stream: RecordedStream, dialogue: [RecordedTurn]) {
    self.stream = stream
    self.dialogue = dialogue
  }
}

/// What makes a request the same one: method, URL, header fields, and content of its body.
public struct RecordedRequest: Codable, Sendable, Equatable {
  /// `GET`
  public var method: String
  /// The whole URL.
  public var url: String
  /// The header fields that the plugin set, without those of credentials and the volatile ones; the value `<any>` is
  /// that of a field that has to be there.
  public var headers: [RecordedHeader]?
  /// The body, where it is text of at most 64 KiB.
  public var body: String?
  /// The SHA-256 of any other body that is not empty.
  public var bodyDigest: String?

  /// Creates a request.
  public init(
    method: String, url: String, headers: [RecordedHeader]? = nil, body: String? = nil, bodyDigest: String? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.bodyDigest = bodyDigest
  }
}

/// A header field.
public struct RecordedHeader: Codable, Sendable, Hashable {
  /// The name in lowercase.
  public var name: String
  /// The value.
  public var value: String

  /// Creates a field.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// What came back.
public struct RecordedResponse: Codable, Sendable, Equatable {
  /// The status; `nil` where the request failed before.
  public var status: Int?
  /// The header fields, without cookies and credentials.
  public var headers: [RecordedHeader]?
  /// The pieces of the body in the order in which they came.
  public var body: [RecordedBytes]?
  /// What ended it early.
  public var failure: RecordedFailure?

  /// Creates a response.
  public init(
    status: Int?, headers: [RecordedHeader]? = nil, body: [RecordedBytes]? = nil, failure: RecordedFailure? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.failure = failure
  }
}

/// Why something ended early, in the words of the ABI header.
public struct RecordedFailure: Codable, Sendable, Equatable {
  /// `dns`, `timeout`, `io` …
  public var kind: String
  /// What happened.
  public var message: String

  /// Creates a failure.
  public init(kind: String, message: String) {
    self.kind = kind
    self.message = message
  }
}

/// A connection.
public struct RecordedStream: Codable, Sendable, Equatable {
  /// The host.
  public var host: String
  /// The port.
  public var port: Int
  /// Whether it has TLS from the start.
  public var tls: Bool

  /// Creates a connection.
  public init(host: String, port: Int, tls: Bool) {
    self.host = host
    self.port = port
    self.tls = tls
  }
}

/// One turn of a dialogue; exactly one of its properties is there.
public struct RecordedTurn: Codable, Sendable, Equatable {
  /// The plugin sent this.
  public var send: RecordedBytes?
  /// This came back.
  public var receive: RecordedBytes?
  /// TLS was begun here.
  public var startTLS: Bool?
  /// The other side closed the stream here.
  public var end: Bool?
  /// The stream broke here.
  public var failure: RecordedFailure?

  /// Creates a turn; give one of the arguments.
  public init(
    send: RecordedBytes? = nil, receive: RecordedBytes? = nil, startTLS: Bool? = nil, end: Bool? = nil,
    failure: RecordedFailure? = nil
  ) {
    self.send = send
    self.receive = receive
    self.startTLS = startTLS
    self.end = end
    self.failure = failure
  }
}

/// Bytes: a JSON string where they are UTF-8, otherwise `{"base64": "…"}`.
public struct RecordedBytes: Codable, Sendable, Equatable, ExpressibleByStringLiteral {
  /// The bytes.
  public var bytes: [UInt8]

  /// Takes bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }
  /// Takes text.
  public init(stringLiteral value: String) { bytes = Array(value.utf8) }

  private struct Encoded: Codable { var base64: Data }

  /// Decodes either form.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      bytes = Array(text.utf8)
    } else {
      bytes = Array(try Encoded(from: decoder).base64)
    }
  }

  /// Encodes the form that fits.
  public func encode(to encoder: any Encoder) throws {
    if let text = String(validating: bytes, as: UTF8.self) {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    } else {
      try Encoded(base64: Data(bytes)).encode(to: encoder)
    }
  }
}
