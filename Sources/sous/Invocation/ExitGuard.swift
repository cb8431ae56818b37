import Foundation
import Localization
import PluginHost
import Providers
import RecipeModel
import RecipeSyntax
import Synchronization
import UseCases

/// Turns an end of the process that Sous did not ask for into a failure: a plugin that runs inside Sous may call `exit(0)`,
/// and the unfinished run would look like a success.
///
/// `_exit`, `quick_exit` and the system call run no exit handlers. If the configuration lets a foreign plugin run inside Sous,
/// the command therefore runs in a child process, and the parent checks whether it has finished; see `ExitWitness`.
enum ExitGuard {
  private static let isExpected = Atomic(false)

  /// Watches from now on. Runs that have not ended then are interrupted, and can be resumed.
  static func begin() {
    atexit {
      guard !ExitGuard.isExpected.load(ordering: .acquiring) else { return }
      ExitGuard.report()
      _exit(ExitStatus.environment)
    }
  }

  private static func report() {
    let message = LocalizedText(
      """
      a plugin that runs inside Sous called exit and ended the process. Its run is interrupted; 'sous resume' goes on \
      with it. 'isolation: process' of the provider in sous.yaml keeps the plugin in a process of its own.
      """,
      de: """
        Ein Plugin, das in Sous selbst läuft, hat exit gerufen und den Prozess beendet. Sein Lauf ist unterbrochen; \
        'sous resume' setzt ihn fort. 'isolation: process' des Providers in sous.yaml hält das Plugin in einem eigenen \
        Prozess.
        """)
    writeError(say("error: ", de: "Fehler: ") + message.spoken + "\n")
  }

  /// Runs the command in a watched child process if a foreign plugin runs inside Sous. `sous serve` and `sous work` are not
  /// watched, because a supervisor stops, kills and measures the process that it has started. The commands about
  /// secrets and users open no plugin, and `secrets exec` replaces the process.
  ///
  /// - Parameter arguments: The command line without the program's name.
  static func watch(_ arguments: [String]) {
    guard !ExitWitness.isWatched, let command = CommandPurpose.command(in: arguments),
      !["serve", "work", "lsp", "plugin-worker", "secrets", "users", "tokens", "roles", "audit"].contains(command)
    else { return }
    guard hasForeignPluginInside(configuration: option("--config", of: arguments)) else { return }
    ExitWitness.run {
      report()
      _exit(ExitStatus.environment)
    }
  }

  /// The value of an option before `--`.
  private static func option(_ name: String, of arguments: [String]) -> String? {
    let own = arguments.prefix { $0 != "--" }
    if let joined = own.last(where: { $0.hasPrefix(name + "=") }) { return String(joined.dropFirst(name.count + 1)) }
    guard let index = own.lastIndex(of: name), own.indices.contains(index + 1) else { return nil }
    return own[index + 1]
  }

  private static func hasForeignPluginInside(configuration named: String?) -> Bool {
    guard let workspace = try? Workspace(configuration: named, Surroundings.ofProcess),
      let path = workspace.configurationPath, let data = FileManager.default.contents(atPath: path),
      // Most configurations do not contain the word, and parsing them twice would cost time.
      data.range(of: Data("in-process".utf8)) != nil, let source = try? SourceText.read(path)
    else { return false }
    let (configuration, _) = Configuration.parse(source)
    let search = PluginSearchPath.standard(
      project: configuration.pluginPaths, environment: workspace.surroundings.environment)
    return configuration.providers.contains { provider in
      guard provider.isolation == .inProcess,
        let library = try? search.locate(provider.plugin.reference)
      else { return false }
      return search.isolation(ofLibraryAt: library) == .process
    }
  }

  /// Sous itself is about to end the process.
  static func expect() {
    isExpected.store(true, ordering: .releasing)
    ExitWitness.finish()
  }
}
