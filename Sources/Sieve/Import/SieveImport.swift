import Localization
import Plans
import RecipeModel
public import RecipeSyntax

/// A Sieve script (RFC 5228) as a recipe of kind `mail-filter`.
///
/// Equivalent parts are translated; every other part is reported with its position and the reason. Differences for rare
/// messages that remain are warnings.
public struct SieveImport: Sendable {
  /// The settings of the server for a script.
  public struct Options: Sendable {
    /// The recipe's name.
    public var name: String
    /// The addresses of the mailbox's owner, for automatic answers.
    public var addresses: [String]
    /// The time zone of dates without one: an IANA name, or `+01:00`.
    public var zone: String
    /// The separator of folder levels in the script; `nil` for `/`.
    public var separator: String?

    /// Creates options.
    public init(name: String, addresses: [String] = [], zone: String = "UTC", separator: String? = nil) {
      self.name = name
      self.addresses = addresses
      self.zone = zone
      self.separator = separator
    }
  }

  /// The extensions that scripts may use, at least in part.
  static let extensions: Set<String> = [
    "fileinto", "envelope", "copy", "imap4flags", "body", "date", "variables", "vacation", "mailbox", "relational",
    "subaddress", "regex", "comparator-i;octet", "comparator-i;ascii-casemap", "comparator-i;ascii-numeric", "ihave",
  ]
  /// The longest script, in bytes.
  public static let limit = 1 << 20

  /// The recipe of what could be translated; `nil` if the script cannot be read, or nothing of it can be translated.
  public let recipe: String?
  /// Untranslated parts (errors) and differences for rare messages (warnings), in source order.
  public let diagnostics: [Diagnostic]

  /// Whether all of the script was translated.
  public var isComplete: Bool { !diagnostics.contains { $0.severity == .error } }

  /// Translates a script.
  public init(_ source: SourceText, _ options: Options) {
    let problems = Problems(source)
    let file = String(source.path.split(separator: "/").last ?? "stdin").filter { !$0.isNewline }
    var text: String?
    do {
      let rules = try Self.rules(source, options, problems)
      if !rules.isEmpty {
        text = try RecipeWriter.recipe(rules, name: options.name, comment: "From \(file)")
      }
    } catch {
      let size = YAMLLimits.standard.size >> 20
      _ = problems.refuse(
        .init(
          "with this the recipe becomes longer than \(size) MiB; divide the script",
          de: "damit wird das Rezept länger als \(size) MiB; das Skript lässt sich teilen"), at: error.place)
    }
    recipe = text
    diagnostics = problems.diagnostics.inSourceOrder
  }

  private static func rules(
    _ source: SourceText, _ options: Options, _ problems: Problems
  ) throws(RecipeTooLong) -> [RecipeRule] {
    let commands: [SieveCommand]
    do throws(SieveSyntaxError) {
      guard source.bytes.count <= limit else {
        throw SieveSyntaxError(
          message: .init("a script has at most 1 MiB", de: "ein Skript hat höchstens 1 MiB"), range: 0..<0)
      }
      guard String(validating: source.bytes, as: UTF8.self) != nil else {
        throw SieveSyntaxError(
          message: .init("the script is not in UTF-8", de: "das Skript ist nicht in UTF-8"), range: 0..<0)
      }
      commands = try SieveParser.parse(source.bytes)
    } catch {
      problems.report(error)
      return []
    }
    let required = requirements(commands)
    if let coded = required["encoded-character"] {
      _ = problems.refuse(
        .init(
          "write characters as they are, without 'encoded-character'",
          de: "Zeichen ohne 'encoded-character' schreiben"),
        at: coded)
      return []
    }
    var walker = ScriptWalker(problems, options, hasVariables: required["variables"] != nil)
    walker.walk(commands)
    var builder = RuleBuilder(problems) { "line \(source.position(at: $0.lowerBound).line)" }
    try builder.build(walker.items)
    if builder.rules.isEmpty, !problems.hasErrors {
      _ = problems.refuse(
        .init("the script leaves every message where it is", de: "das Skript lässt jede Nachricht, wo sie ist"),
        at: 0..<0)
    }
    return builder.rules
  }

  /// The extensions that a script names, with their places.
  private static func requirements(_ commands: [SieveCommand]) -> [String: Range<Int>] {
    var found: [String: Range<Int>] = [:]
    for command in commands where command.name == "require" {
      for argument in command.arguments {
        guard case .strings(let names) = argument.kind else { continue }
        for name in names { found[name.text.lowercased()] = name.range }
      }
    }
    return found
  }
}
