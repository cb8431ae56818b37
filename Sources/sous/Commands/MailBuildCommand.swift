import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import Mail
import RecipeSyntax

/// `sous mail build`: writes a message from a description.
struct MailBuildCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "build",
      abstract: say(
        "Write a message from a description in YAML or JSON to standard output.",
        de: "Eine Nachricht aus einer Beschreibung in YAML oder JSON auf die Standardausgabe schreiben."))
  }

  @Argument(
    help: ArgumentHelp(
      say("The description; - for standard input.", de: "Die Beschreibung; - für die Standardeingabe."),
      valueName: "file"))
  var file = "-"

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let description = try MailDescription(readDescription(), file: file)
    let now = MessageDate(secondsSinceEpoch: Int(clamping: SystemTime().now.seconds))
    do throws(MailError) {
      var stream = try description.message.stream(
        messageID: description.messageID ?? MailBuildCommand.newIdentifier(for: description.message.from),
        date: description.date ?? now)
      try MailBuildCommand.write(&stream, files: description.files)
    } catch {
      throw CommandError(
        ExitStatus.wrongInput, LocalizedText(verbatim: "\(file): ") + error.message, code: error.code.rawValue)
    }
  }

  private func readDescription() throws(CommandError) -> ValueMap {
    let source = try MessageArgument.source(file, limit: YAMLLimits.standard.size)
    // JSON is YAML, too, but for the tabs in it.
    if let value = try? Value(json: source.bytes), case .map(let map) = value { return map }
    let (document, diagnostics) = YAMLDocument.parse(source)
    writeError(DiagnosticReport(terminal: Terminal(descriptor: 2)).text(diagnostics, sources: [source.path: source]))
    guard let root = document?.root?.value, !diagnostics.contains(where: { $0.severity == .error }) else {
      throw CommandError(ExitStatus.wrongInput)
    }
    guard case .map(let map) = root else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "\(file): a map with from, to, subject and text is wanted at the top",
          de: "\(file): ganz oben muss eine Map mit from, to, subject und text stehen"))
    }
    return map
  }

  /// Writes a message as it comes, so that large files are never in memory as a whole.
  private static func write(_ stream: inout MessageStream, files: [String]) throws(MailError) {
    var open: (source: Int, file: FileHandle)?
    while let step = try stream.next() {
      switch step {
      case .bytes(let bytes):
        FileHandle.standardOutput.write(Data(bytes))
      case .read(let source, let count):
        if open?.source != source {
          try? open?.file.close()
          open = files.indices.contains(source) ? FileHandle(forReadingAtPath: files[source]).map { (source, $0) } : nil
        }
        let data = try? open?.file.read(upToCount: count)
        try stream.supply(data.map { Array($0) } ?? [])
      }
    }
    try? open?.file.close()
  }

  private static func newIdentifier(for author: Address) -> String {
    "\(UUID().uuidString.lowercased())@\(author.domain.isEmpty ? "localhost" : author.domain)"
  }
}
