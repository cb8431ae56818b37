import CIsolation
import Foundation

/// Runs Sous as a child of a second Sous process, which checks that the child has finished its work. Otherwise a plugin inside
/// Sous that ends the process by `_exit` or a system call would look like a success.
public enum ExitWitness {
  private static let variable = "SOUS_EXIT_WITNESS"

  /// The pipe to the witness, for the byte that says the work is done; -1 in a process without a witness.
  private static let descriptor: Int32 = {
    guard let text = getenv(variable).map({ String(cString: $0) }), let number = Int32(text), number > 2,
      fcntl(number, F_SETFD, FD_CLOEXEC) == 0
    else { return -1 }
    return number
  }()

  /// Whether this process has a witness. Call it before the process starts other programs: it also removes the witness from the
  /// environment, so that they do not inherit it.
  public static var isWatched: Bool {
    let isWatched = descriptor >= 0
    unsetenv(variable)
    return isWatched
  }

  /// Reports to the witness that the work is done and that Sous itself chooses the exit status.
  public static func finish() {
    guard descriptor >= 0 else { return }
    var byte: UInt8 = 1
    _ = write(descriptor, &byte, 1)
  }

  /// Runs the program again with the same arguments and ends this process as the child ends. Blocks; call it while the process
  /// has one thread.
  ///
  /// Returns only if the child cannot be started.
  ///
  /// - Parameter unfinished: Called if the child ended with status 0 but did not call ``finish()``; must not return.
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
