import Expressions
import HTTPTypes
import Hummingbird
import MCP
import NIOCore
import Synchronization

/// The messages that belong to one request of a client, as the answer of HTTP: one JSON object if the response comes first and soon,
/// otherwise server-sent events.
struct AssistantExchange: Sendable {
  /// Seconds without a message after which the answer becomes a stream, and a comment keeps the stream open. A client that has gone
  /// away is noticed by such a comment.
  private static let heartbeat = 1.0

  private enum Item: Sendable {
    case message(OutgoingMessage)
    case beat
  }

  private let items: AsyncStream<Item>
  private let continuation: AsyncStream<Item>.Continuation
  private let alarm: Task<Void, Never>

  init() {
    (items, continuation) = AsyncStream.makeStream(of: Item.self)
    alarm = Task { [continuation] in
      // A cancelled sleep must not send a beat.
      while (try? await Task.sleep(for: .seconds(Self.heartbeat))) != nil { continuation.yield(.beat) }
    }
  }

  /// Takes the messages.
  var sink: MessageSink {
    MessageSink(
      send: { [continuation] message in continuation.yield(.message(message)) },
      close: { [continuation, alarm] in
        continuation.finish()
        alarm.cancel()
      })
  }

  /// The answer.
  ///
  /// - Parameters:
  ///   - status: The status for the number of an error.
  ///   - acceptsEvents: Whether the client can read server-sent events.
  ///   - ended: Called once the answer is sent, with whether the client has gone away before.
  func response(
    status: (Int) -> HTTPResponse.Status, acceptsEvents: Bool, ended: @escaping @Sendable (_ isGone: Bool) -> Void
  ) async -> Response {
    let end = ExchangeEnd(ended)
    var iterator = items.makeAsyncIterator()
    while true {
      switch await iterator.next(isolation: nil) {
      case nil:
        end.report(isGone: Task.isCancelled)
        return Response(status: .accepted)
      case .message(let message)? where message.isResponse:
        end.report(isGone: false)
        return Self.json(message, message.error.map(status) ?? .ok)
      case .message(let message)?:
        if acceptsEvents { return stream(from: Self.event(message), end) }
      case .beat?:
        if acceptsEvents { return stream(from: Self.comment, end) }
      }
    }
  }

  /// One message as JSON.
  static func json(_ message: OutgoingMessage, _ status: HTTPResponse.Status) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json"],
      body: .init(byteBuffer: ByteBuffer(bytes: message.value.json())))
  }

  private static let comment = ByteBuffer(string: ":\n\n")

  private static func event(_ message: OutgoingMessage) -> ByteBuffer {
    var buffer = ByteBuffer(string: "event: message\ndata: ")
    buffer.writeBytes(message.value.json())
    buffer.writeString("\n\n")
    return buffer
  }

  private func stream(from first: ByteBuffer, _ end: ExchangeEnd) -> Response {
    let body = ResponseBody { [items, continuation, alarm] writer in
      do {
        try await writer.write(first)
        for await item in items {
          switch item {
          case .beat: try await writer.write(Self.comment)
          case .message(let message): try await writer.write(Self.event(message))
          }
        }
        try Task.checkCancellation()
        end.report(isGone: false)
        try await writer.finish(nil)
      } catch {
        // Messages that come later have no reader.
        alarm.cancel()
        continuation.finish()
        end.report(isGone: true)
        throw error
      }
    }
    // Proxies such as nginx pass each event on at once.
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .xAccelBuffering: "no"], body: body)
  }
}

/// Reports once how an answer has ended. The server drops the body of an answer whose head it cannot write: then the client has
/// gone away.
private final class ExchangeEnd: Sendable {
  private let ended: @Sendable (_ isGone: Bool) -> Void
  private let isReported = Atomic(false)

  init(_ ended: @escaping @Sendable (_ isGone: Bool) -> Void) { self.ended = ended }

  deinit { report(isGone: true) }

  func report(isGone: Bool) {
    if !isReported.exchange(true, ordering: .acquiringAndReleasing) { ended(isGone) }
  }
}
