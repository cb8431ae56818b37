public import Expressions
public import Localization
public import UseCases

extension FilterPreview {
  /// The accounts: `[{provider, folder, examined, kept, complete, decisions, errors, failure}]`.
  public func json(in language: Language) -> Value {
    .list(
      accounts.map { account in
        [
          "provider": .string(account.provider), "folder": .string(account.folder),
          "examined": .int(Int64(account.examined)), "kept": .int(Int64(account.kept)),
          "complete": .bool(account.isComplete), "decisions": .list(account.decisions),
          "errors": .list(account.errors), "failure": account.failure.map { .string($0.string(in: language)) } ?? .null,
        ]
      })
  }
}
