import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import Plans
import PluginHost
import Providers
import RunStore
import UseCases

/// `sous chat`: asks a language model and shows the answer while it comes.
struct ChatCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "chat",
      abstract: say("Ask a language model.", de: "Ein Sprachmodell fragen."),
      discussion: say(
        """
        The words of the command line are the prompt. What comes through a pipe, or from standard input with '-', and the \
        files are the text to work on. The conversation is kept, so that --continue goes on with it; 'sous chats' lists \
        them.
        """,
        de: """
          Die Wörter der Befehlszeile sind der Prompt. Was durch eine Pipe kommt, oder mit '-' von der Standardeingabe, und \
          die Dateien sind der Text, um den es geht. Das Gespräch wird aufgehoben, damit --continue damit weitermacht; \
          'sous chats' listet sie auf.
          """))
  }

  /// The most that is read from standard input, in bytes.
  static let inputLimit = 16 << 20

  @Argument(
    help: ArgumentHelp(
      say("The prompt; '-' reads standard input.", de: "Die Frage; '-' liest die Standardeingabe."),
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
        "The kind of work, for a provider without a model: summarise, classify, extract.",
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

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say(
        "A file to go along: text, Markdown, HTML, mail, PDF, a picture; may be repeated.",
        de: "Eine Datei, die mitgeht: Text, Markdown, HTML, Mail, PDF, ein Bild; mehrfach möglich."),
      valueName: "path"))
  var file: [String] = []

  @Flag(
    name: [.customShort("c"), .customLong("continue")],
    help: ArgumentHelp(
      say(
        "Go on with the last conversation, or with that of a number: --continue 12; the provider and model stay.",
        de:
          "Mit dem letzten Gespräch weitermachen, oder mit dem einer Nummer: --continue 12; Provider und Modell bleiben."
      )
    ))
  var continues = false

  @Option(help: .hidden) var chat: Int?

  @Flag(
    help: ArgumentHelp(
      say("Begin a new conversation; the default.", de: "Ein neues Gespräch beginnen; die Vorgabe.")))
  var new = false

  @Flag(
    help: ArgumentHelp(
      say(
        "Keep nothing of what is said; tokens are counted all the same.",
        de: "Nichts vom Gesagten aufheben; Tokens werden trotzdem gezählt.")))
  var `private` = false

  @Flag(
    name: .shortAndLong,
    help: ArgumentHelp(
      say(
        "Tell thoughts, model, tokens and time on standard error.", de: "Gedanken, Modell, Tokens und Zeit auf stderr.")
    ))
  var verbose = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  /// The command line with the number after `--continue` as an option of its own: ArgumentParser would take the first word of
  /// the prompt for an optional value.
  static func withConversationNumber(_ arguments: [String]) -> [String] {
    guard CommandPurpose.command(in: arguments) == configuration.commandName else { return arguments }
    var rest = arguments
    let end = rest.firstIndex(of: "--") ?? rest.endIndex
    for index in rest[..<end].indices.dropLast() where rest[index] == "--continue" || rest[index] == "-c" {
      guard let number = Int(rest[index + 1]), number > 0 else { continue }
      rest[index] = "--chat"
    }
    return rest
  }

  func run() async throws {
    let question = try await ChatQuestion(self)
    let workspace = try Workspace(global)
    let project = try Project(workspace)
    let isNew = !continues && chat == nil
    let named = isNew || provider != nil ? try project.chatProviders(named: provider) : nil
    let failure: CommandError? = try await Interruption.untilInterrupted {
      try await workspace.counting(project) { providers -> CommandError? in
        do {
          var conversation =
            !isNew
            ? try await Conversation(continuing: chat, in: providers.store)
            : Conversation(
              system: try system ?? workspace.defaultSystem(Speech.language) ?? "", isKept: !`private`)
          let routes = try named ?? project.chatProviders(continuing: conversation, model: model)
          if let warning = project.providers.mixedPrivacy(of: routes) {
            writeError(say("warning: ", de: "Warnung: ") + warning.spoken + "\n")
          }
          if project.neutralises(routes) { conversation.stopKeeping() }
          let asking = ChatAsking(
            project: project, providers: providers, isJSON: format.json, isVerbose: verbose,
            input: input(question, conversation))
          try await asking.ask(routes, question, conversation)
          return nil
        } catch let error as CommandError {
          return error
        }
      }
    }
    if let failure { throw failure }
  }

  mutating func validate() throws {
    if new, continues || chat != nil {
      throw ValidationError(
        say("--new and --continue exclude each other", de: "--new und --continue schließen einander aus"))
    }
  }

  /// The input of `chat.complete`.
  private func input(_ question: ChatQuestion, _ conversation: Conversation) -> Value {
    var map = ValueMap()
    if !question.words.isEmpty { map["prompt"] = .string(question.words) }
    if !question.text.isEmpty { map["input"] = .string(question.text) }
    if !question.pictures.isEmpty { map["images"] = .list(question.pictures.map(Value.string)) }
    if !conversation.isEmpty { map["messages"] = conversation.messages }
    let settings = conversation.lastAnswer?.settings
    if let task = task ?? settings?["task"]?.stringValue, !task.isEmpty { map["task"] = .string(task) }
    let instructions = system ?? conversation.system
    if !instructions.isEmpty { map["system"] = .string(instructions) }
    // The model of the conversation belongs to its provider.
    let kept = provider == nil ? settings?["model"]?.stringValue : nil
    if let model = model ?? kept, !model.isEmpty { map["model"] = .string(model) }
    if let temperature = temperature.map(Value.double) ?? settings?["temperature"] { map["temperature"] = temperature }
    return .map(map)
  }
}

/// The question: the prompt, the text that it is about, pictures.
struct ChatQuestion: Sendable {
  let words: String
  let text: String
  let pictures: [String]
  let files: [String]

  /// Reads what the command line names.
  init(_ command: ChatCommand) async throws(CommandError) {
    if let temperature = command.temperature, !(0...2).contains(temperature) {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText("--temperature is a number from 0 to 2", de: "--temperature ist eine Zahl von 0 bis 2"))
    }
    words = command.prompt.filter { $0 != "-" }.joined(separator: " ")
    let input = try StandardInput.text(
      isAskedFor: command.prompt.contains("-"), limit: ChatCommand.inputLimit)
    var read: [ChatFile] = []
    for path in command.file { read.append(try await ChatFile(path)) }
    text = ChatFile.text(of: read, after: input)
    pictures = read.compactMap(\.picture)
    files = read.map(\.name)
    guard !words.isEmpty || !text.isEmpty else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "there is nothing to ask: give a prompt, or pipe a text in",
          de: "es gibt nichts zu fragen: einen Prompt angeben, oder einen Text hineinleiten"))
    }
  }

  /// The turn that is kept.
  func turn(at time: Timestamp) -> ChatTurnRecord {
    var turn = ChatTurnRecord(.user, [words, text].filter { !$0.isEmpty }.joined(separator: "\n\n"), at: time)
    turn.files = files
    return turn
  }
}
