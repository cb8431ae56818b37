public import Expressions
public import Localization
public import Recipes

/// A conversation with an editor: takes one message, gives back the messages that answer it.
///
/// It knows no process and opens no file itself, so that a test needs neither. The protocol is LSP 3.17.
public struct LanguageSession: Sendable {
  /// What the session asks of its surroundings.
  public struct Surroundings: Sendable {
    /// Makes a planner for a configuration.
    public var planner: @Sendable (Configuration) -> Planner
    /// Reads a file; `nil` where there is none that can be read.
    public var read: @Sendable (String) -> SourceText?

    /// Creates surroundings.
    public init(
      planner: @escaping @Sendable (Configuration) -> Planner, read: @escaping @Sendable (String) -> SourceText?
    ) {
      self.planner = planner
      self.read = read
    }
  }

  /// A configuration with what was made of it.
  struct Project: Sendable {
    var configuration: Configuration
    var source: SourceText?
    var planner: Planner
  }

  let surroundings: Surroundings
  /// The language that the command line asked for; it counts more than the client's.
  private let fixedLanguage: Language?
  var language: Language
  var encoding = PositionEncoding.utf16
  var documents: [String: OpenDocument] = [:]
  var projects: [String: Project] = [:]
  private var isInitialized = false
  private var isShutDown = false
  /// The status to end the process with; `nil` while the conversation goes on.
  public private(set) var exitStatus: Int32?

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - surroundings: What it asks of its surroundings.
  ///   - language: The language of all texts; `nil` for that of the client.
  public init(_ surroundings: Surroundings, language: Language? = nil) {
    self.surroundings = surroundings
    fixedLanguage = language
    self.language = language ?? .english
  }

  /// Takes the content of a message.
  ///
  /// - Returns: The messages to send, in order.
  public mutating func receive(_ content: [UInt8]) -> [Value] {
    let message: Value
    do throws(ExpressionError) {
      message = try Value(json: content)
    } catch {
      return [failure(.null, .init(.notJSON, .init("the content is no JSON", de: "der Inhalt ist kein JSON")))]
    }
    guard message.mapValue != nil else {
      return [
        failure(.null, .init(.invalidRequest, .init("a message is an object", de: "eine Nachricht ist ein Objekt")))
      ]
    }
    return receive(message)
  }

  /// What is sent where a message was too large.
  public func refusal(ofSize size: Int) -> Value {
    failure(.null, .init(.tooLarge, .init("a message of \(size) bytes", de: "eine Nachricht von \(size) Bytes")))
  }

  /// Takes a message.
  mutating func receive(_ message: Value) -> [Value] {
    guard let method = message["method"]?.stringValue else {
      // Answers to requests of ours: there are none.
      if message["result"] != nil || message["error"] != nil { return [] }
      return [
        failure(message["id"] ?? .null, .init(.invalidRequest, .init("there is no method", de: "es fehlt die Methode")))
      ]
    }
    let parameters = message["params"] ?? .null
    guard let id = message["id"] else { return notify(method, parameters) }
    do throws(LanguageServerError) {
      return [["jsonrpc": "2.0", "id": id, "result": try answer(method, parameters)]]
    } catch {
      return [failure(id, error)]
    }
  }

  private func failure(_ id: Value, _ error: LanguageServerError) -> Value {
    [
      "jsonrpc": "2.0", "id": id,
      "error": ["code": .int(error.number), "message": .string(error.message.string(in: language))],
    ]
  }

  // MARK: Requests

  private mutating func answer(_ method: String, _ parameters: Value) throws(LanguageServerError) -> Value {
    if method == "initialize" { return initialize(parameters) }
    guard isInitialized else {
      throw LanguageServerError(.notInitialized, .init("'initialize' comes first", de: "'initialize' kommt zuerst"))
    }
    guard !isShutDown else {
      throw LanguageServerError(.invalidRequest, .init("the server is shut down", de: "der Server ist beendet"))
    }
    switch method {
    case "shutdown":
      isShutDown = true
      return .null
    case "textDocument/completion":
      guard let (features, offset) = try place(parameters) else { return .null }
      return ["isIncomplete": false, "items": .list(features.completion(at: offset))]
    case "textDocument/hover":
      guard let (features, offset) = try place(parameters) else { return .null }
      return features.hover(at: offset)
    case "textDocument/definition":
      guard let (features, offset) = try place(parameters) else { return .null }
      return features.definition(at: offset)
    case "textDocument/documentSymbol":
      return features(try document(parameters))?.symbols() ?? .list([])
    default:
      throw LanguageServerError(
        .unknownMethod, .init("the method '\(method)' is not known", de: "die Methode '\(method)' ist unbekannt"))
    }
  }

