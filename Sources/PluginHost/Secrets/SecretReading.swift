public import Expressions
public import PluginBoundary

/// Gets the secrets that the settings of one provider name.
///
/// Both functions may block for seconds, a program runs or a person is asked, and are called on threads of their own.
public protocol SecretReading: Sendable {
  /// The settings that hold secrets: `password`, `accounts.0.token`.
  var settings: Set<String> { get }

  /// The settings with every secret in its place, when the provider is opened.
  ///
  /// - Throws: ``PluginError`` that names the place of the setting, the secret and the remedy.
  func filledSettings() throws(PluginError) -> FilledSettings

  /// A secret as it is now: one that was rotated is new.
  ///
  /// - Parameter setting: The setting: `password`, `accounts.0.token`.
  /// - Returns: Its value; `nil` if the setting holds no secret.
  /// - Throws: ``PluginError`` if the secret cannot be had.
  func read(_ setting: String) throws(PluginError) -> String?
}

/// The settings of a provider, complete.
public struct FilledSettings: Sendable {
  /// The settings, a map.
  public var settings: Value
  /// The values of the secrets in it.
  public var secrets: [String]

  /// Creates complete settings.
  public init(settings: Value, secrets: [String]) {
    self.settings = settings
    self.secrets = secrets
  }
}
