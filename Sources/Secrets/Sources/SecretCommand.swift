import COpenSSL
import CProcess
import CSecrets
import Glibc
import Localization
import OperatingSystem

/// Runs a program that prints a secret.
///
/// It has a session of its own and so no terminal to ask on and no Ctrl-C of ours; an agent of its own, such as gpg's, may
/// ask (`GPG_TTY` and the desktop's variables are passed on). Its standard input is empty.
public struct SecretCommand: Sendable {
  /// The seconds a program may take if no user can type a PIN.
  public static let standardTimeout = 10.0
  /// The seconds it may take if a user can.
  public static let interactiveTimeout = 60.0

  private static let errorLimit = 4 << 10
  /// The variables of our environment that a program gets: enough to find its files, its agent and its screen.
  private static let passedOn: Set<String> = [
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ", "TMPDIR", "TERM",
    "LD_LIBRARY_PATH", "GPG_TTY", "GNUPGHOME", "PASSWORD_STORE_DIR", "SSH_AUTH_SOCK", "DISPLAY", "WAYLAND_DISPLAY",
    "XAUTHORITY", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "DBUS_SESSION_BUS_ADDRESS",
  ]

  private let arguments: [String]
  private let environment: [String: String]
  private let timeout: Double

  /// Creates a command.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments; `{name}` in an argument represents the secret's name.
  ///   - environment: The environment of this process.
  ///   - timeout: The seconds it may take.
  public init(arguments: [String], environment: [String: String], timeout: Double = standardTimeout) {
    self.arguments = arguments
    self.environment = environment.filter { SecretCommand.passedOn.contains($0.key) }
    self.timeout = timeout
  }

  /// The program's name, without its folder; arguments may be confidential.
  public var program: String {
    String((arguments.first ?? "").split(separator: "/").last ?? "")
  }

  /// Runs the program and waits for its end. Blocks the calling thread.
  ///
  /// - Parameter name: What `{name}` represents.
  /// - Returns: Its standard output without one line end at the end.
  /// - Throws: ``SecretError/Code/command`` where it cannot be started, fails, takes too long or prints more than 64 KiB.
  public func run(name: SecretName? = nil) throws(SecretError) -> SecureBytes {
    let arguments = arguments.map { text in name.map { text.replacing(FileSource.placeholder, with: $0.text) } ?? text }
    let output = try Channel()
    let errors = try Channel()
    defer {
      output.close()
      errors.close()
    }
    let process = try spawn(arguments, output: output.writing, errors: errors.writing)
    output.closeWriting()
    errors.closeWriting()
    var words: [UInt8] = []
    var status: Int32?
    var isTooMuch = false
    let deadline = ContinuousClock.now + .seconds(timeout)
    let value = try SecureBytes(capacity: SecretLimits.value + 2) { memory throws(SecretError) in
      var count = 0
      while status == nil || output.isOpen || errors.isOpen {
        if status == nil { status = SecretCommand.ending(of: process) }
        // Output of a grandchild that keeps the pipes open is not awaited.
        let hasMore = poll(output, errors, milliseconds: status == nil ? 10 : 0)
        if hasMore {
          count += output.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
          errors.read(into: &words, limit: SecretCommand.errorLimit)
          isTooMuch = count > SecretLimits.value
        }
        if status != nil && !hasMore { break }
        guard isTooMuch || ContinuousClock.now >= deadline else { continue }
        Glibc.kill(-process, SIGKILL)
        if status == nil {
          _ = try? uninterrupted { waitpid(process, nil, 0) }
        }
        throw isTooMuch ? failure(SecretCommand.tooMuch) : failure(late)
      }
      return count
    }
    guard let status, status == 0 else { throw failure(reason(status ?? -1, words: words, output: value)) }
    return try value.withoutLineEnd()
  }

  // MARK: - Failures

  private static let tooMuch = LocalizedText(
    "it printed more than \(SecretLimits.value) bytes", de: "es hat mehr als \(SecretLimits.value) Byte ausgegeben")

