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

/// The recipes that a run has kept; there are no others.
public struct RecordedRecipes: RecipeSource {
  private let texts: [String: String]

  /// Creates the source.
  ///
  /// - Parameter texts: The texts by path, as ``Plan/recipes`` has them.
  public init(_ texts: [String: String]) { self.texts = texts }

  /// The text that was kept under a path.
  public func text(_ path: String) -> SourceText? { texts[path].map { SourceText(path: path, text: $0) } }
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
