import Engine
import Expressions
import Localization
import OperatingSystem
import PluginBoundary
import Synchronization

/// Secrets, state, blobs and events. All of it may block behind these functions, so all of it happens on threads of its
/// own.
extension ProviderServices {
  func readSecret(_ name: String, reply: @escaping ServiceReply<[UInt8]>) {
    guard resources.secrets.allows(name) else {
      reportDefect(
        "read the setting '\(name)' as a secret, which neither 'secrets' of its manifest nor sous.yaml makes one; refused",
        level: .error)
      return reply(.failure(.refused))
    }
    ProviderServices.secretThreads.submit { [self] in
      do throws(ActionFailure) {
        guard let value = try resources.secrets.value(of: name) else { return reply(.failure(.absent)) }
        hide(value)
        reply(.success(Array(value.utf8)))
      } catch {
        log(.error, "the secret of '\(name)' could not be read: \(error.message.english)", call: 0)
        reply(.failure(.failed))
      }
    }
  }

  // MARK: - State

  func readState(_ key: String, reply: @escaping ServiceReply<StateEntry>) {
    store(reply) { (storage, provider) throws(StorageFailure) in
      guard let found = try storage.state(of: provider, key: key) else { return .failure(.absent) }
      return .success(StateEntry(value: found.value, version: found.version))
    }
  }

  func listState(_ prefix: String, reply: @escaping ServiceReply<[String]>) {
    store(reply) { (storage, provider) throws(StorageFailure) in
      .success(try storage.stateKeys(of: provider, prefix: prefix))
    }
  }

  func commitState(_ changes: [StateChange], reply: @escaping ServiceReply<Void>) {
    // Also checked where the changes are read; but they may come from a worker.
    let isWithinLimits =
      changes.count <= StateLimits.changes
      && changes.allSatisfy {
        (1...StateLimits.keyBytes).contains($0.key.utf8.count) && ($0.value?.count ?? 0) <= StateLimits.valueBytes
      }
    guard isWithinLimits else { return reply(.failure(.tooLarge)) }
    store(reply) { (storage, provider) throws(StorageFailure) in
      .success(
        try storage.commitState(
          of: provider,
          changes.map { ProviderStateChange(key: $0.key, value: $0.value, expectedVersion: $0.expectedVersion) }))
    }
  }

  // MARK: - Blobs

  private static let blobPrefix = "blob:sha256:"

  func createBlob(call: UInt64) -> (any BlobWriting)? {
    guard let storage = resources.storage, call == 0 || running(call) != nil else { return nil }
    let writer = BlobWriter(storage, services: self)
    // An unfinished blob is discarded with its call.
    if let number = exchanges.begin(of: call) {
      exchanges.set(number, of: call) { [weak writer] in writer?.discard() }
      writer.whenOver { [exchanges] in exchanges.finish(number, of: call) }
    }
    return writer
  }

  func readBlob(
    _ name: String, offset: UInt64, length: Int, call id: UInt64, reply: @escaping ServiceReply<[UInt8]>
  ) {
    guard name.hasPrefix(ProviderServices.blobPrefix) else { return reply(.failure(.absent)) }
    let hash = String(name.dropFirst(ProviderServices.blobPrefix.count))
    guard hash.utf8.count == 64 else { return reply(.failure(.absent)) }
    guard ownBlobs.withLock({ $0.contains(hash) }) || running(id)?.names(blob: name) == true else {
      return reply(.failure(.refused))
    }
    let length = min(max(0, length), BlobLimits.piece)
    store(reply) { (storage, _) throws(StorageFailure) in
      .success(try storage.readBlob(hash: hash, offset: offset, length: length))
    }
  }

  /// Notes that the instance made a blob.
  ///
  /// - Returns: Its name.
  func own(blob hash: String) -> String {
    ownBlobs.withLock { _ = $0.insert(hash) }
    return ProviderServices.blobPrefix + hash
  }

  // MARK: - Events

