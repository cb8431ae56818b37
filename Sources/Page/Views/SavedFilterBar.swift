import Expressions

/// The saved filters of the list of runs, and a form that saves the one that is shown.
struct SavedFilterBar {
  private let saved: [Value]
  private let query: [String: String]
  private let context: PageContext

  /// - Parameters:
  ///   - saved: The filters: `{name, status, recipe, search}`.
  ///   - query: The values of the filter that is shown, by field; empty for all runs.
  init(_ saved: [Value], query: [String: String], _ context: PageContext) {
    (self.saved, self.query, self.context) = (saved, query, context)
  }

  private func values(_ filter: Value) -> [String: String] {
    var values: [String: String] = [:]
    for name in RunsPage.filters { values[name] = filter[name]?.stringValue }
    return values
  }

  var html: HTML {
    if saved.isEmpty, query.isEmpty { return .empty }
    return tag(.div, .class("saved")) {
      if !saved.isEmpty {
        tag(.ul, .class("chips"), .aria("label", context.say("Saved filters", de: "Gespeicherte Filter"))) {
          for filter in saved { chip(filter) }
        }
      }
      if !query.isEmpty, !saved.contains(where: { values($0) == query }) { form }
    }
  }

  private func chip(_ filter: Value) -> HTML {
    let (name, own) = (filter.text("name"), values(filter))
    let parts = RunsPage.filters.compactMap { field in own[field].map { field + "=" + PageAddress.escaped($0) } }
    var link = [Attribute.href("/runs?" + parts.joined(separator: "&"))]
    if own == query { link.append(.aria("current", "true")) }
    return tag(.li) {
      HTML.element(.a, link, [.text(name)])
      context.button(
        "×", "DELETE /me/filters/" + PageAddress.escaped(name), style: "quiet",
        label: context.say("Remove the filter \(name)", de: "Filter \(name) entfernen"))
    }
  }

  private var chosen: ValueMap {
    var map = ValueMap()
    for name in RunsPage.filters { map[name] = query[name].map { .string($0) } }
    return map
  }

  private var form: HTML {
    tag(.details, .class("inline")) {
      tag(.summary, text: context.say("Save this filter …", de: "Diesen Filter speichern …"))
      context.form("POST /me/filters", class: "card") {
        tag(
          .input, .with(.type, "hidden"),
          .data("constants", Value.map(chosen).jsonString))
        tag(.div, .class("field")) {
          tag(.label, .with(.forID, "filter-name"), text: context.say("Name of the filter", de: "Name des Filters"))
          tag(
            .input, .id("filter-name"), .data("field", "name"), .data("kind", "text"), .flag(.required),
            .with(.maxlength, "60"))
        }
        tag(.button, .with(.type, "submit"), text: context.say("Save", de: "Speichern"))
      }
    }
  }
}
