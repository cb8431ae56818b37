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
  /// A text of the input without expressions; `nil` for any other value.
  fileprivate func literal(_ name: String) -> String? {
    guard case .literal(let value)? = input.entry(name) else { return nil }
    return value.stringValue
  }
}

extension Plan.Concurrency {
  /// `{group, policy}`, and `order` for a mail filter.
  var explanation: Value {
    var fields: ValueMap = ["group": group.source, "policy": .string(policy.rawValue)]
    if let order { fields["order"] = .int(Int64(order)) }
    return .map(fields)
  }
}
