import Expressions
import Testing

/// Texts that plugins and lists give a German reader.
@Suite(.timeLimit(.minutes(15))) struct GermanOutputTests {
  @Test func eachActionOfAShippedPluginHasAGermanSummary() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    let plugins = try #require(try sous("plugins", "--json").json.listValue)
    let shipped = plugins.filter { $0["origin"] == "bundled" }.compactMap { $0["id"]?.stringValue }
    #expect(!shipped.isEmpty)
    for plugin in shipped {
      func summaries(_ language: String, _ part: String) throws -> [String: String] {
        let shown = try sous("plugins", "show", plugin, "--json", "--lang", language).json
        let pairs = (shown[part]?.listValue ?? []).compactMap { one -> (String, String)? in
          guard let name = one["name"]?.stringValue, let summary = one["summary"]?.stringValue else { return nil }
          return (name, summary)
        }
        return Dictionary(pairs) { first, _ in first }
      }
      for part in ["actions", "triggers"] {
        let german = try summaries("de", part)
        for (name, summary) in try summaries("en", part) {
          #expect(german[name] != summary, "\(plugin): \(name): \(summary)")
        }
      }
    }
  }

  @Test func originsOfPluginsAreSaidInGerman() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    let shown = try sous("plugins", "list", "--lang", "de").output
    #expect(shown.contains("mitgeliefert"), "\(shown)")
    #expect(!shown.contains("bundled"), "\(shown)")
    #expect(try sous("plugins", "list", "--json", "--lang", "de").json.listValue?.first?["origin"] == "bundled")
  }
}
