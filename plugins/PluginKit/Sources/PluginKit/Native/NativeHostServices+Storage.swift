import CPluginABI

extension NativeHostServices {
  func readSecret(_ name: String) throws(HostRefusal) -> [UInt8] {
    guard let table = secretTable, let read = table.pointee.read else { throw .missing }
    var value: [UInt8] = []
    let answer = withUnsafeMutablePointer(to: &value) { value in
      NativeBytes.borrow(name) { name in
        read(
          table.pointee.context, name, { $0?.assumingMemoryBound(to: [UInt8].self).pointee = NativeBytes.copy($1) },
          value)
      }
    }
    try HostRefusal.check(answer)
    return value
  }

  func readState(_ key: String) throws(HostRefusal) -> (value: [UInt8], version: UInt64) {
    guard let table = stateTable, let read = table.pointee.read else { throw .missing }
    var found: (value: [UInt8], version: UInt64) = ([], 0)
    let answer = withUnsafeMutablePointer(to: &found) { found in
      NativeBytes.borrow(key) { key in
        read(
          table.pointee.context, key,
          { receiver, value, version in
            receiver?.assumingMemoryBound(to: (value: [UInt8], version: UInt64).self).pointee =
              (NativeBytes.copy(value), version)
          }, found)
      }
    }
    try HostRefusal.check(answer)
    return found
  }

  func listState(_ prefix: String) throws(HostRefusal) -> [String] {
    guard let table = stateTable, let list = table.pointee.list else { throw .missing }
    var keys: [String] = []
    let answer = withUnsafeMutablePointer(to: &keys) { keys in
      NativeBytes.borrow(prefix) { prefix in
        list(
          table.pointee.context, prefix,
          { $0?.assumingMemoryBound(to: [String].self).pointee.append(NativeBytes.string($1)) }, keys)
      }
    }
    try HostRefusal.check(answer)
    return keys
  }

  func commitState(_ changes: [StateChange]) throws(HostRefusal) {
    guard let table = stateTable, let commit = table.pointee.commit else { throw .missing }
    let answer = NativeBytes.borrow(changes) { commit(table.pointee.context, $0, $1) }
    try HostRefusal.check(answer)
  }

  func createBlob(call: UInt64) throws(HostRefusal) -> UInt64 {
    guard let table = blobTable, let create = table.pointee.create else { throw .missing }
    let number = create(table.pointee.context, call)
    guard number != 0 else { throw .failed }
    return number
  }

  func writeBlob(_ blob: UInt64, _ piece: [UInt8]) throws(HostRefusal) {
    guard let table = blobTable, let write = table.pointee.write else { throw .missing }
    try HostRefusal.check(NativeBytes.borrow(piece) { write(table.pointee.context, blob, $0) })
  }

  func finishBlob(_ blob: UInt64) throws(HostRefusal) -> String {
    guard let table = blobTable, let finish = table.pointee.finish else { throw .missing }
    var name = ""
    let answer = withUnsafeMutablePointer(to: &name) { name in
      finish(
        table.pointee.context, blob,
        { $0?.assumingMemoryBound(to: String.self).pointee = NativeBytes.string($1) }, name)
    }
    try HostRefusal.check(answer)
    return name
  }

  func discardBlob(_ blob: UInt64) {
    guard let table = blobTable else { return }
    table.pointee.discard?(table.pointee.context, blob)
  }

  func readBlob(call: UInt64, name: String, offset: UInt64, length: UInt64) throws(HostRefusal) -> [UInt8] {
    guard let table = blobTable, let read = table.pointee.read else { throw .missing }
    var bytes: [UInt8] = []
    let answer = withUnsafeMutablePointer(to: &bytes) { bytes in
      NativeBytes.borrow(name) { name in
        read(
          table.pointee.context, call, name, offset, length,
          { $0?.assumingMemoryBound(to: [UInt8].self).pointee += NativeBytes.copy($1) }, bytes)
      }
    }
    try HostRefusal.check(answer)
    return bytes
  }

  func emitEvent(call: UInt64, id: String, event: [UInt8], cursor: String) throws(HostRefusal) {
    guard let table = eventTable, let emit = table.pointee.emit else { throw .missing }
    let answer = NativeBytes.borrow(id) { id in
      NativeBytes.borrow(event) { event in
        NativeBytes.borrow(cursor) { emit(table.pointee.context, call, id, event, $0) }
      }
    }
    try HostRefusal.check(answer)
  }
}

extension NativeBytes {
  /// Changes for the duration of a call: one run of bytes, and entries that point into it.
  fileprivate static func borrow<Result>(
    _ changes: [StateChange], _ body: (UnsafePointer<sous_state_change>?, Int) -> Result
  ) -> Result {
    var bytes: [UInt8] = []
    for change in changes {
      bytes += change.key.utf8
      bytes += change.value ?? []
    }
    return bytes.withUnsafeBufferPointer { bytes in
      var offset = 0
      func take(_ count: Int) -> sous_bytes {
        defer { offset += count }
        return sous_bytes(data: bytes.baseAddress.map { $0 + offset }, size: count)
      }
      let entries = changes.map { change in
        var flags: UInt32 = 0
        if change.value == nil { flags |= UInt32(SOUS_STATE_REMOVE) }
        if change.version != nil { flags |= UInt32(SOUS_STATE_IF_VERSION) }
        return sous_state_change(
          key: take(change.key.utf8.count), value: take(change.value?.count ?? 0), flags: flags,
          version: change.version ?? 0)
      }
      return entries.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
    }
  }
}
