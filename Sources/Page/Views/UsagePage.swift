import Access
package import Expressions

/// The use of models: tokens, cost and durations by day, model and recipe, and the budgets.
package struct UsagePage: PageView {
  /// The chosen days and recipe.
  package struct Choice: Sendable {
    /// The number of days up to today.
    package let days: Int
    /// The name of the recipe; empty for all.
    package let recipe: String

    /// The numbers of days to choose from.
    package static let periods = [7, 30, 90]

    /// Creates a choice; other numbers of days mean 30.
    package init(days: Int?, recipe: String) {
      self.days = days.flatMap { Self.periods.contains($0) ? $0 : nil } ?? 30
      self.recipe = recipe
    }
  }

  private let choice: Choice
  private let recipes: [String]
  /// The days in order: `2026-11-28`.
  package var days: [String] = []
  /// The use by day, as the API answers it.
  package var byDay: Value = .null
  /// The use by model.
  package var byModel: Value = .null
  /// The use by recipe.
  package var byRecipe: Value = .null
  /// The budgets, as the API answers them.
  package var budgets: [Value] = []
  /// The statistics of recipes, as the API answers them.
  package var statistics: [Value] = []

  /// Creates the page.
  ///
  /// - Parameter recipes: The names of recipes to choose from.
  package init(_ choice: Choice, recipes: [String]) { (self.choice, self.recipes) = (choice, recipes) }

  package func title(_ context: PageContext) -> String { context.say("Usage", de: "Nutzung") }

  private var total: Value { byDay["total"] ?? .null }
  private func rows(_ value: Value) -> [Value] { value["rows"]?.listValue ?? [] }

  package func contents(_ context: PageContext) -> HTML {
    .group([
      filter(context), budgetBlock(context),
      total.number("calls") == 0
        ? context.empty(
          context.say("No model was asked in this time.", de: "In dieser Zeit wurde kein Modell gefragt."))
        : .group([
          tiles(context), dayBlock(context),
          shareBlock(
            byModel, context.say("Models", de: "Modelle"), context.say("Model", de: "Modell"), context,
            link: { _ in nil }),
          shareBlock(
            byRecipe, context.say("Recipes", de: "Rezepte"), context.say("Recipe", de: "Rezept"), context,
            link: { $0.isEmpty || !recipes.contains($0) ? nil : PageContext.recipe($0) }),
        ]), durations(context),
    ])
  }

  // MARK: - The choice

  private func filter(_ context: PageContext) -> HTML {
    tag(.form, .class("filter"), .with(.method, "get"), .action("/usage"), .role("search")) {
      tag(.div, .class("field")) {
        tag(.label, .with(.forID, "days"), text: context.say("Period", de: "Zeitraum"))
        tag(.select, .id("days"), .with(.name, "days")) {
          for days in Choice.periods {
            option(
              "\(days)", context.say("last \(days) days", de: "letzte \(days) Tage"), isChosen: days == choice.days)
          }
        }
      }
      tag(.div, .class("field")) {
        tag(.label, .with(.forID, "recipe"), text: context.say("Recipe", de: "Rezept"))
        tag(.select, .id("recipe"), .with(.name, "recipe")) {
          option("", context.say("all", de: "alle"), isChosen: choice.recipe.isEmpty)
          for name in known { option(name, name, isChosen: name == choice.recipe) }
        }
      }
      tag(.button, .with(.type, "submit"), text: context.say("Show", de: "Zeigen"))
    }
  }

  private var known: [String] {
    choice.recipe.isEmpty || recipes.contains(choice.recipe) ? recipes : [choice.recipe] + recipes
  }

  private func option(_ value: String, _ title: String, isChosen: Bool) -> HTML {
    .element(.option, [.with(.value, value)] + (isChosen ? [.flag(.selected)] : []), [.text(title)])
  }

  // MARK: - Budgets

  private func budgetBlock(_ context: PageContext) -> HTML {
    guard !budgets.isEmpty else { return .empty }
    return context.section(context.say("Budgets", de: "Budgets")) {
      tag(.ul, .class("budgets")) { for budget in budgets { BudgetCard(budget, context).html } }
    }
  }

  // MARK: - The whole

  private func tokens(_ row: Value) -> Int {
    row.number("prompt_tokens").addingReportingOverflow(row.number("completion_tokens")).partialValue
  }

  private func cost(_ row: Value, _ context: PageContext) -> String {
    guard let cost = row["cost"]?.doubleNumber else {
      return row.number("unpriced_tokens") > 0 ? context.say("no price", de: "kein Preis") : "–"
    }
    return (row.number("unpriced_tokens") > 0 ? "≥ " : "") + context.money(cost)
  }

  private func tiles(_ context: PageContext) -> HTML {
    tag(.dl, .class("tiles")) {
      tile(context.say("Tokens", de: "Tokens"), context.count(tokens(total)))
      tile(context.say("Cost", de: "Kosten"), cost(total, context))
      tile(context.say("Calls", de: "Aufrufe"), context.count(total.number("calls")))
      tile(context.say("Failed calls", de: "Fehlgeschlagene Aufrufe"), context.count(total.number("failed")))
      tile(context.say("Time of an answer", de: "Dauer einer Antwort"), context.duration(total["latency_ms"]))
    }
  }

  private func tile(_ name: String, _ value: String) -> HTML {
    tag(.div) {
      tag(.dt, text: name)
      tag(.dd, text: value)
    }
  }

  // MARK: - Days

  private func dayBlock(_ context: PageContext) -> HTML {
    let found = Dictionary(rows(byDay).map { ($0.text("key"), $0) }) { first, _ in first }
    func values(_ key: String) -> [Double] { days.map { found[$0]?[key]?.doubleNumber ?? 0 } }
    let most = days.max { tokens(found[$0] ?? .null) < tokens(found[$1] ?? .null) } ?? ""
    let top = tokens(found[most] ?? .null)
    let (costs, times) = (values("cost"), values("latency_ms"))
    return .group([
      context.section(context.say("Tokens by day", de: "Tokens nach Tagen")) {
        DayChart(
          label: context.say(
            "Tokens by day; the most, \(context.count(top)), on \(context.day(most))",
            de: "Tokens nach Tagen; die meisten, \(context.count(top)), am \(context.day(most))"),
          days: days,
          series: [
            .init(name: context.say("Prompt", de: "Eingabe"), style: "first", values: values("prompt_tokens")),
            .init(name: context.say("Answer", de: "Antwort"), style: "second", values: values("completion_tokens")),
          ], text: { context.count(Int(clamping: Int64($0.rounded()))) }, context: context
        ).html
      },
      costs.contains { $0 > 0 }
        ? context.section(context.say("Cost by day", de: "Kosten nach Tagen")) {
          DayChart(
            label: context.say(
              "Cost by day; \(cost(total, context)) altogether",
              de: "Kosten nach Tagen; zusammen \(cost(total, context))"),
            days: days, series: [.init(name: context.say("Cost", de: "Kosten"), style: "first", values: costs)],
            text: { $0 == 0 ? "0" : context.money($0) }, context: context
          ).html
        } : .empty,
      times.contains { $0 > 0 }
        ? context.section(context.say("Time of an answer by day", de: "Dauer einer Antwort nach Tagen")) {
          DayChart(
            label: context.say(
              "Mean time of an answer by day; \(context.duration(total["latency_ms"])) altogether",
              de: "Mittlere Dauer einer Antwort nach Tagen; insgesamt \(context.duration(total["latency_ms"]))"),
            days: days,
            series: [.init(name: context.say("Mean time", de: "Mittlere Dauer"), style: "second", values: times)],
            text: { $0 == 0 ? "0" : context.duration(.double($0)) }, context: context
          ).html
        } : .empty,
      tag(.details, .class("block")) {
        tag(.summary, text: context.say("The numbers of each day", de: "Die Zahlen jedes Tages"))
        context.table(
          context.say("Use by day", de: "Nutzung nach Tagen"),
          [
            context.say("Day", de: "Tag"), context.say("Calls", de: "Aufrufe"), context.say("Prompt", de: "Eingabe"),
            context.say("Answer", de: "Antwort"), context.say("Cost", de: "Kosten"),
            context.say("Time of an answer", de: "Dauer einer Antwort"),
          ],
          days.reversed().compactMap { found[$0] }.map { row in
            [
              .text(row.text("key")), .text(context.count(row.number("calls"))),
              .text(context.count(row.number("prompt_tokens"))), .text(context.count(row.number("completion_tokens"))),
              .text(cost(row, context)), .text(context.duration(row["latency_ms"])),
            ]
          })
      },
    ])
  }

  // MARK: - Models and recipes

  private func shareBlock(
    _ usage: Value, _ title: String, _ column: String, _ context: PageContext, link: (String) -> String?
  ) -> HTML {
    let rows = rows(usage)
    guard !rows.isEmpty else { return .empty }
    let most = Double(max(1, rows.map(tokens).max() ?? 1))
    return context.section(title) {
      context.table(
        title,
        [
          column, context.say("Tokens", de: "Tokens"), context.say("Cost", de: "Kosten"),
          context.say("Calls", de: "Aufrufe"), context.say("Time of an answer", de: "Dauer einer Antwort"),
        ],
        rows.prefix(50).map { row in
          let name = row.text("key").isEmpty ? context.say("(none)", de: "(keines)") : row.text("key")
          return [
            link(row.text("key")).map { tag(.a, .class("strong"), .href($0), text: name) }
              ?? tag(.span, .class("strong"), text: name),
            tag(.div, .class("measure")) {
              tag(.span, text: context.count(tokens(row)))
              ShareBar(share: Double(tokens(row)) / most).html
            }, .text(cost(row, context)), .text(context.count(row.number("calls"))),
            .text(context.duration(row["latency_ms"])),
          ]
        })
    }
  }

  // MARK: - Durations of runs

  private func durations(_ context: PageContext) -> HTML {
    let rows = statistics.filter { $0["p50_ms"]?.doubleNumber != nil }
    guard !rows.isEmpty else { return .empty }
    let most = max(1, rows.compactMap { $0["p95_ms"]?.doubleNumber }.max() ?? 1)
    return context.section(context.say("Durations of runs", de: "Dauer von Läufen")) {
      context.table(
        context.say("Durations of runs", de: "Dauer von Läufen"),
        [
          context.say("Recipe", de: "Rezept"), context.say("Half are faster than", de: "Hälfte schneller als"),
          context.say("95 % are faster than", de: "95 % schneller als"), context.say("Runs", de: "Läufe"),
          context.say("Succeeded", de: "Erfolgreich"),
        ],
        rows.prefix(50).map { row in
          [
            recipes.contains(row.text("recipe"))
              ? tag(.a, .class("strong"), .href(PageContext.recipe(row.text("recipe"))), text: row.text("recipe"))
              : tag(.span, .class("strong"), text: row.text("recipe")),
            measure(row["p50_ms"], most, context), measure(row["p95_ms"], most, context),
            .text(context.count(row.number("runs"))),
            .text(row["success_rate"]?.doubleNumber.map(context.share) ?? "–"),
          ]
        })
    }
  }

  private func measure(_ milliseconds: Value?, _ most: Double, _ context: PageContext) -> HTML {
    tag(.div, .class("measure")) {
      tag(.span, text: context.duration(milliseconds))
      ShareBar(share: (milliseconds?.doubleNumber ?? 0) / most).html
    }
  }
}

