public import Engine
import RecipeModel
import RecipeSyntax

extension Workspace {
  /// What models cost, as the configuration says; nothing where it cannot be read.
  public var prices: RecipeStatistics.Prices {
    guard let configurationPath, let source = try? SourceText.read(configurationPath) else { return .init() }
    return .init(
      Configuration.parse(source).0.engine.prices.map { (name: $0.key, input: $0.value.input, output: $0.value.output) }
    )
  }
}
