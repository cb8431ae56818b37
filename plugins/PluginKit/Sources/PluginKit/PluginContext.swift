/// How important a line of the run log is.
public enum LogLevel: Int32, Sendable, CaseIterable {
  /// For authors of recipes and plugins.
  case debug = 0
  /// For everyone.
  case info = 1
  /// Something is odd but handled.
  case warning = 2
  /// Something failed.
  case error = 3
}

/// What Sous offers to one configured provider. Any thread may use it.
public struct PluginContext: Sendable {
  /// The provider's name in `sous.yaml`.
  public let provider: String
  package let services: any HostServices

  package init(provider: String, services: any HostServices) {
    self.provider = provider
    self.services = services
  }

  /// HTTP through the host, for what belongs to no call and outlives them.
  public var http: HTTPClient { HTTPClient(services: services, call: 0) }

  /// Byte streams through the host, which last until no code holds them any more.
  public var streams: StreamClient { StreamClient(services: services, call: 0) }

  /// The secrets of the provider's configuration.
  public var secrets: SecretReader { SecretReader(services: services) }

  /// Values that last.
  public var state: StateStore { StateStore(services: services) }

  /// Adds a line to the log that belongs to no call. Holds no secret and no message body.
  public func log(_ level: LogLevel, _ message: String) {
    services.log(call: 0, level: level, message: message)
  }

  /// The host's time, which tests and simulations set. Use it instead of the system's.
  public var clock: HostClock { HostClock(services: services) }

  /// Whether the host offers a capability: `sous.log/1`.
  public func offers(_ capability: String) -> Bool { services.offers(capability) }
}
