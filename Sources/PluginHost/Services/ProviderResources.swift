public import Engine
import Network
import PluginBoundary

/// Where everything is kept that plugins may keep.
public typealias ProviderStorage = ProviderStateStore & BlobStore & TriggerStore

/// What stands behind the services of one provider.
struct ProviderResources: Sendable {
  /// The network; `nil` where plugins have none.
  var network: NetworkService?
  /// Where its plugin may go.
  var policy: EgressPolicy?
  /// Whom its connections trust.
  var trust = TLSOptions()
  /// Its secrets.
  var secrets = SecretAccess()
  /// Where its state, blobs and events are kept; `nil` where nothing is.
  var storage: (any ProviderStorage)?
}

/// Which secrets a provider may read, and where they come from.
struct SecretAccess: Sendable {
  /// Values that stand in the settings themselves, by setting.
  var literals: [String: String] = [:]
  /// What the manifest calls a secret.
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
