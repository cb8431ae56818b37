import Plans
public import RecipeSyntax

/// A prompt of the catalog as people are shown it.
public struct PromptDescription: Sendable {
  /// A keyword that the prompt has, and where it gets it from.
  public struct Keyword: Sendable {
    /// The name.
    public var name: String
    /// The value as it is written.
    public var text: String
    /// The file that defines it: the preset's, or `folder.yaml` of one of its folders.
    public var path: String
    /// Where the name stands in that file.
    public var range: SourceRange
  }

  /// The name: `mail/summary`.
  public var name: String
  /// What it is for.
  public var summary: String?
  /// The kind of work, for a provider without a model.
  package var task: String?
  /// What the model is told about its role.
  public var system: String?
  /// What the model is to do.
  public var prompt: String
  /// Its file.
  public var path: String
  /// The keywords in force, each once, the preset's own over those of its folders.
  public var keywords: [Keyword]
  /// All keywords in their order, also those that others override and those whose names no expression can use.
  package var allKeywords: [CatalogKeyword]
}

extension PromptCatalog {
  /// What a prompt is, and which keywords a recipe that names it inherits.
  ///
  /// - Returns: `nil` where there is no such prompt, or its file is wrong.
  public func description(of name: String) -> PromptDescription? {
    guard Self.isName(name) else { return nil }
    return look(at: name).description
  }

  /// What a prompt is, and what is wrong with its files.
  ///
  /// - Parameter name: The name, which needs no `./`.
  package func look(at name: String) -> (description: PromptDescription?, diagnostics: [Diagnostic]) {
    let (found, diagnostics) = preset(name)
    guard let preset = found else { return (nil, diagnostics) }
    var seen: Set<String> = []
    let keywords = preset.keywords.reversed().filter { seen.insert($0.name).inserted }.reversed().map { keyword in
      PromptDescription.Keyword(
        name: keyword.name, text: keyword.text.text, path: keyword.text.document.source.path, range: keyword.nameRange)
    }
    let description = PromptDescription(
      name: name, summary: preset.summary, task: preset.task, system: preset.system?.text, prompt: preset.prompt.text,
      path: preset.prompt.document.source.path, keywords: keywords, allKeywords: preset.pairs)
    return (description, diagnostics)
  }
}
