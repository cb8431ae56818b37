/// One event of a `text/event-stream`.
public struct ServerSentEvent: Sendable, Hashable {
  /// The type; `message` if the event has none.
  public var event: String
  /// The data: its lines joined with LF.
  public var data: String
  /// The last event id that was given, now or before; empty for none.
  public var id: String

  /// Creates an event.
  public init(event: String = "message", data: String, id: String = "") {
    self.event = event
    self.data = data
    self.id = id
  }
}

/// The events of a body as they arrive, after "Server-sent events" in the HTML standard: a byte order mark at the start
/// is dropped, comments are skipped, an event that is not complete at the end is dropped.
public struct ServerSentEvents: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = ServerSentEvent
  /// The failure that ended the body early, or `protocol` for an event that is too large.
  public typealias Failure = ActionError

  let body: HTTPBody
  let start: [UInt8]
  let limit: Int

  /// Reads the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var pieces: HTTPBody.AsyncIterator
    private var parser: ServerSentEventParser

    fileprivate init(_ events: ServerSentEvents) {
      pieces = events.body.makeAsyncIterator()
      parser = ServerSentEventParser(limit: events.limit)
      parser.append(events.start)
    }

    /// The time the service asks to wait before the next connection, in milliseconds, once it has said so.
    public var retry: Int? { parser.retry }

    /// The next event, or `nil` at the end of the body.
    ///
    /// - Throws: ``ActionError`` if the body ended early or the event is too large.
    public mutating func next() async throws(ActionError) -> ServerSentEvent? {
      while true {
        if let event = try parser.next() { return event }
        guard let piece = try await pieces.next() else { return nil }
        parser.append(piece)
      }
    }
  }

  /// Begins reading.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

/// The interpretation of an event stream, apart from where its bytes come from.
struct ServerSentEventParser {
  private(set) var retry: Int?

  private let limit: Int
  private var splitter: LineSplitter
  private var isFirstLine = true
  private var event: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  private var id = ""

  init(limit: Int) {
    self.limit = limit
    splitter = LineSplitter(ending: .any, limit: limit)
  }

  mutating func append(_ piece: [UInt8]) { splitter.append(piece) }

  /// The next event that is complete, or `nil` if more bytes are needed.
  mutating func next() throws(ActionError) -> ServerSentEvent? {
    while var line = try splitter.next() {
      if isFirstLine {
        isFirstLine = false
        if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
      }
      if line.isEmpty {
        if let event = dispatch() { return event }
      } else {
        try field(line)
      }
    }
    return nil
  }

  private mutating func dispatch() -> ServerSentEvent? {
    defer {
      event.removeAll()
      data.removeAll()
      hasData = false
    }
    guard hasData else { return nil }
    return ServerSentEvent(
      event: event.isEmpty ? "message" : String(decoding: event, as: UTF8.self),
      data: String(decoding: data, as: UTF8.self), id: id)
  }

  private mutating func field(_ line: ArraySlice<UInt8>) throws(ActionError) {
    let colon = line.firstIndex(of: UInt8(ascii: ":"))
    let name = line[..<(colon ?? line.endIndex)]
    var value = colon.map { line[($0 + 1)...] } ?? []
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    // A line that begins with a colon is a comment: its name is empty.
    switch name.count {
    case 4 where name.elementsEqual("data".utf8):
      guard value.count + 1 <= limit - data.count else {
        throw ActionError(
          .protocol, "The service sent an event of more than \(limit) bytes.",
          german: "Der Dienst schickte ein Ereignis von mehr als \(limit) Byte.")
      }
      if hasData { data.append(0x0A) }
      hasData = true
      data += value
    case 5 where name.elementsEqual("event".utf8): event = Array(value)
    case 2 where name.elementsEqual("id".utf8) && !value.contains(0): id = String(decoding: value, as: UTF8.self)
    case 5 where name.elementsEqual("retry".utf8):
      if !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) {
        retry = Int(String(decoding: value, as: UTF8.self)) ?? retry
      }
    default: break
    }
  }
}
