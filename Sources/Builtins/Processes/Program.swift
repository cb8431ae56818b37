import CProcess
import CSystemCalls
import Engine
import Glibc
import Localization
import OperatingSystem
import Synchronization

/// The description of a program that runs to its end.
///
/// It has a session and so a process group of its own: no terminal, no Ctrl-C of ours, and whatever it has started in that
/// group ends with it. Its standard input is a file in memory, so that no thread has to write to it while it runs.
struct Program: Sendable {
  /// How a program ended.
  enum Ending: Sendable, CustomStringConvertible {
    /// With a status.
    case exited(Int)
    /// By a signal.
    case signalled(Int)

    var description: String {
      switch self {
      case .exited(let status): "status \(status)"
      case .signalled(let signal): "signal \(signal)"
      }
    }
  }

  /// The result.
  struct Result: Sendable {
    var ending: Ending
    var output: Captured
    var errors: Captured
    /// Whether it was asked to end before it had ended by itself; whatever its status says, its work may be incomplete.
    var wasStopped: Bool
    /// Its lines in the run log.
    var log: ProgramLog
  }

  /// The output of a program, up to the limit.
  struct Captured: Sendable {
    var bytes: [UInt8] = []
    /// Whether more was written than was kept.
    var isTruncated = false
    /// The last bytes of the output beyond the limit.
    private var tail: [UInt8] = []

    /// The most bytes of ``lastPart``.
    static let longestLastPart = 128 << 10

    mutating func add(_ new: UnsafeRawBufferPointer, limit: Int) {
      let room = max(0, limit - bytes.count)
      bytes.append(contentsOf: new.prefix(room))
      guard new.count > room else { return }
      isTruncated = true
      tail.append(contentsOf: new.dropFirst(room))
      if tail.count > 2 * Self.longestLastPart { tail.removeFirst(tail.count - Self.longestLastPart) }
    }

    /// Whether ``lastPart`` begins with the output.
    var isLastPartWhole: Bool { !isTruncated && bytes.count <= Self.longestLastPart }

    /// The last bytes that were written, whatever was kept.
    var lastPart: [UInt8] {
      let missing = Self.longestLastPart - tail.count
      return missing > 0 ? bytes.suffix(missing) + tail : Array(tail.suffix(Self.longestLastPart))
    }
  }

  /// The file.
  var path: String
  var arguments: [String]
  var environment: [String: String]
  /// The folder it starts in.
  var folder: String
  /// Its standard input; `nil` for none.
  var input: [UInt8]?
  /// The bytes kept of its output and of its error output each.
  var limit: Int
  /// How it is stopped.
  var stop: StopWay
  /// Where the program is recorded while it runs, with its run and the attempt's key, so that it is found again if this process
  /// ends first.
  var note: (register: ProgramRegister, run: String, key: String)?

  /// Runs the program; a cancelled task stops it with all of its group.
  ///
  /// - Parameter log: Takes the lines that it writes, while it runs.
  /// - Throws: ``Engine/ActionFailure`` of kind `invalid_input`, `not_found` or `unreachable` where it did not start.
  func run(log: ProgramLog) async throws(ActionFailure) -> Result {
    let bell = try Bell()
    let outcome = await withTaskCancellationHandler {
      // A thread of its own: there may be hundreds of programs, and none may keep the others from starting.
      await NamedThread.run("exec") { Swift.Result { () throws(ActionFailure) in try runBlocking(bell, log) } }
    } onCancel: {
      bell.ring()
    }
    return try outcome.get()
  }

  private func runBlocking(_ bell: Bell, _ log: ProgramLog) throws(ActionFailure) -> Result {
    let output = try Pipe()
    let errors = try Pipe()
    var process: pid_t = 0
    try start(&process, output, errors)
    let path = note.flatMap { $0.register.note(process, run: $0.run, key: $0.key, stop: stop) }
    defer { if let path { unlink(path) } }
    output.closeWriting()
    errors.closeWriting()
    var watch = ProgramWatch(
      process: process, bell: bell, output: output, errors: errors, limit: limit, stop: stop, log: log)
    return watch.waitForEnd()
  }

  private func start(_ process: inout pid_t, _ output: Pipe, _ errors: Pipe) throws(ActionFailure) {
    let input = try memoryFile()
    var argv = arguments.map { strdup($0) } + [nil]
    var envp = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    let descriptors = [input?.number ?? -1, output.writing, errors.writing]
    let result = process_spawn(
      &process, path, &argv, &envp, folder, descriptors, Int32(descriptors.count))
    guard result == 0 else { throw .notStarted(arguments.first ?? path, error: result) }
  }

  private func memoryFile() throws(ActionFailure) -> Descriptor? {
    guard let input else { return nil }
    var number: Int32 = -1
    let result = system_make_memory_file(&number)
    guard result == 0 else { throw .noResources(result) }
    let file = Descriptor(number)
    do {
      try file.write(input)
      try uninterrupted { lseek(number, 0, SEEK_SET) }
    } catch {
      throw .noResources(error.code)
    }
    return file
  }
}

/// Wakes a waiter in `poll`, from any thread; stays set.
final class Bell: Sendable {
  let descriptor: Descriptor

  init() throws(ActionFailure) {
    var number: Int32 = -1
    let result = system_make_bell(&number)
    guard result == 0 else { throw .noResources(result) }
    descriptor = Descriptor(number)
  }

  func ring() { system_ring(descriptor.number) }
}

/// A pipe from a program, used by one thread.
final class Pipe {
  private(set) var reading: Int32
  private(set) var writing: Int32

  init() throws(ActionFailure) {
    var ends: [Int32] = [-1, -1]
    let result = process_make_pipe(&ends)
    guard result == 0, let first = ends.first, let last = ends.last else { throw .noResources(result) }
    reading = first
    writing = last
  }

  var isOpen: Bool { reading >= 0 }

  func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  func closeReading() {
    if reading >= 0 { close(reading) }
    reading = -1
  }

  deinit {
    closeReading()
    closeWriting()
  }
}

extension ActionFailure {
  /// The machine has no room for one more program.
  static func noResources(_ error: Int32) -> ActionFailure {
    ActionFailure(
      .unreachable,
      LocalizedText("no program can be started now: ", de: "jetzt lässt sich kein Programm starten: ")
        + .systemError(error))
  }

  /// A program did not start, so nothing has happened.
  static func notStarted(_ name: String, error: Int32) -> ActionFailure {
    let reason = LocalizedText.systemError(error)
    let kind: Kind =
      switch error {
      case ENOENT, ENOTDIR: .notFound
      case EAGAIN, ENOMEM, EMFILE, ENFILE: .unreachable
      default: .invalidInput
      }
    return ActionFailure(
      kind, LocalizedText("'\(name)' does not start: ", de: "'\(name)' startet nicht: ") + reason,
      advice: error == ENOEXEC
        ? LocalizedText(
          "a script needs a first line such as #!/bin/sh", de: "ein Skript braucht eine erste Zeile wie #!/bin/sh")
        : nil)
  }
}
