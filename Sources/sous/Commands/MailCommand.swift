import ArgumentParser
import Expressions
import Localization
import Mail
import MailTransfer
import RecipeSyntax

/// `sous mail`: messages as files, and what is done with mailboxes beside running recipes.
struct MailCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "mail",
      abstract: say("Work with mail: messages, mailboxes.", de: "Mit Mail arbeiten: Nachrichten, Postfächer."),
      subcommands: [
        MailParseCommand.self, MailTextCommand.self, MailHTMLCommand.self, MailBuildCommand.self, MailWatchCommand.self,
        MailPullCommand.self, MailUndoCommand.self, MailSnoozeCommand.self, MailSnoozedCommand.self,
        MailWakeCommand.self,
        MailSummaryCommand.self,
      ])
  }
}

/// A message from a file or from standard input.
struct MessageArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      say(
        "A message as a file (.eml); - for standard input.",
        de: "Eine Nachricht als Datei (.eml); - für die Standardeingabe."),
      valueName: "file"))
  var file: String

  /// The most bytes that are read.
  static let limit = 512 << 20

  /// Reads the message.
  func read() throws(CommandError) -> Message {
    let source = try MessageArgument.source(file, limit: MessageArgument.limit)
    if source.bytes.isEmpty {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "\(file): there is no message in it. Name a file that holds one message, with its header.",
          de: "\(file): Darin steht keine Nachricht. Gebraucht wird eine Datei mit einer Nachricht samt Kopf."))
    }
    return Message(parsing: source.bytes)
  }

  /// Reads a file, or standard input for `-`.
  static func source(_ file: String, limit: Int) throws(CommandError) -> SourceText {
    do throws(Diagnostic) {
      return try SourceText.read(file == "-" ? "/dev/stdin" : file, limit: limit)
    } catch {
      let name = file == "-" ? say("standard input", de: "Standardeingabe") : file
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(verbatim: "\(name): ") + error.message
          + LocalizedText(
            ". Name a file that can be read, or - for standard input.",
            de: ". Gebraucht wird eine lesbare Datei, oder - für die Standardeingabe."))
    }
  }
}

/// `sous mail parse`: what a message says, field by field.
struct MailParseCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "parse",
      abstract: say("Show what a message says, field by field.", de: "Zeigen, was eine Nachricht sagt, Feld für Feld."))
  }

  @OptionGroup var message: MessageArgument
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let report = MessageReport(try message.read())
    if format.json { writeJSON(report.json) } else { writeOutput(report.text) }
  }
}

/// `sous mail text`: the readable text of a message.
struct MailTextCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "text", abstract: say("Print the text of a message.", de: "Den Text einer Nachricht ausgeben."))
  }

  @OptionGroup var message: MessageArgument
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let text = try message.read().textBody
    if format.json {
      let answer: Value = ["text": .string(text)]
      writeJSON(answer)
    } else {
      writeOutput(text.isEmpty || text.hasSuffix("\n") ? text : text + "\n")
    }
  }
}
