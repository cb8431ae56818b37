import Access
package import Expressions

/// The list of recipes.
package struct RecipesPage: PageView {
  private let recipes: [Value]

  /// Creates the list from the answer of the API.
  package init(_ page: Value) { recipes = page.items.sorted { $0.text("name") < $1.text("name") } }

  package func title(_ context: PageContext) -> String { context.say("Recipes", de: "Rezepte") }

  package func actions(_ context: PageContext) -> HTML {
    guard context.may(.create, .recipes) else { return .empty }
    return tag(.a, .class("button primary"), .href("/new-recipe"), text: context.say("New recipe", de: "Neues Rezept"))
  }

  package func contents(_ context: PageContext) -> HTML {
    if recipes.isEmpty {
      return context.empty(
        context.may(.create, .recipes)
          ? context.say(
            "No recipe yet. 'New recipe' starts from a template.",
            de: "Noch kein Rezept. 'Neues Rezept' beginnt mit einer Vorlage.")
          : context.say("No recipe yet.", de: "Noch kein Rezept."))
    }
    return context.table(
      context.say("Recipes", de: "Rezepte"),
      [
        context.say("Name", de: "Name"), context.say("Kind", de: "Art"), context.say("Triggers", de: "Auslöser"),
        context.say("Problems", de: "Probleme"), "",
      ],
      recipes.map { row($0, context) })
  }

  private func row(_ recipe: Value, _ context: PageContext) -> [HTML] {
    let (name, count) = (recipe.text("name"), recipe.number("triggers"))
    let isOff = recipe["disabled"]?.boolValue ?? false
    let problems = (recipe["problems"]?.listValue ?? []).compactMap(\.stringValue)
    let path = "POST /recipes/" + PageAddress.escaped(name)
    let triggers: String =
      count == 0
      ? context.say("none", de: "keine")
      : "\(count) · " + (isOff ? context.say("off", de: "aus") : context.say("on", de: "an"))
    return [
      tag(.a, .class("strong"), .href(PageContext.recipe(name)), text: name), .text(recipe.text("kind")),
      .text(triggers),
      problems.isEmpty
        ? .text("–") : tag(.div) { for problem in problems { tag(.div, .class("reason"), text: problem) } },
      count > 0 && context.may(.update, .triggers)
        ? context.button(
          isOff ? context.say("Switch on", de: "Einschalten") : context.say("Switch off", de: "Ausschalten"),
          path + (isOff ? "/enable" : "/disable"), style: "small",
          label: isOff
            ? context.say("Switch the triggers of \(name) on", de: "Auslöser von \(name) einschalten")
            : context.say("Switch the triggers of \(name) off", de: "Auslöser von \(name) ausschalten"))
        : .empty,
    ]
  }
}

/// A new recipe.
package struct NewRecipePage: PageView {
  private let templates: [Value]

  /// Creates the form from the templates of the API.
  package init(_ page: Value) { templates = page.items }

  package func title(_ context: PageContext) -> String { context.say("New recipe", de: "Neues Rezept") }

  package func contents(_ context: PageContext) -> HTML {
    context.form("POST /recipes", then: "go /recipes/{name}/edit", class: "card") {
      tag(.div, .class("field")) {
        tag(.label, .with(.forID, "name"), text: context.say("Name", de: "Name"))
        tag(
          .input, .id("name"), .data("field", "name"), .data("kind", "text"), .flag(.required),
          .with(.maxlength, "100"),
          .with(.autocapitalize, "none"), .with(.spellcheck, "false"), .aria("describedby", "name-help"))
        tag(
          .p, .class("help"), .id("name-help"),
          text: context.say(
            "Letters, digits and hyphens: 'morning-digest'.",
            de: "Buchstaben, Ziffern und Bindestriche: 'morning-digest'."))
      }
      tag(.fieldset, .class("field templates"), .data("field", "template"), .data("kind", "radio")) {
        tag(.legend, text: context.say("Template", de: "Vorlage"))
        for (number, template) in templates.enumerated() {
          tag(.div, .class("check")) {
            HTML.element(
              .input,
              [
                .with(.type, "radio"), .id("template-\(number)"), .with(.name, "template"),
                .with(.value, template.text("name")),
              ] + (number == 0 ? [.flag(.checked)] : []), [])
            tag(.label, .with(.forID, "template-\(number)")) {
              tag(.strong, text: template.text("name"))
              if let summary = template["summary"]?.stringValue { tag(.span, .class("faint"), text: " " + summary) }
            }
          }
        }
      }
      tag(.div, .class("buttons")) {
        tag(.button, .class("primary"), .with(.type, "submit"), text: context.say("Create", de: "Anlegen"))
        tag(.a, .class("button quiet"), .href("/recipes"), text: context.say("Back", de: "Zurück"))
      }
    }
  }
}
