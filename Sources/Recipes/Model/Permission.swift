/// What a recipe may be allowed to do besides reading and computing.
public enum Permission: String, Sendable, CaseIterable, Comparable {
  /// Starts programs: `exec`, `notify.command`.
  case exec
  /// Connects to other machines: `http.*`, and providers whose plugin reaches hosts.
  case net
  /// Changes files, messages, notes or what a plugin keeps.
  case write
  /// Sends something to people: `mail.send`, `notify.send`.
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
  /// - Parameters:
  ///   - action: The action, with the effect that its providers declare.
  ///   - reachesNetwork: Whether a provider of the step reaches hosts.
  static func demands(of action: ActionSignature, reachesNetwork: Bool) -> Set<Permission> {
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
    var demands: Set<Permission> = reachesNetwork ? [.net] : []
    guard changes else { return demands }
    switch action.contract ?? "" {
    case "mail.transport", "notify": demands.insert(.send)
    // Their results are their outputs only.
    case "chat", "document", "embed", "speak", "transcribe": break
    default: demands.insert(.write)
    }
    return demands
  }
}
