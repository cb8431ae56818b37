import MailWire
import PluginKit

/// Stores many messages in a folder.
///
/// Where the server takes several with one APPEND (MULTIAPPEND, RFC 3502) it writes them to the disk together. It stores all of
/// them or none, so a batch that it refuses is sent again message by message, to learn which of them it does not take. Several
/// commands are on their way where the server takes literals unasked (LITERAL+).
struct BulkAppend {
  /// Bytes on their way at a time (1 MiB).
  private static let flightBytes = 1 << 20
  private static let flightCount = 32
  /// Bytes of one command that stores several messages (256 KiB).
  private static let batchBytes = 256 << 10
  private static let batchCount = 100

  private struct Sent {
    var tag: String
    var batch: [NewMessage]
    var size: Int
  }

  let session: Session
  let target: [UInt8]
  /// Whether several commands may be on their way.
  let isPipelined: Bool
  /// How many messages one command may have.
  private let batchLimit: Int
  private var batch: [NewMessage] = []
  private var batchSize = 0
  private var sent: ArraySlice<Sent> = []
  private var flight = 0
  private var results: [ImportResult] = []
  /// Whether the connection broke, so that answers will not come.
  private var isLost = false
  /// Whether the current batch is being sent: the server may have stored a part of it.
  private var isSending = false

  init(session: Session, target: [UInt8]) async {
    (self.session, self.target) = (session, target)
    isPipelined = await session.isPipelined
    batchLimit = await session.has("MULTIAPPEND") ? Self.batchCount : 1
  }

  /// Sends a message, or keeps it until there are more of them.
  ///
  /// - Throws: The error if the server takes no more messages: no room, no right, no folder.
  mutating func add(_ message: NewMessage) async throws(ActionError) {
    if batchSize + message.bytes.count > Self.batchBytes { try await sendBatch() }
    batch.append(message)
    batchSize += message.bytes.count
    if batch.count >= batchLimit { try await sendBatch() }
  }

  /// Sends the stored messages, and waits for those on their way.
  ///
  /// - Returns: The result of each message, in their order.
  mutating func finish() async throws(ActionError) -> [ImportResult] {
    try await sendBatch()
    while let first = sent.first { try await finish(first) }
    return results
  }

  private mutating func sendBatch() async throws(ActionError) {
    guard !batch.isEmpty else { return }
    while let first = sent.first,
      !isPipelined || sent.count >= Self.flightCount || flight + batchSize > Self.flightBytes
    {
      try await finish(first)
    }
    isSending = true
    let tag = try await send(batch)
    isSending = false
    sent.append(Sent(tag: tag, batch: batch, size: batchSize))
    flight += batchSize
    (batch, batchSize) = ([], 0)
  }

  /// Waits for messages on their way when an error prevents sending the rest.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - count: How many messages were to be stored.
  /// - Returns: The result of each message, in their order. The result of a message that was sent and not answered is unknown.
  /// - Throws: The error, if the server has confirmed no message.
  mutating func finish(after error: ActionError, count: Int) async throws(ActionError) -> [ImportResult] {
    while let first = sent.popFirst() {
      var status: StatusResponse?
      if !isLost { status = await answer(to: first.tag) }
      guard let status else {
        fill(results.count + first.batch.count, .unknown(Self.unknown(error)))
        continue
      }
      if status.isOK {
        results += uids(status, count: first.batch.count).map { .stored(uid: $0) }
      } else {
        fill(results.count + first.batch.count, .refused(error.message))
      }
    }
    if isSending { fill(results.count + batch.count, .unknown(Self.unknown(error))) }
    await session.abandon()
    let hasStored = results.contains { result in
      if case .stored = result { return true }
      return false
    }
    guard hasStored else {
      var error = error
      // After a broken connection the server's effect is unknown.
      if isLost, !results.isEmpty, error.kind != .timeout, error.kind != .cancelled { error.kind = .io }
      throw error
    }
    fill(count, .unsent(error.message))
    return results
  }

  /// The reason for a message whose answer was lost.
  private static func unknown(_ error: ActionError) -> String {
    error.message + " (it is not known whether this message was stored)"
  }

  /// Adds the same result until there are `count` results.
  private mutating func fill(_ count: Int, _ result: ImportResult) {
    while results.count < count { results.append(result) }
  }

  private mutating func finish(_ command: Sent) async throws(ActionError) {
    sent.removeFirst()
    flight -= command.size
    let count = results.count + command.batch.count
    do {
      try await take(command)
    } catch {
      // The lost answer belongs to the first message without a result. The server stores all messages of a batch or none; after a
      // refused batch, its messages are sent one at a time.
      if isLost {
        let isBatch = results.count + command.batch.count == count
        fill(isBatch ? count : results.count + 1, .unknown(Self.unknown(error)))
      } else if results.count < count {
        fill(results.count + 1, .refused(error.message))
      }
      fill(count, .unsent(error.message))
      throw error
    }
  }

  private mutating func take(_ command: Sent) async throws(ActionError) {
    let status = try await end(of: command.tag)
    if status.isOK {
      results += uids(status, count: command.batch.count).map { .stored(uid: $0) }
    } else if command.batch.count == 1 {
      results.append(try await refused(status))
    } else {
      // None of them is there.
      for message in command.batch {
        let tag = try await send([message])
        let status = try await end(of: tag)
        results.append(status.isOK ? .stored(uid: uids(status, count: 1).first ?? nil) : try await refused(status))
      }
    }
  }

  private mutating func send(_ messages: [NewMessage]) async throws(ActionError) -> String {
    let command = await session.appending(messages, to: target)
    do {
      return try await session.send(command)
    } catch {
      isLost = true
      throw error
    }
  }

  private mutating func end(of tag: String) async throws(ActionError) -> StatusResponse {
    do {
      return try await session.end(of: tag)
    } catch {
      isLost = true
      throw error
    }
  }

  /// The result of a command; `nil` if it stays unknown.
  private mutating func answer(to tag: String) async -> StatusResponse? {
    do {
      return try await end(of: tag)
    } catch {
      return nil
    }
  }

  /// The UIDs of stored messages, in the order of sending; `nil` if the server does not send them.
  private func uids(_ status: StatusResponse, count: Int) -> [String?] {
    guard case .appendUID(let validity, let set)? = status.code, set.count == count, let uids = try? set.expanded()
    else { return [String?](repeating: nil, count: count) }
    return uids.map { "\(validity).\($0)" }
  }

  /// - Throws: The error if the server takes no other messages either.
  private func refused(_ status: StatusResponse) async throws(ActionError) -> ImportResult {
    let refusal = await session.refusal(status, of: Command("APPEND"))
    // These say something of the message; the others of the account, the folder or the server.
    let isAboutIt = ["TOOBIG", "LIMIT", "CANNOT"].contains(status.code?.name)
    guard isAboutIt || refusal.kind == .unsupported || refusal.kind == .protocol else { throw refusal }
    return .refused(refusal.message)
  }
}

extension Session {
  /// Whether literals of any size may be sent unasked, so that several commands can be on their way.
  var isPipelined: Bool { machine.literalForm == .immediate }

  /// Waits for the end of a command whose untagged data does not matter.
  func end(of tag: String) async throws(ActionError) -> StatusResponse {
    try await finish(tag) { _ throws(ActionError) in }
  }
}
