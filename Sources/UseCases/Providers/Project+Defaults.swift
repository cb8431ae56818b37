import Expressions
import Localization
import Plans
import PluginHost
import Providers
import RecipeModel
import RecipeSyntax

extension Project {
  /// The text of `sous.yaml` in which a provider is the first to answer for a contract; those that answered before it come
  /// after it, where there were several.
  ///
  /// - Parameters:
  ///   - route: The provider, also with a model: `gpt/gpt-4o`.
  ///   - contract: The contract; `nil` for `chat` where the provider offers it, else the first that it offers.
  /// - Returns: The file, its new text, the contract and the providers that answer for it.
  /// - Throws: ``UseCaseError``: `unknown_provider`, `unsuitable_provider`, or `environment` where the file cannot be
  ///   changed.
  public func settingDefault(
    _ route: String, for contract: String?
  ) throws(UseCaseError) -> (path: String, text: String, contract: String, routes: [String]) {
    let name = ProviderRoute(route).provider
    guard let path = workspace.configurationPath, providers.names.contains(name) else {
      throw .unknownProvider(name, among: providers.names)
    }
    let offered: [String]
    do throws(ProviderProblem) { offered = try providers.describe(name).contracts } catch {
      throw UseCaseError(UseCaseError.Code(rawValue: error.code.rawValue), error.message)
    }
    guard let contract = contract ?? (offered.contains("chat") ? "chat" : offered.first), offered.contains(contract)
    else {
      throw UseCaseError(
        .unsuitableProvider,
        LocalizedText(
          "the provider '\(name)' offers no '\(contract ?? "contract")'",
          de: "der Provider '\(name)' bietet kein '\(contract ?? "contract")' an"))
    }
    let old = configuration.defaults(for: contract) ?? []
    let others = old.filter { ProviderRoute($0).provider != name }
    let own = old.filter { ProviderRoute($0).provider == name && $0 != route }
    // A model that is named takes the first place; without one the provider's entries move up as they are.
    let first = ProviderRoute(route).model == nil && !own.isEmpty && !old.contains(route) ? own : [route] + own
    let routes = old.count > 1 ? first + others : [route]
    let source: SourceText
    do throws(Diagnostic) { source = try SourceText.read(path) } catch {
      throw UseCaseError(.environment, error.message)
    }
    let text = String(decoding: source.bytes, as: UTF8.self)
    return (path, try DefaultProviderEdit(path: path, text: text).setting(contract, to: routes), contract, routes)
  }

  /// The providers that answer where nobody is named, by contract.
  public var defaultRoutes: [(contract: String, routes: [String])] {
    configuration.defaults.map { ($0.contract.value, $0.providers.map(\.value)) }
  }

  /// The model that a provider is asked for where nobody names one; `nil` where it has none.
  public func model(of provider: String) -> String? {
    let model = providers.model(of: ProviderRoute(provider: provider), action: "chat.complete", input: .null)
    return model.isEmpty ? nil : model
  }

  /// Whether a provider's work is done on this machine or in the private network.
  public func isLocal(_ provider: String) -> Bool { providers.remoteness(of: provider) == nil }
}
