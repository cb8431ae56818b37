import Expressions
import Localization
import Recipes

/// What is asked about one place of one file.
struct DocumentFeatures {
  let document: OpenDocument
  let outline: Outline
  let scope: RecipeScope
  let file: RecipeDefinitions.File
  let planner: Planner
  let configuration: Configuration
  let configurationSource: SourceText?
  let language: Language
  let encoding: PositionEncoding

  var buffer: TextBuffer { document.buffer }

  /// A text in the language of the client.
  func say(_ english: String, de german: String) -> String { LocalizedText(english, de: german).string(in: language) }

  func shape(at path: Outline.Path) -> ValueShape? {
    RecipeDefinitions.shape(at: path, of: file, kind: scope.kind)
  }

  /// The schema of a place below the `with` of a step.
  func inputSchema(at path: Outline.Path) -> SchemaFields? {
    guard file == .recipe, path.count >= 3, path[2] == .key("with"), let step = scope.step(at: path),
      let action = scope.action(of: step)
    else { return nil }
    return SchemaFields(action.input).at(path.dropFirst(3))
  }

  /// The map of keys at a place below the `with` of a step that runs a recipe.
  func callMapping(at path: Outline.Path) -> MappingDefinition? {
    guard path.count == 3, path[2] == .key("with"), scope.step(at: path)?.uses == ActionSignature.recipe.name else {
      return nil
    }
    return RecipeDefinitions.definition(.recipeCall)
  }

  /// Whether the value at a place is an expression even without braces.
  func isExpression(_ path: Outline.Path) -> Bool {
    Self.shapes(shape(at: path)).contains(.expression)
  }

  static func shapes(_ shape: ValueShape?) -> [ValueShape] {
    switch shape {
    case nil: []
    case .any(let shapes)?: shapes.flatMap { Self.shapes($0) }
    case let shape?: [shape]
    }
  }

  // MARK: Protocol values

  func range(_ range: Range<Int>) -> Value { Self.range(range, in: buffer, encoding) }

  static func range(_ range: Range<Int>, in buffer: TextBuffer, _ encoding: PositionEncoding) -> Value {
    ["start": position(range.lowerBound, buffer, encoding), "end": position(range.upperBound, buffer, encoding)]
  }

  private static func position(_ offset: Int, _ buffer: TextBuffer, _ encoding: PositionEncoding) -> Value {
    let position = buffer.position(of: offset, encoding)
    return ["line": .int(Int64(position.line)), "character": .int(Int64(position.character))]
  }

  func location(_ range: Range<Int>) -> Value { ["uri": .string(document.uri), "range": self.range(range)] }
}
