import CPluginABI
import Engine
import Foundation
import Localization
import PluginBoundary
import Synchronization

/// The inside of a worker process: one library, one instance, the calls of the host.
final class WorkerRuntime: Sendable {
  /// How far a call without an answer has got.
  private enum Phase {
    case starting(cancelled: Bool)
    case started
  }

  private let descriptor: Int32
  private let link: HostLink
  private let decoder = Mutex(FrameDecoder(payloadLimit: .max))
  private let instance = Mutex<NativeInstance?>(nil)
  private let calls = Mutex<[UInt64: Phase]>([:])
  private let isMade = Atomic<Bool>(false)
  private let answerBytes = Atomic<Int>(64 << 20)

  init(descriptor: Int32) {
    self.descriptor = descriptor
    link = HostLink(descriptor: descriptor)
  }

  /// Reports to the host that a restriction could not be set up.
  func report(_ what: String, _ code: Int32) {
    link.send(.defect(.warning, "isolation is not complete: \(what): \(String(cString: strerror(code)))"))
  }

  /// Serves the host until it hangs up.
  func run() -> Never {
    let assignment: WorkerAssignment
    switch nextMessage() {
    case .open(let message)?:
      assignment = message
      fenceFiles(library: message.path, message.places)
    case .describe(let path)?:
      fenceFiles(library: path, [])
      describe(path)
    default: _exit(1)
    }
    answerBytes.store(assignment.limits.answerBytes, ordering: .relaxed)
    let first = Mutex<WorkerAssignment?>(assignment)
    let role = ReaderHandover(limit: UInt32(clamping: assignment.limits.threads)) { [self] role in
      read(role, opening: first.withLock { $0.take() })
    }
    link.setRole(role)
    role.run()
    // Another thread reads now; the first one must not end, as the process would end with it.
    while true { pause() }
  }

  /// Gives up all other files, before any code of the plugin runs.
  private func fenceFiles(library: String, _ places: [WorkerPlace]) {
    let code = FileFence.enter(library: library, places: places)
    if code != 0 { report("files and other processes of the user cannot be fenced", code) }
  }

  private func read(_ role: ReaderHandover, opening assignment: WorkerAssignment?) {
    if let assignment {
      let mark = role.enter()
      open(assignment)
      guard role.leave(mark) else { return role.gone() }
    }
    while true {
      guard let message = nextMessage() else { _exit(0) }
      switch message {
      case .open, .describe: _exit(1)
      case .measureHeap: link.send(.heap(bytes: UInt64(clamping: HeapUse.bytes)))
      case .reply(let request, let reply): link.replied(request, reply)
      case .close:
        let mark = role.enter()
        close()
        guard role.leave(mark) else { return role.gone() }
      case .start(let call):
        let mark = role.enter()
        start(call)
        guard role.leave(mark) else { return role.gone() }
      case .cancel(let id):
        let mark = role.enter()
        cancel(id)
        guard role.leave(mark) else { return role.gone() }
      case .exchange(let id, let event):
        let mark = role.enter()
        link.happened(id, event)
        guard role.leave(mark) else { return role.gone() }
      }
    }
  }

  /// The next message; `nil` once the host has hung up. Only for the thread that reads.
  private func nextMessage() -> HostMessage? {
    // The reader alone uses the decoder; the lock hands it over from one reader to the next.
    decoder.withLock { decoder in
      while true {
        do throws(FrameViolation) {
          if let frame = try decoder.next() { return try HostMessage(frame) }
        } catch {
          return nil
        }
        // After a call there is mostly another one.
        if decoder.fill({ FrameReading.receive(descriptor, $0, isExpecting: true) }) <= 0 { return nil }
      }
    }
  }
}

extension WorkerRuntime {
  /// Opens the library, says its manifest and ends, without running what the plugin has registered for the end.
  private func describe(_ path: String) -> Never {
    do throws(PluginError) {
      link.send(.described(manifest: try PluginTable(opening: path).manifest(limit: PluginLimits().manifestBytes)))
    } catch {
      refuse(WorkerRefusal(code: error.code.rawValue, english: error.message.english, german: error.message.german))
    }
    _exit(0)
  }

  /// Opens the library and makes the instance.
  private func open(_ assignment: WorkerAssignment) {
    let plugin: LoadedPlugin
    do throws(PluginError) {
      plugin = try LoadedPlugin(path: assignment.path, threads: assignment.limits.threads)
    } catch {
      refuse(WorkerRefusal(code: error.code.rawValue, english: error.message.english, german: error.message.german))
    }
    let creation = NativeInstance.create(
      plugin, provider: assignment.provider, settings: assignment.settings,
      services: RemoteServices(link, assignment), limits: assignment.limits,
      // Without running what the plugin has registered for the end of the process.
      destroyed: { [self] in if isMade.load(ordering: .acquiring) { _exit(0) } })
    switch creation {
    case .ready(let made):
      isMade.store(true, ordering: .releasing)
      instance.withLock { $0 = made }
      link.send(.opened)
    case .refused(let answer): refuse(WorkerRefusal(code: "", answer: WorkerAnswer(answer)))
    case .refusedSilently: refuse(WorkerRefusal(code: ""))
    }
  }

  private func refuse(_ refusal: WorkerRefusal) -> Never {
    link.send(.refused(refusal))
    _exit(0)
  }

  private func start(_ call: CallRequest) {
    guard let instance = instance.withLock({ $0 }) else { return }
    let id = call.id
    calls.withLock { $0[id] = .starting(cancelled: false) }
    instance.start(
      call, answerLimit: answerBytes.load(ordering: .relaxed),
      answer: { [self] answer in
        calls.withLock { _ = $0.removeValue(forKey: id) }
        link.send(.completed(call: id, WorkerAnswer(answer)))
      },
      repeated: { [link] in link.send(.repeated(call: id)) })
    let phase = calls.withLock { calls in
      let phase = calls[id]
      if phase != nil { calls[id] = .started }
      return phase
    }
    guard let phase else { return }
    link.send(.started(call: id))
    // A cancel that came while `start` ran may have met a plugin that did not know the call yet.
    if case .starting(cancelled: true) = phase { instance.cancel(id) }
  }

  private func cancel(_ id: UInt64) {
    guard let instance = instance.withLock({ $0 }) else { return }
    let isOpen = calls.withLock { calls in
      if case .starting? = calls[id] { calls[id] = .starting(cancelled: true) }
      return calls[id] != nil
    }
    if isOpen { instance.cancel(id) }
  }

  /// Lets the instance go, which is destroyed then, and the process ended.
  private func close() {
    instance.withLock { $0 = nil }
  }
}
