/// Finds and ends programs that steps have started and that still run although the Sous process that started them has ended.
public protocol LeftPrograms: Sendable {
  /// The process numbers of an attempt's programs that still run, the first program first; never this process.
  ///
  /// - Parameter key: The attempt's idempotency key.
  func running(key: String) async -> [Int32]

  /// Ends the programs of an attempt with all that they have started: first by SIGTERM, then by SIGKILL.
  ///
  /// - Parameter key: The attempt's idempotency key.
  /// - Returns: Those that still run, such as programs of another user.
  func end(key: String) async -> [Int32]

  /// Every program that outlived its Sous process, with the run that it belongs to.
  func left() async -> [(run: RunID, process: Int32)]
}
