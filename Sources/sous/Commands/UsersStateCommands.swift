import Access
import ArgumentParser
import Engine
import Expressions
import Localization
import Server
import UseCases

/// `sous users disable`
struct UsersDisableCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "disable",
      abstract: say(
        "Disable a user: its sessions end, its tokens are refused.",
        de: "Einen Benutzer sperren: seine Sitzungen enden, seine Tokens werden abgelehnt."))
  }

  @OptionGroup var named: NamedUser
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let name = named.user
    try named.changing(global) { try $0.setDisabled(true, user: name, by: .ofCommand, now: SystemTime().now) }
    if format.json { return writeJSON(["name": .string(name), "disabled": true]) }
    write(Terminal().styled("✓", .green) + say(" user \(name) is disabled\n", de: " Benutzer \(name) ist gesperrt\n"))
  }
}

/// `sous users enable`
struct UsersEnableCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "enable",
      abstract: say(
        "Enable a disabled user, and forget its failures to sign in.",
        de: "Einen gesperrten Benutzer freigeben und seine Fehlversuche vergessen."))
  }

  @OptionGroup var named: NamedUser
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let name = named.user
    try named.changing(global) { store in
      try store.setDisabled(false, user: name, by: .ofCommand, now: SystemTime().now)
      try store.clearFailures(of: name)
    }
    if format.json { return writeJSON(["name": .string(name), "disabled": false]) }
    write(Terminal().styled("✓", .green) + say(" user \(name) is enabled\n", de: " Benutzer \(name) ist freigegeben\n"))
  }
}

/// `sous users remove`
struct UsersRemoveCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "remove",
      abstract: say(
        "Remove a user with its sessions and tokens. The audit log keeps the name.",
        de: "Einen Benutzer mit Sitzungen und Tokens entfernen. Das Audit-Protokoll behält den Namen."))
  }

  @OptionGroup var named: NamedUser

  @Flag(name: [.customShort("y"), .long], help: ArgumentHelp(say("Do not ask.", de: "Nicht fragen.")))
  var yes = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let name = named.user
    _ = try named.changing(global) { try $0.user(name) }
    let question = say("Remove user \(name)?", de: "Benutzer \(name) entfernen?")
    guard try DeletionQuestion.isAgreed(question, yes: yes, isJSON: format.json) else { return }
    let workspace = try Workspace(global)
    try await named.withUsers(global) {
      try await PersonalData.remove(user: name, from: $0, workspace, by: .ofCommand, now: SystemTime().now)
    }
    if format.json { return writeJSON(["name": .string(name), "removed": true]) }
    write(Terminal().styled("✓", .green) + say(" user \(name) is removed\n", de: " Benutzer \(name) ist entfernt\n"))
  }
}

/// `sous users sessions`
struct UsersSessionsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "sessions",
      abstract: say(
        "List the sessions of a user, or of all; --end ends them.",
        de: "Die Sitzungen eines Benutzers oder aller auflisten; --end beendet sie."))
  }

  @Argument(
    help: ArgumentHelp(say("The user name.", de: "Der Benutzername."), valueName: "user"),
    completion: Completions.users)
  var user: String?

  @Flag(help: ArgumentHelp(say("End the sessions of the user.", de: "Die Sitzungen des Benutzers beenden.")))
  var end = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    guard !end || user != nil else {
      throw ValidationError(
        say("--end takes the name of a user", de: "--end braucht den Namen eines Benutzers"))
    }
  }

  func run() async throws {
    let (user, now) = (user, SystemTime().now)
    let workspace = try Workspace(global)
    if end, let user {
      let count = try workspace.readingAccess(
        { try $0.endSessions(of: user, by: .ofCommand, now: now) }, ifMissing: { throw AccessError.noUsers(user) })
      if format.json { return writeJSON(["user": .string(user), "ended": .int(Int64(count))]) }
      return write(
        LocalizedText.count(count, "session", "sessions", de: "Sitzung", "Sitzungen").spoken
          + say(count == 1 ? " has ended\n" : " have ended\n", de: count == 1 ? " ist beendet\n" : " sind beendet\n"))
    }
    let sessions = try workspace.readingAccess(
      { store in
        if let user { _ = try store.user(user) }
        return try store.sessions(user: user, now: now)
      }, ifMissing: { if let user { throw AccessError.noUsers(user) } else { [] } })
    if format.json { return writeJSON(.list(sessions.map(\.json))) }
    guard !sessions.isEmpty else { return write(say("No sessions.\n", de: "Keine Sitzungen.\n")) }
    var table = TextTable([
      .init(say("user", de: "Benutzer"), .cut(to: 12)), .time(say("signed in", de: "angemeldet")),
      .init(say("last used", de: "zuletzt")), .init(say("address", de: "Adresse"), .below), .init("ID", .below),
    ])
    for session in sessions {
      table.append([
        session.user, session.created.minute, session.lastUsed.minute, session.address ?? "", session.id,
      ])
    }
    write(table.text())
  }
}

/// `sous users export`
struct UsersExportCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "export",
      abstract: say(
        "Print all that is stored about a user, as JSON.",
        de: "Alles ausgeben, was über einen Benutzer gespeichert ist, als JSON."))
  }

  @OptionGroup var named: NamedUser
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let name = named.user
    let workspace = try Workspace(global)
    let data = try await named.withUsers(global) { try await PersonalData.export(user: name, from: $0, workspace) }
    writeJSON(data, pretty: !format.json)
  }
}

/// `sous users erase`
struct UsersEraseCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "erase",
      abstract: say(
        "Remove a user and its name from the audit log too.",
        de: "Einen Benutzer entfernen, seinen Namen auch aus dem Audit-Protokoll."))
  }

  @OptionGroup var named: NamedUser

  @Flag(name: [.customShort("y"), .long], help: ArgumentHelp(say("Do not ask.", de: "Nicht fragen.")))
  var yes = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let name = named.user
    let question = say(
      "Erase user \(name) for good? 'sous users export \(name)' shows what is stored.",
      de: "Benutzer \(name) endgültig löschen? 'sous users export \(name)' zeigt, was gespeichert ist.")
    guard try DeletionQuestion.isAgreed(question, yes: yes, isJSON: format.json) else { return }
    let workspace = try Workspace(global)
    let replacement = try await named.withUsers(global) {
      try await PersonalData.erase(user: name, from: $0, workspace, by: .ofCommand, now: SystemTime().now)
    }
    if format.json { return writeJSON(["erased": true, "replacement": .text(replacement)]) }
    write(
      Terminal().styled("✓", .green) + say(" the user is erased", de: " der Benutzer ist gelöscht")
        + (replacement.map {
          say("; the audit log has \($0) instead of the name", de: "; im Audit-Protokoll steht \($0) statt des Namens")
        } ?? "") + "\n")
  }
}
