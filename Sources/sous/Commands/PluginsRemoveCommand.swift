import ArgumentParser
import Expressions
import Foundation
import Localization
import Plans
import PluginStore
import RecipeModel
import RecipePlanning
import UseCases

/// `sous plugins remove`: removes an installed plugin, with its entries in the locks.
struct PluginsRemoveCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "remove",
      abstract: say(
        "Remove an installed plugin, and ask if the project uses it.",
        de: "Ein installiertes Plugin entfernen, mit Frage, wenn das Projekt es verwendet."))
  }

  @Argument(help: ArgumentHelp(say("The id of the plugin.", de: "Die ID des Plugins."), valueName: "id"))
  var plugin: String

  @Flag(help: ArgumentHelp(say("Remove without asking.", de: "Ohne Frage entfernen.")))
  var yes = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let store = try PluginStoreAccess(global)
    guard try mapped({ try store.installer.has(plugin) }) else { throw notInstalled(store) }
    let uses = store.project.uses(ofPlugin: plugin)
    if !uses.isEmpty {
      let lines =
        [say("This project uses the plugin '\(plugin)':", de: "Dieses Projekt verwendet das Plugin '\(plugin)':")]
        + uses.map { "  - \($0.spoken)" }
      let kept = LocalizedText("nothing was removed", de: "nichts wurde entfernt")
      guard
        try PluginStoreAccess.confirm(
          lines, LocalizedText("Remove it all the same?", de: "Trotzdem entfernen?"), yes: yes, undone: kept)
      else { return write(kept.spoken + "\n") }
    }
    // Another process can have removed it since.
    guard try mapped({ try store.installer.remove(plugin) }) else { throw notInstalled(store) }
    if format.json { return writeJSON(["removed": .string(plugin)]) }
    write(say("Removed \(plugin)\n", de: "\(plugin) entfernt\n"))
  }

  private func notInstalled(_ store: PluginStoreAccess) -> CommandError {
    CommandError(
      ExitStatus.wrongInput,
      .init(
        "'\(plugin)' is not installed in \(store.installer.folder.path); 'sous plugins list' shows where plugins are",
        de:
          "'\(plugin)' ist nicht in \(store.installer.folder.path) installiert; 'sous plugins list' zeigt, wo Plugins liegen"
      ),
      code: PluginStoreError.Code.notInstalled.rawValue)
  }
}

extension Project {
  /// The providers and served recipes that use a plugin.
  fileprivate func uses(ofPlugin id: String) -> [LocalizedText] {
    let names = configuration.providers.filter { $0.plugin == .id(id) }.map(\.name)
    var uses = names.map { LocalizedText("the provider '\($0)' in sous.yaml", de: "der Provider '\($0)' in sous.yaml") }
    for name in servedNames {
      guard let plan = planning(servedFile(name)).plan, plan.uses(plugin: id, providers: names) else { continue }
      uses.append(LocalizedText("the recipe '\(name)'", de: "das Rezept '\(name)'"))
    }
    return uses
  }
}

extension Plan {
  /// Whether a step of the plan or of a recipe that it runs uses one of the providers, or an action of the plugin.
  fileprivate func uses(plugin: String, providers: [String]) -> Bool {
    steps.contains { step in
      step.action.name.hasPrefix(plugin + ".")
        || step.providers.contains { providers.contains(ProviderRoute($0).provider) }
        || step.child?.uses(plugin: plugin, providers: providers) == true
    }
  }
}
