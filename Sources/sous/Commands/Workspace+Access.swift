import Access
import Engine
import Expressions
import Foundation
import Glibc
import Localization
import RecordJSON
import Secrets
import UseCases

extension Workspace {
  /// The file of users, roles and tokens.
  var accessFile: String { stateFolder + "/" + AccessStore.fileName }

  /// Reads users, roles and tokens.
  ///
  /// - Parameter ifMissing: The answer if no user was ever added.
  func readingAccess<Answer>(
    _ body: (AccessStore) throws -> Answer, ifMissing: () throws -> Answer
  ) throws(UseCaseError) -> Answer {
    try mapErrors {
      guard let store = try AccessStore(path: surroundings.resolve(accessFile), creates: false) else {
        return try ifMissing()
      }
      defer { store.close() }
      return try body(store)
    }
  }

  /// Reads users, roles and tokens together with other files; see ``readingAccess(_:ifMissing:)``.
  func withAccess<Answer>(
    _ body: (AccessStore) async throws -> Answer, ifMissing: () throws -> Answer
  ) async throws(UseCaseError) -> Answer {
    try await mapErrors {
      guard let store = try AccessStore(path: surroundings.resolve(accessFile), creates: false) else {
        return try ifMissing()
      }
      defer { store.close() }
      return try await body(store)
    }
  }

  /// Changes users, roles and tokens; makes the file if it does not exist.
  func changingAccess<Answer>(_ body: (AccessStore) throws -> Answer) throws(UseCaseError) -> Answer {
    try mapErrors {
      let store = try AccessStore.opened(surroundings.resolve(accessFile))
      defer { store.close() }
      return try body(store)
    }
  }
}

extension Workspace {
  /// Adds an entry about a change by a command to the audit log, if the server has users. The change is not undone if that
  /// fails.
  func audit(_ action: String, _ object: String, _ change: (before: Value?, after: Value?)) {
    let entry = AuditEntry(
      at: SystemTime().now, .ofCommand, action: action, object: object, before: change.before, after: change.after)
    try? readingAccess({ try $0.record(entry) }, ifMissing: {})
  }

  /// Adds the difference of the settings since they were noted last to the audit log, if the server has users.
  ///
  /// - Parameter source: Who has changed them; `nil` if that is not known.
  func auditSettings(by source: AuditSource?) {
    guard let configuration = try? Project(self).configuration else { return }
    try? readingAccess(
      { access in
        _ = try access.note(
          settings: configuration.audited, of: configuration.auditedName,
          by: source ?? AuditSource(actor: "", origin: "file"), now: SystemTime().now)
      }, ifMissing: {})
  }
}

extension AuditSource {
  /// The user of the operating system who runs the command.
  static var ofCommand: AuditSource {
    let name = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }
    return AuditSource(actor: name ?? "uid \(geteuid())", origin: "command")
  }
}

extension AccessError {
  /// No user of this name, because no user was ever added.
  static func noUsers(_ name: String) -> AccessError {
    AccessError(
      .unknownUser,
      LocalizedText(
        "no user '\(name)'; no user was added yet: sous users add NAME",
        de: "kein Benutzer '\(name)'; es gibt noch keine: sous users add NAME"))
  }
}

/// Asks for the new password of a user.
enum PasswordEntry {
  /// The most bytes of standard input.
  private static let limit = 64 << 10

  /// Refuses surplus arguments without repeating them: one may be a password.
  static func refuse(_ surplus: [String]) throws(CommandError) {
    guard let first = surplus.first else { return }
    guard !first.hasPrefix("-") else {
      let option = String(first.prefix { $0 != "=" })
      throw CommandError(
        ExitStatus.wrongInput, LocalizedText("unknown option '\(option)'", de: "unbekannte Option '\(option)'"))
    }
    throw CommandError(
      ExitStatus.wrongInput,
      LocalizedText(
        "a password is never an argument, because every user of this machine can read those; it is asked for, or read "
          + "with --password-stdin",
        de:
          "ein Passwort ist nie ein Argument, denn die kann jeder Benutzer dieser Maschine lesen; es wird danach gefragt, "
          + "oder --password-stdin liest es"),
      code: "secret_in_argument")
  }

  /// The password: the first line of standard input, or typed twice on the terminal, which does not show it.
  static func read(fromInput: Bool, user: String) throws -> String {
    if fromInput {
      let text = try StandardInput.text(isAskedFor: true, limit: limit)
      return String(text.prefix { !$0.isNewline })
    }
    guard HiddenEntry.isPossible else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "there is no terminal to ask for the password on; --password-stdin reads it from standard input",
          de: "es gibt kein Terminal, um nach dem Passwort zu fragen; --password-stdin liest es von der Standardeingabe"
        ),
        code: "no_terminal")
    }
    let typed = try mapErrors {
      try HiddenEntry.askTwice(
        say("Password of \(user): ", de: "Passwort von \(user): "), again: say("Once more: ", de: "Noch einmal: "))
    }
    guard let text = typed.text else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText("the password is not UTF-8 text", de: "das Passwort ist kein Text in UTF-8"))
    }
    return text
  }
}

/// Asks before something is deleted for good.
enum DeletionQuestion {
  /// Whether the user agrees; an error if there is no terminal to ask on.
  static func isAgreed(_ question: String, yes: Bool, isJSON: Bool) throws -> Bool {
    if yes { return true }
    guard isatty(STDIN_FILENO) == 1, !isJSON else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "there is no terminal to ask on: --yes deletes without asking; nothing was deleted",
          de: "es gibt kein Terminal für eine Frage: --yes löscht ohne Frage; nichts wurde gelöscht"))
    }
    write(question + say(" [y/N] ", de: " [j/N] "))
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
    guard ["y", "yes", "j", "ja"].contains(answer) else {
      write(say("nothing was deleted\n", de: "nichts gelöscht\n"))
      return false
    }
    return true
  }
}

extension Timestamp {
  /// The time to the minute, in the zone of the system.
  var minute: String { String(spokenLocalTime.dropLast(3)) }
}
