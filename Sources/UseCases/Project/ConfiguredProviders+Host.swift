import Builtins
import Engine
import Expressions
import Localization
import Plans
import PluginBoundary
import PluginHost
import Providers
import RecipeModel

extension ConfiguredProviders {
  /// The configurations the host opens providers from.
  func hostConfigurations(secrets: ProjectSecrets, fence: PathFence) -> [ProviderConfiguration] {
    let embedded = Self.embedded.values.filter { configuration.provider($0) == nil && ownContract(of: $0) == nil }
      .map { ProviderConfiguration(name: $0, plugin: .init($0)) }
    return embedded
      + configuration.providers.map { hostConfiguration(of: $0, secrets: secrets, fence: fence) }
  }

  /// A provider's settings; its secrets come when it is opened.
  private func hostConfiguration(
    of provider: ConfiguredProvider, secrets: ProjectSecrets, fence: PathFence
  ) -> ProviderConfiguration {
    var result = ProviderConfiguration(name: provider.name, plugin: provider.plugin.reference)
    result.settings = provider.settings.value { _ in .null }
    if !provider.settings.secrets.isEmpty {
      result.secretSource = ProviderSecrets(provider: provider, secrets: secrets)
    }
    result.hosts = provider.hosts.map(\.value)
    result.trust = .init(authorities: provider.trust.authorities, certificate: provider.trust.certificate)
    result.concurrency = provider.concurrency
    result.rate = provider.rate.map { .init(requests: $0.requests, per: $0.seconds, burst: $0.burst) }
    result.isolation = Self.isolation(of: provider)
    let limits = provider.limits
    if let memory = limits.memory { result.limits.memory = UInt64(clamping: memory) }
    if let seconds = limits.processorSeconds { result.limits.processorSeconds = seconds }
    if let threads = limits.threads { result.limits.threads = UInt32(clamping: threads) }
    if let files = limits.files { result.limits.files = UInt64(clamping: files) }
    let trust = secrets.trust
    result.permit = { [configuration] (manifest, path) throws(PluginError) in
      try trust.check(provider, manifest, library: path)
      for place in manifest.paths(in: provider.settings.value { _ in .null }) {
        guard let objection = fence.objection(writing: configuration.resolve(place.path)) else { continue }
        throw PluginError(
          .configInvalid,
          LocalizedText(
            "The setting '\(place.setting)' of the provider '\(provider.name)' is refused; set another path. The reason: ",
            de: "Die Einstellung '\(place.setting)' des Providers '\(provider.name)' ist abgelehnt; einen anderen Pfad "
              + "angeben. Der Grund: ")
            + objection.message, path: path)
      }
    }
    result.fence = { (path) throws(ActionFailure) in try fence.readable(path) }
    result.resolvePath = { [configuration] in configuration.resolve($0) }
    return result
  }
}
