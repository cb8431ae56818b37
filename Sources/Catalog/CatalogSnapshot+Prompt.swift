import Expressions
import Localization
package import RecipeModel
import RecipeSyntax

/// The whole text of a preset or a composition.
package struct ResolvedPrompt: Sendable {
  /// A keyword that is in force.
  package struct Keyword: Sendable {
    /// Its name.
    package var name: String
    /// Its value.
    package var value: String
    /// Where it stands: `catalog/mail/folder.yaml:3`.
    package var place: String
    /// The places whose values it replaces, the nearest first.
    package var replaced: [String]
  }

  /// What the model is told about its role.
  package var system: String?
  /// The text.
  package var text: String
  /// The kind of work, for a provider without a model.
  package var task: String?
  /// The keywords, each once, in the order in which they come first.
  package var keywords: [Keyword]
  /// The first expression that no keyword fills, with its braces.
  package var unfilled: String?
}

extension CatalogStore {
  /// The catalog as recipes see it.
  package var prompts: PromptCatalog {
    var prompts = PromptCatalog.project(in: project)
    prompts.language = language
    return prompts
  }

  /// The text of a preset or a composition with its keywords put in; a place that no keyword fills stays as it is written.
  ///
  /// - Parameters:
  ///   - name: The name; `mail/summary.de` is the German text of one.
  ///   - keywords: Keywords that count more than all others.
  package func prompt(
    _ name: String, keywords given: [(name: String, value: String)] = []
  ) throws(CatalogError) -> ResolvedPrompt {
    let suffix = PromptCatalog.split(name).language.map { "." + $0.rawValue } ?? ""
    let place = try snapshot().find(name)
    guard case .file(let plain) = place else {
      throw CatalogError(.invalid, "'\(place.label)' is a folder", de: "'\(place.label)' ist ein Ordner")
    }
    let (description, diagnostics) = prompts.look(at: plain + suffix)
    guard let description else {
      let problem = diagnostics.first
      throw CatalogError(
        .broken,
        LocalizedText(verbatim: (problem?.path ?? plain) + ": ")
          + (problem?.message ?? LocalizedText("the file is wrong", de: "die Datei ist falsch")))
    }
    var merged: [ResolvedPrompt.Keyword] = []
    for keyword in description.allKeywords {
      let place = "\(keyword.path):\(keyword.range.start.line)"
      Self.merge(keyword.name, keyword.value, place, &merged)
    }
    for keyword in given { Self.merge(keyword.name, keyword.value, "-k", &merged) }
    var values: [String: String] = [:]
    for keyword in merged { values[keyword.name] = keyword.value }
    var unfilled: String?
    return ResolvedPrompt(
      system: description.system.map { Self.filled($0, values, &unfilled) },
      text: Self.filled(description.prompt, values, &unfilled), task: description.task, keywords: merged,
      unfilled: unfilled)
  }

  private static func merge(_ name: String, _ value: String, _ place: String, _ merged: inout [ResolvedPrompt.Keyword])
  {
    guard let index = merged.firstIndex(where: { $0.name == name }) else {
      merged.append(.init(name: name, value: value, place: place, replaced: []))
      return
    }
    merged[index].replaced.insert(merged[index].place, at: 0)
    merged[index].value = value
    merged[index].place = place
  }

  /// A text with the values of bare names; other expressions need a run and stay.
  private static func filled(_ text: String, _ values: [String: String], _ unfilled: inout String?) -> String {
    var result = ""
    var rest = text[...]
    while let begin = rest.firstRange(of: "{{") {
      result += rest[..<begin.lowerBound]
      let inner = rest[begin.upperBound...]
      if inner.hasPrefix(" \"{{\" }}") {
        result += "{{"
        rest = inner.dropFirst(8)
        continue
      }
      guard let end = inner.firstRange(of: "}}") else {
        rest = rest[begin.lowerBound...]
        unfilled = unfilled ?? String(rest.prefix { !$0.isNewline })
        break
      }
      let name = inner[..<end.lowerBound].drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
      let value = values[String(name)]
      let expression = String(rest[begin.lowerBound..<end.upperBound])
      if value == nil, unfilled == nil { unfilled = expression }
      result += value ?? expression
      rest = inner[end.upperBound...]
    }
    return result + rest
  }
}
