public import Expressions
public import Localization

/// A conversation with an editor: takes one message, gives back the messages that answer it.
///
/// It knows no process and opens no file itself, so that a test needs neither. The protocol is LSP 3.17. Messages wait in
/// a queue between ``enqueue(_:)`` and ``step()``, so that the client can take a request back, and so that of several
/// changes in a row only the last is checked.
public struct LanguageSession: Sendable {
  /// A message that waits for its turn.
  enum Pending: Sendable {
    case message(Value)
    /// An answer that is already known.
    case answer(Value)
  }

  let surroundings: Surroundings
  /// The language that the command line asked for; it counts more than the client's.
  let fixedLanguage: Language?
  var language: Language
  var encoding = PositionEncoding.utf16
  /// The capabilities of the client.
  var client: Value = .null
  /// The folders that the editor has open.
  var folders: [String] = []
  var documents: [String: OpenDocument] = [:]
  var projects: [String: Project] = [:]
  /// The problems of the open documents, by their URIs.
  var analyses: [String: Analysis] = [:]
  var queue: [Pending] = []
  var isInitialized = false
  /// Whether the client has asked for the end.
  public internal(set) var isShutDown = false
  /// The status to end the process with; `nil` while the conversation goes on.
  public internal(set) var exitStatus: Int32?

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - surroundings: Its access to files and configuration.
  ///   - language: The language of all texts; `nil` for that of the client.
  public init(_ surroundings: Surroundings, language: Language? = nil) {
    self.surroundings = surroundings
    fixedLanguage = language
    self.language = language ?? .english
  }

  // MARK: The queue

  /// Whether every message was dealt with.
  public var isIdle: Bool { queue.isEmpty }

  /// Puts the content of a message at the end of the queue; one that takes a request back takes effect at once.
  public mutating func enqueue(_ content: [UInt8]) {
    let message: Value
    do throws(ExpressionError) {
      message = try Value(json: content)
    } catch {
      queue.append(
        .answer(failure(.null, .init(.notJSON, .init("the content is not JSON", de: "der Inhalt ist kein JSON")))))
      return
    }
    guard message.mapValue != nil else {
      queue.append(
        .answer(
          failure(.null, .init(.invalidRequest, .init("a message is an object", de: "eine Nachricht ist ein Objekt")))))
      return
    }
    if message["method"] == "$/cancelRequest" { cancel(message["params"]?["id"]) }
    queue.append(.message(message))
  }

  /// Puts the refusal of a message that was too large at the end of the queue.
  public mutating func refuse(size: Int) {
    let text = LocalizedText(
      "a message of \(size) bytes is too large", de: "eine Nachricht von \(size) Bytes ist zu groß")
    queue.append(.answer(failure(.null, .init(.tooLarge, text))))
  }

  /// Deals with the first message of the queue.
  ///
  /// - Returns: The messages to send, in order.
  public mutating func step() -> [Value] {
    guard !queue.isEmpty else { return [] }
    switch queue.removeFirst() {
    case .message(let message): return receive(message)
    case .answer(let answer): return [answer]
    }
  }

  /// Deals with the content of a message, after those that still wait.
  ///
  /// - Returns: The messages to send, in order.
  public mutating func receive(_ content: [UInt8]) -> [Value] {
    enqueue(content)
    var answers: [Value] = []
    while !isIdle { answers += step() }
    return answers
  }

  private mutating func cancel(_ id: Value?) {
    guard let id else { return }
    for (index, pending) in queue.enumerated() {
      guard case .message(let message) = pending, message["id"] == id, message["method"] != nil else { continue }
      let text = LocalizedText("the request was cancelled", de: "die Anfrage wurde abgebrochen")
      queue[index] = .answer(failure(id, .init(.cancelled, text)))
    }
  }

  /// Whether a later message changes the same document, so that checking it now would be for nothing.
  func changesAgain(_ uri: String) -> Bool {
    queue.contains { pending in
      guard case .message(let message) = pending, message["method"] == "textDocument/didChange" else { return false }
      return message["params"]?["textDocument"]?["uri"]?.stringValue == uri
    }
  }

  // MARK: Messages

  private mutating func receive(_ message: Value) -> [Value] {
    guard let method = message["method"]?.stringValue else {
      // The answer to a request of ours.
      if message["result"] != nil || message["error"] != nil { return [] }
      return [
        failure(message["id"] ?? .null, .init(.invalidRequest, .init("there is no method", de: "es fehlt die Methode")))
      ]
    }
    let parameters = message["params"] ?? .null
    guard let id = message["id"] else { return notify(method, parameters) }
    do throws(LanguageServerError) {
      return [["jsonrpc": "2.0", "id": id, "result": try answer(method, parameters)]]
    } catch {
      return [failure(id, error)]
    }
  }

  private func failure(_ id: Value, _ error: LanguageServerError) -> Value {
    [
      "jsonrpc": "2.0", "id": id,
      "error": ["code": .int(error.number), "message": .string(error.message.string(in: language))],
    ]
  }
}
