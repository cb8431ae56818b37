import CPluginABI
import Engine

/// Secrets, and state that lasts.
extension CapabilityTables {
  private static let secretNameBytes = 1024

  static func secret(_ context: UnsafeMutableRawPointer?) -> sous_secret_v1 {
    sous_secret_v1(
      size: MemoryLayout<sous_secret_v1>.size, context: context,
      read: { context, name, receive, receiver in
        guard let tables = CapabilityTables.find(context), let receive else { return ServiceStatus.failed.rawValue }
        guard let name = name.text(limit: CapabilityTables.secretNameBytes) else {
          return ServiceStatus.refused.rawValue
        }
        let reply = SyncReply.reply { tables.services.readSecret(name, reply: $0) }
        if case .success(let value) = reply { borrow(value) { receive(receiver, $0) } }
        return reply.status
      })
  }

  static func state(_ context: UnsafeMutableRawPointer?) -> sous_state_v1 {
    sous_state_v1(
      size: MemoryLayout<sous_state_v1>.size, context: context,
      read: { context, key, receive, receiver in
        guard let tables = CapabilityTables.find(context), let receive else { return ServiceStatus.failed.rawValue }
        guard let key = key.text(limit: StateLimits.keyBytes), !key.isEmpty else {
          return ServiceStatus.absent.rawValue
        }
        let reply = SyncReply.reply { tables.services.readState(key, reply: $0) }
        if case .success(let entry) = reply { borrow(entry.value) { receive(receiver, $0, entry.version) } }
        return reply.status
      },
      list: { context, prefix, receive, receiver in
        guard let tables = CapabilityTables.find(context), let receive else { return ServiceStatus.failed.rawValue }
        // No key begins with a text that is not a key.
        guard let prefix = prefix.text(limit: StateLimits.keyBytes) else { return 0 }
        let reply = SyncReply.reply { tables.services.listState(prefix, reply: $0) }
        if case .success(let keys) = reply {
          for key in keys { borrow(Array(key.utf8)) { receive(receiver, $0) } }
        }
        return reply.status
      },
      commit: { context, changes, count in
        guard let tables = CapabilityTables.find(context) else { return ServiceStatus.failed.rawValue }
        let changes = Result { () throws(ServiceStatus) in try tables.read(changes, count) }
        switch changes {
        case .failure(let status): return status.rawValue
        case .success(let changes):
          return SyncReply.reply { tables.services.commitState(changes, reply: $0) }.status
        }
      })
  }

  private func read(
    _ changes: UnsafePointer<sous_state_change>?, _ count: Int
  ) throws(ServiceStatus) -> [StateChange] {
    guard count > 0 else { return [] }
    guard count <= StateLimits.changes else { throw .tooLarge }
    guard let changes else { throw .failed }
    var result: [StateChange] = []
    var bytes = 0
    for change in UnsafeBufferPointer(start: changes, count: count) {
      guard let key = change.key.text(limit: StateLimits.keyBytes), !key.isEmpty else {
        services.reportDefect("sous.state commit: a key must be UTF-8 of 1 to 512 bytes", level: .error)
        throw change.key.size > StateLimits.keyBytes ? .tooLarge : .failed
      }
      var value: [UInt8]?
      if change.flags & UInt32(SOUS_STATE_REMOVE) == 0 {
        guard change.value.size == 0 || change.value.data != nil else { throw .failed }
        guard let copy = change.value.copy(limit: StateLimits.valueBytes) else { throw .tooLarge }
        value = copy
      }
      bytes += key.utf8.count + (value?.count ?? 0)
      guard bytes <= StateLimits.providerBytes else { throw .tooLarge }
      result.append(
        StateChange(
          key: key, value: value,
          expectedVersion: change.flags & UInt32(SOUS_STATE_IF_VERSION) != 0 ? change.version : nil))
    }
    return result
  }
}
