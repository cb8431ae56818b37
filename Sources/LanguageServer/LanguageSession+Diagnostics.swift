import Expressions
import Localization
import Recipes

extension LanguageSession {
  /// The notification with everything that is wrong with a file.
  mutating func publication(_ document: OpenDocument) -> Value {
    publication(of: diagnostics(of: document), uri: document.uri, version: document.version)
  }

  func publication(of diagnostics: [Value], uri: String, version: Int64?) -> Value {
    var parameters: ValueMap = ["uri": .string(uri), "diagnostics": .list(diagnostics)]
    if let version { parameters["version"] = .int(version) }
    return ["jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": .map(parameters)]
  }

  private mutating func diagnostics(of document: OpenDocument) -> [Value] {
    let source = document.source
    switch document.sort {
    case .configuration:
      return Configuration.parse(source).diagnostics.map { value($0, document) }
    case .preset, .test:
      return YAMLDocument.parse(source).diagnostics.map { value($0, document) }
    case .recipe:
      if source.bytes.allSatisfy({ $0 <= 32 }) { return [] }
      let planning = project(of: document.path).planner.plan(source)
      return planning.diagnostics.map { value($0, document) }
        + planning.providerProblems.map { value($0, document) }
    case .other:
      return []
    }
  }

  private func value(_ diagnostic: Diagnostic, _ document: OpenDocument) -> Value {
    let isHere = diagnostic.path == document.path
    var related = diagnostic.related.map { place in
      relation(
        place.message.string(in: language), place.path ?? diagnostic.path, place.range, document)
    }
    if !isHere, let range = diagnostic.range {
      related.insert(relation(diagnostic.message.string(in: language), diagnostic.path, range, document), at: 0)
    }
    let range = isHere ? diagnostic.range.map { offsets($0) } ?? 0..<0 : 0..<0
    let message = diagnostic.message.string(in: language)
    var map: ValueMap = [
      "range": DocumentFeatures.range(range, in: document.buffer, encoding),
      "severity": diagnostic.severity == .error ? 1 : 2, "code": .string(diagnostic.code.rawValue), "source": "sous",
      "message": .string(isHere ? message : "\(diagnostic.path): \(message)"),
    ]
    if !related.isEmpty { map["relatedInformation"] = .list(related) }
    return .map(map)
  }

  /// Trouble with a provider is the configuration's: a warning in the recipe, where the step asks for it.
  private func value(_ problem: ProviderProblem, _ document: OpenDocument) -> Value {
    let outline = document.outline
    let step = outline.entries.first { entry in
      entry.path.count == 3 && entry.path[0] == .key("steps") && entry.name == "id" && entry.text == problem.step
    }
    let base = step.map { Array($0.path.dropLast()) }
    let place = base.flatMap { outline.entry($0 + [.key("provider")]) ?? outline.entry($0 + [.key("uses")]) } ?? step
    return [
      "range": DocumentFeatures.range(place?.value ?? 0..<0, in: document.buffer, encoding), "severity": 2,
      "code": .string(problem.code.rawValue), "source": "sous",
      "message": .string(problem.message.string(in: language)),
    ]
  }

  private func relation(_ message: String, _ path: String, _ range: SourceRange, _ document: OpenDocument) -> Value {
    let buffer = path == document.path ? document.buffer : surroundings.read(path).map { TextBuffer($0.text) }
    return [
      "location": [
        "uri": .string(FileAddress.uri(of: path)),
        "range": DocumentFeatures.range(offsets(range), in: buffer ?? TextBuffer(""), encoding),
      ],
      "message": .string(message),
    ]
  }

  private func offsets(_ range: SourceRange) -> Range<Int> {
    range.start.offset..<max(range.start.offset, range.end.offset)
  }
}
