public import Engine
import Networking
import PluginBoundary

/// Where everything is kept that plugins may keep.
public typealias ProviderStorage = ProviderStateStore & BlobStore & TriggerStore

/// The network, secrets and storage of one provider.
struct ProviderResources: Sendable {
  /// The network; `nil` if plugins have none.
  var network: NetworkService?
  /// Where its plugin may go.
  var policy: EgressPolicy?
  /// Whom its connections trust.
  var trust = TLSOptions()
  /// Its secrets.
  var secrets = SecretAccess()
  /// Where its state, blobs and events are stored; `nil` if nothing is.
  var storage: (any ProviderStorage)?
}

/// Which secrets a provider may read, and where they come from.
struct SecretAccess: Sendable {
  /// Values written in the settings themselves, by setting.
  var literals: [String: String] = [:]
  /// The settings that the manifest declares secrets.
  var declared: Set<String> = []
  /// Where the others come from.
  var reader: (any SecretReading)?

  /// Whether a setting may be read as a secret.
  func allows(_ setting: String) -> Bool {
    declared.contains(setting) || reader?.settings.contains(setting) == true
  }

  /// The present value.
  func value(of setting: String) throws(ActionFailure) -> String? {
    guard let reader, reader.settings.contains(setting) else { return literals[setting] }
    do throws(PluginError) {
      return try reader.read(setting)
    } catch {
      throw error.failure
    }
  }
}
