public import UseCases

/// Listens at the address of the daemon. The module of the HTTP server has the one that the program uses.
public protocol HTTPFront: Sendable {
  /// Listens from now on.
  ///
  /// - Returns: The listener, to be closed at the end of the daemon.
  /// - Throws: `UseCaseError` if the address cannot be used, as when another process has it.
  func open(_ daemon: Daemon) async throws -> any OpenFront
}

/// A listener at the address of the daemon.
public protocol OpenFront: Sendable {
  /// Accepts nothing more, and waits for a while for the answers that are under way.
  func close() async
}

/// The parts of the daemon that requests need.
public struct Daemon: Sendable {
  /// The open workspace.
  public let session: Session
  /// The webhooks of the served recipes.
  public let webhooks: WebhookRouter
  /// Reports that the run log has changed.
  public let changes: RunLogChanges
}
