import Access
import Engine

/// The entries of the audit log for changes by the operations of the API.
enum RequestAudit {
  /// Groups of operations whose store adds the entries itself, with what was before.
  private static let stored: Set<String> = ["users", "roles", "tokens", "session", "device", "devices", "me"]

  /// Adds a change to the audit log.
  ///
  /// - Parameter object: The path of the object below that of the API.
  static func record(
    _ route: Route, _ object: String, by source: AuditSource, outcome: String, _ services: ServerServices
  ) {
    guard !route.method.isSafe, !stored.contains(route.group) else { return }
    let entry = AuditEntry(
      at: SystemTime().now, source, action: route.id, object: String(object.prefix(500)), outcome: outcome)
    try? services.access.record(entry)
  }
}
