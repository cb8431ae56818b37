import Engine
package import Expressions

/// The list of runs.
package struct RunsPage: PageView {
  private let runs: [Value]
  private let next: String?
  private let query: [(name: String, value: String)]
  private let problem: String?
  private let recipes: [String]
  private let saved: [Value]

  /// Creates the list.
  ///
  /// - Parameters:
  ///   - page: The page of runs, as the API answers it.
  ///   - query: The parameters of the request.
  ///   - recipes: The names of recipes to choose from.
  ///   - saved: The filters that the user has saved, as the API answers them.
  ///   - problem: The reason why the filter cannot be used.
  package init(
    _ page: Value, query: [(name: String, value: String)], recipes: [String], saved: [Value] = [],
    problem: String? = nil
  ) {
    (runs, next, self.query, self.problem) = (page.items, page["next"]?.stringValue, query, problem)
    (self.recipes, self.saved) = (recipes, saved)
  }

  /// The filters that a person chooses.
  package static let filters = ["status", "recipe", "search"]

  package var scripts: [String] { ["live.js"] }
  package func title(_ context: PageContext) -> String { context.say("Runs", de: "Läufe") }

  private func chosen(_ name: String) -> String { query.first { $0.name == name }?.value ?? "" }

  package func contents(_ context: PageContext) -> HTML {
    .group([
      SavedFilterBar(saved, query: chosenFilter, context).html, filter(context),
      problem.map { tag(.p, .class("problem"), .role("alert"), text: $0) } ?? .empty,
      context.live("runs") {
        if runs.isEmpty {
          context.empty(
            query.contains { !$0.value.isEmpty }
              ? context.say("No run fits this filter.", de: "Kein Lauf passt zu diesem Filter.")
              : context.say(
                "Nothing has run yet. Open a recipe and start it.",
                de: "Noch ist nichts gelaufen. Ein Rezept öffnen und starten."))
        } else {
          context.runs(runs, caption: context.say("Runs, newest first", de: "Läufe, neueste zuerst"))
        }
      }, pages(context),
    ])
  }

  /// The chosen values by field.
  private var chosenFilter: [String: String] {
    Dictionary(Self.filters.map { ($0, chosen($0)) }) { first, _ in first }.filter { !$0.value.isEmpty }
  }

  private func filter(_ context: PageContext) -> HTML {
    tag(.form, .class("filter"), .with(.method, "get"), .action("/runs"), .role("search")) {
      tag(.div, .class("field")) {
        tag(.label, .with(.forID, "status"), text: context.say("Status", de: "Zustand"))
        tag(.select, .id("status"), .with(.name, "status")) {
          tag(.option, .with(.value, ""), text: context.say("all", de: "alle"))
          for status in RunStatus.allCases { option(status.rawValue, context.word(status.rawValue), chosen("status")) }
        }
      }
      tag(.div, .class("field")) {
        tag(.label, .with(.forID, "recipe"), text: context.say("Recipe", de: "Rezept"))
        tag(.select, .id("recipe"), .with(.name, "recipe")) {
          tag(.option, .with(.value, ""), text: context.say("all", de: "alle"))
          for name in known { option(name, name, chosen("recipe")) }
        }
      }
      tag(.div, .class("field grow")) {
        tag(.label, .with(.forID, "search"), text: context.say("Words", de: "Wörter"))
        tag(
          .input, .id("search"), .with(.type, "search"), .with(.name, "search"), .with(.value, chosen("search")),
          .with(.maxlength, "500"),
          .with(
            .placeholder,
            context.say("inputs, outputs, log", de: "Eingaben, Ausgaben, Protokoll")))
      }
      tag(.button, .with(.type, "submit"), text: context.say("Filter", de: "Filtern"))
      if query.contains(where: { Self.filters.contains($0.name) && !$0.value.isEmpty }) {
        tag(.a, .class("button quiet"), .href("/runs"), text: context.say("Clear", de: "Zurücksetzen"))
      }
    }
  }

  private var known: [String] {
    let name = chosen("recipe")
    return recipes.contains(name) || name.isEmpty ? recipes : [name] + recipes
  }

  private func option(_ value: String, _ title: String, _ chosen: String) -> HTML {
    .element(.option, [.with(.value, value)] + (value == chosen ? [.flag(.selected)] : []), [.text(title)])
  }

  private func pages(_ context: PageContext) -> HTML {
    let kept = query.filter { Self.filters.contains($0.name) && !$0.value.isEmpty }
      .map { $0.name + "=" + PageAddress.escaped($0.value) }
    let isFirst = chosen("cursor").isEmpty
    if isFirst, next == nil { return .empty }
    return tag(.nav, .class("pages"), .aria("label", context.say("Pages", de: "Seiten"))) {
      if !isFirst {
        tag(
          .a, .class("button"), .href("/runs?" + kept.joined(separator: "&")),
          text: context.say("Newest", de: "Neueste"))
      }
      if let next {
        tag(
          .a, .class("button"), .with(.rel, "next"),
          .href("/runs?" + (kept + ["cursor=" + PageAddress.escaped(next)]).joined(separator: "&")),
          text: context.say("Older", de: "Ältere"))
      }
    }
  }
}
