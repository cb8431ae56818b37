import Builtins
import Engine
import Localization
import Networking
import OperatingSystem
import PluginHost
import RecipeModel
import RecipeSyntax
import RunStore

extension Workspace {
  /// Refuses a path to write to that leads to what the workspace works with: run log, vault or configuration.
  ///
  /// - Throws: ``UseCaseError`` with code `destination_in_use` and what the file is.
  public func requireForeign(_ destination: String) throws(UseCaseError) {
    let log = LocalizedText("the run log", de: "das Laufprotokoll")
    var own = RunStore.parts(of: database).map { (path: $0, what: log) }
    own.append((notes, LocalizedText("the notes", de: "die Notizen")))
    own.append((vault, LocalizedText("the vault", de: "der Tresor")))
    if let configurationPath {
      own.append((configurationPath, LocalizedText("the configuration", de: "die Konfiguration")))
    }
    let place = FilePlace(surroundings.resolve(destination))
    guard let found = own.first(where: { FilePlace($0.path).isSame(as: place) }) else {
      return try requireUnprotected(destination)
    }
    throw UseCaseError(
      .destinationInUse,
      LocalizedText("'\(destination)' is ", de: "'\(destination)' ist ") + found.what
        + LocalizedText(": name another file", de: ": eine andere Datei nennen"))
  }

  /// Refuses to write to a path that the fence protects: keys, secrets, code.
  private func requireUnprotected(_ destination: String) throws(UseCaseError) {
    var quiet = self
    quiet.surroundings.events = { _ in }
    quiet.surroundings.trustQuestion = nil
    // If the configuration cannot be read, the default places are still protected.
    let source = quiet.configurationPath.flatMap { try? SourceText.read(surroundings.resolve($0)) }
    let configuration = source.map { Configuration.parse($0).0 } ?? .empty
    let trust = WorkspaceTrust(configuration, quiet.surroundings)
    let manifests = ManifestDirectory(
      searchPath: trust.searchPath, cache: .standard(environment: surroundings.environment), gate: trust.gate)
    let network = NetworkService()
    let secrets = ProjectSecrets(configuration, quiet, trust: trust, manifests: manifests, network: network)
    let fence = BuiltinSurroundings(configuration, quiet, secrets: secrets, manifests: manifests, network: network)
      .fence
    guard let objection = fence.objection(writing: surroundings.resolve(destination)) else { return }
    throw UseCaseError(.destinationInUse, objection.message, cause: nil)
  }
}
