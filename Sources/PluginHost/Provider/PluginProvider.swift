public import Engine
public import Expressions
import Localization
import Plans
import PluginBoundary
import Schemas
import Synchronization

/// A configured provider whose actions a plugin carries out.
///
/// Whatever the plugin does, a call ends: with its answer, with a failure, or, once it was cancelled or its time is up,
/// after a short grace without the plugin.
public final class PluginProvider: StepProvider {
  /// The provider's name.
  public let name: String
  /// The manifest of its plugin.
  public let manifest: PluginManifest

  let time: any TimeSource
  private let services: ProviderServices
  private let limits: PluginLimits
  private let deadlines: Deadlines
  private let connection: Mutex<(any InstanceConnection)?>
  private let shapes = Mutex<[String: OutputCheck]>([:])
  private let paths = Mutex<[String: InputPaths]>([:])
  let destroyed: Latch
  private let fence: ProviderConfiguration.Fence?

  init(
    name: String, manifest: PluginManifest, connection: any InstanceConnection, services: ProviderServices,
    deadlines: Deadlines, destroyed: Latch, fence: ProviderConfiguration.Fence? = nil
  ) {
    self.fence = fence
    self.name = name
    self.manifest = manifest
    self.services = services
    limits = services.limits
    time = services.time
    self.deadlines = deadlines
    self.connection = Mutex(connection)
    self.destroyed = destroyed
  }

  /// Carries an action out in the plugin.
  public func perform(
    _ request: ActionRequest, reporter: any ActionReporter
  ) async throws(ActionFailure) -> Value {
    let answer = try await call(.run, request, reporter)
    let reader = reader(request)
    let output = try reader.output(answer)
    return try reader.checked(output, against: outputShape(of: request.action))
  }

  /// Asks the plugin for an action that its manifest does not have, as no recipe can: a plugin must refuse it.
  public func performUnannounced(
    _ request: ActionRequest, reporter: any ActionReporter
  ) async throws(ActionFailure) -> Value {
    try reader(request).output(try await call(.run, request, reporter, isAnnounced: false))
  }

  /// Asks the plugin what became of an attempt; a plugin that does not offer that for the action is not asked.
  public func verify(
    _ request: ActionRequest, reporter: any ActionReporter
  ) async throws(ActionFailure) -> Verdict {
    guard manifest.action(named: request.action)?.verifies == true else { return .unknown }
    let answer = try await call(.verify, request, reporter)
    let reader = reader(request)
    let verdict = try reader.verdict(answer)
    if case .done(let output) = verdict {
      return .done(output: try reader.checked(output, against: outputShape(of: request.action)))
    }
    return verdict
  }

  /// Whether the plugin says that it has a form of its own for a part of an action's input.
  public func passesOn(_ field: String, of action: String) -> Bool {
    manifest.action(named: action)?.native.contains(field) == true
  }

  /// The bytes that the process in which the plugin runs has allocated; `nil` if it has ended.
  public func heapBytes() async -> Int? {
    await connection.withLock { $0 }?.heapBytes()
  }

  /// The shape an action's output must have: that of the contract it claims, or the plugin's own word.
  private func outputShape(of action: String) -> OutputCheck {
    shapes.withLock { shapes in
      if let shape = shapes[action] { return shape }
      let shape =
        contractOutput(of: action).map(OutputCheck.init(contract:))
        ?? OutputCheck(own: manifest.action(named: action)?.output ?? .anything)
      shapes[action] = shape
      return shape
    }
  }

  private func contractOutput(of action: String) -> Schema? {
    contracts.lazy.flatMap(\.signatures).first { $0.name == action }?.output
  }

  /// Finds the paths in the input of an action, by the contracts that have the action and by the plugin's own schema.
  private func inputPaths(of action: String) -> InputPaths {
    paths.withLock { paths in
      if let found = paths[action] { return found }
      let published = BundledContract.all.flatMap(\.signatures).filter { $0.name == action }.map(\.input.document)
      let found = InputPaths(schemas: published + [manifest.action(named: action)?.input?.document].compactMap(\.self))
      paths[action] = found
      return found
    }
  }

  /// The signature of a trigger in the contracts that the plugin claims.
  func contractTrigger(_ trigger: String) -> TriggerSignature? {
    contracts.lazy.flatMap(\.triggers).first { $0.name == trigger }
  }

  /// The contracts that the plugin claims.
  private var contracts: [BundledContract] { manifest.contracts.compactMap(BundledContract.claimed) }

