/// Works while other tasks run beside it; they are cancelled and awaited before the result or the error is passed on.
///
/// The tasks are not child tasks: a cancelled caller does not end them before its body has ended.
package func withBackground<Answer, Failure: Error>(
  _ tasks: [@Sendable () async -> Void], _ body: () async throws(Failure) -> Answer
) async throws(Failure) -> Answer {
  let running = tasks.map { task in Task { await task() } }
  let result: Result<Answer, Failure>
  do throws(Failure) {
    result = .success(try await body())
  } catch {
    result = .failure(error)
  }
  for task in running { task.cancel() }
  for task in running { await task.value }
  return try result.get()
}

/// Works to the end even if the caller is or becomes cancelled, and waits for it.
package func uncancelled<Answer: Sendable>(
  _ body: @escaping @Sendable () async throws -> Answer
) async throws -> Answer {
  try await Task { try await body() }.value
}

/// Works to the end even if the caller is or becomes cancelled, and waits for it.
package func uncancelled<Answer: Sendable>(_ body: @escaping @Sendable () async -> Answer) async -> Answer {
  await Task { await body() }.value
}
