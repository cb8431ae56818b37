import Engine
public import Expressions
public import Localization
public import RecipeHistory
public import RunStore
public import UseCases

extension RecipeVersion {
  /// The version for programs: `{version, recipe, path, at, actor, origin, digest, bytes, commit, restored, deleted, current}`.
  ///
  /// - Parameter isCurrent: Whether the file has its text now.
  public func json(isCurrent: Bool) -> Value {
    .object([
      ("version", .number(number)), ("recipe", .string(recipe)), ("path", .string(path)),
      ("at", .string(at.rfc3339Milliseconds)), ("actor", .text(source.actor)), ("origin", .string(source.origin)),
      ("digest", .text(digest)), ("bytes", .number(bytes)), ("commit", .text(source.commit)),
      ("restored", .number(restored)), ("deleted", .bool(digest == nil)), ("current", .bool(isCurrent)),
    ])
  }

  /// Remarks on the version: a deletion, a roll back, a commit.
  public var remarks: [LocalizedText] {
    var remarks: [LocalizedText] = []
    if digest == nil { remarks.append(LocalizedText("deleted", de: "gelöscht")) }
    if let restored {
      remarks.append(LocalizedText("text of version \(restored)", de: "Text der Fassung \(restored)"))
    }
    if let commit = source.commit?.prefix(12) {
      remarks.append(LocalizedText("commit \(commit)", de: "Commit \(commit)"))
    }
    return remarks
  }
}

extension RecipeVersion.Source {
  /// The way in which a version was made.
  public var words: LocalizedText {
    switch origin {
    case "file": LocalizedText("file", de: "Datei")
    case "session": LocalizedText("page", de: "Seite")
    case "command": LocalizedText("command", de: "Befehl")
    case "socket": LocalizedText("socket", de: "Socket")
    case "token": LocalizedText("API", de: "API")
    case "sync": LocalizedText("sync", de: "Sync")
    default: LocalizedText(verbatim: origin)
    }
  }
}

extension RecipeDifference {
  /// The difference for programs: `{path, from, to, hunks, text}`, `text` as `diff -u` writes it.
  public var json: Value {
    .object([
      ("path", .string(path)), ("from", .number(from)), ("to", .number(to)), ("hunks", lines.json),
      ("text", .string(lines.text)),
    ])
  }
}

extension RecipeSyncPlan.Conflict {
  /// The conflict for people.
  public var words: LocalizedText {
    switch self {
    case .changed: LocalizedText("changed here", de: "hier geändert")
    case .deleted: LocalizedText("deleted here", de: "hier gelöscht")
    case .foreign: LocalizedText("not from the repository", de: "nicht aus dem Repository")
    }
  }
}

extension RecipeSyncReport {
  /// The sync for the audit log: the commits before and after, and the files that were changed.
  public var change: (before: Value?, after: Value) {
    let files = changes.prefix(50).map { "\($0.action.rawValue) \($0.path)" }
    return (
      former.map { ["commit": .string($0)] },
      .object([("commit", .string(commit)), ("files", .list(files.map(Value.string)))])
    )
  }

  /// The sync for programs: `{folder, commit, author, subject, signed, applied, others, changes: [{path, action, conflict}],
  /// problems: [{path, message}]}`.
  public func json(in language: Language) -> Value {
    .object([
      ("folder", .string(folder)), ("commit", .string(commit)), ("author", .string(author)),
      ("subject", .string(subject)), ("signed", .bool(isSigned)), ("applied", .bool(isApplied)),
      ("others", .number(others)),
      (
        "changes",
        .list(
          changes.map {
            .object([
              ("path", .string($0.path)), ("action", .string($0.action.rawValue)),
              ("conflict", .text($0.conflict?.rawValue)),
            ])
          })
      ),
      (
        "problems",
        .list(
          problems.map { .object([("path", .string($0.path)), ("message", .string($0.message.string(in: language)))]) })
      ),
    ])
  }
}
