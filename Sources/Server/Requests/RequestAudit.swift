import Access
import Engine
import Expressions

/// The entries of the audit log for changes by the operations of the API.
enum RequestAudit {
  /// Groups of operations whose store adds the entries itself, with what was before.
  private static let stored: Set<String> = ["users", "roles", "tokens", "session", "device", "devices", "me"]

  /// Adds a change to the audit log.
  ///
  /// - Parameters:
  ///   - object: The path of the object below that of the API.
  ///   - change: The object before and after, without secrets.
  static func record(
    _ route: Route, _ object: String, by source: AuditSource, _ change: (before: Value?, after: Value?) = (nil, nil),
    outcome: String, _ services: ServerServices
  ) {
    guard !route.isReading, !stored.contains(route.group) else { return }
    let entry = AuditEntry(
      at: SystemTime().now, source, action: route.id, object: String(object.prefix(500)), before: change.before,
      after: change.after, outcome: outcome)
    try? services.access.record(entry)
  }
}
