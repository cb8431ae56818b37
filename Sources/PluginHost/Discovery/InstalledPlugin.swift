public import PluginBoundary

/// A plugin library that a listing found.
public struct InstalledPlugin: Sendable {
  /// Whether the library is the one that its id selects.
  public enum Status: Sendable {
    /// A configuration that names the id gets this library.
    case active(PluginManifest)
    /// A library in a more important kind of place has the same id.
    case shadowed(by: String)
    /// A library in a place of the same kind has the same id; one of the two should go.
    case duplicate(of: String)
    /// It cannot be used.
    case broken(PluginError)
  }

  /// The id, by the file name.
  public var id: String
  /// The library.
  public var path: String
  /// Who put its folder on the search path.
  public var origin: PluginSearchPath.Origin
  /// Whether the library is the one that its id selects.
  public var status: Status
}
