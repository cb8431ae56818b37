import CPluginABI
import Synchronization

/// A host in C terms, as small as the header allows.
final class NativeHost: Sendable {
  struct Answer: Sendable {
    let status: UInt32
    let payload: String
  }

  struct CreateFailure: Error {
    let payload: String
  }

  private let tables: NativeTables?
  private let reported = Mutex<[String]>([])
  var reports: [String] { reported.withLock { $0 } }

  // Never freed, as nothing tells when the last thread of a plugin has gone.
  private nonisolated(unsafe) let host = UnsafeMutablePointer<sous_host>.allocate(capacity: 1)
  private nonisolated(unsafe) let log = UnsafeMutablePointer<sous_log_v1>.allocate(capacity: 1)
  private nonisolated(unsafe) let progress = UnsafeMutablePointer<sous_progress_v1>.allocate(capacity: 1)
  private nonisolated(unsafe) let delta = UnsafeMutablePointer<sous_delta_v1>.allocate(capacity: 1)
  private nonisolated(unsafe) let clock = UnsafeMutablePointer<sous_clock_v1>.allocate(capacity: 1)

  init(hasCapabilities: Bool = true, tables: NativeTables? = nil) {
    self.tables = tables
    let context = Unmanaged.passRetained(self).toOpaque()
    log.initialize(
      to: sous_log_v1(size: MemoryLayout<sous_log_v1>.size, context: context) { context, call, level, message in
        NativeHost.of(context).report("log \(call) \(level) \(text(message))")
      })
    progress.initialize(
      to: sous_progress_v1(size: MemoryLayout<sous_progress_v1>.size, context: context) {
        context, call, done, total, label in
        NativeHost.of(context).report("progress \(call) \(done)/\(total) \(text(label))")
      })
    delta.initialize(
      to: sous_delta_v1(size: MemoryLayout<sous_delta_v1>.size, context: context) { context, call, delta in
        NativeHost.of(context).report("delta \(call) \(text(delta))")
      })
    clock.initialize(
      to: sous_clock_v1(
        size: MemoryLayout<sous_clock_v1>.size, context: context, now: { _ in 1_234_500 }, monotonic: { _ in 1 }))
    host.initialize(
      to: sous_host(size: MemoryLayout<sous_host>.size, context: hasCapabilities ? context : nil) { host, name in
        guard let context = host?.pointee.context, let name else { return nil }
        let it = NativeHost.of(context)
        return switch String(cString: name) {
        case SOUS_LOG_V1: UnsafeRawPointer(it.log)
        case SOUS_PROGRESS_V1: UnsafeRawPointer(it.progress)
        case SOUS_DELTA_V1: UnsafeRawPointer(it.delta)
        case SOUS_CLOCK_V1: UnsafeRawPointer(it.clock)
        case SOUS_HTTP_V1: it.tables.map { UnsafeRawPointer($0.http) }
        case SOUS_STREAM_V1: it.tables.map { UnsafeRawPointer($0.stream) }
        case SOUS_SECRET_V1: it.tables.map { UnsafeRawPointer($0.secret) }
        case SOUS_STATE_V1: it.tables.map { UnsafeRawPointer($0.kept) }
        case SOUS_BLOB_V1: it.tables.map { UnsafeRawPointer($0.blob) }
        case SOUS_EVENT_V1: it.tables.map { UnsafeRawPointer($0.event) }
        default: nil
        }
      })
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> NativeHost {
    guard let context else { preconditionFailure("the plugin has lost the context") }
    return Unmanaged<NativeHost>.fromOpaque(context).takeUnretainedValue()
  }

  private func report(_ line: String) { reported.withLock { $0.append(line) } }

  func create(
    _ table: sous_plugin, _ configuration: String, provider: String = "test"
  ) throws -> OpaquePointer {
    let failure = Answers()
    let instance = borrow(provider) { name in
      borrow(configuration) { table.create(host, name, $0, failure.completion) }
    }
    guard let instance else { throw CreateFailure(payload: failure.first?.payload ?? "") }
    return instance
  }

  /// Calls an action and waits for its answer; `meanwhile` runs when `start` has returned.
  func call(
    _ table: sous_plugin, _ instance: OpaquePointer?, _ action: String, _ input: String, key: String = "key",
    attempt: UInt32 = 1, id: UInt64 = 1, operation: UInt32 = UInt32(SOUS_OPERATION_RUN), meanwhile: () -> Void = {}
  ) async -> Answer {
    await withCheckedContinuation { continuation in
      let answers = Answers(continuation)
      start(
        table, instance, action, input, key: key, attempt: attempt, id: id, operation: operation, answers.completion)
      meanwhile()
    }
  }

  /// Calls an action and returns its answer where that has come before `start` has returned.
  func callNow(_ table: sous_plugin, _ instance: OpaquePointer?, _ action: String, _ input: String) -> String? {
    let answers = Answers()
    start(
      table, instance, action, input, key: "key", attempt: 1, id: 1, operation: UInt32(SOUS_OPERATION_RUN),
      answers.completion)
    return answers.first?.payload
  }

  private func start(
    _ table: sous_plugin, _ instance: OpaquePointer?, _ action: String, _ input: String, key: String,
    attempt: UInt32, id: UInt64, operation: UInt32, _ completion: sous_completion
  ) {
    borrow(action) { action in
      borrow(input) { input in
        borrow(key) { key in
          var call = sous_call(
            size: MemoryLayout<sous_call>.size, id: id, operation: operation, attempt: attempt, action: action,
            input: input, key: key, timeout_ms: 0)
          table.start(instance, &call, completion)
        }
      }
    }
  }

  /// Where a plugin's answers arrive; a second one traps in the continuation.
  private final class Answers: Sendable {
    private let continuation: CheckedContinuation<Answer, Never>?
    private let received = Mutex<Answer?>(nil)
    var first: Answer? { received.withLock { $0 } }

    init(_ continuation: CheckedContinuation<Answer, Never>? = nil) {
      self.continuation = continuation
    }

    var completion: sous_completion {
      sous_completion(context: Unmanaged.passRetained(self).toOpaque()) { context, result in
        guard let context, let result else { return }
        let answers = Unmanaged<Answers>.fromOpaque(context).takeRetainedValue()
        let answer = Answer(status: result.pointee.status, payload: text(result.pointee.payload))
        answers.received.withLock { $0 = answer }
        answers.continuation?.resume(returning: answer)
      }
    }
  }
}

func text(_ bytes: sous_bytes) -> String {
  String(decoding: UnsafeBufferPointer(start: bytes.data, count: bytes.size), as: UTF8.self)
}

func borrow<Result>(_ text: String, _ body: (sous_bytes) -> Result) -> Result {
  let bytes = Array(text.utf8)
  return bytes.withUnsafeBufferPointer { body(sous_bytes(data: $0.baseAddress, size: $0.count)) }
}