  /// Lets no further call in; the instance goes when the last one has ended.
  func close() {
    connection.withLock { $0 = nil }
  }

  func reader(_ request: ActionRequest) -> AnswerReader {
    AnswerReader(plugin: manifest.id, provider: name, action: request.action, mask: services.mask)
  }

  func call(
    _ operation: CallRequest.Operation, _ request: ActionRequest, _ reporter: any ActionReporter,
    subscription: Subscription? = nil, isAnnounced: Bool = true
  ) async throws(ActionFailure) -> Answer? {
    guard subscription != nil || !isAnnounced || manifest.action(named: request.action) != nil else {
      throw ActionFailure(
        .unsupported,
        LocalizedText(
          "The plugin '\(manifest.id)' of the provider '\(name)' has no action '\(request.action)'.",
          de: "Das Plugin '\(manifest.id)' des Providers '\(name)' hat keine Aktion '\(request.action)'."))
    }
    guard let connection = connection.withLock({ $0 }) else {
      throw ActionFailure(
        .cancelled,
        LocalizedText("The provider '\(name)' has been shut down.", de: "Der Provider '\(name)' ist beendet."))
    }
    guard !Task.isCancelled else { throw cancelled(request.action) }
    let id = CompletionTable.shared.makeID()
    let inputPaths = subscription == nil ? inputPaths(of: request.action) : InputPaths(schemas: [])
    var input = request.input
    if let fence { input = try inputPaths.replacing(in: input, fence) }
    if !inputPaths.isEmpty { input = try connection.lend(filesOf: input, inputPaths, to: id) }
    defer { if !inputPaths.isEmpty { connection.release(filesOf: id) } }
    let call = PendingCall(
      CallRequest(
        id: id, operation: operation, attempt: UInt32(clamping: request.attempt),
        action: request.action, input: input.json(), key: request.key,
        timeout: request.timeout.map { UInt64(exactly: ($0 * 1000).rounded(.up)) ?? 0 } ?? 0),
      isRepeatable: operation != .run || manifest.action(named: request.action)?.effect != .once,
      reporter: reporter, subscription: subscription)
    let reader = reader(request)
    let limits = limits
    deadlines.set(.start, of: call.id, in: limits.startSeconds) {
      guard call.phase != .started else { return }
      let failure = reader.broken(
        LocalizedText(
          "'start' did not return within \(limits.startSeconds) s",
          de: "'start' kehrte nicht innerhalb von \(limits.startSeconds) s zurück"))
      connection.giveUp(call)
      call.end(.abandoned(failure))
    }
    if let seconds = request.timeout {
      // Who asked ends the attempt at its timeout and says so; this is for one who does not.
      deadlines.set(.end, of: call.id, in: seconds + limits.cancelGrace) { [self] in
        let failure = ActionFailure(
          .timeout,
          LocalizedText(
            "'\(request.action)' did not end within \(seconds) s.",
            de: "'\(request.action)' war nach \(seconds) s nicht fertig."))
        cancel(call, reason: failure, over: connection)
      }
    }
    defer {
      for purpose in [.start, .end, .grace] as [DeadlineQueue.Purpose] { deadlines.remove(purpose, of: call.id) }
      services.endExchanges(of: call)
    }
    connection.start(call)
    let ending = await withTaskCancellationHandler {
      await call.ending()
    } onCancel: {
      cancel(call, reason: cancelled(request.action), over: connection)
    }
    switch ending {
    case .abandoned(let failure):
      throw failure
    case .answered(let answer):
      // A plugin that ends at its time limit reports `cancelled`; the reason for the cancel is the better answer.
      if let reason = call.cancelReason, reader.failure(answer).kind == .cancelled { throw reason }
      return answer
    }
  }

  func cancelled(_ action: String) -> ActionFailure {
    ActionFailure(.cancelled, LocalizedText("'\(action)' was cancelled.", de: "'\(action)' wurde abgebrochen."))
  }

  /// Asks the plugin to end a call, and stops waiting for it after the grace.
  private func cancel(_ call: PendingCall, reason: ActionFailure, over connection: any InstanceConnection) {
    switch call.requestCancel(reason) {
    case nil: break
    case .queued?:
      call.end(.abandoned(reason))
    case .starting?, .started?:
      deadlines.set(.grace, of: call.id, in: limits.cancelGrace) {
        connection.giveUp(call)
        call.end(.abandoned(reason))
      }
      services.endExchanges(of: call)
      connection.cancel(call)
    }
  }
}
