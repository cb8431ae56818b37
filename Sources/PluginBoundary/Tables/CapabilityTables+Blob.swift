import CPluginABI
import Engine
import Synchronization

/// Large values, and events of triggers.
extension CapabilityTables {
  private static let nameBytes = 256

  static func blob(_ context: UnsafeMutableRawPointer?) -> sous_blob_v1 {
    sous_blob_v1(
      size: MemoryLayout<sous_blob_v1>.size, context: context,
      create: { context, call in
        guard let tables = CapabilityTables.find(context), let writing = tables.services.createBlob(call: call) else {
          return 0
        }
        let number = CompletionTable.shared.makeID()
        guard tables.blobs.insert(NativeBlob(writing), as: number) else {
          writing.discard()
          return 0
        }
        return number
      },
      write: { context, number, piece in
        guard let blob = CapabilityTables.find(context)?.blobs.find(number) else {
          return ServiceStatus.failed.rawValue
        }
        return blob.write(piece)
      },
      finish: { context, number, receive, receiver in
        guard let blob = CapabilityTables.find(context)?.blobs.remove(number) else {
          return ServiceStatus.failed.rawValue
        }
        let reply = blob.finish()
        if case .success(let name) = reply { borrow(Array(name.utf8)) { receive?(receiver, $0) } }
        return reply.status
      },
      discard: { CapabilityTables.find($0)?.blobs.remove($1)?.discard() },
      read: { context, call, name, offset, length, receive, receiver in
        guard let tables = CapabilityTables.find(context), let receive else { return ServiceStatus.failed.rawValue }
        guard let name = name.text(limit: CapabilityTables.nameBytes) else { return ServiceStatus.absent.rawValue }
        return tables.readBlob(name, offset, length, call: call) { piece in borrow(piece) { receive(receiver, $0) } }
      })
  }

  private func readBlob(
    _ name: String, _ offset: UInt64, _ length: UInt64, call: UInt64, _ receive: ([UInt8]) -> Void
  ) -> UInt32 {
    var offset = offset
    var remaining = length
    repeat {
      let wanted = Int(min(remaining, UInt64(BlobLimits.piece)))
      let reply = SyncReply.reply { [offset] in
        services.readBlob(name, offset: offset, length: wanted, call: call, reply: $0)
      }
      guard case .success(let piece) = reply else { return reply.status }
      if !piece.isEmpty { receive(piece) }
      guard piece.count == wanted else { break }
      remaining -= UInt64(wanted)
      let (next, overflow) = offset.addingReportingOverflow(UInt64(wanted))
      guard !overflow else { break }
      offset = next
    } while remaining > 0
    return 0
  }

  static func event(_ context: UnsafeMutableRawPointer?) -> sous_event_v1 {
    sous_event_v1(
      size: MemoryLayout<sous_event_v1>.size, context: context,
      emit: { context, call, id, event, cursor in
        guard let tables = CapabilityTables.find(context) else { return ServiceStatus.refused.rawValue }
        guard id.size <= EventLimits.idBytes, event.size <= EventLimits.eventBytes,
          cursor.size <= EventLimits.cursorBytes
        else { return ServiceStatus.tooLarge.rawValue }
        guard let id = id.text(limit: EventLimits.idBytes), !id.isEmpty || event.size == 0 && cursor.size == 0,
          let cursor = cursor.text(limit: EventLimits.cursorBytes),
          let bytes = event.copy(limit: EventLimits.eventBytes)
        else {
          tables.services.reportDefect(
            "sous.event emit: id and cursor must be UTF-8, and the id not empty", level: .error)
          return ServiceStatus.failed.rawValue
        }
        let emitted = EmittedEvent(call: call, id: id, event: bytes, cursor: cursor)
        return SyncReply.reply { tables.services.emit(emitted, reply: $0) }.status
      })
  }
}

/// A blob that a plugin is writing.
///
/// Pieces follow one another even where a plugin writes from several threads, and no more than the largest blob goes
/// through.
final class NativeBlob: Sendable {
  private let writing: any BlobWriting
  private let written = Mutex<UInt64>(0)

  init(_ writing: any BlobWriting) {
    self.writing = writing
  }

  func write(_ bytes: sous_bytes) -> UInt32 {
    guard bytes.size > 0 else { return 0 }
    guard let data = bytes.data else { return ServiceStatus.failed.rawValue }
    return written.withLock { written in
      guard UInt64(bytes.size) <= BlobLimits.bytes - written else { return ServiceStatus.tooLarge.rawValue }
      var offset = 0
      while offset < bytes.size {
        let count = min(BlobLimits.piece, bytes.size - offset)
        let piece = Array(UnsafeBufferPointer(start: data + offset, count: count))
        let reply = SyncReply.reply { writing.write(piece, reply: $0) }
        guard case .success = reply else { return reply.status }
        offset += count
        written += UInt64(count)
      }
      return 0
    }
  }

  func finish() -> Result<String, ServiceStatus> {
    written.withLock { _ in SyncReply.reply { writing.finish(reply: $0) } }
  }

  func discard() { writing.discard() }
}
