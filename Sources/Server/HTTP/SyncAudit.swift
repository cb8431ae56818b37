import Access
import Engine
import OperatingSystem
import RecordJSON
import Synchronization
import UseCases

/// Adds syncs of recipes to the audit log, on a thread that may block.
final class SyncAudit: Sendable {
  /// Syncs that wait until the server is open.
  private static let most = 10

  private let state = Mutex<(access: AccessStore?, waiting: [AuditEntry])>((nil, []))

  /// Takes a sync. Returns at once.
  func add(_ report: RecipeSyncReport) {
    guard !report.changes.isEmpty else { return }
    let (before, after) = report.change
    let entry = AuditEntry(
      at: SystemTime().now, AuditSource(actor: report.author, origin: "sync"), action: "recipe.sync", object: "recipes",
      before: before, after: after)
    let access = state.withLock { state in
      if state.access == nil { state.waiting = Array((state.waiting + [entry]).suffix(Self.most)) }
      return state.access
    }
    if let access { Self.record([entry], access) }
  }

  /// Records what has waited, and what comes from now on.
  func begin(_ access: AccessStore) {
    let waiting = state.withLock { state in
      defer { state = (access, []) }
      return state.waiting
    }
    if !waiting.isEmpty { Self.record(waiting, access) }
  }

  /// Records nothing more: the audit log is closed.
  func end() { state.withLock { $0.access = nil } }

  private static func record(_ entries: [AuditEntry], _ access: AccessStore) {
    BlockingPool.shared.submit { for entry in entries { try? access.record(entry) } }
  }
}
