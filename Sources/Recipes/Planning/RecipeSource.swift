import Glibc

/// Where the recipes come from that a recipe runs.
public protocol RecipeSource: Sendable {
  /// The text of a recipe.
  ///
  /// - Parameter path: The path, absolute or from the current folder.
  /// - Returns: `nil` where there is no such file.
  /// - Throws: ``Diagnostic`` where it cannot be read.
  func text(_ path: String) throws(Diagnostic) -> SourceText?
}

/// The recipes of the file system.
public struct RecipeFiles: RecipeSource {
  /// Creates the source.
  public init() {}

  /// The text of a file.
  public func text(_ path: String) throws(Diagnostic) -> SourceText? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return try SourceText.read(path)
  }
}