  private mutating func initialize(_ parameters: Value) -> Value {
    isInitialized = true
    if fixedLanguage == nil, let locale = parameters["locale"]?.stringValue, let known = Language(tag: locale) {
      language = known
    }
    let offered = parameters["capabilities"]?["general"]?["positionEncodings"]?.listValue ?? []
    encoding = offered.contains(.string("utf-8")) ? .utf8 : .utf16
    return [
      "capabilities": [
        "positionEncoding": .string(encoding.rawValue),
        "textDocumentSync": ["openClose": true, "change": 2, "save": true],
        "completionProvider": ["triggerCharacters": [".", " ", "\"", "{", ":", "/"], "resolveProvider": false],
        "hoverProvider": true, "definitionProvider": true, "documentSymbolProvider": true,
      ],
      "serverInfo": ["name": "sous"],
    ]
  }

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

  private func offset(_ position: Value?, in buffer: TextBuffer) -> Int? {
    guard let line = position?["line"]?.intValue, let character = position?["character"]?.intValue else { return nil }
    return buffer.offset(line: Int(clamping: line), character: Int(clamping: character), encoding)
  }

  private mutating func features(_ document: OpenDocument) -> DocumentFeatures? {
    guard let file = document.file else { return nil }
    let project = project(of: document.path)
    let outline = document.outline
    return DocumentFeatures(
      document: document, outline: outline,
      scope: RecipeScope(outline: outline, planner: project.planner, tree: document.tree), file: file,
      planner: project.planner, configuration: project.configuration, configurationSource: project.source,
      language: language, encoding: encoding)
  }

  // MARK: Notifications

  private mutating func notify(_ method: String, _ parameters: Value) -> [Value] {
    if method == "exit" {
      exitStatus = isShutDown ? 0 : 1
      return []
    }
    guard isInitialized, !isShutDown else { return [] }
    let item = parameters["textDocument"]
    let uri = item?["uri"]?.stringValue ?? ""
    switch method {
    case "textDocument/didOpen":
      guard let text = item?["text"]?.stringValue else { return [] }
      documents[uri] = OpenDocument(
        uri: uri, path: FileAddress.path(of: uri), version: item?["version"]?.intValue, text: text)
      return changed(uri)
    case "textDocument/didChange":
      guard var document = documents[uri] else { return [] }
      document.version = item?["version"]?.intValue
      for change in parameters["contentChanges"]?.listValue ?? [] { apply(change, to: &document) }
      document.readTree()
      documents[uri] = document
      return changed(uri)
    case "textDocument/didSave", "workspace/didChangeWatchedFiles":
      // A preset, a plugin or the configuration may be another now.
      projects = [:]
      return documents.values.sorted { $0.uri < $1.uri }.map { publication($0) }
    case "textDocument/didClose":
      guard let closed = documents.removeValue(forKey: uri) else { return [] }
      let cleared = publication(of: [], uri: uri, version: nil)
      guard closed.sort == .configuration else { return [cleared] }
      projects = [:]
      return [cleared] + documents.values.sorted { $0.uri < $1.uri }.map { publication($0) }
    default:
      return []
    }
  }

  private func apply(_ change: Value, to document: inout OpenDocument) {
    guard let text = change["text"]?.stringValue else { return }
    guard let range = change["range"] else {
      document.buffer = TextBuffer(text)
      return
    }
    guard let start = offset(range["start"], in: document.buffer), let end = offset(range["end"], in: document.buffer)
    else { return }
    document.buffer.replace(start..<max(start, end), with: text)
  }

  private mutating func changed(_ uri: String) -> [Value] {
    guard let document = documents[uri] else { return [] }
    guard document.sort == .configuration else { return [publication(document)] }
    projects = [:]
    return documents.values.sorted { $0.uri < $1.uri }.map { publication($0) }
  }

  // MARK: Projects

  /// What the configuration above a file makes available.
  mutating func project(of path: String) -> Project {
    var folder = path[...]
    var source: SourceText?
    while source == nil, let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      let candidate = String(folder) + "/sous.yaml"
      source = documents.values.first { $0.path == candidate }?.source ?? surroundings.read(candidate)
    }
    let key = source?.path ?? ""
    if let known = projects[key] { return known }
    let configuration = source.map { Configuration.parse($0).configuration } ?? .empty
    let project = Project(
      configuration: configuration, source: source, planner: surroundings.planner(configuration))
    projects[key] = project
    return project
  }
}