  private var late: LocalizedText {
    let seconds = Int(timeout.rounded(.up))
    return LocalizedText("it took longer than \(seconds) s", de: "es hat länger als \(seconds) s gebraucht")
  }

  private func failure(_ reason: LocalizedText) -> SecretError {
    SecretError(
      .command,
      LocalizedText("the command '\(program)' gave no secret: ", de: "der Befehl '\(program)' gab kein Geheimnis her: ")
        + reason)
  }

  /// How it ended, with its last words unless they might hold what it has printed.
  private func reason(_ status: Int32, words: [UInt8], output: SecureBytes) -> LocalizedText {
    let ending: LocalizedText =
      if status & 0x7f != 0 {
        LocalizedText("it was ended by signal \(status & 0x7f)", de: "es wurde von Signal \(status & 0x7f) beendet")
      } else {
        LocalizedText("it ended with status \(status >> 8 & 0xff)", de: "es endete mit Status \(status >> 8 & 0xff)")
      }
    guard output.isEmpty,
      let line = String(decoding: words, as: UTF8.self).split(whereSeparator: \.isNewline).last(where: {
        $0.contains { !$0.isWhitespace }
      })
    else { return ending }
    return ending + LocalizedText(verbatim: ": " + line.prefix(200))
  }

  private static func ending(of process: pid_t) -> Int32? {
    var status: Int32 = 0
    let result = waitpid(process, &status, WNOHANG)
    if result == process { return status }
    // With SIGCHLD ignored its exit status is not available; its output is.
    return result < 0 && errno == ECHILD ? 0 : nil
  }

  // MARK: - Process

  private func spawn(_ arguments: [String], output: Int32, errors: Int32) throws(SecretError) -> pid_t {
    guard let program = arguments.first else {
      throw failure(LocalizedText("it names no program", de: "er nennt kein Programm"))
    }
    var argv = arguments.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var process: pid_t = 0
    let result = process_spawn(&process, program, &argv, &envp, nil, [-1, output, errors], 3)
    guard result == 0 else { throw failure(LocalizedText(verbatim: String(cString: strerror(result)))) }
    return process
  }

  private func poll(_ output: Channel, _ errors: Channel, milliseconds: Int32) -> Bool {
    // A negative descriptor is skipped.
    var descriptors = [
      pollfd(fd: output.reading, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors.reading, events: Int16(POLLIN), revents: 0),
    ]
    return Glibc.poll(&descriptors, 2, milliseconds) > 0
  }

  /// The two ends of a pipe, closed at most once each; reading does not wait.
  private final class Channel {
    private(set) var reading: Int32 = -1
    private(set) var writing: Int32 = -1

    init() throws(SecretError) {
      var ends: [Int32] = [-1, -1]
      let result = process_make_pipe(&ends)
      guard result == 0, let first = ends.first, let last = ends.last else {
        throw SecretError(.system, LocalizedText(verbatim: "pipe: " + String(cString: strerror(result))))
      }
      reading = first
      writing = last
      _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    }

    var isOpen: Bool { reading >= 0 }

    func read(into memory: UnsafeMutableRawBufferPointer) -> Int {
      guard isOpen, memory.count > 0 else { return 0 }
      let count = Glibc.read(reading, memory.baseAddress, memory.count)
      if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) { closeReading() }
      return max(0, count)
    }

    /// Reads once and keeps the end of what was said.
    func read(into bytes: inout [UInt8], limit: Int) {
      var buffer = [UInt8](repeating: 0, count: 4 << 10)
      let count = buffer.withUnsafeMutableBytes { read(into: $0) }
      bytes += buffer.prefix(count)
      if bytes.count > limit { bytes.removeFirst(bytes.count - limit) }
      buffer.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
    }

    private func closeReading() {
      if reading >= 0 { Glibc.close(reading) }
      reading = -1
    }

    func closeWriting() {
      if writing >= 0 { Glibc.close(writing) }
      writing = -1
    }

    func close() {
      closeReading()
      closeWriting()
    }
  }
}
