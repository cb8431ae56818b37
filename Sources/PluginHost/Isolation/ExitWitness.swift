import CIsolation
import Foundation

/// Runs the program as a child that another process of it watches, so that a plugin inside Sous that ends the process, by
/// `_exit` or a system call, cannot pass for the end of Sous's own work.
public enum ExitWitness {
  private static let variable = "SOUS_EXIT_WITNESS"

  /// Where this process says that its work is done; -1 in a process that has no witness.
  private static let descriptor: Int32 = {
    guard let text = getenv(variable).map({ String(cString: $0) }), let number = Int32(text), number > 2,
      fcntl(number, F_SETFD, FD_CLOEXEC) == 0
    else { return -1 }
    return number
  }()

  /// Whether this process has a witness already. To be asked before it starts other programs: the witness is not theirs.
  public static var isWatched: Bool {
    let isWatched = descriptor >= 0
    unsetenv(variable)
    return isWatched
  }

  /// Says that the work is done, and the status that follows is this program's own.
  public static func finish() {
    guard descriptor >= 0 else { return }
    var byte: UInt8 = 1
    _ = write(descriptor, &byte, 1)
  }

  /// Runs the program again with the same arguments and ends as that does. Blocks; to be called while there is one thread.
  ///
  /// Returns only if that is not possible.
  ///
  /// - Parameter unfinished: Called if the child ended with status 0 without having finished; must not return.
  public static func run(unfinished: () -> Never) {
    let arguments = CommandLine.arguments.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var status: Int32 = 0
    var hasFinished: Int32 = 0
    guard isolation_run_witnessed(arguments, variable, &status, &hasFinished) == 0 else { return }
    if status == 0, hasFinished == 0 { unfinished() }
    isolation_end_like(status)
  }
}
