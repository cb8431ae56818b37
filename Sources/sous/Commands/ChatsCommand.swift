import ArgumentParser
import Engine
import Expressions
import Localization
import RunStore
import UseCases

/// `sous chats`: the conversations of `sous chat`.
struct ChatsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "chats",
      abstract: say("List, show and delete conversations.", de: "Gespräche auflisten, zeigen und löschen."),
      subcommands: [
        ChatsListCommand.self, ChatsShowCommand.self, ChatsSearchCommand.self, ChatsDeleteCommand.self,
      ], defaultSubcommand: ChatsListCommand.self)
  }

  /// Conversations that are listed at most.
  static let limit = 50

  /// Writes a listing.
  static func write(_ chats: [ChatRecord], isJSON: Bool) {
    if isJSON { return writeJSON(.list(chats.map { .map($0.json) })) }
    guard !chats.isEmpty else { return sous.write(say("no conversation\n", de: "kein Gespräch\n")) }
    var table = TextTable([
      .number(say("no.", de: "Nr.")), .time(say("last", de: "zuletzt")), .init(say("length", de: "Länge")),
      .init(say("begins with", de: "beginnt mit"), .cut(to: 20)),
    ])
    for chat in chats {
      table.append([
        "\(chat.number)", chat.changedAt.spokenLocalTime,
        LocalizedText.count(chat.turnCount, "turn", "turns", de: "Beitrag", "Beiträge").spoken, chat.title,
      ])
    }
    sous.write(table.text())
  }
}

/// `sous chats list`.
struct ChatsListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: say(
        "List the conversations, the last one first.", de: "Die Gespräche auflisten, das letzte zuerst."))
  }

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(say("How many at most (default: 50).", de: "Wie viele höchstens (Vorgabe: 50)."), valueName: "n")
  )
  var limit = ChatsCommand.limit

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global)
    ChatsCommand.write(try await workspace.chats(limit: limit), isJSON: format.json)
  }
}

/// `sous chats search`.
struct ChatsSearchCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "search",
      abstract: say(
        "List the conversations in which all of some words occur.",
        de: "Die Gespräche auflisten, in denen alle genannten Wörter vorkommen."))
  }

  @Argument(help: ArgumentHelp(say("The words.", de: "Die Wörter."), valueName: "words"))
  var words: [String]

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global)
    let parts = words.flatMap { $0.split(separator: " ").map(String.init) }
    ChatsCommand.write(try await workspace.chats(with: parts, limit: ChatsCommand.limit), isJSON: format.json)
  }
}

/// `sous chats show`.
struct ChatsShowCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "show", abstract: say("Show a conversation.", de: "Ein Gespräch zeigen."))
  }

  @Argument(
    help: ArgumentHelp(
      say("Its number (default: the last one).", de: "Seine Nummer (Vorgabe: das letzte)."), valueName: "chat"))
  var chat: Int?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let (record, turns) = try await Workspace(global).chat(chat)
    if format.json {
      var map = record.json
      map["turns"] = .list(turns.map(\.json))
      return writeJSON(.map(map))
    }
    let terminal = Terminal()
    if !record.system.isEmpty { writeVerbatim(terminal.styled(record.system.harmless, .dim) + "\n\n") }
    for turn in turns {
      let who = turn.role == .user ? say("you", de: "Sie") : [turn.provider, turn.model].joined(separator: " · ")
      let files = turn.files.isEmpty ? "" : "  [\(turn.files.joined(separator: ", "))]"
      write(terminal.styled("\(who)  \(turn.at.spokenLocalTime)\(files)".singleLine, .bold) + "\n")
      writeVerbatim(turn.text.harmless + "\n")
      if turn.isCut { write(terminal.styled(say("(broken off)", de: "(abgebrochen)"), .yellow) + "\n") }
      write("\n")
    }
  }
}

/// `sous chats delete`.
struct ChatsDeleteCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "delete", abstract: say("Delete conversations.", de: "Gespräche löschen."))
  }

  @Argument(help: ArgumentHelp(say("Their numbers.", de: "Ihre Nummern."), valueName: "chat"))
  var chats: [Int]

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let count = try await Workspace(global).deleteChats(chats)
    if format.json { return writeJSON(["deleted": .int(Int64(count))]) }
    write(
      LocalizedText.count(count, "conversation", "conversations", de: "Gespräch", "Gespräche").spoken
        + say(" deleted\n", de: " gelöscht\n"))
  }
}
