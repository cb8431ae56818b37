import Expressions
import Localization
import Schemas

extension LanguageSession {
  /// Answers a request.
  mutating func answer(_ method: String, _ parameters: Value) throws(LanguageServerError) -> Value {
    guard isInitialized || method == "initialize" else {
      throw LanguageServerError(.notInitialized, .init("'initialize' comes first", de: "'initialize' kommt zuerst"))
    }
    guard !isShutDown else {
      throw LanguageServerError(.invalidRequest, .init("the server is shut down", de: "der Server ist beendet"))
    }
    switch method {
    case "initialize":
      guard !isInitialized else {
        throw LanguageServerError(
          .alreadyInitialized, .init("'initialize' comes once", de: "'initialize' kommt nur einmal"))
      }
      return initialize(parameters)
    case "shutdown":
      isShutDown = true
      return .null
    case "textDocument/documentSymbol":
      let isFlat = client["textDocument"]?["documentSymbol"]?["hierarchicalDocumentSymbolSupport"] != true
      return features(try document(parameters))?.symbols(isFlat: isFlat) ?? .list([])
    case "textDocument/codeAction":
      return codeActions(try document(parameters), parameters)
    case "textDocument/completion", "textDocument/hover", "textDocument/definition", "textDocument/references",
      "textDocument/documentHighlight", "textDocument/prepareRename", "textDocument/rename",
      "textDocument/signatureHelp":
      guard let (features, offset) = try place(parameters) else { return .null }
      return try answer(method, parameters, features, offset)
    default:
      throw LanguageServerError(
        .unknownMethod, .init("the method '\(method)' is not known", de: "die Methode '\(method)' ist unbekannt"))
    }
  }

  /// Answers a request about a place of a document.
  private func answer(
    _ method: String, _ parameters: Value, _ features: DocumentFeatures, _ offset: Int
  ) throws(LanguageServerError) -> Value {
    switch method {
    case "textDocument/completion": return ["isIncomplete": false, "items": .list(features.completion(at: offset))]
    case "textDocument/hover": return features.hover(at: offset)
    case "textDocument/definition": return features.definition(at: offset)
    case "textDocument/references":
      let withDefinition = parameters["context"]?["includeDeclaration"] != false
      return features.references(at: offset, withDefinition: withDefinition)
    case "textDocument/documentHighlight": return features.highlights(at: offset)
    case "textDocument/prepareRename": return try features.prepareRename(at: offset)
    case "textDocument/rename":
      guard let name = parameters["newName"]?.stringValue else {
        throw LanguageServerError(.invalidParameters, .init("there is no new name", de: "es fehlt der neue Name"))
      }
      return edits(try features.rename(at: offset, to: name), in: features.document)
    default: return features.signatureHelp(at: offset)
    }
  }

  // MARK: The beginning

  private mutating func initialize(_ parameters: Value) -> Value {
    isInitialized = true
    if fixedLanguage == nil, let locale = parameters["locale"]?.stringValue, let known = Language(tag: locale) {
      language = known
    }
    client = parameters["capabilities"] ?? .null
    let offered = client["general"]?["positionEncodings"]?.listValue ?? []
    encoding = offered.contains(.string("utf-8")) ? .utf8 : .utf16
    // LSP 3.17: `rootUri` counts if there are no `workspaceFolders`, `rootPath` if there is neither.
    folders = (parameters["workspaceFolders"]?.listValue ?? []).compactMap { $0["uri"]?.stringValue }
      .map { FileAddress.path(of: $0) }
    if folders.isEmpty, let root = parameters["rootUri"]?.stringValue { folders = [FileAddress.path(of: root)] }
    if folders.isEmpty, let root = parameters["rootPath"]?.stringValue { folders = [root] }
    folders = folders.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    let prepares = client["textDocument"]?["rename"]?["prepareSupport"] == true
    return [
      "capabilities": [
        "positionEncoding": .string(encoding.rawValue),
        "textDocumentSync": ["openClose": true, "change": 2, "save": true],
        "completionProvider": ["triggerCharacters": [".", " ", "\"", "{", ":", "/"], "resolveProvider": false],
        "signatureHelpProvider": ["triggerCharacters": ["(", ","]],
        "hoverProvider": true, "definitionProvider": true, "documentSymbolProvider": true,
        "referencesProvider": true, "documentHighlightProvider": true,
        "renameProvider": prepares ? ["prepareProvider": true] : true,
        "codeActionProvider": ["codeActionKinds": ["quickfix"]],
        "workspace": ["workspaceFolders": ["supported": true, "changeNotifications": true]],
      ],
      "serverInfo": ["name": "sous"],
    ]
  }

  /// Whether the client takes code actions with edits; older ones know commands only.
  var takesActions: Bool { client["textDocument"]?["codeAction"]?["codeActionLiteralSupport"] != nil }

  /// Whether the client takes edits of one version of a document.
  var takesVersionedEdits: Bool { client["workspace"]?["workspaceEdit"]?["documentChanges"] == true }

  /// Asks the client to tell of changed files, where it can be asked.
  var watchRequest: Value? {
    guard client["workspace"]?["didChangeWatchedFiles"]?["dynamicRegistration"] == true else { return nil }
    return [
      "jsonrpc": "2.0", "id": "sous-watch", "method": "client/registerCapability",
      "params": [
        "registrations": [
          [
            "id": "sous-files", "method": "workspace/didChangeWatchedFiles",
            "registerOptions": ["watchers": [["globPattern": "**/*.{yaml,yml}"]]],
          ]
        ]
      ],
    ]
  }

  // MARK: Places

  private func document(_ parameters: Value) throws(LanguageServerError) -> OpenDocument {
    guard let uri = parameters["textDocument"]?["uri"]?.stringValue, let document = documents[uri] else {
      throw LanguageServerError(
        .invalidParameters, .init("the document is not open", de: "das Dokument ist nicht offen"))
    }
    return document
  }

  private mutating func place(_ parameters: Value) throws(LanguageServerError) -> (DocumentFeatures, Int)? {
    let document = try document(parameters)
    guard let offset = offset(parameters["position"], in: document.buffer) else {
      throw LanguageServerError(.invalidParameters, .init("there is no position", de: "es fehlt die Position"))
    }
    return features(document).map { ($0, offset) }
  }

  func offset(_ position: Value?, in buffer: TextBuffer) -> Int? {
    guard let line = position?["line"]?.intValue, let character = position?["character"]?.intValue else { return nil }
    return buffer.offset(line: Int(clamping: line), character: Int(clamping: character), encoding)
  }

  mutating func features(_ document: OpenDocument) -> DocumentFeatures? {
    let sort = document.sort
    guard sort != .other else { return nil }
    let project = project(of: document)
    let outline = document.outline
    var test: TestedRecipe?
    if sort == .test, let name = outline.text([.key("recipe")]), !name.isEmpty {
      test = text(FileAddress.path(name, beside: document.path)).map { TestedRecipe($0, planner: project.planner) }
    }
    return DocumentFeatures(
      document: document, outline: outline,
      scope: RecipeScope(outline: outline, planner: project.planner, tree: document.tree), file: document.file,
      test: test, surroundings: surroundings, read: { [self] in text($0) }, planner: project.planner,
      configuration: project.configuration,
      configurationSource: project.source, language: language, encoding: encoding, client: client)
  }
}
