import Engine
import Localization
import Network
import Notes
import OAuth
import PluginHost
import RunStore
import Secrets

extension UseCaseError {
  /// The error for one of a module below; this one stays what it is.
  init(_ error: any Error) {
    switch error {
    case let error as UseCaseError: self = error
    case let error as EngineError: self.init(error)
    case let error as RunStoreError:
      self.init(Code(rawValue: error.code.rawValue), error.message, cause: error)
    case let error as SecretError:
      self.init(Code(rawValue: error.code.rawValue), error.message, cause: error)
    case let error as OAuthError:
      self.init(Code(rawValue: error.code.rawValue), error.text, cause: error)
    case let error as PluginError:
      self.init(Code(rawValue: error.code.rawValue), error.message, cause: error)
    case let error as NoteError:
      let isInput = [.notFound, .ambiguous, .invalid].contains(error.code)
      self.init(isInput ? .wrongInput : .environment, error.message, cause: error)
    case let error as ActionFailure:
      self.init(Code(rawValue: error.kind.rawValue), error.message, cause: error)
    case let error as NetworkError:
      self.init(Code(rawValue: error.code.rawValue), error.message, cause: error)
    case is CancellationError:
      self.init(.interrupted, LocalizedText("it was interrupted", de: "es wurde unterbrochen"), cause: error)
    default:
      self.init(.environment, LocalizedText(verbatim: "\(error)"), cause: error)
    }
  }

  /// A journal that cannot be written is told in the words of the run log.
  private init(_ error: EngineError) {
    let message = (error.cause as? RunStoreError)?.message ?? error.message
    self.init(Code(rawValue: error.code.rawValue), message, cause: error)
  }
}

/// Does something and throws what goes wrong as ``UseCaseError``.
func typed<Answer>(_ body: () throws -> Answer) throws(UseCaseError) -> Answer {
  do { return try body() } catch { throw UseCaseError(error) }
}

/// Does something and throws what goes wrong as ``UseCaseError``.
func typed<Answer>(_ body: () async throws -> Answer) async throws(UseCaseError) -> Answer {
  do { return try await body() } catch { throw UseCaseError(error) }
}
