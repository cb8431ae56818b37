import RecipeModel

extension Configuration {
  /// A path of the configuration; `~/` is the home folder.
  func resolve(_ path: String, _ environment: [String: String]) -> String {
    if path.hasPrefix("~/"), let home = environment["HOME"] { return home + path.dropFirst() }
    return resolve(path)
  }

  /// A command of the configuration. A program with a folder in its name is looked for from the configuration's folder.
  func resolve(_ arguments: [String], _ environment: [String: String]) -> [String] {
    guard let program = arguments.first, program.contains("/") else { return arguments }
    return [resolve(program, environment)] + arguments.dropFirst()
  }
}
