/// Tells commands that act from commands that only look, for ``UseCases/WorkspaceTrust``.
enum CommandPurpose {
  /// The commands that act: they run, send or change something. Every other command looks.
  private static let acting: Set<String> = [
    "run", "work", "serve", "resume", "retry", "replay", "cancel", "settle", "remind", "reminders", "notes",
    "notifications", "bookmarks", "summaries", "approve", "reject", "event", "chat", "chats", "send", "outbox",
    "neutralise", "resolve", "mail", "sieve", "auth",
  ]

  /// Whether a command line acts.
  ///
  /// - Parameter arguments: The program's arguments, the name of the command first.
  static func isActing(_ arguments: [String]) -> Bool {
    var rest = arguments[...]
    // '--lang' may be written before the command.
    while let first = rest.first, first.hasPrefix("-") { rest = rest.dropFirst(first == "--lang" ? 2 : 1) }
    guard let name = rest.first else { return false }
    // A preview only looks.
    return acting.contains(name) && !arguments.prefix { $0 != "--" }.contains("--dry-run")
  }
}
