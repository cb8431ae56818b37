import Engine
import Expressions
import Localization
import Synchronization

/// A configured provider whose plugin runs in a worker process.
///
/// A worker that ends takes the calls it has with it; the next call gets a new one. There is one worker at a time.
final class WorkerConnection: InstanceConnection {
  private struct State {
    var worker: Worker?
    var pacing = RestartPacing()
    /// What was said last of a worker that ended, and when.
    var warning: (text: String, at: Double)?
  }

  /// Seconds in which the same ending is told once: a provider that is tried again and again ends again and again.
  private static let quiet = 600.0

  private let setup: Worker.Setup
  private let services: ProviderServices
  private let reader: AnswerReader
  private let destroyed: Latch
  private let state = Mutex(State())

  private init(setup: Worker.Setup, services: ProviderServices, reader: AnswerReader, destroyed: Latch) {
    self.setup = setup
    self.services = services
    self.reader = reader
    self.destroyed = destroyed
  }

  deinit {
    let isGoing = state.withLock { $0.worker }?.close { [services, destroyed] in
      services.close()
      destroyed.open()
    }
    if isGoing != true {
      services.close()
      destroyed.open()
    }
  }

  /// Makes a plugin ready for a provider, in a worker.
  ///
  /// - Parameter destroyed: Opens when the instance is gone.
  /// - Throws: ``PluginError``, with the failure of kind `crashed` as its cause where the worker ended by itself.
  static func create(
    path: String, manifest: PluginManifest, configuration: ProviderConfiguration, executable: String,
    services: ProviderServices, limits: PluginLimits, destroyed: Latch
  ) async throws(PluginError) -> WorkerConnection {
    let setup = Worker.Setup(
      executable: executable,
      assignment: WorkerAssignment(
        path: path, provider: configuration.name, settings: configuration.settings.json(), limits: limits,
        hasSystemTime: services.time is SystemTime, offered: services.offered),
      limits: configuration.limits, openSeconds: limits.createSeconds, closeSeconds: limits.cancelGrace,
      plugin: manifest.id)
    let reader = AnswerReader(
      plugin: configuration.plugin.description, provider: configuration.name, action: "create", mask: services.mask)
    let connection = WorkerConnection(setup: setup, services: services, reader: reader, destroyed: destroyed)
    guard let worker = connection.makeWorker() else { throw PluginError.cancelled(configuration.name) }
    switch await worker.opening.value() {
    case .opened: return connection
    case .refused(let refusal): throw connection.error(refusal)
    case .ended(let ending):
      if ending.reason == .slow {
        throw PluginError(createLate: configuration.name, path: path, seconds: limits.createSeconds)
      }
      let failure = connection.failure(ending, action: nil)
      throw PluginError(.crashedLoading, failure.message, path: path, cause: failure)
    }
  }

  func start(_ call: PendingCall) {
    services.attach(call)
    // A worker may end between the look and the handing over; more than a few in a row are none of its business.
    for _ in 0..<3 {
      if let worker = state.withLock({ $0.worker }), worker.begin(call) { return }
      guard makeWorker() != nil else { break }
    }
    services.detach(call)
    let wait = state.withLock { $0.pacing.wait(at: Worker.now) }
    var failure = ActionFailure(
      .crashed,
      LocalizedText(
        "The plugin '\(setup.plugin)' (provider '\(setup.assignment.provider)') keeps ending right after its start.",
        de: "Das Plugin '\(setup.plugin)' (Provider '\(setup.assignment.provider)') endet immer gleich nach dem Start."),
      advice: WorkerEnding.report)
    failure.retryAfter = wait
    call.end(.abandoned(failure))
  }

  func cancel(_ call: PendingCall) {
    state.withLock { $0.worker }?.cancel(call.id)
  }

  func giveUp(_ call: PendingCall) {
    guard !call.hasEnded else { return }
    services.detach(call)
    guard let worker = state.withLock({ $0.worker }), worker.abandon(call.id) else { return }
    // Its threads go on with what nobody waits for: only the end of the process stops them.
    worker.end(call.phase == .starting ? .hangs(action: call.action) : .ignoresCancel(action: call.action))
  }

  func heapBytes() async -> Int? {
    await state.withLock { $0.worker }?.heapBytes()
  }

  /// The process of the worker, where there is one; for tests.
  var processID: Int32? { state.withLock { $0.worker }?.processID }

  /// Starts a worker where none is usable; `nil` where it is too early for that.
  private func makeWorker() -> Worker? {
    let (worker, isNew) = state.withLock { state in
      if let worker = state.worker, worker.isUsable { return (worker as Worker?, false) }
      guard state.pacing.wait(at: Worker.now) <= 0 else { return (nil, false) }
      let worker = Worker(
        setup, services: services,
        client: Worker.Client(
          answer: { [services] in services.answer($0, $1) },
          line: { [services] in services.log(.info, $0, call: 0) }, mask: { [services] in services.mask($0) },
          refused: { [reader, setup] in PluginError($0, reader: reader, path: setup.assignment.path).failure },
          ended: { [weak self] in self?.ended($0, $1) },
          detached: { [services] in services.detach($0) }))
      state.worker = worker
      return (worker, true)
    }
    if isNew { worker?.run() }
    return worker
  }

  private func ended(_ worker: Worker, _ ending: WorkerEnding) {
    state.withLock { state in
      if state.worker === worker { state.worker = nil }
      switch ending.reason {
      case .closed: break
      default: state.pacing.ended(wasReady: worker.wasReady, at: Worker.now)
      }
    }
    if ending.reason != .closed {
      let text = failure(ending, action: nil).message.english
      let isNews = state.withLock { state in
        if let last = state.warning, last.text == text, Worker.now - last.at < Self.quiet { return false }
        state.warning = (text, Worker.now)
        return true
      }
      if isNews { services.reportDefect(text, level: .warning) }
    }
  }

  private func failure(_ ending: WorkerEnding, action: String?) -> ActionFailure {
    ending.failure(
      plugin: setup.plugin, provider: setup.assignment.provider, action: action, limits: setup.limits)
  }

  private func error(_ refusal: WorkerRefusal) -> PluginError {
    PluginError(refusal, reader: reader, path: setup.assignment.path)
  }
}

extension PluginError {
  /// Why a worker has no instance.
  fileprivate init(_ refusal: WorkerRefusal, reader: AnswerReader, path: String) {
    guard refusal.code.isEmpty else {
      self.init(Code(rawValue: refusal.code), LocalizedText(refusal.english, de: refusal.german), path: path)
      return
    }
    self.init(
      createFailed: refusal.answer.map { reader.failure(Answer($0)) }, provider: reader.provider, path: path)
  }
}
