public import PluginKit

/// Conditions in Gmail's own search language, which only Gmail can decide.
extension MailQuery {
  /// The texts of such conditions.
  public var gmailSearches: Set<String> {
    switch self {
    case .gmail(let text): [text]
    case .and(let parts), .or(let parts): parts.reduce(into: []) { $0.formUnion($1.gmailSearches) }
    case .not(let part): part.gmailSearches
    default: []
    }
  }

  /// The condition with what Gmail has found in the place of what it was asked for.
  ///
  /// - Parameter found: The names of the messages for each text of ``gmailSearches``.
  public func replacingGmail(with found: [String: [String]]) -> MailQuery {
    switch self {
    case .gmail(let text): .uids(found[text] ?? [])
    case .and(let parts): .and(parts.map { $0.replacingGmail(with: found) })
    case .or(let parts): .or(parts.map { $0.replacingGmail(with: found) })
    case .not(let part): .not(part.replacingGmail(with: found))
    default: self
    }
  }

  /// Checks that a store that is not Gmail can decide the condition.
  ///
  /// - Parameter store: The name for people.
  /// - Throws: `unsupported` where the condition is one for Gmail.
  public func requireNoGmail(_ store: String) throws(ActionError) {
    guard !gmailSearches.isEmpty else { return }
    throw ActionError(
      .unsupported, "'gmail' is a search in Gmail's own language, and \(store) does not know it.",
      german: "'gmail' ist eine Suche in der Sprache von Gmail, und \(store) kennt sie nicht.",
      advice: "Write the condition with the other keys of 'query'.",
      adviceGerman: "Die Bedingung lässt sich mit den anderen Schlüsseln von 'query' schreiben.")
  }
}
