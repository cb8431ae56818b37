/// A provider as `sous.yaml` describes it.
public struct ConfiguredProvider: Sendable {
  /// Where a plugin comes from.
  public enum Plugin: Sendable, Hashable {
    /// A plugin found by its id in the plugin folders.
    case id(String)
    /// A plugin file; absolute, or relative to the current folder.
    case file(String)
  }

  /// How a plugin is run.
  public enum Isolation: String, Sendable, CaseIterable {
    /// In the process of Sous.
    case none
    /// In a worker process of its own.
    case process
  }

  /// The providers that Sous brings by contract: each answers where nobody configured does, and may be named like one.
  public static let bundled = ["chat": "extractive"]

  /// The name recipes use.
  public var name: String
  /// Where the name stands.
  public var nameRange: SourceRange
  /// Its plugin.
  public var plugin: Plugin
  /// Where the plugin is named.
  public var pluginRange: SourceRange
  /// How it is run; `nil` leaves the choice to the host.
  public var isolation: Isolation?
  /// Everything else, for the plugin.
  public var settings: SettingValue
}
