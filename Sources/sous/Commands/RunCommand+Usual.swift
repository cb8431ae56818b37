extension RunCommand {
  /// Reads the usual arguments of `sous run`: ArgumentParser's reflection takes longer than a small recipe.
  ///
  /// What it does not know, and all that is wrong, it leaves to ArgumentParser.
  ///
  /// - Parameter arguments: The program's arguments, the name of the command first.
  /// - Returns: `nil` where ArgumentParser has to read them.
  init?(usual arguments: [String]) {
    guard arguments.first == "run" else { return nil }
    var (recipe, config, state) = (String?.none, String?.none, String?.none)
    var (inputs, keywords, isQuiet, isJSON) = ([String](), [String](), false, false)
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      switch argument {
      case "-q", "--quiet": isQuiet = true
      case "--json": isJSON = true
      case "-i", "--input", "-k", "--keyword", "--config", "--state":
        guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("-") else { return nil }
        switch argument {
        case "-i", "--input": inputs.append(value)
        case "-k", "--keyword": keywords.append(value)
        case "--config": config = value
        default: state = value
        }
      default:
        guard recipe == nil, !argument.isEmpty, !argument.hasPrefix("-") else { return nil }
        recipe = argument
      }
    }
    guard let recipe else { return nil }
    // What is not set cannot be read, as it has not been parsed.
    self.init()
    (self.recipe, self.input, self.keyword) = (recipe, inputs, keywords)
    (self.quiet, self.queue, self.dryRun, self.inputsFrom, self.priority) = (isQuiet, false, false, nil, nil)
    var (format, global) = (FormatOptions(), GlobalOptions())
    format.json = isJSON
    (global.config, global.state, global.lang) = (config, state, nil)
    (self.format, self.global) = (format, global)
  }
}
