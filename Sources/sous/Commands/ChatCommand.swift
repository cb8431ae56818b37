import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import PluginHost
import UseCases

/// `sous chat`: asks a language model and shows the answer while it comes.
struct ChatCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "chat",
      abstract: say("Ask a language model.", de: "Ein Sprachmodell fragen."),
      discussion: say(
        """
        The words of the command line are the prompt. What comes through a pipe, or from standard input with '-', is the \
        text to work on. Nothing is kept in the run log.
        """,
        de: """
          Die Wörter der Befehlszeile sind der Prompt. Was durch eine Pipe kommt, oder mit '-' von der Standardeingabe, \
          ist der Text, um den es geht. Im Laufprotokoll steht davon nichts.
          """))
  }

  /// The most that is read from standard input, in bytes.
  static let inputLimit = 16 << 20

  @Argument(
    help: ArgumentHelp(
      say("What to ask; '-' reads standard input.", de: "Die Frage; '-' liest die Standardeingabe."),
      valueName: "prompt"))
  var prompt: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say(
        "The provider (default: that of 'chat' in sous.yaml).",
        de: "Der Provider (Vorgabe: der von 'chat' in sous.yaml)."),
      valueName: "name"))
  var provider: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say("The model (default: the provider's).", de: "Das Modell (Vorgabe: das des Providers)."), valueName: "name"))
  var model: String?

  @Option(
    help: ArgumentHelp(
      say(
        "What kind of work it is, for a provider without a model: summarise, classify, extract.",
        de: "Um welche Art Arbeit es geht, für einen Provider ohne Modell: summarise, classify, extract."),
      valueName: "task"))
  var task: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(say("Standing instructions.", de: "Anweisungen für das ganze Gespräch."), valueName: "text"))
  var system: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(say("How free the answer is, 0 to 2.", de: "Wie frei die Antwort ist, 0 bis 2."), valueName: "t")
  )
  var temperature: Double?

  @Flag(
    name: .shortAndLong,
    help: ArgumentHelp(
      say(
        "Tell thoughts, model, tokens and time on standard error.", de: "Gedanken, Modell, Tokens und Zeit auf stderr.")
    ))
  var verbose = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    var input = try input()
    let workspace = try Workspace(global)
    if system == nil, let preset = workspace.defaultSystem(Speech.language), case .map(var map) = input {
      map["system"] = .string(preset)
      input = .map(map)
    }
    let request = input
    let project = try Project(workspace)
    let names = try project.chatProviders(named: provider)
    do {
      try await Interruption.untilInterrupted { try await ask(names, request, project) }
      await project.host.shutdown()
    } catch {
      await project.host.shutdown()
      throw error
    }
  }

  /// Asks one provider after the other, until one has begun to answer.
  private func ask(_ names: [String], _ input: Value, _ project: Project) async throws(CommandError) {
    for (place, name) in names.enumerated() {
      let answer = StreamedAnswer(isSilent: format.json, isVerbose: verbose)
      do throws(ActionFailure) {
        let output = try await project.call("chat.complete", input, by: name, reporter: answer)
        try finish(output, answer, provider: name)
        return
      } catch {
        answer.endLine()
        if Task.isCancelled { throw CommandError(ExitStatus.interrupted) }
        let failure = CommandError(error, provider: name)
        guard place < names.count - 1, !answer.hasBegun else { throw failure }
        if !format.json { writeError((failure.message?.spoken ?? name) + "\n") }
      }
    }
  }

  private func finish(_ output: Value, _ answer: StreamedAnswer, provider: String) throws(ActionFailure) {
    if format.json {
      writeJSON(output)
      return
    }
    let text = output["text"]?.stringValue ?? ""
    if !answer.hasBegun { answer.show(text) }
    answer.endLine()
    if let calls = output["tool_calls"] { writeJSON(calls) }
    if let refusal = output["refusal"]?.stringValue, text.isEmpty {
      throw ActionFailure(
        .unsupported,
        LocalizedText("the model would not answer: \(refusal)", de: "das Modell wollte nicht antworten: \(refusal)"))
    }
    if output["finish_reason"]?.stringValue == "length" {
      writeError(say("the answer was cut at its limit\n", de: "die Antwort wurde an ihrer Grenze abgeschnitten\n"))
    }
    if verbose { writeError(answer.summary(of: output, provider: provider) + "\n") }
  }

  /// The input of `chat.complete`.
  private func input() throws(CommandError) -> Value {
    if let temperature, !(0...2).contains(temperature) {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText("--temperature is a number from 0 to 2", de: "--temperature ist eine Zahl von 0 bis 2"))
    }
    let words = prompt.filter { $0 != "-" }.joined(separator: " ")
    let text = try StandardInput.text(isAskedFor: prompt.contains("-"), limit: Self.inputLimit)
    var map = ValueMap()
    if !words.isEmpty { map["prompt"] = .string(words) }
    if !text.isEmpty { map["input"] = .string(text) }
    guard map.count > 0 else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "there is nothing to ask: give a prompt, or pipe a text in",
          de: "es gibt nichts zu fragen: gib einen Prompt an, oder leite einen Text hinein"))
    }
    if let task, !task.isEmpty { map["task"] = .string(task) }
    if let system, !system.isEmpty { map["system"] = .string(system) }
    if let model, !model.isEmpty { map["model"] = .string(model) }
    if let temperature { map["temperature"] = .double(temperature) }
    return .map(map)
  }
}
