import Expressions
import Localization
import Plans
import RecipeModel
import Schemas

extension MessageSelection {
  /// What the server searches by, as it stands in the recipe: what is known only when it runs stands as it is written.
  var writtenQuery: Value? {
    query { tree, source in
      if let value = tree.constantValue(now: nil, { _, _ in nil }) { return value }
      if case .list = tree.kind { return nil }
      let bytes = Array(source.utf8)
      guard tree.range.lowerBound >= 0, tree.range.upperBound <= bytes.count else { return nil }
      return .string("{{" + String(decoding: bytes[tree.range], as: UTF8.self) + "}}")
    }
  }

  /// The selection as a value: what the server searches by, what is fetched, the rules.
  var explanation: Value {
    [
      "query": writtenQuery ?? .null, "fields": fields.map { .list($0.map { .string($0) }) } ?? .null,
      "headers": .list(headers.map { .string($0) }),
      "rules": .list(
        rules.map { rule in
          [
            "name": .string(rule.name), "when": rule.condition.map { .string($0.source) } ?? .null,
            "actions": .list(rule.actions.map { .string($0) }), "ends": .bool(rule.ends),
          ]
        }),
    ]
  }
}

extension PlanExplanation {
  /// Who decides what: the server's part of the search and the rules here.
  func describe(_ selection: MessageSelection, of step: PlanStep, on page: inout Page, indent: String) {
    let server = LocalizedText("server", de: "Server")
    let search = step.search.map { LocalizedText(verbatim: $0.jsonString) }
    let searches = LocalizedText("searches by ", de: "sucht nach ")
    if let query = selection.writtenQuery {
      let and = search.map { $0 + LocalizedText(" and ", de: " und ") } ?? LocalizedText(verbatim: "")
      page.field(indent, server, searches + and + LocalizedText(verbatim: query.jsonString))
    } else if let search {
      page.field(indent, server, searches + search)
    } else {
      page.field(indent, server, .init("gives every message", de: "gibt jede Nachricht"))
    }
    let names = selection.fields?.joined(separator: ", ")
    page.field(
      indent, .init("fetches", de: "holt"),
      names.map { LocalizedText(verbatim: $0) } ?? .init("whole messages", de: "ganze Nachrichten"))
    if !selection.headers.isEmpty {
      page.field(
        indent, .init("headers", de: "Kopfzeilen"),
        LocalizedText(verbatim: selection.headers.joined(separator: ", ")))
    }
    for rule in selection.rules {
      let condition = rule.condition?.source ?? "true"
      let words = condition.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      page.field(
        indent, .init("rule", de: "Regel"),
        LocalizedText(verbatim: "\(rule.name): \(words) → \(rule.actions.joined(separator: ", "))"))
    }
  }
}

extension PlanStep {
  /// What a mail filter says under `search`; `nil` where it says nothing.
  fileprivate var search: Value? {
    guard case .map(let input) = input.source else { return nil }
    let entries = input.entries.filter { $0.key.text != "folder" }
    return entries.isEmpty ? nil : .map(ValueMap(entries.lazy.map { (key: $0.key, value: $0.value) }))
  }
}
