import ArgumentParser
import Localization
import Recipes

/// `sous run`: runs a recipe to its end and reports on the way.
struct RunCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "run",
      abstract: say("Run a recipe.", de: "Ein Rezept ausführen."))
  }

  @Argument(help: ArgumentHelp(say("The recipe's file.", de: "Die Datei des Rezepts."), valueName: "recipe"))
  var recipe: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say(
        "An input; 'name=@file' is the text of a file, 'name=-' standard input; may be repeated.",
        de: "Eine Eingabe; 'name=@datei' ist der Text einer Datei, 'name=-' die Standardeingabe; mehrfach möglich."),
      valueName: "name=value"))
  var input: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say("A keyword; overrides all others; may be repeated.", de: "Ein Schlüsselwort; hat Vorrang; mehrfach möglich."),
      valueName: "name=value"))
  var keyword: [String] = []

  @Flag(
    name: .shortAndLong,
    help: ArgumentHelp(say("Print the outputs alone.", de: "Nur die Ausgaben schreiben.")))
  var quiet = false

  @Flag(
    help: ArgumentHelp(
      say("Only put it into the queue, for 'sous work'.", de: "Nur einreihen, für 'sous work'.")))
  var queue = false

  @Flag(
    help: ArgumentHelp(
      say(
        "Only show what a mail filter would do; nothing is changed or recorded.",
        de: "Nur zeigen, was ein Mail-Filter täte; nichts wird geändert oder notiert.")))
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      say(
        "What the run may not do: exec, net, write, send, with commas; may be repeated.",
        de: "Was der Lauf nicht darf: exec, net, write, send, durch Kommas getrennt; mehrfach möglich."),
      valueName: "permissions"))
  var deny: [String] = []

  @Option(
    help: ArgumentHelp(
      say(
        "Queue a run for each line of this file, a JSON object of inputs; '-' is standard input.",
        de: "Für jede Zeile dieser Datei, ein JSON-Objekt mit Eingaben, einen Lauf einreihen; '-': Standardeingabe."),
      valueName: "file"))
  var inputsFrom: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      say(
        "With --queue: which runs are taken first, higher before lower; the recipe's where it is absent.",
        de: "Zu --queue: welche Läufe zuerst drankommen, höhere vor niedrigeren; sonst die des Rezepts."),
      valueName: "number"))
  var priority: Int?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if inputsFrom != nil, !queue {
      throw ValidationError(
        say("--inputs-from needs --queue", de: "--inputs-from geht nur mit --queue"))
    }
    if dryRun, queue {
      throw ValidationError(say("--dry-run queues nothing", de: "--dry-run reiht nichts ein"))
    }
    for word in deny.flatMap({ $0.split(separator: ",") }) where Permission(rawValue: String(word)) == nil {
      throw ValidationError(
        say(
          "--deny takes exec, net, write and send, not '\(word)'",
          de: "--deny nimmt exec, net, write und send, nicht '\(word)'"))
    }
    if priority != nil, !queue {
      throw ValidationError(say("--priority needs --queue", de: "--priority geht nur mit --queue"))
    }
    if let priority, !(-100...100).contains(priority) {
      throw ValidationError(say("--priority takes -100 to 100", de: "--priority nimmt -100 bis 100"))
    }
  }

  /// What was asked for, without ArgumentParser's wrappers.
  var arguments: RunArguments {
    var arguments = RunArguments(recipe: recipe)
    (arguments.inputs, arguments.keywords, arguments.inputsFrom) = (input, keyword, inputsFrom)
    (arguments.isQuiet, arguments.isJSON, arguments.isDryRun) = (quiet, format.json, dryRun)
    (arguments.queues, arguments.priority) = (queue, priority)
    (arguments.config, arguments.state) = (global.config, global.state)
    arguments.trusts = global.trustWorkspace
    arguments.denied = Permission.all(in: deny.joined(separator: ","))
    return arguments
  }

  func run() async throws { try await arguments.run() }
}
