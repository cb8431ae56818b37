import CPluginABI
import Engine
import Localization
import OperatingSystem
import Synchronization

/// One configured provider inside a plugin that is loaded in this process, in the host itself or in a worker: the C side
/// of `create`, `start`, `cancel` and `destroy`.
///
/// Everything that might still touch it holds it: running calls, `start` and `cancel` on their threads. When the last of
/// them is gone it is destroyed, on a thread of the plugin's.
// Unchecked: the pointer is opaque and only handed to functions that the header allows to be called from any thread.
package final class NativeInstance: @unchecked Sendable {
  /// The result of `create`.
  package enum Creation: Sendable {
    /// The plugin is ready.
    case ready(NativeInstance)
    /// It refused, with what it said.
    case refused(Answer?)
    /// It refused without a word.
    case refusedSilently
  }

  package let plugin: LoadedPlugin
  private let pointer: OpaquePointer
  private let tables: CapabilityTables
  private let destroyed: @Sendable () -> Void

  private init(
    plugin: LoadedPlugin, pointer: OpaquePointer, tables: CapabilityTables, destroyed: @escaping @Sendable () -> Void
  ) {
    self.plugin = plugin
    self.pointer = pointer
    self.tables = tables
    self.destroyed = destroyed
  }

  deinit {
    // The closure holds everything it needs: it outlives the instance.
    let raw = UInt(bitPattern: pointer)
    plugin.threads.submit { [plugin, tables, destroyed] in
      tables.endEverything(within: tables.limits.cancelGrace)
      plugin.table.destroy(OpaquePointer(bitPattern: raw))
      tables.close()
      destroyed()
    }
  }

  /// Makes a plugin ready for a provider, on the calling thread, which blocks as long as the plugin does.
  ///
  /// - Parameters:
  ///   - plugin: The plugin.
  ///   - provider: The provider's name.
  ///   - settings: A JSON object.
  ///   - services: The services of the host for the instance.
  ///   - limits: The sizes of what crosses.
  ///   - destroyed: Called when the instance is gone, or was never made.
  package static func create(
    _ plugin: LoadedPlugin, provider: String, settings: [UInt8], services: any InstanceServices, limits: PluginLimits,
    destroyed: @escaping @Sendable () -> Void
  ) -> Creation {
    let tables = CapabilityTables(services: services, callbacks: plugin.callbackThreads, limits: limits)
    let reported = Mutex<Answer??>(nil)
    let pointer = plugin.creating.withLock { _ in
      let id = CompletionTable.shared.makeID()
      let failure = CompletionTable.shared.open(
        id,
        CompletionTable.Entry(
          limit: 1 << 20,
          deliver: { answer in reported.withLock { $0 = .some(answer) } },
          repeated: { services.reportDefect("create failed twice", level: .error) }))
      defer { CompletionTable.shared.withdraw(id) }
      return borrow(Array(provider.utf8)) { name in
        borrow(settings) { plugin.table.create(tables.host, name, $0, failure) }
      }
    }
    let answer = reported.withLock { $0 }
    guard let pointer else {
      tables.endEverything(within: limits.cancelGrace)
      tables.close()
      destroyed()
      return answer.map { .refused($0) } ?? .refusedSilently
    }
    if answer != nil { services.reportDefect("create reported a failure and returned an instance", level: .error) }
    return .ready(NativeInstance(plugin: plugin, pointer: pointer, tables: tables, destroyed: destroyed))
  }

  /// Hands a call to the plugin, on the calling thread, which blocks as long as the plugin does.
  ///
  /// - Parameters:
  ///   - request: The call.
  ///   - answerLimit: The largest answer in bytes; of a larger one only the size is kept.
  ///   - answer: Takes the answer, exactly once if the plugin keeps to the header, on any thread.
  ///   - repeated: Told of further answers.
  package func start(
    _ request: CallRequest, answerLimit: Int, answer: @escaping @Sendable (Answer?) -> Void,
    repeated: @escaping @Sendable () -> Void
  ) {
    // The entry holds the instance until the plugin has answered.
    let completion = CompletionTable.shared.open(
      request.id,
      CompletionTable.Entry(
        limit: answerLimit, deliver: { result in withExtendedLifetime(self) { answer(result) } }, repeated: repeated))
    var action = request.action
    var key = request.key
    action.withUTF8 { action in
      key.withUTF8 { key in
        borrow(request.input) { input in
          var native = sous_call(
            size: MemoryLayout<sous_call>.size, id: request.id, operation: request.operation.rawValue,
            attempt: request.attempt, action: sous_bytes(data: action.baseAddress, size: action.count), input: input,
            key: sous_bytes(data: key.baseAddress, size: key.count), timeout_ms: request.timeout)
          plugin.table.start(pointer, &native, completion)
        }
      }
    }
  }

  /// Asks the plugin to end a call, on the calling thread, which blocks as long as the plugin does.
  package func cancel(_ id: UInt64) { plugin.table.cancel(pointer, id) }
}
