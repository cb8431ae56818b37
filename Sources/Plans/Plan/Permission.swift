/// What a recipe may be allowed to do besides reading and computing.
public enum Permission: String, Sendable, CaseIterable, Comparable {
  /// Starts programs: `exec`, `notify.command`.
  case exec
  /// Connects to other machines: `http.*`, and providers whose plugin reaches hosts, except to send.
  case net
  /// Changes files, messages, notes or what a plugin keeps.
  case write
  /// Sends something to people through a provider: `mail.send`, `notify.send`. The connection of the provider is included.
  case send

  /// In the order of the cases.
  public static func < (left: Permission, right: Permission) -> Bool { left.position < right.position }

  private var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The key among the keywords of a run that records its denied permissions (`exec net`), so that they hold in every process.
  /// A recipe's own keyword cannot have this name.
  public static let denialKey = "--deny"

  /// The permissions in a text such as `exec net` or `exec,net`; unknown words are ignored.
  public static func all(in text: String) -> Set<Permission> {
    Set(text.split { $0 == " " || $0 == "," }.compactMap { Permission(rawValue: String($0)) })
  }

  /// The permissions that an action needs.
  ///
  /// Nothing for notices that only the inbox of Sous gets, and for the state of recipes.
  ///
  /// - Parameters:
  ///   - action: The action, with the effect that its providers declare.
  ///   - providers: The providers of the step; `nil` for one of which nothing is known.
  package static func demands(of action: ActionSignature, by providers: [ProviderDescription?]) -> Set<Permission> {
    let changes = action.effect > .read
    if action.isBuiltin, action.name != ActionSignature.select.name {
      let family = action.name.prefix { $0 != "." }
      if action.isProgram || action.name == "notify.command" { return [.exec] }
      switch family {
      case "http": return changes ? [.net, .write] : [.net]
      case "file": return changes ? [.write] : []
      case "mail" where action.name == "mail.unsubscribe": return [.net, .send]
      // They ask a mailbox and a model.
      case "mail" where action.name.hasPrefix("mail.summar"): return [.net]
      default: return []
      }
    }
    let contract = action.contract ?? ""
    let isKept = !providers.isEmpty && providers.allSatisfy { $0?.isOwn ?? false }
    if isKept, contract == "notify" { return [] }
    // Who may send may also connect for it: a person thinks of one thing.
    if changes, contract == "mail.transport" || contract == "notify" { return [.send] }
    var demands: Set<Permission> = providers.contains { $0?.reachesNetwork ?? true } ? [.net] : []
    guard changes else { return demands }
    switch contract {
    // Their results are their outputs only.
    case "chat", "document", "embed", "speak", "transcribe": break
    default: demands.insert(.write)
    }
    return demands
  }
}