/// A budget with the part that is left.
struct BudgetCard {
  private let budget: Value
  private let context: PageContext

  init(_ budget: Value, _ context: PageContext) { (self.budget, self.context) = (budget, context) }

  var html: HTML {
    tag(.li, .class("card")) {
      tag(.h3, text: title)
      if budget["tokens_limit"]?.doubleNumber != nil {
        line("tokens", unit: " " + context.say("tokens", de: "Tokens")) {
          context.count(Int(clamping: Int64($0.rounded())))
        }
      }
      if budget["cost_limit"]?.doubleNumber != nil { line("cost", unit: "", context.money) }
    }
  }

  private var title: String {
    let scope: String =
      switch budget.text("scope") {
      case "provider": context.say("Provider \(budget.text("name"))", de: "Provider \(budget.text("name"))")
      case "recipe": context.say("Recipe \(budget.text("name"))", de: "Rezept \(budget.text("name"))")
      default: context.say("All calls", de: "Alle Aufrufe")
      }
    let period: String =
      switch budget.text("period") {
      case "day": context.say("today", de: "heute")
      case "month": context.say("this month", de: "dieser Monat")
      default: context.say("each run", de: "jeder Lauf")
      }
    return scope + " · " + period
  }

  @HTMLBuilder private func line(_ kind: String, unit: String, _ words: (Double) -> String) -> HTML {
    let limit = max(0, budget[kind + "_limit"]?.doubleNumber ?? 0)
    if let used = budget[kind + "_used"]?.doubleNumber {
      let left = max(0, limit - used)
      let isUsedUp = used >= limit
      ShareBar(share: limit > 0 ? used / limit : 1, style: isUsedUp ? "full" : "").html
      tag(.p) {
        if isUsedUp {
          tag(.strong, .class("reason"), text: context.say("used up", de: "verbraucht"))
        } else {
          tag(.strong, text: context.say("\(words(left))\(unit) left", de: "noch \(words(left))\(unit)"))
        }
        tag(
          .span, .class("faint"),
          text: context.say(
            " · \(words(used)) of \(words(limit)) used", de: " · \(words(used)) von \(words(limit)) verbraucht"))
      }
    } else {
      tag(.p, text: context.say("at most \(words(limit))\(unit)", de: "höchstens \(words(limit))\(unit)"))
    }
  }
}
