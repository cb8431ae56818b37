package import Expressions
package import RecipePlanning

/// The text of a recipe in an editor.
package struct EditorPage: PageView {
  private let name: String
  private let text: String
  private let version: String
  private let isWritable: Bool
  private let check: RecipeCheck

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - name: The name of the recipe.
  ///   - text: Its text.
  ///   - version: The ETag of the text.
  ///   - isWritable: Whether the user may change it.
  ///   - check: Diagnostics and graph of the text.
  package init(_ name: String, text: String, version: String, isWritable: Bool, check: RecipeCheck) {
    (self.name, self.text, self.version, self.isWritable, self.check) = (name, text, version, isWritable, check)
  }

  package var scripts: [String] { ["editor.js", "suggest.js"] }
  package func title(_ context: PageContext) -> String { name }

  package func actions(_ context: PageContext) -> HTML {
    tag(
      .a, .class("button quiet"), .href(PageContext.recipe(name)),
      text: context.say("Back to the recipe", de: "Zurück zum Rezept"))
  }

  package func contents(_ context: PageContext) -> HTML {
    tag(.div, .class("editing")) {
      tag(
        .form, .id("editor"), .data("recipe", name), .data("version", version),
        .data("count", context.say("Suggestions: {n}", de: "Vorschläge: {n}")),
        .data("none", context.say("No suggestions here.", de: "Hier gibt es keine Vorschläge.")),
        .data("unknown", context.say("Nothing is known about this place.", de: "Zu dieser Stelle ist nichts bekannt."))
      ) {
        tag(
          .label, .class("hidden"), .with(.forID, "text"),
          text: context.say("Text of the recipe", de: "Text des Rezepts"))
        tag(.div, .class("editor-frame")) {
          tag(.div, .class("editor")) {
            tag(
              .div, .class("numbers"), .aria("hidden", "true"), .id("numbers"),
              text: (1...(text.split(separator: "\n", omittingEmptySubsequences: false).count)).map { "\($0)" }
                .joined(separator: "\n"))
            HTML.element(
              .textarea,
              [
                .id("text"), .with(.spellcheck, "false"), .with(.autocapitalize, "none"), .with(.autocomplete, "off"),
                .with(.wrap, "off"), .aria("describedby", "editor-help"), .with(.rows, "24"),
              ] + (isWritable ? Self.suggests : [.flag(.readonly)]), [.text(text)])
          }
          suggestions(context)
        }
        tag(.p, .class("problem"), .role("alert"), .flag(.hidden))
        tag(.div, .class("buttons")) {
          if isWritable {
            tag(.button, .class("primary"), .with(.type, "submit"), text: context.say("Save", de: "Speichern"))
          }
          if isWritable {
            tag(.button, .with(.type, "button"), .id("suggest"), text: context.say("Suggest", de: "Vorschläge"))
          }
          tag(.button, .with(.type, "button"), .id("explain"), text: context.say("Explain", de: "Erklären"))
          tag(.span, .id("editor-state"), .class("faint"), .role("status"), text: "")
        }
        tag(
          .p, .class("help"), .id("editor-help"),
          text: isWritable
            ? context.say(
              "Ctrl+Space suggests, Ctrl+I explains, Ctrl+S saves. Escape, then Tab leaves the editor.",
              de: "Strg+Leertaste schlägt vor, Strg+I erklärt, Strg+S speichert. Escape, dann Tab verlässt den Editor.")
            : context.say(
              "Your roles let you read this text only. Ctrl+I explains.",
              de: "Ihre Rollen erlauben nur das Lesen. Strg+I erklärt."))
      }
      tag(.div, .id("check")) { check.html(context) }
    }
  }

  /// The text field keeps the focus while a list of suggestions is open, and names the chosen one (WAI-ARIA, "List box").
  private static let suggests: [Attribute] = [
    .aria("autocomplete", "list"), .aria("haspopup", "listbox"), .aria("controls", "options"),
  ]

  /// The places for suggestions and explanations, which the page's script fills.
  private func suggestions(_ context: PageContext) -> HTML {
    .group([
      tag(.div, .id("suggestions"), .class("suggestions"), .flag(.hidden)) {
        tag(.ul, .id("options"), .role("listbox"), .aria("label", context.say("Suggestions", de: "Vorschläge")))
        tag(.div, .id("option-text"), .class("option-text"))
      },
      tag(.div, .id("hover"), .class("hover"), .role("status"), .with(.tabindex, "0"), .flag(.hidden)),
      tag(.p, .id("suggestions-state"), .class("hidden"), .role("status")),
    ])
  }
}

/// Diagnostics and graph of a text.
package struct RecipeCheck: Sendable {
  private let diagnostics: [Value]
  private let graph: PlanGraph?

  /// Creates it from the diagnostics of the API and a graph, if the text has no errors.
  package init(diagnostics: [Value], graph: PlanGraph?) { (self.diagnostics, self.graph) = (diagnostics, graph) }

  /// The part of the page, which the page's script also loads alone.
  package func html(_ context: PageContext) -> HTML {
    .group([
      tag(.section, .class("block"), .aria("live", "polite")) {
        tag(.div, .class("heading")) { tag(.h2, text: context.say("Diagnostics", de: "Diagnosen")) }
        if diagnostics.isEmpty {
          tag(.p, .class("good"), text: context.say("No problems found.", de: "Keine Fehler gefunden."))
        } else {
          tag(.ul, .class("diagnostics")) { for diagnostic in diagnostics.prefix(100) { row(diagnostic, context) } }
        }
      },
      graph.map { graph in
        context.section(context.say("Plan", de: "Plan")) {
          tag(.div, .class("scroll canvas")) { GraphDrawing(graph, context) { _ in "#text" }.html }
        }
      } ?? .empty,
    ])
  }

  private func row(_ diagnostic: Value, _ context: PageContext) -> HTML {
    let severity = diagnostic.text("severity")
    let (line, column) = (diagnostic.number("line"), diagnostic.number("column"))
    let word = severity == "error" ? context.say("Error", de: "Fehler") : context.say("Warning", de: "Warnung")
    let place = line > 0 ? context.say("line \(line)", de: "Zeile \(line)") + ": " : ""
    return tag(.li) {
      tag(
        .button, .class("jump " + PageContext.safeClass(severity)), .with(.type, "button"), .data("line", "\(line)"),
        .data("column", "\(column)")
      ) {
        tag(.strong, text: word + " ")
        place + diagnostic.text("message")
      }
    }
  }
}
