import Engine
import Expressions
import Foundation
import Localization
import OperatingSystem
import PluginBoundary
import Synchronization

/// A configured provider whose plugin runs in a worker process.
///
/// A worker that ends takes the calls it has with it; the next call gets a new one. There is one worker at a time.
final class WorkerConnection: InstanceConnection {
  private struct State {
    var worker: PluginProcess?
    var pacing = RestartPacing()
    /// Paths of the settings that were missing when the worker was started.
    var missing: [String] = []
    /// The last warning about a worker that ended, and when it was logged.
    var warning: (text: String, at: Double)?
  }

  /// Seconds in which the same ending is logged once: every retry of a provider may end its worker again.
  private static let quiet = 600.0

  private let setup: PluginProcess.Setup
  private let services: ProviderServices
  private let reader: AnswerReader
  private let destroyed: Latch
  /// Places that no worker may use.
  private let protected: [String]
  /// Decides which files of the user a worker may use; called for each new worker.
  private let files: @Sendable () throws(PluginError) -> WorkerFiles
  private let folder: WorkerFolder?
  private let state = Mutex(State())

  private init(
    setup: PluginProcess.Setup, services: ProviderServices, reader: AnswerReader, destroyed: Latch, protected: [String],
    files: @escaping @Sendable () throws(PluginError) -> WorkerFiles
  ) {
    self.setup = setup
    self.protected = protected
    self.files = files
    folder = setup.folder
    self.services = services
    self.reader = reader
    self.destroyed = destroyed
  }

  deinit {
    let isGoing = state.withLock { $0.worker }?.close { [services, destroyed, folder] in
      services.close()
      folder?.discard()
      destroyed.open()
    }
    if isGoing != true {
      services.close()
      folder?.discard()
      destroyed.open()
    }
  }

  /// Makes a plugin ready for a provider, in a worker.
  ///
  /// - Parameter destroyed: Opens when the instance is gone.
  /// - Throws: ``PluginError``, with the failure of kind `crashed` as its cause if the worker ended by itself.
  static func create(
    path: String, manifest: PluginManifest, configuration: ProviderConfiguration, executable: String,
    protected: [String] = [], services: ProviderServices, limits: PluginLimits, destroyed: Latch
  ) async throws(PluginError) -> WorkerConnection {
    let files: @Sendable () throws(PluginError) -> WorkerFiles = { () throws(PluginError) in
      try WorkerFiles(configuration, manifest: manifest, protected: protected)
    }
    _ = try files()
    let setup = PluginProcess.Setup(
      executable: executable,
      assignment: WorkerAssignment(
        path: path, provider: configuration.name, settings: configuration.settings.json(), limits: limits,
        hasSystemTime: services.time is SystemTime, offered: services.offered),
      limits: configuration.limits, openSeconds: limits.createSeconds, closeSeconds: limits.cancelGrace,
      plugin: manifest.id, folder: WorkerFolder())
    let reader = AnswerReader(
      plugin: configuration.plugin.description, provider: configuration.name, action: "create", mask: services.mask)
    let connection = WorkerConnection(
      setup: setup, services: services, reader: reader, destroyed: destroyed, protected: protected, files: files)
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
    replaceWorkerOfMissingFiles()
    // A worker may end before it gets the call; three in a row count as a failure.
    for _ in 0..<3 {
      if let worker = state.withLock({ $0.worker }), worker.begin(call) { return }
      guard makeWorker() != nil else { break }
    }
    services.detach(call)
    let wait = state.withLock { $0.pacing.wait(at: MonotonicClock.seconds) }
    var failure = ActionFailure(
      .crashed,
      LocalizedText(
        "The plugin '\(setup.plugin)' (provider '\(setup.assignment.provider)') keeps ending right after its start.",
        de: "Das Plugin '\(setup.plugin)' (Provider '\(setup.assignment.provider)') endet immer gleich nach dem Start."),
      advice: AnswerReader.reportAdvice)
    failure.retryAfter = wait
    call.end(.abandoned(failure))
  }

