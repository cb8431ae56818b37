import Access
package import Expressions
package import RecipePlanning

/// One recipe: a form to run it, its graph, its last runs.
package struct RecipePage: PageView {
  private let recipe: Value
  private let graph: PlanGraph?
  private let runs: [Value]
  private let points: [Value]
  private let rights: Rights

  /// The rights of the user on this recipe.
  package struct Rights: Sendable {
    /// Whether the user may run it.
    package var runs = false
    /// Whether the user may change its text.
    package var writes = false
    /// Whether the user may delete it.
    package var deletes = false

    /// Creates rights.
    package init(runs: Bool, writes: Bool, deletes: Bool) {
      (self.runs, self.writes, self.deletes) = (runs, writes, deletes)
    }
  }

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - recipe: The recipe, as the API answers it.
  ///   - graph: The graph of its plan; `nil` if the recipe has errors.
  ///   - runs: Its last runs.
  ///   - points: The next points of its schedules.
  ///   - rights: The rights of the user.
  package init(_ recipe: Value, graph: PlanGraph?, runs: [Value], points: [Value], rights: Rights) {
    (self.recipe, self.graph, self.runs, self.points, self.rights) = (recipe, graph, runs, points, rights)
  }

  private var name: String { recipe.text("name") }
  private var path: String { "/recipes/" + PageAddress.escaped(name) }

  package var scripts: [String] { ["live.js"] }
  package func title(_ context: PageContext) -> String { name }

  package func actions(_ context: PageContext) -> HTML {
    tag(.div, .class("buttons")) {
      tag(
        .a, .class("button"), .href(path + "/edit"),
        text: rights.writes ? context.say("Edit", de: "Bearbeiten") : context.say("Text", de: "Text"))
      tag(.a, .class("button"), .href(path + "/history"), text: context.say("History", de: "Verlauf"))
      if recipe.text("kind") == "mail-filter", context.may(.read, .runs) {
        tag(
          .a, .class("button"), .href("/filters/" + PageAddress.escaped(name)),
          text: context.say("Decisions", de: "Entscheidungen"))
      }
      if context.may(.update, .triggers), recipe.number("triggers") > 0 {
        let isOff = recipe["disabled"]?.boolValue ?? false
        context.button(
          isOff
            ? context.say("Switch triggers on", de: "Auslöser einschalten")
            : context.say("Switch triggers off", de: "Auslöser ausschalten"),
          "POST \(path)/\(isOff ? "enable" : "disable")")
      }
      if rights.deletes {
        context.button(
          context.say("Delete", de: "Löschen"), "DELETE \(path)", then: "go /recipes",
          confirm: context.say("Delete the file of \(name)?", de: "Die Datei von \(name) löschen?"), style: "danger")
      }
    }
  }

  package func contents(_ context: PageContext) -> HTML {
    .group([
      summary(context),
      tag(.div, .class("columns")) {
        tag(.div) {
          if rights.runs, graph != nil { runForm(context) }
          if context.may(.read, .runs) { lastRuns(context) }
        }
        tag(.div) {
          if let graph, !graph.nodes.isEmpty {
            context.section(context.say("Plan", de: "Plan")) {
              tag(.div, .class("scroll canvas")) {
                GraphDrawing(graph, context) { _ in "\(path)/edit" }.html
              }
            }
          }
          if !points.isEmpty {
            context.section(context.say("Next", de: "Als Nächstes")) {
              tag(.ul, .class("list small")) { for point in points { tag(.li) { context.time(point) } } }
            }
          }
          if context.may(.create, .recipes) { duplicate(context) }
        }
      },
    ])
  }

  private func summary(_ context: PageContext) -> HTML {
    let problems = (recipe["problems"]?.listValue ?? []).compactMap(\.stringValue)
    return .group([
      recipe["summary"]?.stringValue.map { tag(.p, .class("lead"), text: $0) } ?? .empty,
      problems.isEmpty
        ? .empty
        : tag(.div, .class("failure")) {
          for problem in problems { tag(.p, text: problem) }
        },
    ])
  }

  private func runForm(_ context: PageContext) -> HTML {
    let form = SchemaForm(SchemaForm.schema(inputs: recipe["inputs"]?.listValue ?? []), prefix: "input", context)
    return context.section(context.say("Run", de: "Starten"), id: "run") {
      context.form("POST \(path)/runs", then: "go /runs/{id}", into: "inputs", class: "card") {
        if form.isEmpty {
          tag(
            .p, .class("faint"),
            text: context.say("This recipe needs no inputs.", de: "Dieses Rezept braucht keine Eingaben."))
        } else {
          form.fields
        }
        tag(.button, .class("primary"), .with(.type, "submit"), text: context.say("Run now", de: "Jetzt starten"))
      }
    }
  }

  private func lastRuns(_ context: PageContext) -> HTML {
    context.section(
      context.say("Last runs", de: "Letzte Läufe"),
      aside: tag(.a, .href("/runs?recipe=" + PageAddress.escaped(name)), text: context.say("All", de: "Alle"))
    ) {
      context.live("recipe-runs") {
        if runs.isEmpty {
          context.empty(context.say("It has not run yet.", de: "Es ist noch nicht gelaufen."))
        } else {
          tag(.ul, .class("list")) {
            for run in runs {
              tag(.li) {
                tag(.a, .href(PageContext.run(run.text("id")))) { context.time(run["started_at"], isRelative: true) }
                tag(.span, .class("faint"), text: context.duration(run["duration_ms"]))
                context.status(of: run)
              }
            }
          }
        }
      }
    }
  }

  private func duplicate(_ context: PageContext) -> HTML {
    tag(.details, .class("block")) {
      tag(.summary, text: context.say("Duplicate …", de: "Duplizieren …"))
      context.form("POST \(path)/duplicate", then: "go /recipes/{name}/edit", class: "card") {
        tag(.div, .class("field")) {
          tag(.label, .with(.forID, "copy"), text: context.say("Name of the copy", de: "Name der Kopie"))
          tag(
            .input, .id("copy"), .data("field", "name"), .data("kind", "text"), .flag(.required),
            .with(.value, name + "-2"),
            .with(.maxlength, "100"))
        }
        tag(.button, .with(.type, "submit"), text: context.say("Duplicate", de: "Duplizieren"))
      }
    }
  }
}
