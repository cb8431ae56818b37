import PluginKit

/// Answers what it is given; the least that a plugin of the kit can do.
struct EchoPlugin: Plugin {
  struct Configuration: Decodable, Sendable {}
  struct Message: Codable, Sendable { var text: String }

  static let manifest = Manifest(id: "echo", version: "1.0.0", summary: "Answers what it is given")

  init(configuration: Configuration, context: PluginContext) {}

  static var actions: ActionList<EchoPlugin> {
    Action(
      "echo.echo", effect: .pure, summary: "Answers what it is given", input: Message.self, output: Message.self,
      inputSchema: .object(.required("text", .string("A text"))),
      outputSchema: .object(.required("text", .string("The text")))
    ) { _, input, _ in input }
  }
}

/// What the host looks for in the library.
@_cdecl("sous_plugin_entry_v1")
public func entry() -> UnsafeRawPointer? { PluginEntry.pointer(for: EchoPlugin.self) }
