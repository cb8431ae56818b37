/// The context of one call of an action: its data, and the services it reports to. Any thread may use it.
public struct ActionContext: Sendable {
  /// Names the call towards the host; 0 in no call.
  public let call: UInt64
  /// 1 for the first attempt of a step.
  public let attempt: Int
  /// The same for every attempt of one step, different for every other step: an idempotency key.
  public let key: String
  /// The time left for this call, counted from its start; `nil` without deadline. The host cancels when it passes.
  public let timeout: Duration?
  /// The surroundings of the plugin, as its initialiser got them.
  public let plugin: PluginContext

  package init(call: UInt64, attempt: Int, key: String, timeout: Duration?, plugin: PluginContext) {
    self.call = call
    self.attempt = attempt
    self.key = key
    self.timeout = timeout
    self.plugin = plugin
  }

  /// The host's time.
  public var clock: HostClock { plugin.clock }

  /// HTTP through the host; requests end with the call.
  public var http: HTTPClient { HTTPClient(services: plugin.services, call: call) }

  /// Byte streams through the host; they are closed with the call.
  public var streams: StreamClient { StreamClient(services: plugin.services, call: call) }

  /// The secrets of the provider's configuration, as they are now.
  public var secrets: SecretReader { plugin.secrets }

  /// Values that last beyond the call.
  public var state: StateStore { plugin.state }

  /// Large values beside the JSON of the call.
  public var blobs: BlobStore { BlobStore(services: plugin.services, call: call) }

  /// Adds a line to the log of the run. Holds no secret and no message body.
  public func log(_ level: LogLevel, _ message: String) {
    plugin.services.log(call: call, level: level, message: message)
  }

  /// Says how far the call has come, as often as wanted: the host thins it out.
  ///
  /// - Parameters:
  ///   - done: How much is done; negative counts as 0.
  ///   - total: How much there is; `nil` if unknown.
  ///   - label: The present activity.
  public func progress(_ done: Int, of total: Int? = nil, _ label: String = "") {
    plugin.services.progress(
      call: call, done: UInt64(clamping: done), total: UInt64(clamping: total ?? 0), label: label)
  }

  /// Hands over a piece of the answer while it is being made, for actions whose contract streams.
  ///
  /// - Parameter piece: Encodes to a JSON object in the shape the contract names.
  /// - Throws: ``ActionError`` of kind `protocol` if it cannot be encoded.
  public func delta(_ piece: some Encodable) throws {
    let json: [UInt8]
    do {
      json = try JSONCoding.encode(piece)
    } catch {
      throw ActionError(.protocol, "The delta cannot be encoded: \(error)")
    }
    plugin.services.delta(call: call, json: json)
  }
}
