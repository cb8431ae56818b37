import Expressions
import Foundation
import Hashing
import Plans
import PluginHost
import RecipeModel
import Synchronization

/// What results of `cache:` depend on beside recipe and input: the folder, the settings of a provider, its plugin.
///
/// A provider of the same name can be somebody else's account tomorrow, or in the project next door; its results must not
/// be taken for those of the other. Secrets count by where they are, never by what they are.
final class ResultScopes: Sendable {
  private let configuration: Configuration
  private let manifests: ManifestDirectory
  /// What the vault was last changed by, other than fresh tokens: another secret may be another account's.
  private let vaultMark: String?
  private let kept = Mutex<[String: String]>([:])

  init(_ configuration: Configuration, manifests: ManifestDirectory, vaultMark: String?) {
    self.configuration = configuration
    self.manifests = manifests
    self.vaultMark = vaultMark
  }

  /// What stands for all that in the names of results.
  ///
  /// - Parameter provider: The provider's name; `nil` for Sous's own actions.
  func scope(of provider: String?) -> String {
    let name = provider ?? ""
    if let scope = kept.withLock({ $0[name] }) { return scope }
    let scope = ContentHash.hexadecimal(of: (provider.map(settings(of:)) ?? surroundings).json())
    kept.withLock { $0[name] = scope }
    return scope
  }

  private var folder: Value {
    .string(Self.absolute(configuration.directory))
  }

  /// One spelling, whichever folder the command was called in.
  private static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }

  private var surroundings: Value {
    let http = configuration.http
    return .list([
      folder, .list(http.hosts.map { .string($0.value) }),
      .list(
        http.credentials.map { credential in
          let form: Value =
            switch credential.form {
            case .bearer: ["bearer"]
            case .basic(let user): ["basic", .string(user)]
            case .header(let name): ["header", .string(name)]
            }
          return .list([.string(credential.host.value), form, place(of: credential.secret)])
        }), trust(http.trust), http.credentials.isEmpty ? .null : vault,
    ])
  }

  private func settings(of route: String) -> Value {
    let name = ProviderRoute(route).provider
    guard let provider = configuration.provider(name) else {
      return .list([.string(name), version(of: PluginReference(name))])
    }
    let (kind, plugin) =
      switch provider.plugin {
      case .id(let id): ("id", PluginReference(id))
      case .file(let path): ("file", PluginReference(Self.absolute(path)))
      }
    return .list([
      folder, .string(kind), .string("\(plugin)"), version(of: plugin), provider.settings.value(resolving: place(of:)),
      .list(provider.hosts.map { .string($0.value) }), trust(provider.trust),
      provider.settings.secrets.isEmpty ? .null : vault,
      .list([.map(provider.models.defaults), .text(ProviderRoute(route).model)]),
    ])
  }

  private var vault: Value { .text(vaultMark) }

  private func version(of plugin: PluginReference) -> Value {
    (try? manifests.manifest(of: plugin)).map { .list([.string($0.id), .string($0.version)]) } ?? .null
  }

  private func trust(_ trust: ConfiguredProvider.Trust) -> Value {
    .list([.text(trust.authorities), .text(trust.certificate)])
  }

  private func place(of secret: SecretReference) -> Value {
    switch secret.place {
    case .name(let name): ["secret": .string(name)]
    case .environment(let name): ["env": .string(name)]
    case .file(let path, let line): ["file": .string(path), "line": .text(line)]
    case .account(let name): ["oauth": .string(name)]
    case .command(let words): ["command": .list(words.map(Value.string))]
    }
  }
}

extension Value {
  /// A text, or null where there is none.
  fileprivate static func text(_ text: String?) -> Value { text.map(Value.string) ?? .null }
}
