import Expressions
import LanguageServer
import Localization
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import Synchronization

/// An editor in memory: talks to a session as a client would.
struct Editor {
  var session: LanguageSession
  private var nextID: Int64 = 1
  /// The diagnostics by URI, as last published.
  private(set) var published: [String: [Value]] = [:]
  /// Every message that answered a notification, in order.
  private(set) var messages: [Value] = []
  /// The files that the session reads.
  let disk: Disk
  static let uri = "file:///project/workflows/test.yaml"

  init(
    locale: String = "en", encodings: [Value] = [],
    files: [String: String] = ["/project/sous.yaml": Editor.configuration],
    beginning: [String: Value] = [:], capabilities: [String: Value] = [:],
    surroundings change: (inout LanguageSession.Surroundings) -> Void = { _ in }
  ) {
    let disk = Disk(files)
    self.disk = disk
    let catalog = ActionCatalog([.values], contracts: BundledContract.all)
    var surroundings = LanguageSession.Surroundings(
      planner: { Planner(catalog: catalog, providers: Providers(configuration: $0), configuration: $0) },
      read: { path in disk[path].map { SourceText(path: path, text: $0) } })
    change(&surroundings)
    session = LanguageSession(surroundings)
    var capabilities = capabilities.merging(["general": ["positionEncodings": .list(encodings)]]) { $1 }
    if capabilities["textDocument"] == nil {
      capabilities["textDocument"] = [
        "codeAction": ["codeActionLiteralSupport": [:]], "rename": ["prepareSupport": true],
        "documentSymbol": ["hierarchicalDocumentSymbolSupport": true], "hover": ["contentFormat": ["markdown"]],
        "completion": ["completionItem": ["documentationFormat": ["markdown"], "snippetSupport": true]],
      ]
    }
    var parameters: ValueMap = ["locale": .string(locale)]
    parameters["capabilities"] = Self.map(capabilities)
    for (name, value) in beginning { parameters[name] = value }
    _ = request("initialize", .map(parameters))
    notify("initialized", [:])
  }

  private static func map(_ entries: [String: Value]) -> Value {
    var map = ValueMap()
    for (name, value) in entries { map[name] = value }
    return .map(map)
  }

  static let configuration = """
    providers:
      home: { plugin: maildir, path: mailbox }
      local: { plugin: ollama }
    defaults: { mail.store: home, chat: local }

    """

  @discardableResult
  mutating func request(_ method: String, _ parameters: Value) -> Value {
    let id = nextID
    nextID += 1
    let message: Value = ["jsonrpc": "2.0", "id": .int(id), "method": .string(method), "params": parameters]
    let answers = session.receive(message.json())
    return answers.first { $0["id"]?.intValue == id } ?? .null
  }

  mutating func notify(_ method: String, _ parameters: Value) {
    for message in session.receive(
      (["jsonrpc": "2.0", "method": .string(method), "params": parameters] as Value).json())
    {
      messages.append(message)
      guard let uri = message["params"]?["uri"]?.stringValue else { continue }
      published[uri] = message["params"]?["diagnostics"]?.listValue ?? []
    }
  }

  mutating func open(_ text: String, uri: String = Editor.uri) {
    notify("textDocument/didOpen", ["textDocument": ["uri": .string(uri), "version": 1, "text": .string(text)]])
  }

  /// Opens a text with `¦` where the cursor stands, and asks there.
  mutating func ask(
    _ method: String, _ marked: String, uri: String = Editor.uri, with extra: [String: Value] = [:]
  ) -> Value {
    answer(method, marked, uri: uri, with: extra)["result"] ?? .null
  }

  /// The whole answer, which may be an error.
  mutating func answer(
    _ method: String, _ marked: String, uri: String = Editor.uri, with extra: [String: Value] = [:]
  ) -> Value {
    let parts = marked.split(separator: "¦", maxSplits: 1, omittingEmptySubsequences: false)
    let before = String(parts[0])
    open(before + (parts.count > 1 ? String(parts[1]) : ""), uri: uri)
    // A line break of Windows is one character of Swift, but two units.
    let units = Array(before.utf16)
    let line = units.split(separator: 10, omittingEmptySubsequences: false)
    let position: Value = [
      "line": .int(Int64(line.count - 1)), "character": .int(Int64(line.last?.count ?? 0)),
    ]
    var parameters: ValueMap = ["textDocument": ["uri": .string(uri)], "position": position]
    for (name, value) in extra { parameters[name] = value }
    return request("textDocument/" + method, .map(parameters))
  }

  /// The names before the colons of a text.
  static func topKeys(_ text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      line.contains(":") ? line.split(separator: ":").first.map(String.init) : nil
    }
  }

  /// A text with the edits of one document applied; positions count UTF-16 units.
  static func applying(_ edits: [Value], to text: String) -> String {
    var units = Array(text.utf16)
    var starts = [0]
    for (index, unit) in units.enumerated() where unit == 10 { starts.append(index + 1) }
    let offset = { (position: Value?) -> Int in
      starts[Int(position?["line"]?.intValue ?? 0)] + Int(position?["character"]?.intValue ?? 0)
    }
    let placed = edits.map { edit in
      (offset(edit["range"]?["start"])..<offset(edit["range"]?["end"]), edit["newText"]?.stringValue ?? "")
    }
    for (range, replacement) in placed.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
      units.replaceSubrange(range, with: Array(replacement.utf16))
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The labels of the completions at the cursor.
  mutating func completions(_ marked: String, uri: String = Editor.uri) -> [String] {
    (ask("completion", marked, uri: uri)["items"]?.listValue ?? []).compactMap { $0["label"]?.stringValue }
  }

  /// The Markdown of a hover.
  mutating func hover(_ marked: String, uri: String = Editor.uri) -> String {
    ask("hover", marked, uri: uri)["contents"]?["value"]?.stringValue ?? ""
  }

  /// Where a definition stands: `URI:line:character`, counted from 0.
  mutating func definition(_ marked: String, uri: String = Editor.uri) -> String {
    let answer = ask("definition", marked, uri: uri)
    let start = answer["range"]?["start"]
    guard let uri = answer["uri"]?.stringValue, let line = start?["line"]?.intValue,
      let character = start?["character"]?.intValue
    else { return "" }
    return "\(uri.split(separator: "/").last ?? ""):\(line):\(character)"
  }
}

/// Files in memory that change.
final class Disk: Sendable {
  private let files: Mutex<[String: String]>

  init(_ files: [String: String]) { self.files = Mutex(files) }

  subscript(path: String) -> String? {
    get { files.withLock { $0[path] } }
    set { files.withLock { $0[path] = newValue } }
  }
}

/// Providers as a configuration names them, without plugins.
private struct Providers: ProviderLookup {
  let configuration: Configuration
  var names: [String] { configuration.providers.map(\.name) }

  func pluginID(of name: String) -> String? {
    if case .id(let id)? = configuration.provider(name)?.plugin { id } else { nil }
  }

  func describe(_ name: String) throws(ProviderProblem) -> ProviderDescription {
    guard pluginID(of: name) != "broken" else {
      throw ProviderProblem(.init(rawValue: "plugin_broken"), .init(verbatim: "broken"), provider: name)
    }
    return ProviderDescription(
      name: name, plugin: pluginID(of: name) ?? "", contracts: BundledContract.all.map(\.name))
  }

  func embeddedDefault(for contract: String) -> String? { nil }
}
