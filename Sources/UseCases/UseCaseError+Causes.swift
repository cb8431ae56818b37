import Engine
import Localization
import Notes
import Schemas

extension UseCaseError {
  /// The error for one of a module below, with its code; this one stays what it is.
  package init(_ error: any Error) {
    switch error {
    case let error as UseCaseError: self = error
    case let error as NoteError:
      let isInput = [.notFound, .ambiguous, .invalid].contains(error.code)
      self.init(isInput ? .wrongInput : .environment, error.message, cause: error)
    case let error as any CodedError: self.init(coded: error)
    case is CancellationError:
      self.init(.interrupted, LocalizedText("it was interrupted", de: "es wurde unterbrochen"), cause: error)
    default:
      self.init(.environment, LocalizedText(verbatim: "\(error)"), cause: error)
    }
  }

  private init(coded error: some CodedError) {
    self.init(Code(rawValue: error.code.rawValue), error.text, cause: error)
    faults = (error as? EngineError)?.faults.map { $0.below("inputs") } ?? []
  }
}

/// Does something and throws what goes wrong as ``UseCaseError``.
package func mapErrors<Answer>(_ body: () throws -> Answer) throws(UseCaseError) -> Answer {
  do { return try body() } catch { throw UseCaseError(error) }
}

/// Does something and throws what goes wrong as ``UseCaseError``.
package func mapErrors<Answer>(_ body: () async throws -> Answer) async throws(UseCaseError) -> Answer {
  do { return try await body() } catch { throw UseCaseError(error) }
}
