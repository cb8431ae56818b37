public import PluginKit

/// A picture that is beside the words of a turn.
public enum Picture: Sendable {
  /// Its bytes, in Base64, and their media type.
  case inline(base64: String, type: String)
  /// Where the service itself fetches it.
  case remote(String)

  /// The largest picture, in bytes.
  static let maximumSize = 20 << 20

  /// Reads a picture as recipes name it: a blob, a data: URL in Base64, or an https: URL.
  ///
  /// - Throws: `invalid_input` for anything else, and as reading a blob does.
  public init(_ text: String, context: ActionContext) async throws(ActionError) {
    if text.hasPrefix("blob:") {
      let bytes = try await context.blobs.read(Blob(name: text), upTo: Self.maximumSize)
      self = .inline(base64: Base64.encode(bytes), type: try Self.type(of: bytes))
    } else if text.hasPrefix("https://") || text.hasPrefix("http://") {
      self = .remote(text)
    } else if text.hasPrefix("data:"), let comma = text.firstIndex(of: ",") {
      let head = text[text.index(text.startIndex, offsetBy: 5)..<comma]
      guard head.hasSuffix(";base64") else { throw Self.unusable }
      self = .inline(base64: String(text[text.index(after: comma)...]), type: String(head.dropLast(7)))
    } else {
      throw Self.unusable
    }
  }

  /// The picture as a URL.
  public var url: String {
    switch self {
    case .inline(let base64, let type): "data:\(type);base64,\(base64)"
    case .remote(let url): url
    }
  }

  private static var unusable: ActionError {
    ActionError(
      .invalidInput, "An image is a blob, a data: URL in Base64 or an https: URL.",
      german: "Ein Bild ist ein Blob, eine data:-URL in Base64 oder eine https:-URL.")
  }

  /// The media type by the first bytes.
  private static func type(of bytes: [UInt8]) throws(ActionError) -> String {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: Array("GIF8".utf8)) { return "image/gif" }
    if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      return "image/webp"
    }
    throw ActionError(
      .invalidInput, "The image is neither PNG, JPEG, GIF nor WebP.",
      german: "Das Bild ist weder PNG noch JPEG, GIF oder WebP.")
  }
}

extension [ChatTurn] {
  /// The turns with their pictures as URLs that a service takes: blobs become data: URLs.
  ///
  /// - Throws: As ``Picture/init(_:context:)``.
  public func withPictureURLs(_ context: ActionContext) async throws(ActionError) -> [ChatTurn] {
    var turns = self
    for index in turns.indices {
      var urls: [String] = []
      for image in turns[index].images { urls.append(try await Picture(image, context: context).url) }
      turns[index].images = urls
    }
    return turns
  }
}
