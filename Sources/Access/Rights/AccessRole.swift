public import Localization

/// A named list of rules that users have.
public struct AccessRole: Sendable, Hashable {
  /// The name: lower case letters, digits, `.`, `-` and `_`.
  public let name: String
  /// A short text for people.
  public let title: LocalizedText
  /// The rules; together they grant the largest scope of each.
  public let rules: [AccessRule]

  /// Creates a role of a user's own.
  ///
  /// - Throws: ``AccessError``: `invalid_input` for a malformed name, `role_exists` for the name of a built-in role,
  ///   `invalid_rule` without a rule.
  public init(name: String, title: LocalizedText, rules: [AccessRule]) throws(AccessError) {
    guard AccessName.isValid(name), !name.utf8.contains(UInt8(ascii: "@")) else {
      throw AccessError(
        .invalidInput,
        "'\(name)' is not a name of a role: 1 to 64 lower case letters, digits, '.', '-' or '_', the first a letter or digit",
        de: "'\(name)' ist kein Name einer Rolle: 1 bis 64 Kleinbuchstaben, Ziffern, '.', '-' oder '_', am Anfang ein "
          + "Buchstabe oder eine Ziffer")
    }
    guard Self.builtIn(name) == nil else {
      throw AccessError(
        .roleExists, "'\(name)' is a role of Sous itself; choose another name",
        de: "'\(name)' ist eine Rolle von Sous selbst; einen anderen Namen wählen")
    }
    guard !rules.isEmpty, rules.count <= 1000, title.english.utf8.count <= 1000, title.german.utf8.count <= 1000 else {
      throw AccessError(
        .invalidRule, "a role has 1 to 1000 rules, and a title of at most 1000 bytes",
        de: "eine Rolle hat 1 bis 1000 Regeln und einen Titel von höchstens 1000 Bytes")
    }
    self.init(known: name, title, rules)
  }

  /// For values that are known to be valid.
  init(known name: String, _ title: LocalizedText, _ rules: [AccessRule]) {
    (self.name, self.title, self.rules) = (name, title, rules)
  }

  /// Whether Sous has the role without a user's doing.
  public var isBuiltIn: Bool { Self.builtIn(name) != nil }

  /// The largest scope that a rule grants.
  ///
  /// - Parameter folder: The folder of the recipe, empty for the top folder; `nil` if the object is in no folder.
  public func scope(_ verb: AccessVerb, _ object: AccessObject, folder: String? = nil) -> AccessScope {
    rules.filter { $0.applies(to: object, in: folder) }.map { $0[verb] }.max() ?? .none
  }
}

extension AccessRole {
  /// Reads everything but users, the audit log, settings and secrets.
  public static let viewer = AccessRole(
    known: "viewer",
    LocalizedText("sees everything that is not administration", de: "sieht alles außer der Verwaltung"),
    AccessObject.allCases.filter { ![.users, .audit, .settings, .secrets].contains($0) }
      .map { AccessRule(known: $0, read: .all) })

  /// A viewer who runs recipes, answers, and works with messages, reminders, notes and conversations.
  public static let `operator` = AccessRole(
    known: "operator",
    LocalizedText(
      "runs recipes, answers questions, works with notes and messages",
      de: "startet Rezepte, beantwortet Fragen, arbeitet mit Notizen und Nachrichten"),
    viewer.rules + [
      AccessRule(known: .runs, create: .all, update: .all), AccessRule(known: .decisions, update: .all),
      AccessRule(known: .schedules, update: .all),
      // Inputs of runs, recordings of notes, attachments.
      AccessRule(known: .files, create: .all),
    ]
      + [.outbox, .reminders, .notes, .conversations, .notifications]
      .map { AccessRule(known: $0, create: .all, update: .all, delete: .all) })

  /// An operator who changes recipes, prompts, files and triggers.
  public static let editor = AccessRole(
    known: "editor",
    LocalizedText("writes recipes, prompts, files and triggers", de: "schreibt Rezepte, Prompts, Dateien und Auslöser"),
    `operator`.rules
      + [.recipes, .catalog, .files, .triggers]
      .map { AccessRule(known: $0, create: .all, update: .all, delete: .all) })

  /// Everything; secrets are set and deleted, never read.
  public static let administrator = AccessRole(
    known: "administrator", LocalizedText("may do everything", de: "darf alles"),
    AccessObject.allCases.map {
      AccessRule(known: $0, read: $0 == .secrets ? .none : .all, create: .all, update: .all, delete: .all)
    })

  /// The roles of Sous itself, the smallest first.
  public static let builtIn = [viewer, `operator`, editor, administrator]

  /// The built-in role of a name.
  public static func builtIn(_ name: String) -> AccessRole? { builtIn.first { $0.name == name } }
}
