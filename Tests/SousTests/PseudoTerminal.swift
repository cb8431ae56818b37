import Foundation

/// A terminal, with a person at the other end who types and reads.
final class PseudoTerminal {
  struct Failure: Error {}

  /// What programs can change about a terminal.
  struct Settings: Equatable {
    let input: UInt32
    let output: UInt32
    let local: UInt32
  }

  private let mine: FileHandle
  private let theirs: FileHandle
  private var seen: [UInt8] = []

  /// - Parameter columns: The width of the window; 0 for a terminal that does not know it.
  init(columns: UInt16 = 0) throws {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number) = (Int32(0), UInt32(0))
    // TIOCSPTLCK and TIOCGPTN, which is what unlockpt(3) and ptsname(3) are.
    guard master >= 0, ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw Failure()
    }
    let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw Failure() }
    if columns > 0 {
      var size = winsize(ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
      guard ioctl(slave, UInt(TIOCSWINSZ), &size) == 0 else { throw Failure() }
    }
    mine = FileHandle(fileDescriptor: master, closeOnDealloc: true)
    theirs = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
  }

  /// Starts the program as the foreground of this terminal, from which Ctrl-C reaches it.
  func start(_ sous: SousProcess, _ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    process.arguments = ["--ctty", "--wait", SousProcess.executable] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: sous.folder)
    process.environment = sous.environment.merging(["TERM": "xterm-256color"]) { $1 }
    process.standardInput = theirs
    process.standardOutput = theirs
    process.standardError = theirs
    try process.run()
    return process
  }

  var settings: Settings {
    var terminal = termios()
    tcgetattr(theirs.fileDescriptor, &terminal)
    return Settings(input: terminal.c_iflag, output: terminal.c_oflag, local: terminal.c_lflag)
  }

  func type(_ text: String) { mine.write(Data(text.utf8)) }

  /// Reads until a text has been shown, ten seconds at most.
  func read(until text: String) -> Bool {
    for _ in 0..<100 {
      if String(decoding: seen, as: UTF8.self).contains(text) { return true }
      readOnce(milliseconds: 100)
    }
    return false
  }

  /// Everything that a program shows until it ends. A terminal keeps some kilobytes only, so they are read meanwhile.
  func output(of process: Process) -> String {
    while process.isRunning { readOnce(milliseconds: 50) }
    return rest()
  }

  /// Everything that has been shown.
  func rest() -> String {
    while readOnce(milliseconds: 50) {}
    return String(decoding: seen, as: UTF8.self)
  }

  @discardableResult
  private func readOnce(milliseconds: Int32) -> Bool {
    var poll = pollfd(fd: mine.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard Foundation.poll(&poll, 1, milliseconds) > 0 else { return false }
    var piece = [UInt8](repeating: 0, count: 4096)
    let count = Foundation.read(mine.fileDescriptor, &piece, piece.count)
    guard count > 0 else { return false }
    seen += piece[..<count]
    return true
  }
}
