/// A provider of actions, compiled into a shared library that Sous loads.
///
/// One value of the conforming type is made for every provider that the configuration gives this plugin; it is used by
/// several calls at once. A complete plugin:
///
/// ```swift
/// import PluginKit
///
/// struct Greeter: Plugin {
///   struct Configuration: Decodable, Sendable { var greeting: String }
///   struct Input: Decodable, Sendable { var name: String }
///   struct Output: Encodable, Sendable { var text: String }
///
///   static let manifest = Manifest(
///     id: "greeter", version: "1.0.0", summary: "Greets people",
///     configuration: .object(.required("greeting", .string("How to greet"))))
///
///   let configuration: Configuration
///   init(configuration: Configuration, context: PluginContext) { self.configuration = configuration }
///
///   static var actions: ActionList<Greeter> {
///     Action(
///       "greeter.greet", effect: .pure, summary: "Greets somebody", input: Input.self, output: Output.self,
///       inputSchema: .object(.required("name", .string("Whom to greet"))),
///       outputSchema: .object(.required("text", .string("The greeting")))
///     ) { plugin, input, context in
///       Output(text: "\(plugin.configuration.greeting), \(input.name)!")
///     }
///   }
/// }
///
/// @_cdecl("sous_plugin_entry_v1")
/// public func entry() -> UnsafeRawPointer? { PluginEntry.pointer(for: Greeter.self) }
/// ```
public protocol Plugin: Sendable {
  /// The settings beside `plugin:` in `sous.yaml`, decoded as ``JSONValue`` describes.
  associatedtype Configuration: Decodable & Sendable

  /// Id, version and summary of the plugin; its actions come from ``actions``.
  static var manifest: Manifest { get }

  /// Everything the plugin can do.
  @ActionListBuilder<Self> static var actions: ActionList<Self> { get }

  /// Makes the plugin ready for one configured provider. Returns soon and does not use the network.
  ///
  /// - Throws: An ``ActionError`` that says what is wrong with the configuration, or any other error.
  init(configuration: Configuration, context: PluginContext) throws
}

/// The configuration of a plugin that has nothing to configure.
public struct NoConfiguration: Codable, Sendable {
  /// Creates it.
  public init() {}
}
