extension LeftPrograms {
  /// The process number of an attempt's program that still runs; `nil` if none does. Only built-in actions start programs.
  public func running(of attempt: AttemptSnapshot) async -> Int32? {
    guard attempt.kind == .builtin else { return nil }
    return await running(key: attempt.key).first
  }
}
