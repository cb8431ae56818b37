public import PluginKit
import Synchronization

#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.Date
#else
  public import struct Foundation.Date
#endif

/// A host for an author's unit tests: calls actions through the same JSON as a real one, keeps what they report, answers
/// their requests by a script, and has a clock that stands still until it is moved.
///
/// ```swift
/// let host = InMemoryHost()
/// let greeter = try host.open(Greeter.self, configuration: ["greeting": "Hello"])
/// let output = try await greeter.call("greeter.greet", ["name": "Ada"])
/// #expect(output["text"] == "Hello, Ada!")
/// ```
public final class InMemoryHost: Sendable {
  /// A line of the log.
  public struct LogLine: Sendable, Hashable {
    /// The call it belongs to; 0 for none.
    public let call: UInt64
    /// How important it is.
    public let level: LogLevel
    /// The text.
    public let message: String

    /// Creates a line, to compare with.
    public init(call: UInt64, level: LogLevel, message: String) {
      self.call = call
      self.level = level
      self.message = message
    }
  }

  /// How far a call had come.
  public struct Progress: Sendable, Hashable {
    /// How much was done.
    public let done: UInt64
    /// How much there was; 0 when unknown.
    public let total: UInt64
    /// What was being done.
    public let label: String

    /// Creates a report, to compare with.
    public init(done: UInt64, total: UInt64, label: String) {
      self.done = done
      self.total = total
      self.label = label
    }
  }

  struct State {
    var now: Int64
    var elapsed: UInt64 = 0
    var lastCall: UInt64 = 0
    var log: [LogLine] = []
    var progress: [Progress] = []
    var deltas: [JSONValue] = []
    var service = Service.none
    var requests: [HTTPRequest] = []
    var peer: (@Sendable (ScriptedPeer) async throws -> Void)?
    var loopback: (@Sendable (StreamRequest) -> Int?)?
    var storage = InMemoryStorage()
    var replay: Replay?
    var live: LiveService?
    /// The secrets of the configurations that plugins were opened with, and those that were set.
    var knownSecrets: [String: String] = [:]
    var subscriptions: [UInt64: Subscription] = [:]
    var subscriptionTasks: [UInt64: Task<ActionError?, Never>] = [:]
  }

  let provider: String
  let state: Mutex<State>
  let timeChanges = Changes()

  /// Creates a host.
  ///
  /// - Parameters:
  ///   - provider: The provider's name that plugins see.
  ///   - now: What the clock shows, to the millisecond.
  public init(provider: String = "test", now: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
    self.provider = provider
    state = Mutex(State(now: Int64((now.timeIntervalSince1970 * 1000).rounded())))
  }

  /// The lines that plugins have logged.
  public var log: [LogLine] { state.withLock { $0.log } }
  /// The progress that calls have reported.
  public var progress: [Progress] { state.withLock { $0.progress } }
  /// The pieces of answers that calls have handed over.
  public var deltas: [JSONValue] { state.withLock { $0.deltas } }

  /// Makes a plugin ready, as a configured provider.
  ///
  /// It reaches the hosts, and reads the secrets, that its manifest names, and no others, as with a real host.
  ///
  /// - Throws: ``ActionError`` if the configuration does not decode or the plugin refuses it.
  public func open<Owner: Plugin>(
    _ type: Owner.Type, configuration: JSONValue = .object([:])
  ) throws(ActionError) -> OpenPlugin<Owner> {
    let json: [UInt8]
    do { json = try JSONCoding.encode(configuration) } catch { throw ActionError(any: error) }
    let values = InMemoryServices.secrets(Owner.manifest.secrets, in: configuration)
    state.withLock { $0.knownSecrets.merge(values) { $1 } }
    let context = PluginContext(
      provider: provider,
      services: InMemoryServices(host: self, manifest: Owner.manifest, configuration: configuration))
    return OpenPlugin(
      dispatcher: try ActionDispatcher(type, host: context, configuration: json), context: context, host: self)
  }

  /// A plugin that is ready for calls.
  public struct OpenPlugin<Owner: Plugin>: Sendable {
    let dispatcher: ActionDispatcher<Owner>
    let context: PluginContext
    let host: InMemoryHost

    /// The plugin itself.
    public var plugin: Owner { dispatcher.plugin }

    /// The context of a call, for parts of a plugin that are tested without an action.
    public func callContext(key: String = "key", attempt: Int = 1, timeout: Duration? = nil) -> ActionContext {
      host.context(context, key: key, attempt: attempt, timeout: timeout)
    }

    /// Calls an action with any JSON.
    ///
    /// - Parameters:
    ///   - action: The action's name.
    ///   - input: The input, JSON names and all.
    ///   - key: The idempotency key.
    ///   - attempt: 1 for the first attempt.
    ///   - timeout: The time allowed, as the action sees it; nothing enforces it.
    /// - Throws: ``ActionError`` as the host would see it.
    public func call(
      _ action: String, _ input: JSONValue = .object([:]), key: String = "key", attempt: Int = 1,
      timeout: Duration? = nil
    ) async throws(ActionError) -> JSONValue {
      let json = try await run(
        action, input: encode(input), host.context(context, key: key, attempt: attempt, timeout: timeout))
      return try decode(JSONValue.self, json)
    }

    /// Calls an action with a typed input and decodes its output.
    public func call<Output: Decodable>(
      _ action: String, _ input: some Encodable, returning: Output.Type, key: String = "key", attempt: Int = 1,
      timeout: Duration? = nil
    ) async throws(ActionError) -> Output {
      let json = try await run(
        action, input: encode(input), host.context(context, key: key, attempt: attempt, timeout: timeout))
      return try decode(Output.self, json)
    }

    /// Runs an action where a real host does: what blocks, on a thread of the kit.
    private func run(_ action: String, input: [UInt8], _ context: ActionContext) async throws(ActionError) -> [UInt8] {
      guard dispatcher.isBlocking(action) else {
        return try await dispatcher.run(action, input: input, context: context)
      }
      let dispatcher = dispatcher
      let task = Task(executorPreference: CallThreads.shared) { () -> Result<[UInt8], ActionError> in
        do throws(ActionError) {
          return .success(try await dispatcher.run(action, input: input, context: context))
        } catch {
          return .failure(error)
        }
      }
      return try await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }.get()
    }

    /// Asks whether an earlier call with the same key took effect.
    ///
    /// - Returns: `{"verdict": …}`, as the ABI header describes it.
    public func verify(
      _ action: String, _ input: JSONValue = .object([:]), key: String = "key"
    ) async throws(ActionError) -> JSONValue {
      let json = try await dispatcher.verify(
        action, input: encode(input), context: host.context(context, key: key, attempt: 1, timeout: nil))
      return try decode(JSONValue.self, json)
    }

    private func encode(_ value: some Encodable) throws(ActionError) -> [UInt8] {
      do { return try JSONCoding.encode(value) } catch { throw ActionError(any: error) }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ json: [UInt8]) throws(ActionError) -> Value {
      do { return try JSONCoding.decode(type, from: json) } catch { throw ActionError(any: error) }
    }
  }

  func context(
    _ plugin: PluginContext, key: String, attempt: Int, timeout: Duration?
  ) -> ActionContext {
    let call = state.withLock {
      $0.lastCall += 1
      return $0.lastCall
    }
    return ActionContext(call: call, attempt: attempt, key: key, timeout: timeout, plugin: plugin)
  }
}
