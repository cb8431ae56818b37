import CPluginABI
import Engine
import Expressions
import Localization
import Synchronization

/// One configured provider inside a plugin.
///
/// Everything that might still touch it holds it: running calls, `start` and `cancel` on their threads. When the last of
/// them is gone it is destroyed, on a thread of the plugin's.
// The pointer is opaque and only handed to functions that the header allows to be called from any thread.
final class PluginInstance: @unchecked Sendable {
  private let plugin: LoadedPlugin
  private let pointer: OpaquePointer
  private let capabilities: HostCapabilities
  private let destroyed: Latch

  private init(plugin: LoadedPlugin, pointer: OpaquePointer, capabilities: HostCapabilities, destroyed: Latch) {
    self.plugin = plugin
    self.pointer = pointer
    self.capabilities = capabilities
    self.destroyed = destroyed
  }

  deinit {
    // What this closure needs lives longer than the instance.
    let raw = UInt(bitPattern: pointer)
    plugin.threads.submit { [plugin, capabilities, destroyed] in
      plugin.table.destroy(OpaquePointer(bitPattern: raw))
      capabilities.close()
      destroyed.open()
    }
  }

  /// Makes a plugin ready for a provider.
  ///
  /// - Parameter destroyed: Opens when the instance is gone.
  /// - Throws: ``PluginError`` with the code ``PluginError/Code/configInvalid`` or ``PluginError/Code/createFailed``.
  static func create(
    _ plugin: LoadedPlugin, configuration: ProviderConfiguration, capabilities: HostCapabilities, limits: PluginLimits,
    time: any TimeSource, destroyed: Latch
  ) async throws(PluginError) -> PluginInstance {
    let provider = configuration.name
    let settings = configuration.settings.json()
    let reader = AnswerReader(
      plugin: configuration.plugin.description, provider: provider, action: "create", mask: capabilities.mask)
    let late = PluginError(
      .createFailed,
      LocalizedText(
        "The plugin \(plugin.path) did not get ready for the provider '\(provider)' in \(limits.createSeconds) s.",
        de: "Das Plugin \(plugin.path) war nach \(limits.createSeconds) s nicht bereit für den Provider „\(provider)“."),
      path: plugin.path)
    // An instance that comes too late is dropped, and destroyed by that.
    let outcome: Result<PluginInstance, PluginError> = await plugin.threads.run(
      within: limits.createSeconds, of: time, otherwise: .failure(late)
    ) {
      let reported = Mutex<ActionFailure?>(nil)
      let pointer = plugin.creating.withLock { _ in
        let id = CompletionTable.shared.makeID()
        let failure = CompletionTable.shared.open(
          id,
          CompletionTable.Entry(
            limit: 1 << 20,
            deliver: { answer in reported.withLock { $0 = reader.failure(answer) } },
            repeated: { capabilities.reportDefect("create failed twice") }))
        defer { CompletionTable.shared.withdraw(id) }
        return borrow(Array(provider.utf8)) { name in
          borrow(settings) { plugin.table.create(capabilities.host, name, $0, failure) }
        }
      }
      let failure = reported.withLock { $0 }
      guard let pointer else {
        capabilities.close()
        destroyed.open()
        return .failure(createFailed(failure, provider: provider, path: plugin.path))
      }
      if failure != nil { capabilities.reportDefect("create reported a failure and returned an instance") }
      return .success(
        PluginInstance(plugin: plugin, pointer: pointer, capabilities: capabilities, destroyed: destroyed))
    }
    return try outcome.get()
  }

  private static func createFailed(_ failure: ActionFailure?, provider: String, path: String) -> PluginError {
    let words =
      failure?.message ?? LocalizedText("it gave no reason", de: "einen Grund nannte es nicht")
    if failure?.kind == .invalidInput {
      return PluginError(
        .configInvalid,
        LocalizedText(
          "The settings of the provider '\(provider)' do not suit the plugin \(path): ",
          de: "Die Einstellungen des Providers „\(provider)“ passen nicht zum Plugin \(path): ") + words, path: path,
        cause: failure)
    }
    return PluginError(
      .createFailed,
      LocalizedText(
        "The plugin \(path) could not be made ready for the provider '\(provider)': ",
        de: "Das Plugin \(path) ließ sich für den Provider „\(provider)“ nicht bereit machen: ") + words, path: path,
      cause: failure)
  }

  /// Hands a call to the plugin, on a thread of the plugin's.
  func start(
    _ call: PendingCall, operation: UInt32, request: ActionRequest, answerLimit: Int, deadlines: Deadlines
  ) {
    capabilities.attach(call)
    plugin.threads.submit { [self] in
      guard call.enterStart() else {
        capabilities.detach(call.id)
        return
      }
      // The entry holds the instance until the plugin has answered.
      let completion = CompletionTable.shared.open(
        call.id,
        CompletionTable.Entry(
          limit: answerLimit,
          deliver: { [self] answer in
            capabilities.detach(call.id)
            if !call.end(.answered(answer)) {
              // What the plugin did may have happened all the same: somebody has to look.
              let outcome = answer?.status == UInt32(SOUS_STATUS_OK) ? "a success" : "a failure"
              capabilities.reportDefect(
                "'\(call.action)' (key \(call.key)) answered after the host had stopped waiting; "
                  + "\(outcome) is dropped", .warning)
            }
          },
          repeated: { [capabilities] in
            capabilities.reportDefect(
              "'\(call.action)' (key \(call.key)) answered the same call twice; the second answer is dropped")
          }))
      let milliseconds = request.timeout.map { UInt64(exactly: ($0 * 1000).rounded(.up)) ?? 0 } ?? 0
      borrow(Array(request.action.utf8)) { action in
        borrow(request.input.json()) { input in
          borrow(Array(request.key.utf8)) { key in
            var native = sous_call(
              size: MemoryLayout<sous_call>.size, id: call.id, operation: operation,
              attempt: UInt32(clamping: request.attempt), action: action, input: input, key: key,
              timeout_ms: milliseconds)
            plugin.table.start(pointer, &native, completion)
          }
        }
      }
      deadlines.remove(.start, of: call.id)
      // A cancel that came while `start` ran may have met a plugin that did not know the call yet.
      if call.leaveStart() { plugin.table.cancel(pointer, call.id) }
    }
  }

  /// Asks the plugin to end a call, and stops waiting for it after the grace.
  func cancel(_ call: PendingCall, reason: ActionFailure, grace: Double, deadlines: Deadlines) {
    switch call.requestCancel(reason) {
    case nil: break
    case .queued?:
      call.end(.abandoned(reason))
    case .starting?, .started?:
      deadlines.set(.grace, of: call.id, in: grace) { call.end(.abandoned(reason)) }
      plugin.threads.submit { [self] in
        if !call.hasEnded { plugin.table.cancel(pointer, call.id) }
      }
    }
  }
}

private func borrow<Result>(_ bytes: [UInt8], _ body: (sous_bytes) -> Result) -> Result {
  bytes.withUnsafeBufferPointer { body(sous_bytes(data: $0.baseAddress, size: $0.count)) }
}
