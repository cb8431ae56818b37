import ArgumentParser
import Conversations
import Engine
import Expressions
import Foundation
import Glibc
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
        them. Without a prompt on a terminal, the conversation goes on line by line: Ctrl-C stops an answer, Ctrl-D ends.
        """,
        de: """
          Die Wörter der Befehlszeile sind der Prompt. Was durch eine Pipe kommt, oder mit '-' von der Standardeingabe, und \
          die Dateien sind der Text, um den es geht. Das Gespräch wird aufgehoben, damit --continue damit weitermacht; \
          'sous chats' listet sie auf. Ohne Prompt an einem Terminal geht das Gespräch Zeile für Zeile weiter: Strg-C hält \
          eine Antwort an, Strg-D beendet.
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
        "The provider (default: that of 'chat' in sous.yaml), or a preset of the catalog: general/summarise.",
        de: "Der Provider (Vorgabe: der von 'chat' in sous.yaml), oder ein Preset des Katalogs: general/summarise."),
      valueName: "name"))
  var provider: String?

  @Option(
    help: ArgumentHelp(
      say(
        "A preset of the catalog as instructions: general/summarise, or its name.",
        de: "Ein Preset des Katalogs als Anweisung: general/summarise, oder sein Name."),
      valueName: "name"))
  var preset: String?

  @Option(
    name: .customShort("k"),
    help: ArgumentHelp(
      say(
        "A keyword of the preset; may be repeated.",
        de: "Ein Schlüsselwort des Presets; mehrfach möglich."),
      valueName: "name=value"))
  var keyword: [String] = []

  @Option(
    help: ArgumentHelp(
      say(
        "The JSON Schema of the answer, as a file or as JSON; the answer is checked and printed as JSON.",
        de: "Das JSON-Schema der Antwort, als Datei oder als JSON; die Antwort wird geprüft und als JSON ausgegeben."),
      valueName: "file|json"))
  var schema: String?

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
    let schema = try schema.map { try ChatSchema.read($0) }
    let workspace = try Workspace(global)
    let project = try Project(workspace)
    let chosen = try chosenPreset(workspace, project)
    let goesOn = isDialogue
    let question = goesOn ? nil : try await ChatQuestion(self)
    let isNew = !continues && chat == nil
    let named = isNew || chosen.provider != nil ? try project.chatProviders(named: chosen.provider) : nil
    let instructions = try chosen.preset.map {
      try workspace.instructions(
        ofPreset: $0, keywords: Assignment.all(keyword, option: "-k").map { ($0.name, $0.text) }, Speech.language)
    }
    let choice = choice(instructions, chosen.provider, schema)
    let dialogue = goesOn ? ChatDialogue() : nil
    let failure: CommandError? = try await Interruption.untilInterrupted(interrupting: dialogue?.interrupt) {
      try await workspace.counting(project) { providers -> CommandError? in
        do {
          var conversation =
            !isNew
            ? try await Conversation(continuing: chat, in: providers.store)
            : Conversation(
              system: try system ?? instructions?.text ?? workspace.defaultSystem(Speech.language) ?? "",
              isKept: !`private`)
          let routes = try named ?? project.chatProviders(continuing: conversation, model: model)
          if let warning = project.providers.mixedPrivacy(of: routes) {
            writeError(say("warning: ", de: "Warnung: ") + warning.spoken + "\n")
          }
          if project.neutralises(routes) { conversation.stopKeeping() }
          @Sendable func asking(_ question: ChatQuestion, _ conversation: Conversation) -> ChatAsking {
            ChatAsking(
              project: project, providers: providers, isJSON: format.json, isVerbose: verbose,
              input: choice.input(question, in: conversation))
          }
          guard let question else {
            await dialogue?.converse(conversation) { line, conversation in
              var conversation = conversation
              let question = ChatQuestion(line)
              do {
                try await asking(question, conversation).ask(routes, question, &conversation)
                return (conversation, nil)
              } catch {
                return (conversation, error as? CommandError ?? CommandError(ExitStatus.environment))
              }
            }
            return nil
          }
          try await asking(question, conversation).ask(routes, question, &conversation)
          return nil
        } catch let error as CommandError {
          return error
        }
      }
    }
    if let failure { throw failure }
  }

  /// Whether the conversation goes on line by line: nothing is asked, and a person sits at the terminal.
  private var isDialogue: Bool {
    prompt.isEmpty && file.isEmpty && schema == nil && !format.json && isatty(STDIN_FILENO) == 1
      && isatty(STDOUT_FILENO) == 1
  }

  /// The provider and the preset: `-p` names a provider, or a preset if no provider has that name.
  private func chosenPreset(
    _ workspace: Workspace, _ project: Project
  ) throws -> (provider: String?, preset: String?) {
    guard preset == nil, let provider else { return (provider, preset) }
    if (try? project.chatProviders(named: provider)) != nil || project.providers.names.contains(provider) {
      return (provider, nil)
    }
    return workspace.hasPreset(provider, Speech.language) ? (nil, provider) : (provider, nil)
  }

  mutating func validate() throws {
    if new, continues || chat != nil {
      throw ValidationError(
        say("--new and --continue exclude each other", de: "--new und --continue schließen einander aus"))
    }
    if preset != nil, system != nil {
      throw ValidationError(
        say("--preset and --system exclude each other", de: "--preset und --system schließen einander aus"))
    }
  }

  /// The choices of the command line for an answer.
  private func choice(_ preset: (text: String, task: String?)?, _ provider: String?, _ schema: Value?) -> ChatChoice {
    var choice = ChatChoice()
    (choice.provider, choice.model, choice.preset) = (provider, model, preset)
    (choice.system, choice.task, choice.temperature, choice.schema) = (system, task, temperature, schema)
    return choice
  }
}

extension ChatQuestion {
  /// Reads what the command line names.
  init(_ command: ChatCommand) async throws(CommandError) {
    if let temperature = command.temperature, !(0...2).contains(temperature) {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText("--temperature is a number from 0 to 2", de: "--temperature ist eine Zahl von 0 bis 2"))
    }
    let input = try StandardInput.text(
      isAskedFor: command.prompt.contains("-"), limit: ChatCommand.inputLimit)
    var files: [ChatFile] = []
    for path in command.file {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      files.append(ChatFile(name: name, content: try await InputFiles.text(of: path)))
    }
    self.init(command.prompt.filter { $0 != "-" }.joined(separator: " "), input: input, files: files)
    guard !words.isEmpty || !text.isEmpty else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "there is nothing to ask: give a prompt, or pipe a text in",
          de: "es gibt nichts zu fragen: einen Prompt angeben, oder einen Text hineinleiten"))
    }
  }
}
