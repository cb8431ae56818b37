import MailWire
import PluginKit

/// Takes one message to the server, with the ledger's records around the moment from which the outcome is unknown without a
/// reply.
///
/// ``SendRecord`` has the table of states.
struct MessageSender: Sendable {
  /// From this size on messages go in chunks where the server takes them: nothing has to be escaped, and a refusal comes
  /// before the rest has gone out.
  static let chunkedFrom = 256 << 10
  /// The size of a chunk in bytes.
  static let chunkSize = 1 << 20

  let pool: ConnectionPool
  let ledger: SendLedger
  let connect: @Sendable () async throws(ActionError) -> SMTPConnection
  let warn: @Sendable (String) -> Void

  /// Names a message.
  struct Name: Sendable {
    /// The step's idempotency key, which the ledger knows it by.
    let key: String
    /// Without angle brackets.
    let messageID: String
    /// When it was written, in seconds since 1970.
    let seconds: Int
    /// Whether a copy is to go into the Sent folder.
    let isToBeCopied: Bool
  }

  /// Delivers a message.
  ///
  /// - Returns: The record, accepted for at least one recipient.
  /// - Throws: The error of a refusal; `io`, `timeout`, `protocol` and `cancelled`, after which the ledger knows more.
  func deliver(
    _ envelope: Envelope, _ source: any MessageSource, _ name: Name
  ) async throws(ActionError) -> SendRecord {
    let (connection, answer) = try await offer(envelope)
    let wanted: MailTransaction
    switch answer {
    case .refused(let delivery):
      put(connection, after: delivery)
      throw Self.failure(of: delivery)
    case .wanted(let transaction): wanted = transaction
    }
    let (transaction, end): (MailTransaction, [UInt8])
    let pending: PendingReply
    do {
      (transaction, end) = try await upload(source, wanted, on: connection)
      switch try await commit(transaction, name) {
      case .sent(let record):
        // Without its end the server drops what has gone out.
        release(connection)
        return record
      case .open(let reply): pending = reply
      }
    } catch {
      release(connection)
      throw error
    }
    return try await finish(transaction, end, on: connection, name, pending)
  }

  // MARK: Envelope

  /// Offers the envelope; where a connection from before has gone stale, on a new one: nothing was sent yet.
  ///
  /// - Returns: The connection, whose place in the pool has to be given back.
  private func offer(_ envelope: Envelope) async throws(ActionError) -> (SMTPConnection, SMTPConnection.Answer) {
    let isChunked = (envelope.size ?? .max) >= Self.chunkedFrom
    if let old = try await pool.take() {
      do {
        let answer = try await old.offer(envelope, chunked: isChunked)
        guard case .refused(let delivery) = answer, delivery.failure?.reply.code == 421 else { return (old, answer) }
        old.abandon()
      } catch {
        // Closed by the server, or about to be.
        guard error.kind == .io || error.kind == .server || error.kind == .protocol else {
          release(old)
          throw error
        }
        old.abandon()
      }
    }
    let connection: SMTPConnection
    do throws(ActionError) { connection = try await connect() } catch {
      pool.giveBack(nil)
      throw error
    }
    do {
      return (connection, try await connection.offer(envelope, chunked: isChunked))
    } catch {
      release(connection)
      throw error
    }
  }

  // MARK: Content

  /// Sends the content up to its end.
  ///
  /// - Returns: The transaction, and the bytes that are still to go out.
  private func upload(
    _ source: any MessageSource, _ transaction: MailTransaction, on connection: SMTPConnection
  ) async throws(ActionError) -> (MailTransaction, end: [UInt8]) {
    do {
      return transaction.isChunked
        ? try await uploadChunks(source, transaction, on: connection)
        : try await uploadLines(source, transaction, on: connection)
    } catch  where error.kind == .io {
      // A server that hangs up in the middle has mostly said why before.
      if let reply = try? await connection.reply(), reply.code >= 400 { throw ActionError(reply, at: .content) }
      throw error
    }
  }

  private func uploadLines(
    _ source: any MessageSource, _ transaction: MailTransaction, on connection: SMTPConnection
  ) async throws(ActionError) -> (MailTransaction, end: [UInt8]) {
    var (source, transaction, stuffing) = (source, transaction, DotStuffing())
    // The last piece waits for the end, so that a small message goes out at once.
    var held: [UInt8] = []
    while let piece = try await source.next() {
      if !held.isEmpty { try await connection.send(held) }
      held = try stuffing.prepare(piece)
    }
    if held.count > 64 << 10 {
      try await connection.send(held)
      held = []
    }
    transaction.contentEnds()
    return (transaction, held + stuffing.end())
  }

  private func uploadChunks(
    _ source: any MessageSource, _ transaction: MailTransaction, on connection: SMTPConnection
  ) async throws(ActionError) -> (MailTransaction, end: [UInt8]) {
    var (source, transaction, stuffing) = (source, transaction, DotStuffing(stuffed: false))
    var chunk: [UInt8] = []
    while let piece = try await source.next() {
      if chunk.count >= Self.chunkSize {
        try await connection.send(transaction.chunk(chunk.count, isLast: false) + chunk)
        if case .finished(let delivery) = try transaction.receive(try await connection.reply()) {
          throw Self.failure(of: delivery)
        }
        chunk = []
      }
      chunk += try stuffing.prepare(piece)
    }
    chunk += stuffing.end()
    let command = transaction.chunk(chunk.count, isLast: true)
    return (transaction, command + chunk)
  }

  // MARK: End