  func emit(_ event: EmittedEvent, reply: @escaping ServiceReply<Void>) {
    guard let call = running(event.call), let subscription = call.subscription, !call.hasEnded,
      call.cancelReason == nil
    else { return reply(.failure(.refused)) }
    if event.announcesWatching {
      subscription.watches()
      return reply(.success(()))
    }
    guard event.id.utf8.count <= EventLimits.idBytes, event.event.count <= EventLimits.eventBytes,
      event.cursor.utf8.count <= EventLimits.cursorBytes
    else { return reply(.failure(.tooLarge)) }
    ProviderServices.threads.submit { [self] in
      do throws(StorageFailure) {
        guard let document = subscription.read(event.event) else {
          reportDefect("'\(call.action)' emitted an event that does not fit its schema; it is refused", level: .error)
          return reply(.failure(.failed))
        }
        // Secrets stay out of the database.
        let isNew = try subscription.store.accept(
          TriggerEvent(id: event.id, event: mask(document).json(), cursor: event.cursor), of: subscription.name)
        if isNew { subscription.arrived() }
        reply(.success(()))
      } catch {
        log(.error, "an event of '\(call.action)' could not be kept: \(error.message.english)", call: 0)
        reply(.failure(ServiceStatus(error)))
      }
    }
  }

  // MARK: - Doing it

  /// Does something with the storage on a thread that may block.
  private func store<Value: Sendable>(
    _ reply: @escaping ServiceReply<Value>,
    _ body: @escaping @Sendable (any ProviderStorage, String) throws(StorageFailure) -> Result<Value, ServiceStatus>
  ) {
    guard let storage = resources.storage else { return reply(.failure(.failed)) }
    ProviderServices.threads.submit { [self] in
      reply(attempt { () throws(StorageFailure) in try body(storage, provider) })
    }
  }

  /// Uses the storage; a failure of the host itself is logged.
  func attempt<Value>(
    _ body: () throws(StorageFailure) -> Result<Value, ServiceStatus>
  ) -> Result<Value, ServiceStatus> {
    do throws(StorageFailure) {
      return try body()
    } catch {
      let status = ServiceStatus(error)
      if status == .failed { log(.error, error.message.english, call: 0) }
      return .failure(status)
    }
  }
}

extension ServiceStatus {
  init(_ failure: StorageFailure) {
    switch failure.code {
    case .absent: self = .absent
    case .conflict: self = .conflict
    case .tooLarge: self = .tooLarge
    default: self = .failed
    }
  }
}

/// A blob that the instance writes into the storage.
private final class BlobWriter: BlobWriting {
  private struct State {
    /// The number in the storage, once the first bytes have come.
    var number: Int64?
    var size: UInt64 = 0
    var isOver = false
    var whenOver: (@Sendable () -> Void)?
  }

  private let storage: any ProviderStorage
  private let services: ProviderServices
  private let state = Mutex(State())

  init(_ storage: any ProviderStorage, services: ProviderServices) {
    self.storage = storage
    self.services = services
  }

  func whenOver(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.whenOver = body } }

  func write(_ piece: [UInt8], reply: @escaping ServiceReply<Void>) {
    ProviderServices.threads.submit { [self] in
      let result = state.withLock { state in
        services.attempt { () throws(StorageFailure) -> Result<Void, ServiceStatus> in
          guard !state.isOver else { return .failure(.failed) }
          guard UInt64(piece.count) <= BlobLimits.bytes - state.size else { return .failure(.tooLarge) }
          try storage.append(piece, toBlob: try number(&state))
          state.size += UInt64(piece.count)
          return .success(())
        }
      }
      reply(result)
    }
  }

  func finish(reply: @escaping ServiceReply<String>) {
    ProviderServices.threads.submit { [self] in
      let result = state.withLock { state in
        services.attempt { () throws(StorageFailure) -> Result<String, ServiceStatus> in
          guard !state.isOver else { return .failure(.failed) }
          let hash = try storage.finishBlob(try number(&state))
          state.isOver = true
          return .success(services.own(blob: hash))
        }
      }
      if case .success = result { over() }
      reply(result)
    }
  }

  func discard() {
    ProviderServices.threads.submit { [self] in
      state.withLock { state in
        guard !state.isOver else { return }
        state.isOver = true
        if let number = state.number { storage.discardBlob(number) }
      }
      over()
    }
  }

  private func over() {
    let body = state.withLock { state in
      defer { state.whenOver = nil }
      return state.whenOver
    }
    body?()
  }

  private func number(_ state: inout State) throws(StorageFailure) -> Int64 {
    if let number = state.number { return number }
    let number = try storage.createBlob()
    state.number = number
    return number
  }
}
