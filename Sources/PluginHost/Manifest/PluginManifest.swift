import Expressions
public import Localization
public import Plans
public import PluginBoundary
import RecipeModel
public import Schemas

/// The manifest of a plugin, as the ABI header describes it.
public struct PluginManifest: Sendable {
  /// One action.
  public struct Action: Sendable {
    /// `CONTRACT.ACTION` or `PLUGIN.ACTION`.
    public var name: String
    /// Its purpose, in one sentence.
    public var summary: LocalizedText
    /// The effect of a repetition.
    public var effect: Effect
    /// Whether a result is worth money or much time.
    public var isCostly: Bool
    /// Whether the plugin can verify an attempt whose answer was lost.
    public var verifies: Bool
    /// The values of the input's `task` that it carries out; `nil` if it does not limit them.
    public var tasks: [String]?
    /// The parts of the input that it hands to its service in a form of the service's own: `schema` of `chat.complete`.
    public var native: [String] = []
    /// The shape of the input; `nil` if the contract defines it.
    public var input: Schema?
    /// The shape of the output; `nil` if the contract defines it.
    public var output: Schema?

    /// The signature that recipes are checked against; the contract supplies the parts that the manifest leaves open.
    public func signature(contract: ActionSignature? = nil) -> ActionSignature {
      ActionSignature(
        name: name, summary: summary, effect: effect, isCostly: isCostly, input: input ?? contract?.input ?? .anything,
        output: output ?? contract?.output ?? .anything)
    }
  }

  /// One trigger.
  public struct Trigger: Sendable {
    /// Its name: `mail.new`.
    public var name: String
    /// The events it emits, in one sentence.
    public var summary: LocalizedText
    /// Whether it announces that it watches, once it has made its first look.
    public var announcesWatching = false
    /// The shape of its settings; `nil` if the contract defines it.
    public var settings: Schema?
    /// The shape of its events; `nil` if the contract defines it.
    public var event: Schema?
  }

  /// A file or folder of the user that the plugin may use while it runs in a worker process.
  public struct FileAccess: Sendable, Hashable {
    /// The setting that holds the path, with dots between its levels: `accounts.0.folder`.
    public var setting: String
    /// Whether the plugin also writes there.
    public var isWritable: Bool
    /// The name of a boolean setting: if that is `true`, Sous creates a missing folder before the plugin starts. `nil` for never.
    public var creates: String?
  }

  /// The plugin's name.
  public var id: String
  /// Its version.
  public var version: String
  /// Its purpose.
  public var summary: LocalizedText
  /// The published contracts it carries out, with version: `mail.store/2`.
  public var contracts: [String]
  /// Its actions.
  public var actions: [Action]
  /// Its triggers.
  public var triggers: [Trigger] = []
  /// The shape of a provider's settings.
  public var configuration: Schema
  /// The hosts it wants to reach.
  public var hosts: [String]
  /// The settings whose values are secrets.
  public var secrets: [String]
  /// The files that the plugin uses; `nil` if the manifest has no `files`: then the settings that are paths count.
  public var files: [FileAccess]?

  /// The action of a name.
  public func action(named name: String) -> Action? { actions.first { $0.name == name } }

  /// The trigger of a name.
  public func trigger(named name: String) -> Trigger? { triggers.first { $0.name == name } }

  /// Reads a manifest.
  ///
  /// - Parameters:
  ///   - json: The text a plugin's `describe` returned.
  ///   - path: The library, for messages.
  /// - Throws: ``PluginError`` with the code ``PluginError/Code/manifestInvalid`` or ``PluginError/Code/idMismatch``.
  public init(json: [UInt8], path: String) throws(PluginError) {
    let document: Value
    do throws(ExpressionError) {
      document = try Value(json: json)
    } catch {
      throw PluginError.invalidManifest(path, error.message)
    }
    try self.init(document, path: path)
  }

