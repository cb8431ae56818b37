import Expressions
import LanguageServer
import Recipes

/// An editor in memory: talks to a session as a client would.
struct Editor {
  var session: LanguageSession
  private var nextID: Int64 = 1
  /// The diagnostics by URI, as last published.
  private(set) var published: [String: [Value]] = [:]
  static let uri = "file:///project/workflows/test.yaml"

  init(
    locale: String = "en", encodings: [Value] = [],
    files: [String: String] = ["/project/sous.yaml": Editor.configuration]
  ) {
    let catalog = ActionCatalog([.values], contracts: BundledContract.all)
    session = LanguageSession(
      .init(
        planner: { Planner(catalog: catalog, providers: Providers(configuration: $0), configuration: $0) },
        read: { path in files[path].map { SourceText(path: path, text: $0) } }))
    _ = request(
      "initialize", ["locale": .string(locale), "capabilities": ["general": ["positionEncodings": .list(encodings)]]])
    notify("initialized", [:])
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
      guard let uri = message["params"]?["uri"]?.stringValue else { continue }
      published[uri] = message["params"]?["diagnostics"]?.listValue ?? []
    }
  }

  mutating func open(_ text: String, uri: String = Editor.uri) {
    notify("textDocument/didOpen", ["textDocument": ["uri": .string(uri), "version": 1, "text": .string(text)]])
  }

  /// Opens a text with `¦` where the cursor stands, and asks there.
  mutating func ask(_ method: String, _ marked: String, uri: String = Editor.uri) -> Value {
    let parts = marked.split(separator: "¦", maxSplits: 1, omittingEmptySubsequences: false)
    let before = String(parts[0])
    open(before + (parts.count > 1 ? String(parts[1]) : ""), uri: uri)
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    let position: Value = [
      "line": .int(Int64(lines.count - 1)), "character": .int(Int64(lines.last?.utf16.count ?? 0)),
    ]
    return request(
      "textDocument/" + method, ["textDocument": ["uri": .string(uri)], "position": position])["result"] ?? .null
  }

  /// The labels of the completions at the cursor.
  mutating func completions(_ marked: String, uri: String = Editor.uri) -> [String] {
    (ask("completion", marked, uri: uri)["items"]?.listValue ?? []).compactMap { $0["label"]?.stringValue }
  }

  /// The Markdown of a hover.
  mutating func hover(_ marked: String) -> String {
    ask("hover", marked)["contents"]?["value"]?.stringValue ?? ""
  }

  /// Where a definition stands: `URI:line:character`, counted from 0.
  mutating func definition(_ marked: String) -> String {
    let answer = ask("definition", marked)
    let start = answer["range"]?["start"]
    guard let uri = answer["uri"]?.stringValue, let line = start?["line"]?.intValue,
      let character = start?["character"]?.intValue
    else { return "" }
    return "\(uri.split(separator: "/").last ?? ""):\(line):\(character)"
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
    ProviderDescription(
      name: name, plugin: pluginID(of: name) ?? "", contracts: BundledContract.all.map(\.name))
  }

  func embeddedDefault(for contract: String) -> String? { nil }
}
