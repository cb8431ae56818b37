import CIsolation
import Foundation
import Localization
import OperatingSystem
public import PluginBoundary

/// Tries a plugin out before it is opened in this process.
public protocol PluginProbing: Sendable {
  /// The manifest text of a library. May block for as long as the probe allows.
  ///
  /// - Throws: ``PluginError`` if the library is not a plugin that can be used.
  func manifest(ofLibraryAt path: String) throws(PluginError) -> [UInt8]
}

/// Tries plugins out in a worker process, so that one that crashes, hangs, ends the process or means harm while it is
/// loaded takes nothing else down, and can do no more than in a call.
public struct PluginProbe: PluginProbing {
  /// The executable to run; its command `plugin-worker` must call ``PluginWorker/runChild(arguments:)``.
  public var executable: String
  /// Seconds a plugin may take.
  public var limit: Double
  private let limits = IsolationLimits()

  /// Creates a probe.
  public init(executable: String = "/proc/self/exe", limit: Double = 10) {
    self.executable = executable
    self.limit = limit
  }

  /// Starts a worker and waits for the manifest. Blocks the calling thread.
  public func manifest(ofLibraryAt path: String) throws(PluginError) -> [UInt8] {
    let process: ChildProcess
    do throws(ChildProcess.Failure) {
      process = try ChildProcess(executable: executable, limits: limits)
    } catch {
      throw PluginError(
        .probeFailed,
        LocalizedText(
          "The plugin \(path) could not be tried out: \(error.reason).",
          de: "Das Plugin \(path) ließ sich nicht ausprobieren: \(error.reason)."), path: path)
    }
    var conversation = Conversation(process: process, deadline: MonotonicClock.seconds + limit, limits: limits)
    let report = conversation.report(on: path)
    process.kill()
    let (status, _) = process.reap()
    switch report {
    case .described(let manifest)?: return manifest
    case .refused(let refusal)?:
      throw PluginError(
        PluginError.Code(rawValue: refusal.code), LocalizedText(refusal.english, de: refusal.german), path: path)
    default: throw error(path, status, isLate: conversation.isLate, words: conversation.lastWords)
    }
  }

  private func error(_ path: String, _ status: WorkerEnding.Status, isLate: Bool, words: String) -> PluginError {
    let words = words.isEmpty ? "" : " (\(words))"
    if isLate {
      return PluginError(
        .probeTimeout,
        LocalizedText(
          "The plugin \(path) did not finish loading within \(limit) s\(words). It must not block while it is loaded.",
          de: "Das Plugin \(path) war nach \(limit) s noch nicht geladen\(words). Es darf beim Laden nicht blockieren."),
        path: path)
    }
    let what: LocalizedText
    switch status {
    case .exited(let status):
      what = LocalizedText(
        "ended the process with status \(status) while it was loaded",
        de: "beendete beim Laden den Prozess mit Status \(status)")
    case .unknown:
      what = LocalizedText("ended the process while it was loaded", de: "beendete beim Laden den Prozess")
    case .signalled(let signal):
      let name = WorkerEnding.signalName(signal)
      what = LocalizedText("crashed while it was loaded: \(name)", de: "ist beim Laden abgestürzt: \(name)")
    }
    return PluginError(
      .crashedLoading,
      LocalizedText("The plugin \(path) ", de: "Das Plugin \(path) ") + what
        + LocalizedText(
          "\(words). Look for a newer version.", de: "\(words). Nach einer neueren Version sehen."), path: path)
  }
}

/// The conversation of the host with a worker about one library.
private struct Conversation {
  /// The largest message: a manifest.
  private static let messageBytes = PluginLimits().manifestBytes + 4096

  let process: ChildProcess
  let deadline: Double
  let limits: IsolationLimits
  /// Whether the time was up.
  private(set) var isLate = false
  private var lines = OutputLines(lineBytes: 1000)

  init(process: ChildProcess, deadline: Double, limits: IsolationLimits) {
    self.process = process
    self.deadline = deadline
    self.limits = limits
  }

  /// The last line that the plugin printed.
  var lastWords: String { lines.lastWords.singleLine(limit: 300) }

  /// Asks for the manifest; `nil` if the worker ended, was too late or used too much.
  mutating func report(on path: String) -> WorkerMessage? {
    let request = HostMessage.describe(path: path).encoded()
    guard send(process.socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
    var decoder = FrameDecoder(payloadLimit: Self.messageBytes)
    var isPrinting = true
    while true {
      let left = deadline - MonotonicClock.seconds
      isLate = left <= 0
      if isLate { return nil }
      var places = [
        pollfd(fd: process.socket, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isPrinting ? process.output : -1, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&places, 2, Int32(min(left, 0.1) * 1000) + 1)
      if places[1].revents != 0 { isPrinting = takeOutput() }
      if places[0].revents == 0 {
        if usesTooMuch { return nil }
        continue
      }
      let count = decoder.fill { recv(process.socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return waitForTheEnd() }
      do throws(FrameViolation) {
        while let frame = try decoder.next() {
          let message = try WorkerMessage(frame)
          switch message {
          case .described, .refused: return message
          default: continue
          }
        }
      } catch {
        return nil
      }
    }
  }

  /// The worker has closed its socket, mostly because it has ended: gives it the time to, so that its status is its own.
  private mutating func waitForTheEnd() -> WorkerMessage? {
    if process.ending >= 0 {
      var place = pollfd(fd: process.ending, events: Int16(POLLIN), revents: 0)
      _ = poll(&place, 1, 1000)
    }
    // Its last output; bounded, as a descendant may hold the pipe.
    for _ in 0..<64 {
      var place = pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)
      guard poll(&place, 1, 0) > 0, takeOutput() else { break }
    }
    _ = lines.finish()
    return nil
  }

  /// Reads what the process has printed; `false` at the end.
  private mutating func takeOutput() -> Bool {
    guard let bytes = try? Descriptor.read(from: process.output, upTo: 64 << 10), !bytes.isEmpty else { return false }
    _ = lines.append(bytes[...], at: MonotonicClock.seconds)
    return true
  }

  private var usesTooMuch: Bool {
    var memory: UInt64 = 0
    var threads: UInt32 = 0
    var time: UInt64 = 0
    guard isolation_measure(process.id, &memory, &threads, &time) == 0 else { return false }
    return memory > limits.residentMemory || threads > limits.threads
  }
}
