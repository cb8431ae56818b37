import Builtins
package import Engine
import Neutralisation
import Plans
import RecipeModel

/// The providers that plugins carry out; those with `neutralise` get neutral texts only. Needs no run log.
package struct NeutralisingProviders: ProviderDirectory {
  let plugins: any ProviderDirectory
  package let configured: ConfiguredProviders

  /// - Parameters:
  ///   - plugins: Opens the providers: the plugin host.
  ///   - configured: What `sous.yaml` says of them.
  package init(_ plugins: any ProviderDirectory, _ configured: ConfiguredProviders) {
    self.plugins = plugins
    self.configured = configured
  }

  package var builtins: any StepProvider { plugins.builtins }

  package func admit(to name: String) async throws(ActionFailure) -> Admission {
    try await plugins.admit(to: ProviderRoute(name).provider)
  }

  package func provider(named name: String) async throws(ActionFailure) -> any StepProvider {
    let base = try await plugins.provider(named: name)
    let configuration = configured.configuration
    guard let settings = configuration.provider(name)?.neutralise else { return base }
    do throws(NeutralisationError) {
      let options = Neutraliser.Options(configuration.neutralise.adding(settings))
      return NeutralisingProvider(
        name: name, base: base, neutraliser: try Neutraliser(options), lacksDictionaries: options.lacksDictionaries)
    } catch {
      throw ActionFailure(neutralising: error)
    }
  }
}
