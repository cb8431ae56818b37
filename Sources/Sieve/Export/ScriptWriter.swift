import Expressions
import Localization
import Plans
import RecipeSyntax
import Schemas

/// Writes the rules of a filter as a script.
struct ScriptWriter {
  /// Marks a rule that cannot be said; it has been reported.
  private struct Left: Error {}

  private let document: YAMLDocument
  private(set) var diagnostics: [Diagnostic] = []
  private var extensions: Set<String> = []
  private var blocks: [String] = []
  /// Whether an earlier rule keeps messages in their folder.
  private var mayKeep = false

  init(_ document: YAMLDocument) { self.document = document }

  /// The script; `nil` if nothing could be said.
  var script: String? {
    guard !blocks.isEmpty else { return nil }
    let head = extensions.isEmpty ? "" : "require \(ScriptText.list(extensions.sorted()));\n\n"
    return head + blocks.joined(separator: "\n")
  }

  /// Writes a recipe.
  mutating func write(_ map: Node.Mapping) {
    guard map["kind"]?.string == "mail-filter" else {
      report(
        .init(
          "only recipes of kind mail-filter can be said in Sieve",
          de: "nur Rezepte der Art mail-filter lassen sich in Sieve sagen"),
        at: map["kind"]?.range ?? document.root?.range)
      return
    }
    if let search = map.entry("search"), !search.value.isNull {
      report(
        .init(
          "Sieve sees each message as it is delivered, and searches for none",
          de: "Sieve sieht jede Nachricht bei der Zustellung und sucht keine"), at: search.nameRange)
    }
    if let folder = map["folder"], folder.string?.lowercased() != "inbox" {
      report(
        .init("Sieve sees what is delivered into INBOX", de: "Sieve sieht, was in INBOX zugestellt wird"),
        at: folder.range)
    }
    for (position, rule) in (map["rules"]?.sequence ?? []).enumerated() {
      guard let rule = rule.mapping else { continue }
      do throws(Left) { try write(rule, position) } catch {}
    }
  }

  private mutating func report(_ message: LocalizedText, at range: SourceRange?) {
    diagnostics.append(Diagnostic(.sieveUnsupported, message, path: document.source.path, range: range))
  }

  private mutating func refuse(_ message: LocalizedText, at range: SourceRange?) -> Left {
    report(message, at: range)
    return Left()
  }

  // MARK: Rules

  private mutating func write(_ rule: Node.Mapping, _ position: Int) throws(Left) {
    var conditions = ConditionWriter()
    var test: String?
    if let node = rule["when"] { test = try self.test(node, &conditions) }
    var actions = ScriptActions()
    for action in rule["then"].map({ $0.sequence ?? [$0] }) ?? [] {
      do throws(ScriptActions.Problem) { try actions.add(action) } catch {
        throw refuse(error.message, at: error.range)
      }
    }
    extensions.formUnion(conditions.extensions)
    extensions.formUnion(actions.extensions)
    if actions.end != nil, mayKeep {
      let free = "not string :is \"${kept}\" \"yes\""
      test = test.map { "allof (\(free), \($0))" } ?? free
    }
    if actions.keeps, !actions.stops {
      mayKeep = true
      extensions.insert("variables")
    }
    let lines = actions.lines(keeping: actions.keeps && !actions.stops)
    let title = (rule["name"]?.string ?? "rule \(position + 1)").filter { !$0.isNewline && $0 != "]" }
    let comment = "# rule:[\(title)]\n"
    guard !lines.isEmpty else { return }
    if let test {
      blocks.append(comment + "if \(test) {\n" + lines.map { "  \($0)\n" }.joined() + "}\n")
    } else {
      blocks.append(comment + lines.map { "\($0)\n" }.joined())
    }
  }

  private mutating func test(_ node: Node, _ writer: inout ConditionWriter) throws(Left) -> String {
    let text = node.string ?? (node.scalar?.text ?? "")
    let bare = text.trimmingTemplate
    let expression: Expression
    do {
      expression = try Expression(bare, in: Environment(variables: ["message": .dynamic], checksTypes: false))
    } catch {
      throw refuse(.init("this condition cannot be read", de: "diese Bedingung lässt sich nicht lesen"), at: node.range)
    }
    do {
      return try writer.test(expression.tree)
    } catch {
      throw refuse(error.message, at: bare == text ? document.range(of: error.range, in: node) : node.range)
    }
  }
}

extension String {
  /// A condition without the braces of a template around it.
  fileprivate var trimmingTemplate: String {
    guard hasPrefix("{{"), hasSuffix("}}"), utf8.count >= 4 else { return self }
    return String(dropFirst(2).dropLast(2))
  }
}
