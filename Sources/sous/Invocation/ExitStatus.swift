import Access
import Engine
import OAuth
import PluginBoundary
import PluginHost
import RunStore
import Secrets
import UseCases

/// The exit statuses of the program; documented in docs/operations.md.
enum ExitStatus {
  /// The run, or whatever was asked for, succeeded.
  static let success: Int32 = 0
  /// The run failed.
  static let runFailed: Int32 = 1
  /// The recipe or the command line is wrong.
  static let wrongInput: Int32 = 2
  /// The configuration, a plugin or the run log is in trouble.
  static let environment: Int32 = 3
  /// Ctrl-C or a termination signal; the journal of the run is complete.
  static let interrupted: Int32 = 130

  /// The code that `--json` gives an error that has none of its own.
  static func code(_ status: Int32) -> String {
    switch status {
    case runFailed: "run_failed"
    case wrongInput: "wrong_input"
    case interrupted: "interrupted"
    default: "environment"
    }
  }
}

extension ExitStatus {
  /// The exit status for how a run ended that was worked on in the foreground; `nil` for success.
  ///
  /// A run is left waiting, or queued, by nothing but an interruption. One that waited for its turn is cancelled by that.
  static func of(_ status: RunStatus) -> Int32? {
    switch status {
    case .succeeded, .skipped: nil
    case .interrupted, .queued, .waiting: interrupted
    case .cancelled: Interruption.hasCancelled ? interrupted : runFailed
    case .running, .failed, .needsAttention: runFailed
    }
  }

  /// The exit status for what a provider reported: trouble with its credentials is the configuration's.
  static func of(_ failure: ActionFailure) -> Int32 { failure.kind == .auth ? environment : runFailed }

  /// The exit status for an error: what the user has named or typed wrongly is the command line's, all else the
  /// surroundings'.
  static func of(_ error: UseCaseError) -> Int32 {
    switch error.cause {
    case let error as EngineError: error.code == .journal ? environment : wrongInput
    case let error as RunStoreError: of(error.code)
    case let error as SecretError: of(error.code)
    case let error as AccessError: of(error.code)
    case let error as OAuthError: error.code == .cancelled ? interrupted : environment
    case is PluginError: environment
    default: of(error.code)
    }
  }

  private static func of(_ code: RunStoreError.Code) -> Int32 {
    switch code {
    case .runNotFound, .ambiguousRun, .stepNotFound, .outputNotFound: wrongInput
    case .cancelled: interrupted
    default: environment
    }
  }

  private static func of(_ code: SecretError.Code) -> Int32 {
    switch code {
    case .nameInvalid, .valueInvalid, .entry, .missing: wrongInput
    case .interrupted: interrupted
    default: environment
    }
  }

  private static func of(_ code: AccessError.Code) -> Int32 {
    switch code {
    case .foreignFile, .damagedFile, .failed: environment
    default: wrongInput
    }
  }

  private static func of(_ code: UseCaseError.Code) -> Int32 {
    switch code {
    case .wrongInput, .notFound, .invalidRecipe, .invalidInput, .runState, .unknownProvider, .unsuitableProvider,
      .ambiguousProvider, .destinationInUse, .unknownVersion, .syncConflict:
      wrongInput
    case .interrupted: interrupted
    default: environment
    }
  }
}
