internal import Glibc

/// A call of the operating system that failed.
public struct SystemError: Error, Equatable {
  /// The value of `errno`, such as `ENOENT`.
  public let code: Int32

  /// The error of a value of `errno`.
  public init(_ code: Int32) { self.code = code }

  /// The error of the call that has just failed on this thread.
  public static var last: SystemError { SystemError(errno) }
}

/// Makes a system call, and again for as long as a signal interrupts it (`EINTR`).
///
/// - Returns: The result of the call: a count, a descriptor or 0; never negative.
/// - Throws: ``SystemError`` if the call returns a negative number.
@discardableResult
public func uninterrupted(_ call: () -> Int) throws(SystemError) -> Int {
  while true {
    let result = call()
    if result >= 0 { return result }
    if errno != EINTR { throw .last }
  }
}

/// Makes a system call, and again for as long as a signal interrupts it (`EINTR`).
///
/// - Returns: The result of the call: a descriptor, a process or 0; never negative.
/// - Throws: ``SystemError`` if the call returns a negative number.
@discardableResult
public func uninterrupted(_ call: () -> Int32) throws(SystemError) -> Int32 {
  while true {
    let result = call()
    if result >= 0 { return result }
    if errno != EINTR { throw .last }
  }
}