  func lend(filesOf input: Value, _ paths: InputPaths, to call: UInt64) throws(ActionFailure) -> Value {
    guard let folder else { return input }
    var number = 0
    var problem: (any Error)?
    let replaced = paths.replacing(in: input) { path in
      // The plugin itself reports a path that is missing or not a file.
      guard problem == nil, WorkerFiles.mayRead(path, protected: protected) else { return path }
      number += 1
      do {
        return try folder.add(path, in: "\(call)/\(number)")
      } catch {
        problem = error
        return path
      }
    }
    guard let problem else { return replaced }
    folder.remove("\(call)")
    throw ActionFailure(
      .io,
      LocalizedText(
        "Sous could not copy a file for the worker process of the plugin '\(setup.plugin)': \(problem).",
        de: "Eine Datei ließ sich nicht für den Arbeitsprozess des Plugins '\(setup.plugin)' kopieren: \(problem)."))
  }

  func release(filesOf call: UInt64) { folder?.remove("\(call)") }

  func cancel(_ call: PendingCall) {
    state.withLock { $0.worker }?.cancel(call.id)
  }

  func giveUp(_ call: PendingCall) {
    guard !call.hasEnded else { return }
    services.detach(call)
    guard let worker = state.withLock({ $0.worker }), worker.abandon(call.id) else { return }
    // The plugin's threads would continue the abandoned call: only the end of the process stops them.
    worker.end(call.phase == .starting ? .hangs(action: call.action) : .ignoresCancel(action: call.action))
  }

  func heapBytes() async -> Int? {
    await state.withLock { $0.worker }?.heapBytes()
  }

  /// The process of the worker, if one runs; for tests.
  var processID: Int32? { state.withLock { $0.worker }?.processID }

  /// Ends an idle worker if a path now exists that was missing at its start; only a new worker can use it.
  private func replaceWorkerOfMissingFiles() {
    let (missing, worker) = state.withLock { ($0.missing, $0.worker) }
    guard let worker, missing.contains(where: { access($0, F_OK) == 0 }), worker.isIdle else { return }
    state.withLock { state in
      if state.worker === worker { state.worker = nil }
    }
    _ = worker.close {}
  }

  /// The usable worker, or a new one; `nil` if it is too early for a new one.
  private func makeWorker() -> PluginProcess? {
    let (worker, isNew) = state.withLock { state in
      if let worker = state.worker, worker.isUsable { return (worker as PluginProcess?, false) }
      guard state.pacing.wait(at: MonotonicClock.seconds) <= 0 else { return (nil, false) }
      // Decided again, because folders may have appeared or vanished since the provider was opened. If one of them is now
      // protected, the worker gets none.
      let current = try? files()
      state.missing = current?.missing ?? []
      var setup = setup
      setup.assignment.places = current?.places ?? []
      let worker = PluginProcess(setup, services: services, reader: reader) { [weak self] in self?.ended($0, $1) }
      state.worker = worker
      return (worker, true)
    }
    if isNew { worker?.run() }
    return worker
  }

  private func ended(_ worker: PluginProcess, _ ending: WorkerEnding) {
    state.withLock { state in
      if state.worker === worker { state.worker = nil }
      switch ending.reason {
      case .closed: break
      default: state.pacing.ended(wasReady: worker.wasReady, at: MonotonicClock.seconds)
      }
    }
    if ending.reason != .closed {
      let text = failure(ending, action: nil).message.english
      let isNews = state.withLock { state in
        if let last = state.warning, last.text == text, MonotonicClock.seconds - last.at < Self.quiet { return false }
        state.warning = (text, MonotonicClock.seconds)
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
  init(_ refusal: WorkerRefusal, reader: AnswerReader, path: String) {
    guard refusal.code.isEmpty else {
      self.init(Code(rawValue: refusal.code), LocalizedText(refusal.english, de: refusal.german), path: path)
      return
    }
    self.init(
      createFailed: refusal.answer.map { reader.failure(Answer($0)) }, provider: reader.provider, path: path)
  }
}
