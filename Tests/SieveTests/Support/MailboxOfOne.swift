/// What becomes of a message: the folders it lies in with its flags there, and to whom it goes.
struct Outcome: Hashable, CustomStringConvertible {
  var folders: [String: Set<String>] = [:]
  var redirected: Set<String> = []
  var isAnswered = false

  var description: String {
    let places = folders.sorted { $0.key < $1.key }.map {
      "\($0.key)\($0.value.isEmpty ? "" : " \($0.value.sorted())")"
    }
    return (places + redirected.sorted().map { "-> \($0)" } + (isAnswered ? ["answered"] : [])).joined(separator: ", ")
  }

  /// What the actions of rules come to, in their order, as docs/recipes.md tells of mail filters.
  ///
  /// - Parameter rules: The actions of each rule that is for the message, in words of the recipe.
  init(rules: [[String]]) {
    var flags: Set<String> = []
    var isThere = true
    for actions in rules where isThere {
      for action in actions { Self.mark(action, &flags) }
      for action in actions {
        if action.hasPrefix("copy ") { folders[String(action.dropFirst(5)), default: []].formUnion(flags) }
        if action.hasPrefix("redirect ") { redirected.insert(String(action.dropFirst(9))) }
        if action == "reply" { isAnswered = true }
      }
      for action in actions {
        if action == "delete" { isThere = false }
        if action.hasPrefix("move ") {
          isThere = false
          folders[String(action.dropFirst(5)), default: []].formUnion(flags)
        }
      }
    }
    if isThere { folders["INBOX"] = flags }
  }

  private static func mark(_ action: String, _ flags: inout Set<String>) {
    switch action {
    case "mark_seen": flags.insert("\\seen")
    case "mark_unseen": flags.remove("\\seen")
    case "flag": flags.insert("\\flagged")
    case "unflag": flags.remove("\\flagged")
    default:
      if action.hasPrefix("label ") { flags.insert(action.dropFirst(6).lowercased()) }
      if action.hasPrefix("unlabel ") { flags.remove(action.dropFirst(8).lowercased()) }
    }
  }
}

extension Outcome {
  /// What Pigeonhole says that it would do with a message.
  init(pigeonhole lines: some Sequence<Substring>) {
    var folder: String?
    for line in lines {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("* store message in folder: ") {
        let name = String(text.dropFirst(27))
        folder = name
        folders[name, default: []].formUnion([])
      } else if text.hasPrefix("+ add IMAP flags: "), let folder {
        for flag in text.dropFirst(18).split(separator: " ") { folders[folder, default: []].insert(flag.lowercased()) }
      } else if text.hasPrefix("* redirect message to: ") {
        redirected.insert(text.dropFirst(23).filter { $0 != "<" && $0 != ">" })
        folder = nil
      } else if text.hasPrefix("* send vacation message") {
        isAnswered = true
        folder = nil
      } else if text.hasPrefix("*") {
        folder = nil
      }
    }
  }
}
