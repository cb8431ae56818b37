/// What the built-in actions may work with: folders, hosts, state.
///
/// Holds descriptions only; connections, threads and files are made by the first action that needs them.
public final class BuiltinSurroundings: Sendable {
  /// The folder where relative paths begin: that of `sous.yaml`.
  let folder: String
  /// The environment of this process, of which programs get a part.
  let environment: [String: String]

  /// Creates surroundings.
  ///
  /// - Parameters:
  ///   - folder: The folder where relative paths begin.
  ///   - environment: The environment of this process.
  public init(folder: String = ".", environment: [String: String] = [:]) {
    self.folder = folder
    self.environment = environment
  }

  /// A path as the process can use it: relative ones begin at the folder.
  func path(_ path: String) -> String {
    if path.isEmpty { return folder }
    return path.hasPrefix("/") ? path : (folder.hasSuffix("/") ? folder + path : folder + "/" + path)
  }
}
