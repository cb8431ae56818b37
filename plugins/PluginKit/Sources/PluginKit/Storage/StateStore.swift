/// Values that last beyond a call and a process, one space for each configured provider: cursors, caches, tokens.
///
/// Values are kept as JSON of Codable types. Nothing here is encrypted: no secrets in clear.
///
/// ```swift
/// let seen = try await context.state.value(Int.self, for: "last_seen") ?? 0
/// try await context.state.set(seen + 1, for: "last_seen")
/// ```
///
/// Keys are UTF-8 of 1 to 512 bytes, values at most 1 MiB, all of one provider at most 64 MiB.
public struct StateStore: Sendable {
  static let capability = "sous.state/1"
  let services: any HostServices

  /// Reads a value.
  ///
  /// - Returns: The value; `nil` if the key has none.
  /// - Throws: `parse` if it is of another type, `io` if the host cannot read it.
  public func value<Value: Decodable>(
    _ type: Value.Type = Value.self, for key: String
  ) async throws(ActionError) -> Value? {
    guard let (bytes, _) = try await read(key) else { return nil }
    return try StateStore.decode(type, bytes, key)
  }

  /// Writes a value; it is on disk when this returns.
  ///
  /// - Throws: `invalid_input` if it is too large, `io` if the host cannot write it.
  public func set(_ value: some Encodable, for key: String) async throws(ActionError) {
    try await commit([StateChange(key: key, value: try StateStore.encode(value, key), version: nil)])
  }

  /// Removes a value, if the key has one.
  public func remove(_ key: String) async throws(ActionError) {
    try await commit([StateChange(key: key, value: nil, version: nil)])
  }

  /// The keys that begin with a prefix, in byte order.
  public func keys(prefix: String = "") async throws(ActionError) -> [String] {
    try await services.blocking(Self.capability, prefix) { services throws(HostRefusal) in
      try services.listState(prefix)
    }
  }

  /// Reads and writes several values as one: all changes happen or none.
  ///
  /// The body runs again if another call has changed one of the written values since the body read it, so
  /// it must have no other effects. A value that is written without having been read is not compared.
  ///
  /// ```swift
  /// let number = try await context.state.transaction { state in
  ///   let number = (try await state.value(Int.self, for: "number") ?? 0) + 1
  ///   try state.set(number, for: "number")
  ///   return number
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - attempts: How often the body is carried out at most.
  ///   - body: Reads and changes; an error discards all changes.
  /// - Throws: The error of the body; `io` if every attempt met a conflict, or the host cannot write.
  public func transaction<Result>(
    attempts: Int = 8, _ body: (inout StateTransaction) async throws -> Result
  ) async throws(ActionError) -> Result {
    var attempt = 1
    while true {
      var transaction = StateTransaction(store: self)
      let result: Result
      do { result = try await body(&transaction) } catch { throw ActionError(any: error) }
      do {
        let changes = transaction.changes
        if !changes.isEmpty {
          try await services.run { services throws(HostRefusal) in try services.commitState(changes) }
        }
        return result
      } catch {
        guard error == .conflict, attempt < attempts, !Task.isCancelled else {
          throw ActionError(error, Self.capability, transaction.changes.map(\.key).joined(separator: ", "))
        }
        attempt += 1
      }
    }
  }

  func read(_ key: String) async throws(ActionError) -> (value: [UInt8], version: UInt64)? {
    do {
      return try await services.run { services throws(HostRefusal) in try services.readState(key) }
    } catch {
      if error == .absent { return nil }
      throw ActionError(error, Self.capability, key)
    }
  }

  private func commit(_ changes: [StateChange]) async throws(ActionError) {
    try await services.blocking(Self.capability, changes.map(\.key).joined(separator: ", ")) {
      services throws(HostRefusal) in
      try services.commitState(changes)
    }
  }

  static func decode<Value: Decodable>(
    _ type: Value.Type, _ bytes: [UInt8], _ key: String
  ) throws(ActionError) -> Value {
    do {
      return try JSONCoding.decode(type, from: bytes)
    } catch {
      let failure = DecodingFailure(error)
      throw ActionError(
        .parse, "The state '\(key)' is not readable: \(failure.english)",
        german: "Der Zustand '\(key)' ist nicht lesbar: \(failure.german)",
        advice: "It may come from another version of the plugin: remove it, or read it as what it was.",
        adviceGerman: "Er stammt vielleicht von einer anderen Fassung des Plugins: löschen, oder so lesen, wie er war.")
    }
  }

  static func encode(_ value: some Encodable, _ key: String) throws(ActionError) -> [UInt8] {
    do {
      return try JSONCoding.encode(value)
    } catch {
      let failure = DecodingFailure(error)
      throw ActionError(
        .invalidInput, "The state '\(key)' cannot be encoded: \(failure.english)",
        german: "Der Zustand '\(key)' lässt sich nicht kodieren: \(failure.german)")
    }
  }
}

/// Reads and changes of a ``StateStore/transaction(attempts:_:)``.
public struct StateTransaction: Sendable {
  let store: StateStore
  private var versions: [String: UInt64] = [:]
  private var written: [(key: String, value: [UInt8]?)] = []

  init(store: StateStore) { self.store = store }

  /// Reads a value, as this transaction has left it.
  ///
  /// - Throws: As ``StateStore/value(_:for:)``.
  public mutating func value<Value: Decodable>(
    _ type: Value.Type = Value.self, for key: String
  ) async throws(ActionError) -> Value? {
    if let own = written.last(where: { $0.key == key }) {
      guard let bytes = own.value else { return nil }
      return try StateStore.decode(type, bytes, key)
    }
    let found = try await store.read(key)
    versions[key] = found?.version ?? 0
    guard let found else { return nil }
    return try StateStore.decode(type, found.value, key)
  }

  /// Assumes that a key has no value, without reading it: if it has one, the transaction begins anew.
  public mutating func expectAbsent(_ key: String) { versions[key] = 0 }

  /// Writes a value when the transaction ends.
  ///
  /// - Throws: `invalid_input` if it cannot be encoded.
  public mutating func set(_ value: some Encodable, for key: String) throws(ActionError) {
    write(key, try StateStore.encode(value, key))
  }

  /// Removes a value when the transaction ends.
  public mutating func remove(_ key: String) { write(key, nil) }

  private mutating func write(_ key: String, _ value: [UInt8]?) {
    written.removeAll { $0.key == key }
    written.append((key, value))
  }

  var changes: [StateChange] {
    written.map { StateChange(key: $0.key, value: $0.value, version: versions[$0.key]) }
  }
}
