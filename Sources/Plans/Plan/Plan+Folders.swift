import Expressions

extension Plan {
  /// The folders whose messages a mail filter sorts, without those whose name is an expression.
  public var sortedFolders: [MailFolder] {
    steps.compactMap { step in
      guard step.selection != nil, let provider = step.providers.first, let name = step.literal("folder") else {
        return nil
      }
      return MailFolder(provider: provider, name: name)
    }
  }

  /// The folders that filters sort which the recipe runs, directly or through others.
  package var foldersSortedByOthers: [MailFolder] {
    steps.compactMap(\.child).flatMap { $0.sortedFolders + $0.foldersSortedByOthers }
  }

  /// The folders that a mail filter moves messages to, without those whose name is an expression.
  public var moveTargets: [MailFolder] {
    steps.compactMap { step in
      guard kind == RecipeKind.mailFilter.rawValue, step.action.name == "mail.move",
        let provider = step.providers.first,
        let name = step.literal("to")
      else { return nil }
      return MailFolder(provider: provider, name: name)
    }
  }
}

extension PlanStep {
  /// The folder that it puts messages into, as far as that is known before it runs.
  package var storingFolder: MailFolder? {
    guard let provider = providers.first else { return nil }
    let name: String? =
      switch action.name {
      case "mail.append", "mail.import": literal("folder")
      case "mail.copy", "mail.move": literal("to")
      default: nil
      }
    return name.map { MailFolder(provider: provider, name: $0) }
  }

  /// A text of the input without expressions; `nil` for any other value.
  fileprivate func literal(_ name: String) -> String? {
    guard case .literal(let value)? = input.entry(name) else { return nil }
    return value.stringValue
  }
}