  /// Takes a manifest that has been read.
  init(_ document: Value, path: String) throws(PluginError) {
    let reader = try ManifestReader(document, path: path)
    id = try reader.string("id")
    guard PluginID.isValid(id) else {
      throw PluginError.invalidManifest(
        path,
        LocalizedText(
          "'id' must be lowercase letters, digits, '-' and '_'",
          de: "'id' muss aus Kleinbuchstaben, Ziffern, '-' und '_' bestehen"))
    }
    if let expected = PluginID.ofLibrary(at: path), expected != id {
      throw PluginError(
        .idMismatch,
        LocalizedText(
          "\(path) calls itself '\(id)'. A plugin with that id is named lib\(id).so: rename the file or the id.",
          de: "\(path) nennt sich selbst '\(id)'. Ein Plugin mit dieser id heißt lib\(id).so: Datei oder id umbenennen."
        ),
        path: path)
    }
    version = try reader.string("version")
    summary = try reader.text("summary")
    contracts = try reader.strings("contracts")
    configuration = try reader.schema("config") ?? .anything
    hosts = try reader.strings("hosts")
    secrets = try reader.strings("secrets")
    if reader.has("files") {
      var files: [FileAccess] = []
      for entry in try reader.objects("files") {
        let access = try entry.string("access")
        guard let setting = PluginManifest.setting(inBraces: try entry.string("path")),
          let isWritable = ["read": false, "read-write": true][access]
        else {
          throw PluginError.invalidManifest(
            path,
            LocalizedText(
              "an entry of 'files' needs a 'path' that is a setting in braces, such as '{folder}', and an 'access' that is 'read' "
                + "or 'read-write'",
              de:
                "ein Eintrag von 'files' braucht einen 'path', der eine Einstellung in geschweiften Klammern ist, etwa "
                + "'{folder}', und einen 'access', der 'read' oder 'read-write' ist"))
        }
        let creates = try entry.has("create") ? PluginManifest.setting(inBraces: entry.string("create")) : nil
        files.append(FileAccess(setting: setting, isWritable: isWritable, creates: creates))
      }
      self.files = files
    }
    actions = []
    for entry in try reader.objects("actions") {
      let name = try entry.string("name")
      let effectName = try entry.string("effect")
      guard let effect = Effect(rawValue: effectName) else {
        throw PluginError.invalidManifest(
          path,
          LocalizedText(
            "the effect of '\(name)' is '\(effectName)', not pure, read, idempotent or once",
            de: "die Wirkung von '\(name)' ist '\(effectName)', nicht pure, read, idempotent oder once"))
      }
      guard PluginManifest.isActionName(name), action(named: name) == nil else {
        throw PluginError.invalidManifest(
          path,
          LocalizedText(
            "'\(name)' is no action name like 'mail.search', or stands there twice",
            de: "'\(name)' ist kein Aktionsname wie 'mail.search' oder steht zweimal da"))
      }
      actions.append(
        Action(
          name: name, summary: try entry.text("summary"), effect: effect, isCostly: try entry.flag("costly"),
          verifies: try entry.flag("verifies"), tasks: try entry.has("tasks") ? entry.strings("tasks") : nil,
          native: try entry.has("native") ? entry.strings("native") : [],
          input: try entry.schema("input"), output: try entry.schema("output")))
    }
    for entry in try reader.objects("triggers") {
      let name = try entry.string("name")
      guard PluginManifest.isActionName(name), trigger(named: name) == nil else {
        throw PluginError.invalidManifest(
          path,
          LocalizedText(
            "'\(name)' is no name of a trigger like 'mail.new', or stands there twice",
            de: "'\(name)' ist kein Name eines Auslösers wie 'mail.new' oder steht zweimal da"))
      }
      triggers.append(
        Trigger(
          name: name, summary: try entry.text("summary"),
          announcesWatching: try entry.flag("announces_watching"), settings: try entry.schema("settings"),
          event: try entry.schema("event")))
    }
  }

  /// The name of a setting in braces: `path` for `{path}`; `nil` for any other text.
  private static func setting(inBraces text: String) -> String? {
    guard text.hasPrefix("{"), text.hasSuffix("}"), text.utf8.count > 2 else { return nil }
    return String(text.dropFirst().dropLast())
  }

  /// Words of lowercase letters, digits, `_` and `-`, at least two, joined by dots.
  private static func isActionName(_ name: String) -> Bool {
    let words = name.split(separator: ".", omittingEmptySubsequences: false)
    return words.count >= 2 && words.allSatisfy { PluginID.isValid(String($0)) }
  }
}
