import Expressions
import Localization
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import Schemas

extension LanguageSession {
  /// The problems of a document and of the files that it uses.
  struct Analysis: Sendable {
    /// The problems in the document itself.
    var findings: [Diagnostic] = []
    /// Trouble with providers, as the client takes it.
    var troubles: [Value] = []
    /// The problems in other files, by their URIs.
    var elsewhere: [String: [Value]] = [:]
    /// The paths of the files that the findings rest on.
    var dependencies: Set<String> = []
    /// Whether a file that the document names does not exist.
    var isMissingFiles = false
  }

  /// The diagnostics of the open documents, by their URIs.
  var findings: [String: [Diagnostic]] { analyses.mapValues(\.findings) }

  /// Checks open documents again.
  ///
  /// - Parameters:
  ///   - uris: The documents.
  ///   - elsewhere: Files that are not open whose diagnostics may be others now.
  /// - Returns: The notifications with what is wrong with them and with the files that they use.
  mutating func refresh(_ uris: [String], elsewhere: Set<String> = []) -> [Value] {
    var messages: [Value] = []
    var others = elsewhere
    for uri in uris {
      guard let document = documents[uri] else { continue }
      let analysis = analysis(of: document)
      others.formUnion((analyses[uri]?.elsewhere ?? [:]).keys)
      others.formUnion(analysis.elsewhere.keys)
      analyses[uri] = analysis
      let values = analysis.findings.map { value($0, document) } + analysis.troubles
      messages.append(publication(of: values, uri: uri, version: document.version))
    }
    for uri in others.sorted() where documents[uri] == nil {
      // Several recipes may run the same one.
      var seen: Set<String> = []
      let found = analyses.sorted { $0.key < $1.key }.flatMap { $0.value.elsewhere[uri] ?? [] }
      let values = found.filter { seen.insert($0.jsonString).inserted }
      messages.append(publication(of: values, uri: uri, version: nil))
    }
    return messages
  }

  func publication(of diagnostics: [Value], uri: String, version: Int64?) -> Value {
    var parameters: ValueMap = ["uri": .string(uri), "diagnostics": .list(diagnostics)]
    if let version { parameters["version"] = .int(version) }
    return ["jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": .map(parameters)]
  }

  // MARK: Checking

  private mutating func analysis(of document: OpenDocument) -> Analysis {
    let source = document.source
    var analysis = Analysis()
    switch document.sort {
    case .configuration:
      let (configuration, problems) = Configuration.parse(source)
      analysis.findings = problems
      let planner = project(of: document).planner
      analysis.troubles = configuration.providers.compactMap { trouble($0, planner, document) }
    case .preset:
      analysis.findings = YAMLDocument.parse(source).diagnostics
    case .test:
      let planner = project(of: document).planner
      var read: Set<String> = []
      let problems = surroundings.testProblems(source, planner) { path in
        read.insert(path)
        return text(path)
      }
      analysis.dependencies = read
      sort(problems, into: &analysis, document)
    case .recipe:
      if source.bytes.allSatisfy({ $0 <= 32 }) { break }
      let planning = project(of: document).planner.plan(source)
      analysis.dependencies = Set(planning.sources.keys)
      sort(planning.diagnostics, into: &analysis, document)
      analysis.troubles = planning.providerProblems.map { value($0, document) }
    case .other:
      break
    }
    analysis.dependencies.remove(document.path)
    let missing: [Diagnostic.Code] = [.unknownRecipe, .unknownPrompt, .fileUnreadable]
    analysis.isMissingFiles = analysis.findings.contains { missing.contains($0.code) }
    return analysis
  }

  /// Problems of another file are reported there; those of a file without a path, here.
  private func sort(_ problems: [Diagnostic], into analysis: inout Analysis, _ document: OpenDocument) {
    for problem in problems {
      if problem.path == document.path || !problem.path.hasPrefix("/") {
        analysis.findings.append(problem)
        continue
      }
      let uri = FileAddress.uri(of: problem.path)
      // An open file is checked for itself.
      guard documents[uri] == nil, !documents.values.contains(where: { $0.path == problem.path }) else { continue }
      let buffer = TextBuffer(text(problem.path)?.text ?? "")
      analysis.elsewhere[uri, default: []].append(value(problem, path: problem.path, buffer))
    }
  }

  /// The problems of a provider's plugin or settings.
  private func trouble(_ provider: ConfiguredProvider, _ planner: Planner, _ document: OpenDocument) -> Value? {
    do throws(ProviderProblem) {
      _ = try planner.providers.describe(provider.name)
      return nil
    } catch {
      return [
        "range": DocumentFeatures.range(offsets(provider.pluginRange), in: document.buffer, encoding), "severity": 2,
        "code": .string(error.code.rawValue), "source": "sous",
        "message": .string(error.message.string(in: language)),
      ]
    }
  }

  // MARK: Protocol values

  func value(_ diagnostic: Diagnostic, _ document: OpenDocument) -> Value {
    value(diagnostic, path: document.path, document.buffer)
  }

  /// A diagnostic as the client takes it, in the file that it is shown in.
  private func value(_ diagnostic: Diagnostic, path: String, _ buffer: TextBuffer) -> Value {
    let isHere = diagnostic.path == path
    var related = diagnostic.related.compactMap { place in
      relation(place.message.string(in: language), place.path ?? diagnostic.path, place.range)
    }
    if !isHere, let range = diagnostic.range,
      let place = relation(diagnostic.message.string(in: language), diagnostic.path, range)
    {
      related.insert(place, at: 0)
    }
    let range = isHere ? diagnostic.range.map { offsets($0) } ?? 0..<0 : 0..<0
    let message = diagnostic.message.string(in: language)
    var map: ValueMap = [
      "range": DocumentFeatures.range(range, in: buffer, encoding),
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
      entry.name == "id" && entry.text == problem.step && StepPath.isStep(entry.path.dropLast())
    }
    let base = step.map { Array($0.path.dropLast()) }
    let place = base.flatMap { outline.entry($0 + [.key("provider")]) ?? outline.entry($0 + [.key("uses")]) } ?? step
    return [
      "range": DocumentFeatures.range(place?.value ?? 0..<0, in: document.buffer, encoding), "severity": 2,
      "code": .string(problem.code.rawValue), "source": "sous",
      "message": .string(problem.message.string(in: language)),
    ]
  }

  /// Another place of a diagnostic; `nil` in what is not a file.
  private func relation(_ message: String, _ path: String, _ range: SourceRange) -> Value? {
    guard path.hasPrefix("/") || documents.values.contains(where: { $0.path == path }) else { return nil }
    let buffer = documents.values.first { $0.path == path }?.buffer ?? TextBuffer(text(path)?.text ?? "")
    return [
      "location": [
        "uri": .string(FileAddress.uri(of: path)),
        "range": DocumentFeatures.range(offsets(range), in: buffer, encoding),
      ],
      "message": .string(message),
    ]
  }

  private func offsets(_ range: SourceRange) -> Range<Int> {
    range.start.offset..<max(range.start.offset, range.end.offset)
  }
}
