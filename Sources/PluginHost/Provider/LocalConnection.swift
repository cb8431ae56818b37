import CPluginABI
import Engine
import Expressions
import Localization
import OperatingSystem
import PluginBoundary

/// A configured provider whose plugin runs in the host's own process.
final class LocalConnection: InstanceConnection {
  private let instance: NativeInstance
  private let services: ProviderServices
  private let answerLimit: Int

  private init(instance: NativeInstance, services: ProviderServices, answerLimit: Int) {
    self.instance = instance
    self.services = services
    self.answerLimit = answerLimit
  }

  /// Makes a plugin ready for a provider.
  ///
  /// - Parameter destroyed: Opens when the instance is gone.
  /// - Throws: ``PluginError`` with the code ``PluginError/Code/configInvalid`` or ``PluginError/Code/createFailed``.
  static func create(
    _ plugin: LoadedPlugin, configuration: ProviderConfiguration, services: ProviderServices, limits: PluginLimits,
    time: any TimeSource, destroyed: Latch
  ) async throws(PluginError) -> LocalConnection {
    let settings = configuration.settings.json()
    let late = PluginError(createLate: configuration.name, path: plugin.path, seconds: limits.createSeconds)
    // An instance that comes too late is dropped, and destroyed by that.
    let outcome: Result<LocalConnection, PluginError> = await plugin.threads.run(
      within: limits.createSeconds, of: time, otherwise: .failure(late)
    ) {
      let creation = NativeInstance.create(
        plugin, provider: configuration.name, settings: settings, services: services, limits: limits,
        destroyed: {
          services.close()
          destroyed.open()
        })
      switch creation {
      case .ready(let instance):
        return .success(LocalConnection(instance: instance, services: services, answerLimit: limits.answerBytes))
      case .refused(let answer):
        let reader = AnswerReader(
          plugin: configuration.plugin.description, provider: configuration.name, action: "create",
          mask: services.mask)
        return .failure(
          PluginError(createFailed: reader.failure(answer), provider: configuration.name, path: plugin.path))
      case .refusedSilently:
        return .failure(PluginError(createFailed: nil, provider: configuration.name, path: plugin.path))
      }
    }
    return try outcome.get()
  }

  func start(_ call: PendingCall) {
    services.attach(call)
    let plugin = instance.plugin
    // A plugin that was found to block in `start` gets threads of its own for a while.
    if !plugin.takesOwnThread(),
      PluginExecutor.shared.callNext({ [self] in begin(call) }, blocks: { plugin.noteBlockingStart() })
    {
      return
    }
    plugin.threads.submit { [self] in begin(call) }
  }

  private func begin(_ call: PendingCall) {
    guard call.enterStart() else { return services.detach(call) }
    instance.start(
      call.request, answerLimit: answerLimit, answer: { [services] in services.answer(call, $0) },
      repeated: { [services] in services.repeatedAnswer(call) })
    // A cancel that came while `start` ran may have met a plugin that did not know the call yet.
    if call.leaveStart() { instance.cancel(call.id) }
  }

  func heapBytes() async -> Int? { HeapUse.bytes }

  func cancel(_ call: PendingCall) {
    instance.plugin.threads.submit { [instance] in
      if !call.hasEnded { instance.cancel(call.id) }
    }
  }
}
