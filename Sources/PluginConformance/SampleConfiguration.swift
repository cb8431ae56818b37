public import Expressions
public import PluginHost

/// Settings to try a plugin out with.
public enum SampleConfiguration {
  /// Made-up settings that satisfy the plugin's schema; where none are found, none.
  public static func settings(for manifest: PluginManifest) -> Value {
    SampleInput(schema: manifest.configuration).valid ?? .map([:])
  }
}
