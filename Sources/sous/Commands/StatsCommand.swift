import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import RecordJSON
import RunStore
import UseCases

/// `sous stats`: how recipes and providers do.
struct StatsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "stats",
      abstract: say(
        "Show how recipes do: success, durations, retries, tokens; and circuit breakers.",
        de: "Zeigen, wie es Rezepten geht: Erfolg, Dauern, Wiederholungen, Tokens; und Schutzschalter."))
  }

  @OptionGroup var runs: RunFilterOptions
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  private struct Answer {
    var recipes: [RecipeStatistics] = []
    var breakers: [BreakerRecord] = []
  }

  func run() async throws {
    let workspace = try Workspace(global)
    let filter = runs.filter()
    let prices = workspace.prices
    let answer = try await workspace.searchingRunLog(for: filter.words) { log in
      Answer(recipes: try await log.statistics(filter, prices: prices), breakers: try await log.breakers())
    } ifMissing: {
      Answer()
    }
    let now = SystemTime().now
    if format.json {
      writeJSON(
        .map([
          "recipes": .list(answer.recipes.map(\.json)), "breakers": .list(answer.breakers.map { $0.json(at: now) }),
        ]))
      return
    }
    if answer.recipes.isEmpty { write(say("no run fits\n", de: "kein Lauf passt\n")) }
    write(table(answer.recipes))
    let open = answer.breakers.filter { $0.failures > 0 || $0.isOpen(at: now) }
    guard !open.isEmpty else { return }
    write("\n" + say("circuit breakers", de: "Schutzschalter") + "\n" + breakers(open, at: now))
  }

  private func table(_ recipes: [RecipeStatistics]) -> String {
    guard !recipes.isEmpty else { return "" }
    let hasTokens = recipes.contains { $0.promptTokens + $0.completionTokens > 0 }
    let hasCost = recipes.contains { $0.cost != nil }
    var headers: [TextTable.Column] = [
      .init(say("recipe", de: "Rezept"), .cut(to: 12)), .number(say("runs", de: "Läufe")),
      .number(say("succeeded", de: "erfolgreich")), .number("p50"), .number("p95"),
      .number(say("retries", de: "Wiederholungen")),
    ]
    if hasTokens { headers.append(.number(say("tokens", de: "Tokens"))) }
    if hasCost { headers.append(.number(say("cost", de: "Kosten"))) }
    var table = TextTable(headers)
    for recipe in recipes {
      var row = [
        recipe.recipe, "\(recipe.runs)", recipe.successRate?.spokenShare ?? "–",
        recipe.median?.spokenDuration ?? "–", recipe.percentile95?.spokenDuration ?? "–", "\(recipe.retries)",
      ]
      if hasTokens { row.append("\(recipe.promptTokens) + \(recipe.completionTokens)") }
      if hasCost { row.append(recipe.cost?.spokenCost ?? "–") }
      table.append(row)
    }
    return table.text()
  }

  private func breakers(_ records: [BreakerRecord], at now: Timestamp) -> String {
    let terminal = Terminal()
    var table = TextTable([
      .init(say("provider", de: "Provider")), .init(say("circuit", de: "Schutzschalter"), .below),
      .init(say("failures", de: "Fehlschläge"), .below), .init(say("last failure", de: "letzter Fehler")),
    ])
    for record in records {
      let kind = record.lastFailure?.words.spoken ?? ""
      let state =
        if record.isOpen(at: now), let until = record.openUntil {
          say("open until \(until.spokenLocalTime)", de: "offen bis \(until.spokenLocalTime)")
        } else if record.openUntil != nil {
          say("tried again carefully", de: "wird vorsichtig wieder versucht")
        } else {
          say("closed", de: "geschlossen")
        }
      table.append([
        "\(record.isOpen(at: now) ? terminal.styled("✗", .red) : terminal.styled("!", .yellow)) \(record.provider)",
        state,
        LocalizedText.count(
          record.failures, "failure in a row", "failures in a row", de: "Fehlschlag hintereinander",
          "Fehlschläge hintereinander"
        ).spoken,
        kind,
      ])
    }
    return table.text()
  }
}

extension Double {
  /// A share between 0 and 1 for people: `99.5 %`.
  fileprivate var spokenShare: String {
    let tenths = (self * 1000).rounded(self < 1 ? .down : .toNearestOrAwayFromZero) / 10
    return (tenths == tenths.rounded() ? "\(Int(tenths))" : tenths.spoken) + " %"
  }

  /// An amount of money without a currency.
  fileprivate var spokenCost: String { ((self * 10_000).rounded() / 10_000).spoken }
}
