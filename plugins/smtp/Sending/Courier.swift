import PluginKit

/// Takes one message to the server, with the ledger's records around the moment from which only a reply tells.
///
/// ``SendRecord`` has the table of what is known when.
struct Courier: Sendable {
  /// From this size on messages go in chunks where the server takes them: nothing has to be escaped, and a refusal comes
  /// before the rest has gone out.
  static let chunkedFrom = 256 << 10
  /// The size of a chunk in bytes.
  static let chunkSize = 1 << 20

  let pool: ConnectionPool
  let ledger: SendLedger
  let connect: @Sendable () async throws(ActionError) -> SMTPConnection
  let warn: @Sendable (String) -> Void
  let seconds: @Sendable () -> Int

  /// Delivers a message.
  ///
  /// - Returns: What became of it, accepted for somebody.
  /// - Throws: What a refusal means; `io`, `timeout`, `protocol` and `cancelled`, after which the ledger knows more.
  func deliver(
    _ envelope: Envelope, _ source: any MessageSource, messageID: String
  ) async throws(ActionError) -> SendRecord {
    let (connection, answer) = try await offer(envelope)
    let wanted: MailTransaction
    switch answer {
    case .refused(let delivery):
      put(connection, after: delivery)
      throw Self.failure(of: delivery)
    case .wanted(let transaction): wanted = transaction
    }
    let reply: PendingReply
    do throws(ActionError) {
      let (transaction, end) = try await upload(source, wanted, on: connection)
      reply = try await commit(transaction, messageID)
      finish(transaction, end, on: connection, messageID, reply)
    } catch {
      release(connection)
      throw error
    }
    switch try await reply.outcome() {
    case .sent(let record): return record
    case .refused(let error), .unknown(let error): throw error
    }
  }

  // MARK: Envelope

  /// Offers the envelope; where a connection from before has gone stale, on a new one: nothing was sent yet.
  ///
  /// - Returns: The connection, whose place in the pool has to be given back.
  private func offer(_ envelope: Envelope) async throws(ActionError) -> (SMTPConnection, SMTPConnection.Answer) {
    let isChunked = (envelope.size ?? .max) >= Self.chunkedFrom
    if let old = try await pool.take() {
      do throws(ActionError) {
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
    do throws(ActionError) {
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
    do throws(ActionError) {
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
  private func commit(_ transaction: MailTransaction, _ messageID: String) async throws(ActionError) -> PendingReply {
    let delivery = transaction.delivery
    let reply = try await ledger.begin(
      messageID, accepted: delivery.accepted, refused: delivery.refused.map(SendRecord.Refusal.init))
    guard !Task.isCancelled else {
      await ledger.forget(messageID)
      ledger.end(messageID)
      throw ActionError(.cancelled, "Cancelled", german: "Abgebrochen")
    }
    return reply
  }

  /// Sends the end and waits for the reply, apart from the call: when that is cancelled the reply still counts.
  private func finish(
    _ transaction: MailTransaction, _ end: [UInt8], on connection: SMTPConnection, _ messageID: String,
    _ reply: PendingReply
  ) {
    // Ends with the reply, or the time limit for it.
    Task {
      let outcome: PendingReply.Outcome
      do throws(ActionError) {
        let delivery = try await connection.finish(transaction, with: end)
        outcome = await note(delivery, messageID)
        put(connection, after: delivery)
      } catch {
        outcome = .unknown(error)
        release(connection)
      }
      ledger.end(messageID)
      reply.settle(outcome)
      await ledger.prune()
    }
  }

  private func note(_ delivery: MailTransaction.Delivery, _ messageID: String) async -> PendingReply.Outcome {
    guard delivery.failure == nil, !delivery.accepted.isEmpty, let reply = delivery.reply else {
      await ledger.forget(messageID)
      return .refused(Self.failure(of: delivery))
    }
    let record = SendRecord(
      stage: .sent, at: seconds(), accepted: delivery.accepted,
      refused: delivery.refused.map(SendRecord.Refusal.init), queueID: reply.queueID, reply: reply.quoted)
    if !(await ledger.sent(messageID, record)) {
      warn("The message <\(messageID)> was sent; that could not be noted in the provider's state.")
    }
    return .sent(record)
  }

  /// Why nobody gets a message.
  static func failure(of delivery: MailTransaction.Delivery) -> ActionError {
    if let failure = delivery.failure { return ActionError(failure.reply, at: failure.stage) }
    // Where one of the failures may pass, another attempt makes sense.
    let refusals = delivery.refused
    guard let told = refusals.first(where: { $0.reply.isTemporary }) ?? refusals.first else {
      return ActionError(.protocol, "The mail server took the message for nobody.")
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

extension SendRecord.Refusal {
  init(_ refusal: MailTransaction.Refusal) {
    self.init(
      address: refusal.address, reason: refusal.reply.quoted, code: refusal.reply.code,
      status: refusal.reply.status?.description, temporary: refusal.reply.isTemporary)
  }
}
