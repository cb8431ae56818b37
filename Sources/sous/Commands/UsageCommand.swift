import ArgumentParser
import Engine
import Expressions
import Localization
import RunStore
import UseCases

/// `sous usage`: what calls of models have used.
struct UsageCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "usage",
      abstract: say(
        "Show what calls of language models have used: tokens, time, cost.",
        de: "Zeigen, was Aufrufe von Sprachmodellen gebraucht haben: Tokens, Zeit, Kosten."),
      discussion: say(
        """
        Counts every call, also those of runs that are gone and of 'sous chat'. A call whose answer is not known, as its \
        process ended or the connection broke, is counted as such, and its tokens are in no sum.
        """,
        de: """
          Zählt jeden Aufruf, auch die von Läufen, die nicht mehr da sind, und von 'sous chat'. Ein Aufruf, dessen Antwort \
          ungewiss ist, weil sein Prozess endete oder die Verbindung abriss, zählt als solcher, und seine Tokens stehen in \
          keiner Summe.
          """))
  }

  @Option(
    help: ArgumentHelp(
      say(
        "The meaning of the rows: run, recipe, step, provider, model, day, action.",
        de: "Wofür die Zeilen stehen: run, recipe, step, provider, model, day, action."), valueName: "what"))
  var by = UsageGrouping.model.rawValue

  @OptionGroup var times: TimeRangeOptions

  @Option(
    help: ArgumentHelp(say("Only calls of this run.", de: "Nur Aufrufe dieses Laufs."), valueName: "run"),
    completion: Completions.runs)
  var run: String?

  @Option(help: ArgumentHelp(say("Only calls of this recipe.", de: "Nur Aufrufe dieses Rezepts."), valueName: "name"))
  var recipe: String?

  @Option(
    help: ArgumentHelp(say("Only calls of this provider.", de: "Nur Aufrufe dieses Providers."), valueName: "name"))
  var provider: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if UsageGrouping(rawValue: by) == nil {
      let known = UsageGrouping.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        say("--by takes one of \(known), not '\(by)'", de: "--by nimmt eines von \(known), nicht '\(by)'"))
    }
  }

  func run() async throws {
    let workspace = try Workspace(global)
    var filter = UsageFilter()
    (filter.since, filter.until) = times.range(at: SystemTime().now)
    filter.recipe = recipe
    filter.provider = provider
    let rows = try await workspace.usage(filter, run: run, by: grouping)
    var total = UsageSummary(key: say("all", de: "alle"))
    for row in rows { total.add(row) }
    if format.json {
      writeJSON(.map(["by": .string(by), "rows": .list(rows.map(\.json)), "total": total.json]))
      return
    }
    guard !rows.isEmpty else {
      write(say("no model was asked\n", de: "kein Modell wurde gefragt\n"))
      return
    }
    write(table(rows.count > 1 ? rows + [total] : rows))
  }

  private func table(_ rows: [UsageSummary]) -> String {
    let hasCached = rows.contains { $0.tokens.cached > 0 }
    let hasReasoning = rows.contains { $0.tokens.reasoning > 0 }
    let hasUnknown = rows.contains { $0.unknown > 0 }
    let hasFailed = rows.contains { $0.failed > 0 }
    let hasOpen = rows.contains { $0.open > 0 }
    var numbers = [say("calls", de: "Aufrufe")]
    if hasFailed { numbers.append(say("failed", de: "gescheitert")) }
    if hasUnknown { numbers.append(say("unknown", de: "ungewiss")) }
    if hasOpen { numbers.append(say("under way", de: "laufen")) }
    numbers.append(say("prompt", de: "Prompt"))
    if hasCached { numbers.append(say("cached", de: "davon bekannt")) }
    numbers.append(say("answer", de: "Antwort"))
    if hasReasoning { numbers.append(say("thought", de: "davon gedacht")) }
    numbers += [say("cost", de: "Kosten"), say("latency", de: "Dauer"), say("first word", de: "erstes Wort")]
    var table = TextTable([.init(spokenGrouping, .cut(to: 12))] + numbers.map(TextTable.Column.number))
    for row in rows {
      var cells = [row.key.isEmpty ? say("(none)", de: "(keines)") : row.key, "\(row.calls)"]
      if hasFailed { cells.append("\(row.failed)") }
      if hasUnknown { cells.append("\(row.unknown)") }
      if hasOpen { cells.append("\(row.open)") }
      cells.append("\(row.tokens.prompt)")
      if hasCached { cells.append("\(row.tokens.cached)") }
      cells.append("\(row.tokens.completion)")
      if hasReasoning { cells.append("\(row.tokens.reasoning)") }
      cells += [
        cost(of: row), row.answered == 0 ? "–" : (row.duration / Double(row.answered)).spokenDuration,
        row.streamed == 0 ? "–" : (row.firstPiece / Double(row.streamed)).spokenDuration,
      ]
      table.append(cells)
    }
    return table.text()
  }

  private func cost(of row: UsageSummary) -> String {
    guard let cost = row.cost else { return row.unpriced > 0 ? say("no price", de: "kein Preis") : "–" }
    return row.unpriced > 0 ? "≥ \(cost.spokenMoney)" : cost.spokenMoney
  }

  private var grouping: UsageGrouping { UsageGrouping(rawValue: by) ?? .model }

  private var spokenGrouping: String {
    switch grouping {
    case .run: say("run", de: "Lauf")
    case .recipe: say("recipe", de: "Rezept")
    case .step: say("step", de: "Schritt")
    case .provider: say("provider", de: "Provider")
    case .model: say("model", de: "Modell")
    case .day: say("day", de: "Tag")
    case .action: say("action", de: "Aktion")
    }
  }
}
