import ArgumentParser
import Builtins
import Expressions
import Foundation
import LanguageServer
import Localization
import OperatingSystem
import Plans
import PluginHost
import Providers
import RecipeModel
import RecipePlanning
import RecipeSyntax
import RecipeTesting
import UseCases

/// `sous lsp`: a language server for editors, over standard input and output.
struct LanguageServerCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "lsp",
      abstract: say(
        "Serve editors: problems, completion and help while writing (Language Server Protocol).",
        de: "Editoren beim Schreiben unterstützen: Probleme, Vervollständigung, Hilfe (Language Server Protocol)."))
  }

  @Flag(
    help: ArgumentHelp(
      say(
        "Talk over standard input and output, as it always does; editors pass it.",
        de: "Über Standardein- und -ausgabe sprechen, wie immer; Editoren geben es an.")))
  var stdio = false

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let isLanguageGiven = CommandLine.arguments.contains { $0 == "--lang" || $0.hasPrefix("--lang=") }
    var session = LanguageSession(try surroundings(), language: isLanguageGiven ? Speech.language : nil)
    var decoder = MessageDecoder()
    var isOpen = true
    while session.exitStatus == nil {
      // Messages that have arrived meanwhile come first: they may cancel a request.
      if isOpen { isOpen = take(into: &decoder, waits: session.isIdle) }
      while let part = decoder.next() {
        switch part {
        case .message(let content): session.enqueue(content)
        case .tooLarge(let size): session.refuse(size: size)
        case .malformedHeader:
          throw CommandError(
            ExitStatus.wrongInput,
            .init("the input is not that of an editor", de: "die Eingabe ist nicht die eines Editors"))
        }
      }
      if !isOpen, session.isIdle {
        // An editor that goes away without a word leaves nothing to do.
        if session.isShutDown { return }
        throw CommandError(ExitStatus.runFailed)
      }
      session.step().forEach(send)
    }
    if let status = session.exitStatus, status != ExitStatus.success { throw CommandError(status) }
  }

  /// Reads what standard input has.
  ///
  /// - Parameter waits: Whether to wait until there is something.
  /// - Returns: `false` at the end of the input.
  private func take(into decoder: inout MessageDecoder, waits: Bool) -> Bool {
    var mayWait = waits
    // A client that never stops sending still gets its answers.
    for _ in 0..<64 {
      if !mayWait {
        var descriptor = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, 0) > 0 else { return true }
      }
      guard let bytes = try? Descriptor.read(from: STDIN_FILENO, upTo: 65_536), !bytes.isEmpty else { return false }
      decoder.append(bytes[...])
      mayWait = false
    }
    return true
  }

  private func send(_ message: Value) {
    // The bytes as they are: the header counts them.
    StandardOutput.write(String(decoding: MessageDecoder.encode(message.json()), as: UTF8.self))
  }

  // MARK: Surroundings

  private func surroundings() throws -> LanguageSession.Surroundings {
    let environment = ProcessInfo.processInfo.environment
    var process = Surroundings.ofProcess
    process.trustsFolder = global.trustWorkspace
    let builtins = BuiltinActions()
    let catalog = ActionCatalog(builtins.signatures, contracts: BundledContract.all)
    let manifests = { @Sendable [process] (configuration: Configuration) in
      Project.manifests(of: configuration, process)
    }
    var surroundings = LanguageSession.Surroundings(
      planner: { configuration in
        var planner = Planner(
          catalog: catalog,
          providers: ConfiguredProviders(configuration: configuration, manifests: manifests(configuration)),
          configuration: configuration)
        planner.knowHosts(of: configuration)
        return planner
      },
      read: { path in try? SourceText.read(path) })
    if global.config != nil || environment["SOUS_CONFIG"]?.isEmpty == false {
      surroundings.configurationPath = try Workspace(global).configurationPath.map {
        URL(fileURLWithPath: $0).standardizedFileURL.path
      }
    }
    surroundings.recipes = { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().filter { name in
        (name.hasSuffix(".yaml") || name.hasSuffix(".yml")) && !name.contains(".test.") && name != "sous.yaml"
      }
    }
    surroundings.plugins = { configuration in
      let manifests = manifests(configuration)
      return manifests.searchPath.ids.filter { (try? manifests.manifest(of: .init($0))) != nil }
    }
    surroundings.settings = { provider, configuration in
      let reference: PluginReference
      switch provider.plugin {
      case .id(let id): reference = .init(id)
      case .file(let path): reference = .init(path.contains("/") ? path : "./" + path)
      }
      return (try? manifests(configuration).manifest(of: reference))?.configuration
    }
    surroundings.testProblems = { source, planner, read in
      RecipeTester(planner: planner, builtins: builtins).check(source) { path throws(Diagnostic) in
        if let text = read(path) { return text }
        return try SourceText.read(path)
      }.diagnostics
    }
    return surroundings
  }
}
