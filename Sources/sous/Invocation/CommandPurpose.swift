/// Distinguishes commands that act from commands that only look, for ``UseCases/WorkspaceTrust``.
enum CommandPurpose {
  /// The commands that act: they run, send or change something. Every other command looks.
  private static let acting: Set<String> = [
    "run", "work", "serve", "resume", "retry", "replay", "cancel", "answer", "settle", "remind", "reminders", "notes",
    "notifications", "bookmarks", "summaries", "approve", "reject", "event", "chat", "chats", "send", "outbox",
    "neutralise", "resolve", "mail", "sieve", "auth", "demo", "mcp",
  ]

  /// The name of the command in a command line, before which `--lang` may be written; `nil` if none is given.
  static func command(in arguments: [String]) -> String? {
    var rest = arguments[...]
    while let first = rest.first, first.hasPrefix("-") { rest = rest.dropFirst(first == "--lang" ? 2 : 1) }
    return rest.first
  }

  /// Whether a command line acts.
  ///
  /// - Parameter arguments: The program's arguments, without the program's name.
  static func isActing(_ arguments: [String]) -> Bool {
    guard let name = command(in: arguments) else { return false }
    // A preview only looks.
    return acting.contains(name) && !arguments.prefix { $0 != "--" }.contains("--dry-run")
  }
}
