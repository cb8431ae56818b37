import CProcess
import Foundation
import Localization
import OperatingSystem

/// A program that unpacks, builds or fetches: its output is read in pieces, and it ends with the task that waits for it.
package struct ToolProcess: Sendable {
  /// The program, looked for along PATH, with its arguments.
  var arguments: [String]
  /// The folder that it runs in; `nil` for the current one.
  var folder: String?
  /// The environment.
  var environment: [String: String]
  /// A file as its standard input; `nil` for none.
  var input: String?

  /// Describes a program.
  package init(arguments: [String], folder: String? = nil, environment: [String: String], input: String? = nil) {
    (self.arguments, self.folder, self.environment, self.input) = (arguments, folder, environment, input)
  }

  /// The end of a program.
  package struct Ending: Sendable {
    /// Its exit status; 128 and the number of the signal if a signal ended it.
    package var status: Int32
    /// The last bytes of its standard error, as text.
    package var words: String
  }

  /// Runs the program and waits for its end. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - joinsErrors: Whether `take` gets standard error too.
  ///   - watch: Called several times a second. After it throws, the program is killed.
  ///   - take: Gets each piece of standard output. After it throws, the program is killed.
  /// - Throws: ``PluginStoreError/Code/program`` if the program cannot be started; the error of `take` or `watch`;
  ///   ``PluginStoreError/Code/interrupted`` if the task was cancelled.
  package func run(
    joinsErrors: Bool = false, watch: () throws(PluginStoreError) -> Void = {},
    _ take: ([UInt8]) throws(PluginStoreError) -> Void
  ) throws(PluginStoreError) -> Ending {
    let output = try Pipe()
    let errors = try Pipe()
    let process = try spawn(output: output.writing, errors: joinsErrors ? output.writing : errors.writing)
    (output.writing, errors.writing) = (nil, nil)
    var words: [UInt8] = []
    let status: Int32
    do throws(PluginStoreError) {
      try Self.read(output, errors, &words, watch, take)
      status = try Self.wait(process, watch)
    } catch {
      kill(-process, SIGKILL)
      _ = try? uninterrupted { waitpid(process, nil, 0) }
      throw error
    }
    return Ending(status: status, words: String(decoding: words.suffix(2000), as: UTF8.self))
  }

  private static func read(
    _ output: Pipe, _ errors: Pipe, _ words: inout [UInt8], _ watch: () throws(PluginStoreError) -> Void,
    _ take: ([UInt8]) throws(PluginStoreError) -> Void
  ) throws(PluginStoreError) {
    while output.reading != nil || errors.reading != nil {
      guard !Task.isCancelled else { throw .cancelled }
      try watch()
      var places = [output.reading, errors.reading].map {
        pollfd(fd: $0?.number ?? -1, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&places, 2, 100) > 0 else { continue }
      if places[1].revents != 0 {
        let piece = errors.take()
        words += piece
        if words.count > 64 << 10 { words.removeFirst(words.count - (32 << 10)) }
      }
      guard places[0].revents != 0 else { continue }
      let piece = output.take()
      if !piece.isEmpty { try take(piece) }
    }
  }

  /// The exit status. A program may close its output long before its end, so that the task may be cancelled here too.
  private static func wait(
    _ process: pid_t, _ watch: () throws(PluginStoreError) -> Void
  ) throws(PluginStoreError) -> Int32 {
    var status: Int32 = 0
    while true {
      let ended: Int32
      do throws(SystemError) {
        ended = try uninterrupted { waitpid(process, &status, WNOHANG) }
      } catch {
        return 127
      }
      if ended == process { return status & 0x7F != 0 ? 128 + status & 0x7F : status >> 8 & 0xFF }
      guard !Task.isCancelled else { throw .cancelled }
      try watch()
      poll(nil, 0, 5)
    }
  }

  private func spawn(output: Descriptor?, errors: Descriptor?) throws(PluginStoreError) -> pid_t {
    let program = arguments.first ?? ""
    var stdin: Descriptor?
    if let input {
      do throws(SystemError) {
        stdin = try Descriptor(opening: input, O_RDONLY)
      } catch {
        throw .unusable(input, .systemError(error.code))
      }
    }
    var argv = arguments.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var process: pid_t = 0
    let result = process_spawn(
      &process, program, &argv, &envp, folder, [stdin?.number ?? -1, output?.number ?? -1, errors?.number ?? -1], 3)
    guard result == 0 else {
      throw PluginStoreError(
        .program,
        LocalizedText(
          "the program '\(program)' could not be started: ", de: "das Programm '\(program)' ließ sich nicht starten: ")
          + .systemError(result)
          + LocalizedText(
            ". Install the program and repeat the command", de: ". Das Programm installieren und den Befehl wiederholen"
          ))
    }
    return process
  }

  /// The two ends of a pipe.
  private final class Pipe {
    var reading: Descriptor?
    var writing: Descriptor?

    init() throws(PluginStoreError) {
      var ends: [Int32] = [-1, -1]
      let result = process_make_pipe(&ends)
      guard result == 0 else { throw .unusable("pipe", .systemError(result)) }
      (reading, writing) = (Descriptor(ends[0]), Descriptor(ends[1]))
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    }

    /// The bytes that are there; closes the end of the pipe at its end.
    func take() -> [UInt8] {
      guard let reading else { return [] }
      do throws(SystemError) {
        let piece = try reading.read(upTo: 64 << 10)
        if piece.isEmpty { self.reading = nil }
        return piece
      } catch {
        if error.code != EAGAIN { self.reading = nil }
        return []
      }
    }
  }
}
