import Builtins
import Foundation
import Localization
import Plans
import RecipeModel
import RecipePlanning
public import RecipeTesting

extension RecipeTester {
  /// A tester with the prompts of a workspace; its providers are not asked for.
  public init(_ workspace: Workspace) {
    let builtins = BuiltinActions()
    var configuration = Configuration.empty
    configuration.path = workspace.configurationPath
    self.init(
      planner: Planner(
        catalog: ActionCatalog(builtins.signatures, contracts: BundledContract.all), providers: NoProviders(),
        configuration: configuration),
      builtins: builtins)
  }

  /// The test files that somebody names, and those in folders that are named.
  ///
  /// - Parameter paths: Files and folders; none for the current folder.
  /// - Throws: ``UseCaseError`` where there is none.
  public static func testFiles(_ paths: [String]) throws(UseCaseError) -> [String] {
    var files: [String] = []
    for path in paths.isEmpty ? ["."] : paths {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
        files.append(path)
        continue
      }
      let found = (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? [])
        .filter { name in isTestFile(name) && !name.split(separator: "/").contains { $0.hasPrefix(".") } }
      files += found.sorted().map { path == "." ? $0 : path.hasSuffix("/") ? path + $0 : path + "/" + $0 }
    }
    guard !files.isEmpty else {
      throw .wrongInput(
        .init("no test files (*.test.yaml) found", de: "keine Testdateien (*.test.yaml) gefunden"))
    }
    return files
  }

  /// Whether a file holds tests, by its name.
  static func isTestFile(_ path: String) -> Bool { path.hasSuffix(".test.yaml") || path.hasSuffix(".test.yml") }
}
