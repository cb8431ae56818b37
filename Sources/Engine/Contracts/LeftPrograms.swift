/// Finds and ends programs of steps that still run although the Sous process that started them has ended.
public protocol LeftPrograms: Sendable {
  /// The process numbers of an attempt's programs that still run, the program itself before its children; never this process.
  ///
  /// - Parameter key: The attempt's idempotency key.
  func running(key: String) async -> [Int32]

  /// Ends the programs of an attempt and every process that they have started: first by SIGTERM, then by SIGKILL.
  ///
  /// - Parameter key: The attempt's idempotency key.
  /// - Returns: The process numbers of those that still run, such as programs of another user.
  func end(key: String) async -> [Int32]

  /// Every program that outlived its Sous process, with the run that it belongs to.
  func left() async -> [(run: RunID, process: Int32)]
}
