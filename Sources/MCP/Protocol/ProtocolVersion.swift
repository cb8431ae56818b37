/// A version of the Model Context Protocol.
public enum ProtocolVersion: String, Sendable, CaseIterable {
  /// With a handshake.
  case june2025 = "2025-06-18"
  /// With a handshake, and with tasks that the client asks for.
  case november2025 = "2025-11-25"
  /// Without a handshake: each request carries its version and the features of the client.
  case july2026 = "2026-07-28"

  /// The newest version with a handshake.
  static let newestHandshake = ProtocolVersion.november2025

  /// Whether requests are independent of each other: none needs an earlier one.
  public var isStateless: Bool { self == .july2026 }

  /// Whether a client may ask for a task.
  var hasRequestedTasks: Bool { self == .november2025 }

  /// The versions in which a request without a handshake is answered, and after them the others, newest first.
  static let supported: [String] = [july2026, november2025, june2025].map(\.rawValue)
}
