/// The rights of a role on one kind of object.
public struct AccessRule: Sendable, Hashable {
  /// The kind of object.
  public let object: AccessObject
  /// A folder of recipes, such as `invoices/2026`: the rule is about the recipes in it and below it, or about the runs and
  /// decisions of these recipes. `nil`: the rule is about all.
  public let folder: String?
  /// Which objects may be read.
  public let read: AccessScope
  /// For which owners objects may be created.
  public let create: AccessScope
  /// Which objects may be changed.
  public let update: AccessScope
  /// Which objects may be deleted.
  public let delete: AccessScope

  /// Creates a rule.
  ///
  /// - Throws: ``AccessError``: `invalid_rule` if secrets could be read, if the object has no folders or the folder is
  ///   malformed.
  public init(
    _ object: AccessObject, folder: String? = nil, read: AccessScope = .none, create: AccessScope = .none,
    update: AccessScope = .none, delete: AccessScope = .none
  ) throws(AccessError) {
    guard object != .secrets || read == .none else {
      throw AccessError(
        .invalidRule, "no role can read secrets; a rule about them has create, update and delete only",
        de: "keine Rolle kann Geheimnisse lesen; eine Regel dazu hat nur create, update und delete")
    }
    var path: String?
    if let folder {
      guard object.hasFolders else {
        throw AccessError(
          .invalidRule, "a rule about \(object.rawValue) has no folder; only recipes, runs and decisions have one",
          de: "eine Regel zu \(object.rawValue) hat keinen Ordner; den haben nur recipes, runs und decisions")
      }
      guard let checked = Self.path(folder), !checked.isEmpty else {
        throw AccessError(
          .invalidRule, "'\(folder)' is not a folder of recipes such as invoices/2026",
          de: "'\(folder)' ist kein Ordner von Rezepten wie invoices/2026")
      }
      path = checked
    }
    self.init(known: object, folder: path, read: read, create: create, update: update, delete: delete)
  }

  /// For values that are known to be valid.
  init(
    known object: AccessObject, folder: String? = nil, read: AccessScope = .none, create: AccessScope = .none,
    update: AccessScope = .none, delete: AccessScope = .none
  ) {
    (self.object, self.folder) = (object, folder)
    (self.read, self.create, self.update, self.delete) = (read, create, update, delete)
  }

  /// The scope of a verb.
  public subscript(_ verb: AccessVerb) -> AccessScope {
    switch verb {
    case .read: read
    case .create: create
    case .update: update
    case .delete: delete
    }
  }

  /// Whether the rule is about an object in a folder.
  ///
  /// - Parameter place: The folder of the recipe, empty for the top folder; `nil` if the object is in no folder.
  func applies(to object: AccessObject, in place: String?) -> Bool {
    guard self.object == object else { return false }
    guard let folder else { return true }
    guard let place = place.flatMap(Self.path) else { return false }
    return place == folder || place.hasPrefix(folder + "/")
  }

  /// A folder without needless slashes; `nil` if a part of it is `.`, `..` or contains control characters.
  private static func path(_ text: String) -> String? {
    let parts = text.split(separator: "/")
    let isPlain = parts.allSatisfy { part in
      part != "." && part != ".." && !part.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }
    guard isPlain, text.utf8.count <= 1024 else { return nil }
    return parts.joined(separator: "/")
  }
}

extension AccessRule {
  /// Reads a rule as people write it: `runs: read=all create=my`, `recipes/invoices: read=group`.
  ///
  /// - Throws: ``AccessError``: `invalid_rule`.
  public init(_ text: String) throws(AccessError) {
    guard let colon = text.lastIndex(of: ":") else {
      throw AccessError(
        .invalidRule, "'\(text)' is not a rule such as 'runs: read=all create=my'",
        de: "'\(text)' ist keine Regel wie 'runs: read=all create=my'")
    }
    let subject = text[..<colon].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let name = (subject.first ?? "").filter { $0 != " " }
    guard let object = AccessObject(rawValue: name) else {
      let known = AccessObject.allCases.map(\.rawValue).joined(separator: ", ")
      throw AccessError(
        .invalidRule, "'\(name)' is not an object of a rule; these exist: \(known)",
        de: "'\(name)' ist kein Gegenstand einer Regel; es gibt: \(known)")
    }
    var scopes: [AccessVerb: AccessScope] = [:]
    for word in text[text.index(after: colon)...].split(whereSeparator: { $0 == " " || $0 == "," }) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let verb = AccessVerb(rawValue: parts[0]), let scope = AccessScope(rawValue: parts[1]),
        scopes.updateValue(scope, forKey: verb) == nil
      else {
        throw AccessError(
          .invalidRule,
          "'\(word)' in '\(text)' is not a right such as read=all: once each read, create, update, delete; none, my, "
            + "group or all",
          de: "'\(word)' in '\(text)' ist kein Recht wie read=all: je einmal read, create, update, delete; none, my, "
            + "group oder all")
      }
    }
    guard scopes.values.contains(where: { $0 != .none }) else {
      throw AccessError(
        .invalidRule, "'\(text)' grants nothing; write for example '\(name): read=all'",
        de: "'\(text)' erlaubt nichts; zum Beispiel '\(name): read=all' schreiben")
    }
    try self.init(
      object, folder: subject.count > 1 ? String(subject[1]) : nil, read: scopes[.read] ?? .none,
      create: scopes[.create] ?? .none, update: scopes[.update] ?? .none, delete: scopes[.delete] ?? .none)
  }

  /// The rule as people write it.
  public var text: String {
    let rights = AccessVerb.allCases.filter { self[$0] != .none }.map { "\($0.rawValue)=\(self[$0].rawValue)" }
    return object.rawValue + (folder.map { "/" + $0 } ?? "") + ": " + rights.joined(separator: " ")
  }
}
