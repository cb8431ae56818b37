import ArgumentParser
import Builtins
import Expressions
import Foundation
import LanguageServer
import Localization
import PluginHost
import Recipes

/// `sous lsp`: a language server for editors, over standard input and output.
struct LanguageServerCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "lsp",
      abstract: say(
        "Serve editors: problems, completion and help while writing (Language Server Protocol).",
        de: "Editoren bedienen: Probleme, Vervollständigung und Hilfe beim Schreiben (Language Server Protocol)."))
  }

  @Flag(
    help: ArgumentHelp(
      say(
        "Talk over standard input and output, as it always does; editors pass it.",
        de: "Über Standardein- und -ausgabe sprechen, wie immer; Editoren geben es an.")))
  var stdio = false

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let isLanguageGiven = CommandLine.arguments.contains { $0 == "--lang" || $0.hasPrefix("--lang=") }
    let catalog = ActionCatalog(BuiltinActions().signatures, contracts: BundledContract.all)
    let surroundings = LanguageSession.Surroundings(
      planner: { configuration in
        let manifests = ManifestDirectory(
          searchPath: .standard(project: configuration.pluginPaths, environment: environment),
          cache: .standard(environment: environment))
        return Planner(
          catalog: catalog, providers: ConfiguredProviders(configuration: configuration, manifests: manifests),
          configuration: configuration)
      },
      read: { path in try? SourceText.read(path) })
    var session = LanguageSession(surroundings, language: isLanguageGiven ? Speech.language : nil)
    var decoder = MessageDecoder()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while session.exitStatus == nil {
      let count = buffer.withUnsafeMutableBytes { read(0, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      // An editor that goes away without a word leaves nothing to do.
      guard count > 0 else { throw CommandError(ExitStatus.runFailed) }
      decoder.append(buffer[..<count])
      while session.exitStatus == nil, let part = decoder.next() {
        switch part {
        case .message(let content): session.receive(content).forEach(send)
        case .tooLarge(let size): send(session.refusal(ofSize: size))
        case .malformedHeader:
          throw CommandError(
            ExitStatus.wrongInput,
            .init("the input is not that of an editor", de: "die Eingabe ist nicht die eines Editors"))
        }
      }
    }
    if let status = session.exitStatus, status != ExitStatus.success { throw CommandError(status) }
  }

  private func send(_ message: Value) {
    // The bytes as they are: the header counts them.
    StandardOutput.write(String(decoding: MessageDecoder.encode(message.json()), as: UTF8.self))
  }
}
