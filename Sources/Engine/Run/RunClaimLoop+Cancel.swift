import Localization

extension RunClaimLoop {
  /// What becomes of the wish to cancel a run.
  public enum CancelRequest: Sendable {
    /// Nobody works on it: it belongs to this process now, which undoes what is to be undone, with
    /// ``RunEngine/resume(_:_:observer:control:)`` and a control that is cancelled, or ends it with
    /// ``RunEngine/abandon(_:_:)``.
    case isOurs(RunSnapshot)
    /// The process that works on it was asked; what people know it by.
    case isAsked(owner: String)
    /// Whoever works on it next cancels it.
    case isLeft
  }

  /// Asks to cancel a run, and claims it where nobody works on it.
  ///
  /// - Throws: ``EngineError``: `run_state` where it has ended or is not recorded, `journal`.
  public func requestCancel(of run: RunID) async throws(EngineError) -> CancelRequest {
    do {
      try await queue.requestCancel(of: run)
      switch try await queue.claim(run, at: time.now) {
      case .claimed:
        control.cancel()
        return .isOurs(try await queue.snapshot(of: run))
      case .ended(let status): throw EngineError.hasEnded(run, status)
      case .taken(let owner): return .isAsked(owner: owner)
      case .waiting, .groupTaken, .groupLeft: return .isLeft
      case .absent: throw EngineError.isAbsent(run)
      }
    } catch let error as EngineError {
      throw error
    } catch {
      throw .journal(run, error)
    }
  }
}

extension EngineError {
  /// A run that has ended cannot be cancelled.
  fileprivate static func hasEnded(_ run: RunID, _ status: RunStatus) -> EngineError {
    EngineError(
      .runState,
      .init(
        "run \(run) has ended (\(status.words.english))", de: "Lauf \(run) ist zu Ende (\(status.words.german))"))
  }
}