  /// Notes that the end is about to go out.
  private func commit(
    _ transaction: MailTransaction, _ name: Name
  ) async throws(ActionError) -> SendLedger.Beginning {
    let delivery = transaction.delivery
    let beginning = try await ledger.begin(
      name.key,
      SendRecord(
        stage: .sending, messageID: name.messageID, at: name.seconds, accepted: delivery.accepted,
        refused: delivery.refused.map(SendRecord.Refusal.init), isCopied: name.isToBeCopied ? false : nil))
    guard case .open = beginning, Task.isCancelled else { return beginning }
    await ledger.forget(name.key)
    ledger.end(name.key)
    throw ActionError(.cancelled, "Cancelled", german: "Abgebrochen")
  }

  /// How the exchange about a message ended.
  private enum Ending: Sendable {
    case reply(MailTransaction.Delivery)
    /// The end has not gone out.
    case unsent(ActionError)
    /// The end has been sent, and the reply is unknown.
    case lost(ActionError)
    /// The same, and the reply may still come: the task was cancelled.
    case open(MailTransaction, ActionError)
  }

  /// Sends the end and waits for the reply. Where the call is cancelled meanwhile, the reply still counts.
  private func finish(
    _ transaction: MailTransaction, _ end: [UInt8], on connection: SMTPConnection, _ name: Name,
    _ pending: PendingReply
  ) async throws(ActionError) -> SendRecord {
    let ending = await ending(transaction, after: end, on: connection)
    if case .open(let transaction, let error) = ending {
      // Ends with the reply, or the time limit for it.
      Task {
        let ending = await self.ending(transaction, after: [], on: connection)
        _ = await conclude(ending, on: connection, name, pending)
      }
      throw error
    }
    switch await conclude(ending, on: connection, name, pending) {
    case .sent(let record): return record
    case .refused(let error), .unknown(let error): throw error
    }
  }

  /// - Parameter end: The bytes that are still to be sent; may be empty.
  private func ending(
    _ transaction: MailTransaction, after end: [UInt8], on connection: SMTPConnection
  ) async -> Ending {
    var transaction = transaction
    let isOut = Flag()
    do {
      if !end.isEmpty { try await connection.send(end: end, isOut: isOut) }
      return .reply(try await connection.outcome(of: &transaction))
    } catch {
      if !end.isEmpty, !isOut.isSet { return .unsent(error) }
      return error.kind == .cancelled ? .open(transaction, error) : .lost(error)
    }
  }

  /// Records the result of a message, releases its connection, and informs the waiters.
  private func conclude(
    _ ending: Ending, on connection: SMTPConnection, _ name: Name, _ pending: PendingReply
  ) async -> PendingReply.Outcome {
    let outcome: PendingReply.Outcome
    switch ending {
    case .reply(let delivery):
      put(connection, after: delivery)
      outcome = await note(delivery, name)
    case .unsent(let error):
      release(connection)
      // A message without its end was not sent.
      await ledger.forget(name.key)
      outcome = .refused(error)
    case .lost(let error), .open(_, let error):
      release(connection)
      outcome = .unknown(error.telling(name.messageID))
    }
    ledger.end(name.key)
    pending.settle(outcome)
    await ledger.prune()
    return outcome
  }

  private func note(_ delivery: MailTransaction.Delivery, _ name: Name) async -> PendingReply.Outcome {
    guard delivery.failure == nil, !delivery.accepted.isEmpty, let reply = delivery.reply else {
      await ledger.forget(name.key)
      return .refused(Self.failure(of: delivery))
    }
    let record = SendRecord(
      stage: .sent, messageID: name.messageID, at: name.seconds, accepted: delivery.accepted,
      refused: delivery.refused.map(SendRecord.Refusal.init), queueID: reply.queueID, reply: reply.quoted,
      isCopied: name.isToBeCopied ? false : nil)
    if !(await ledger.sent(name.key, record)) {
      warn("The message <\(name.messageID)> was sent; that could not be noted in the provider's state.")
    }
    return .sent(record)
  }

  /// Why no recipient gets a message.
  static func failure(of delivery: MailTransaction.Delivery) -> ActionError {
    if let failure = delivery.failure { return ActionError(failure.reply, at: failure.stage) }
    // Where one of the failures may pass, another attempt makes sense.
    let refusals = delivery.refused
    guard let told = refusals.first(where: { $0.reply.isTemporary }) ?? refusals.first else {
      return ActionError(.protocol, "The mail server accepted the message for no recipient.")
    }
    return ActionError(told.reply, at: .recipient)
  }

  // MARK: Connections

  /// Lets go of a connection that something went wrong on.
  private func release(_ connection: SMTPConnection) {
    connection.abandon()
    pool.giveBack(nil)
  }

  private func put(_ connection: SMTPConnection, after delivery: MailTransaction.Delivery) {
    if delivery.isBroken { return release(connection) }
    connection.rest(clean: delivery.reply != nil)
    pool.giveBack(connection)
  }
}

extension ActionError {
  /// The error with what a person looks for who has to find out what became of a message.
  fileprivate func telling(_ messageID: String) -> ActionError {
    func text(_ message: String) -> Substring { message.hasSuffix(".") ? message.dropLast() : message[...] }
    var error = self
    error.message = "\(text(message)); the server may have taken the message <\(messageID)>."
    error.messageGerman =
      "\(text(messageGerman ?? message)); der Server hat die Nachricht <\(messageID)> vielleicht angenommen."
    return error
  }
}

extension SendRecord.Refusal {
  init(_ refusal: MailTransaction.Refusal) {
    self.init(
      address: refusal.address, reason: refusal.reply.quoted, code: refusal.reply.code,
      status: refusal.reply.status?.description, temporary: refusal.reply.isTemporary)
  }
}
