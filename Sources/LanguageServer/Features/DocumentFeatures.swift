import Expressions
import Localization
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import Schemas

/// The requests about one position of one file.
struct DocumentFeatures {
  let document: OpenDocument
  let outline: Outline
  let scope: RecipeScope
  /// The table of keys that applies; `nil` if none does.
  let file: RecipeDefinitions.File?
  /// The recipe that the file tests; `nil` if it is not a test file, or the recipe is missing.
  let test: TestedRecipe?
  let surroundings: LanguageSession.Surroundings
  /// Reads a file as it is in the editor, or else on the disk.
  let read: @Sendable (String) -> SourceText?
  let planner: Planner
  let configuration: Configuration
  let configurationSource: SourceText?
  let language: Language
  let encoding: PositionEncoding
  /// The capabilities of the client.
  let client: Value

  var buffer: TextBuffer { document.buffer }

  /// A text in the language of the client.
  func say(_ english: String, de german: String) -> String { LocalizedText(english, de: german).string(in: language) }

  func shape(at path: Outline.Path) -> ValueShape? {
    file.flatMap { RecipeDefinitions.shape(at: path, of: $0, kind: scope.kind) }
  }

  /// The maps of keys that a place can hold.
  func mappings(at path: Outline.Path) -> [MappingDefinition] {
    shape(at: path)?.mappings.map { RecipeDefinitions.definition($0) } ?? []
  }

  /// The key at a path, where the place above holds maps that know it.
  func tableKey(at path: Outline.Path) -> KeyDefinition? {
    guard let file, case .key(let name)? = path.last else { return nil }
    if path.count == 1 { return RecipeDefinitions.root(of: file, kind: scope.kind).key(name) }
    return mappings(at: Array(path.dropLast())).lazy.compactMap { $0.key(name) }.first
  }

  /// The schema of a place: of an action's input, a plugin's settings, or a test's answers.
  func schema(at path: Outline.Path) -> SchemaFields? {
    if let test { return test.schema(at: path) }
    return inputSchema(at: path) ?? settingsSchema(at: path)
  }

  /// The schema of a place below a provider of the configuration, as its plugin declares its settings.
  private func settingsSchema(at path: Outline.Path) -> SchemaFields? {
    guard file == .configuration, path.count >= 2, path[0] == .key("providers"), case .key(let name) = path[1],
      let provider = configuration.provider(name), let schema = surroundings.settings(provider, configuration)
    else { return nil }
    return SchemaFields(schema).at(path.dropFirst(2))
  }

  /// Whether a prompt of the catalog can occur at a place although it is not a name by the table: `with: { prompt: … }`.
  func isPromptInput(_ path: Outline.Path) -> Bool {
    guard file == .recipe, let step = scope.step(at: path) else { return false }
    return Array(path.dropFirst(step.path.count)) == [.key("with"), .key("prompt")] && step.uses == "chat.complete"
  }

  /// The schema of a place below the `with` of a step.
  func inputSchema(at path: Outline.Path) -> SchemaFields? {
    guard file == .recipe, let step = scope.step(at: path), let action = scope.action(of: step),
      path.dropFirst(step.path.count).first == .key("with")
    else { return nil }
    return SchemaFields(action.input).at(path.dropFirst(step.path.count + 1))
  }

  /// The map of keys at a place below the `with` of a step that runs a recipe.
  func callMapping(at path: Outline.Path) -> MappingDefinition? {
    guard path.last == .key("with"), let step = scope.step(at: path), step.uses == ActionSignature.recipe.name,
      path.count == step.path.count + 1
    else { return nil }
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

  // MARK: Capabilities of the client

  /// Where the client says which forms of texts it takes.
  enum MarkupPlace {
    case hover
    case completion
    case signature
  }

  /// A text in Markdown, or as it is where the client shows no Markdown there.
  func markup(_ text: String, for place: MarkupPlace) -> Value {
    let features = client["textDocument"]
    let formats: Value? =
      switch place {
      case .hover: features?["hover"]?["contentFormat"]
      case .completion: features?["completion"]?["completionItem"]?["documentationFormat"]
      case .signature: features?["signatureHelp"]?["signatureInformation"]?["documentationFormat"]
      }
    if formats?.listValue?.contains("markdown") ?? false { return ["kind": "markdown", "value": .string(text)] }
    let plain = text.replacing("```\n", with: "").replacing("\n```", with: "").replacing("**", with: "")
      .replacing("`", with: "").replacing("\\*", with: "*")
    // A client that names no forms knows texts only.
    return formats == nil ? .string(plain) : ["kind": "plaintext", "value": .string(plain)]
  }

  /// Whether what is inserted may have places to fill in.
  var takesSnippets: Bool {
    client["textDocument"]?["completion"]?["completionItem"]?["snippetSupport"] == true
  }
}
