/// A contract as it is published with Sous: its name and the JSON document that defines it.
///
/// The document has the form `{contract, version, summary: {en, de}, $defs?, actions: {NAME: {summary, effect, costly,
/// input, output}}}`; `input` and `output` are JSON Schemas, and `#/$defs/…` in them refers to the document's `$defs`.
/// It is read on first use, since most runs need one or two of the contracts.
public struct BundledContract: Sendable {
  /// The contract's name: `mail.store`.
  public let name: String
  /// The JSON text.
  public let document: String

  /// Every contract this version of Sous publishes.
  public static let all: [BundledContract] = [.mailStore, .mailTransport, .chat]
}
