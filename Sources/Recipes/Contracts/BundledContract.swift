import Expressions
public import Localization

/// A contract as it is published with Sous: its name and the JSON document that defines it.
///
/// The document has the form `{contract, version, summary: {en, de}, $defs?, actions: {NAME: {summary, effect, costly,
/// optional?, input, output, delta?}}, triggers?: {NAME: {summary, configuration, event}}}`; `input`, `output`, `delta` (the shape of
/// what an action streams), `configuration` and `event` are JSON Schemas, and `#/$defs/…` in them refers to the document's
/// `$defs`.
/// It is read on first use, since most runs need one or two of the contracts.
public struct BundledContract: Sendable {
  /// The contract's name: `mail.store`.
  public let name: String
  /// The JSON text.
  public let document: String
  /// Where the decoded form is kept.
  private let decoded: @Sendable () -> Decoded

  /// What the document says.
  struct Decoded: Sendable {
    var version = 0
    var summary = LocalizedText(verbatim: "")
    var signatures: [ActionSignature] = []
    var triggers: [TriggerSignature] = []
  }

  init(name: String, document: String, decoded: @escaping @Sendable () -> Decoded) {
    self.name = name
    self.document = document
    self.decoded = decoded
  }

  /// Every contract.
  public static let all: [BundledContract] = [
    .mailStore, .mailTransport, .chat, .embed, .transcribe, .speak, .notes, .notify, .document,
  ]

  /// The contract of a claim such as `mail.store/2`; `nil` if none has that name and version.
  public static func claimed(_ claim: String) -> BundledContract? {
    all.first { claim.hasPrefix($0.name) && claim == $0.claim }
  }

  /// How a plugin claims the contract: `mail.store/2`.
  public var claim: String { "\(name)/\(version)" }

  /// The contract's version.
  public var version: Int { decoded().version }

  /// What the contract is about.
  public var summary: LocalizedText { decoded().summary }

  /// The contract's actions.
  public var signatures: [ActionSignature] { decoded().signatures }

  /// The contract's triggers.
  public var triggers: [TriggerSignature] { decoded().triggers }

  /// Reads a contract's document.
  static func decode(_ name: String, _ document: String) -> Decoded {
    guard case .map(let root)? = try? Value(json: document), case .map(let actions)? = root["actions"] else {
      return Decoded()
    }
    var result = Decoded()
    if case .int(let version)? = root["version"] { result.version = Int(clamping: version) }
    result.summary = text(root["summary"])
    for entry in actions.entries {
      guard case .string(let action) = entry.key, case .map(let fields) = entry.value else { continue }
      var effect = Effect.once
      if case .string(let word)? = fields["effect"], let known = Effect(rawValue: word) { effect = known }
      result.signatures.append(
        ActionSignature(
          name: action, contract: name, summary: text(fields["summary"]), effect: effect,
          isCostly: fields["costly"] == .bool(true), isOptional: fields["optional"] == .bool(true),
          input: schema(fields["input"], root["$defs"]),
          output: schema(fields["output"], root["$defs"])))
    }
    if case .map(let triggers)? = root["triggers"] {
      for entry in triggers.entries {
        guard case .string(let trigger) = entry.key, case .map(let fields) = entry.value else { continue }
        result.triggers.append(
          TriggerSignature(
            name: trigger, contract: name, summary: text(fields["summary"]),
            configuration: schema(fields["configuration"], root["$defs"]),
            event: schema(fields["event"], root["$defs"])))
      }
    }
    return result
  }

  private static func text(_ value: Value?) -> LocalizedText {
    guard case .map(let texts)? = value, case .string(let english)? = texts["en"] else {
      return LocalizedText(verbatim: "")
    }
    if case .string(let german)? = texts["de"] { return LocalizedText(english, de: german) }
    return LocalizedText(verbatim: english)
  }

  /// A schema that carries the document's definitions, so that its references lead somewhere.
  private static func schema(_ value: Value?, _ definitions: Value?) -> Schema {
    guard case .map(var map)? = value else { return .anything }
    if let definitions { map["$defs"] = definitions }
    return Schema(document: .map(map))
  }
}
