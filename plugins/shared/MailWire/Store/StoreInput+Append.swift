public import PluginKit

extension StoreInput {
  /// The input of `mail.append`.
  public struct Append: Decodable, Sendable {
    /// The folder; it is made if it is missing.
    public var folder: String
    /// A whole message in Base64; instead of it, the fields of ``OutgoingMail``.
    public var raw: String?
    /// A whole message beside the JSON.
    public var blob: Blob?
    /// Flags and labels.
    public var flags: [String]?
    /// When it was received, as RFC 3339 has it; now where absent.
    public var received: String?
    /// A message that is composed.
    public var mail: OutgoingMail

    private enum CodingKeys: String, CodingKey {
      case folder, raw, blob, flags, received
    }

    /// Reads the fields of a message beside the others.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      folder = try container.decode(String.self, forKey: .folder)
      raw = try container.decodeIfPresent(String.self, forKey: .raw)
      blob = try container.decodeIfPresent(Blob.self, forKey: .blob)
      flags = try container.decodeIfPresent([String].self, forKey: .flags)
      received = try container.decodeIfPresent(String.self, forKey: .received)
      mail = try OutgoingMail(from: decoder)
    }
  }
}
