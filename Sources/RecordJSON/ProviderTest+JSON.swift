import Engine
public import Expressions
public import Localization
public import UseCases

extension UseCaseError {
  /// The fault of a provider that was tried, and the remedy.
  public var trouble: LocalizedText {
    guard let failure = cause as? ActionFailure else { return message }
    guard let advice = failure.advice else { return failure.message }
    return LocalizedText(
      Self.joined(failure.message.english, advice.english), de: Self.joined(failure.message.german, advice.german))
  }

  /// A message and its advice: behind a colon, unless the message is a whole sentence.
  private static func joined(_ message: String, _ advice: String) -> String {
    let isSentence = message.last.map { ".!?…".contains($0) } ?? true
    return message + (isSentence ? " " : ": ") + advice
  }
}

extension Result<ProviderTest, UseCaseError> {
  /// The outcome of trying a provider: `{provider, ready, action?, problem, code?}`; `ready` is null for a provider that cannot
  /// be tried.
  public func json(of provider: String, in language: Language) -> Value {
    switch self {
    case .success(let test):
      return ["provider": .string(provider), "ready": true, "action": .string(test.action), "problem": .null]
    case .failure(let error) where error.code == .unsuitableProvider:
      return ["provider": .string(provider), "ready": .null, "problem": .string(error.message.string(in: language))]
    case .failure(let error):
      let code = (error.cause as? ActionFailure)?.kind.rawValue ?? error.code.rawValue
      return [
        "provider": .string(provider), "ready": false, "problem": .string(error.trouble.string(in: language)),
        "code": .string(code),
      ]
    }
  }
}
