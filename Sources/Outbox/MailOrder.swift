public import Engine
public import Expressions
import Localization
public import Plans
public import RecipeModel
import RecipeSyntax
import Schemas
import UseCases

/// A message that somebody wants to send, as it was given.
public struct MailOrder: Sendable {
  /// The fields of `mail.send`, attachments as maps with `path`, `name` and `type`, paths from the surroundings' folder.
  public var message: Value
  /// Who sends, first choice first; empty for the default transport.
  public var providers: [String]
  /// When; `nil` for at once.
  public var at: SendMoment?
  /// For how many seconds it can be taken back; `nil` for what the configuration says.
  public var undoFor: Double?
  /// What its run is called.
  public var name: String
  /// The name of its run, where the same message must not be queued twice; `nil` for a new one.
  public var id: RunID?
  /// Whether a recipe names the attachments; they must then be in the folders that recipes may work in.
  var isOfRecipe = false
  /// Keys of the recipe that hold for its run, as YAML.
  var settings = ""

  /// Creates a wish to send a message.
  public init(
    _ message: Value, providers: [String] = [], at: SendMoment? = nil, undoFor: Double? = nil, name: String = "mail"
  ) {
    self.message = message
    self.providers = providers
    self.at = at
    self.undoFor = undoFor
    self.name = name
  }
}

/// A message that was checked and can be queued.
public struct CheckedMail: Sendable {
  /// How it is sent.
  public let plan: Plan
  /// The fields of `mail.send`.
  public let message: Value
  /// When it is to go out.
  public let time: Timestamp
  /// When it will go out as far as that is known: after quiet hours.
  public let expected: Timestamp
  /// Whether it goes out at once.
  public let isImmediate: Bool
  /// The files that go with it.
  let files: [AttachedFile]
  let id: RunID?
  /// `send_at` of its run.
  let at: String
}

/// The recipe that messages of the outbox run by. Its text is the same for all that go by one transport, so that what a
/// person changes is the run's inputs alone.
enum OutboxRecipe {
  /// The step that sends.
  static let send = "send"

  /// Keys of a recipe of kind `send` that hold however it is sent.
  private static let settings = ["retry", "notify", "timeout", "priority", "concurrency"]

  /// The lines of a recipe with ``settings``, however that is written. A concurrency group that depends on the inputs is left
  /// out, as the message has others.
  static func settings(of source: String) -> String {
    let document = YAMLDocument.parse(SourceText(path: "", text: source)).document
    guard let map = document?.root?.mapping else { return "" }
    return settings.compactMap { key -> String? in
      guard let value = map[key]?.value.jsonString, key != "concurrency" || !value.contains("{{") else { return nil }
      return "\(key): \(value)\n"
    }.joined()
  }

  static func source(name: String, providers: [String], settings: String = "") -> SourceText {
    let quoted = Value.string(name.isEmpty ? "mail" : String(name.prefix(100))).jsonString
    let list = providers.map { Value.string($0).jsonString }.joined(separator: ", ")
    let defaults = providers.isEmpty ? "" : "defaults: { mail.transport: [\(list)] }\n"
    return SourceText(
      path: "outbox:" + (name.isEmpty ? "mail" : name),
      text: """
        kind: send
        name: \(quoted)
        \(defaults)inputs: { message: { type: object }, send_at: { type: string } }
        send_at: "{{ inputs.send_at }}"
        undo_for: 0s
        \(settings)mail: "{{ inputs.message }}"

        """)
  }

  static func inputs(_ message: Value, at: String) -> Value { ["message": message, "send_at": .string(at)] }
}
