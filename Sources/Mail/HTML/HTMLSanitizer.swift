/// Makes a message's HTML safe to show.
///
/// Elements and attributes of the allow-list are written anew, everything else is left out: scripts, handlers, frames, forms,
/// `meta`, `base`, `link`, external styles, `srcset`, background pictures, `@import`, and pictures that only count who opens
/// the message. As every tag and every text is written by this type, nothing that a browser reads differently than it does can
/// get through. The time is linear in the size.
public struct HTMLSanitizer: Sendable {
  /// Which pictures from the network may be loaded; loading one shows its server who opened the message, and when.
  public enum RemotePictures: Sendable, Hashable {
    /// None.
    case blocked
    /// All but those that are there for tracking only.
    case allowed
    /// Those of hosts with these names or of hosts below them, over `https:` or `http:`; in lower case.
    case hosts(Set<String>)
  }

  /// The sanitised form of a piece of HTML.
  public struct Output: Sendable, Hashable {
    /// The HTML that may be shown: the content of a page without `html` and `head`. Every element in it is closed.
    public var html: String
    /// How many pictures from the network were not allowed; offer to load them if this is not zero.
    public var blockedPictures: Int
    /// How many pictures were left out because they only count who opens the message.
    public var removedTrackers: Int
  }

  /// Which pictures from the network may be loaded.
  public var remotePictures: RemotePictures
  /// Whether `style` elements are kept, cleaned; their rules hold for the whole page the output is put into.
  public var keepsStyleSheets: Bool
  /// The data URL of an inline picture by its content identifier, or `nil` if there is none.
  private let inlinePicture: @Sendable (String) -> String?

  /// Creates a sanitiser.
  ///
  /// - Parameters:
  ///   - remotePictures: Which pictures from the network may be loaded.
  ///   - keepsStyleSheets: Whether `style` elements are kept.
  ///   - inlinePicture: The data URL for a content identifier, without angle brackets.
  public init(
    remotePictures: RemotePictures = .blocked, keepsStyleSheets: Bool = true,
    inlinePicture: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    self.remotePictures = remotePictures
    self.keepsStyleSheets = keepsStyleSheets
    self.inlinePicture = inlinePicture
  }

  /// Cleans HTML.
  public func sanitize(_ html: String) -> Output {
    var writer = HTMLWriter(sanitizer: self)
    var scanner = HTMLScanner(html)
    while let token = scanner.next() { writer.take(token, scanner: &scanner) }
    return writer.finish()
  }

  /// The source that a picture may be shown from.
  enum PictureSource {
    case shown(String)
    case blocked
    case tracker
    case none
  }

  func pictureSource(_ source: String, isInvisible: Bool) -> PictureSource {
    let address = String(String.UnicodeScalarView(source.unicodeScalars.filter { $0.value > 0x20 && $0.value != 0x7F }))
    let lowercased = address.lowercased()
    if lowercased.hasPrefix("cid:") {
      let identifier = HTMLSanitizer.percentDecoded(String(address.dropFirst(4)))
      return inlinePicture(identifier).map { .shown($0) } ?? .none
    }
    if lowercased.hasPrefix("data:") { return HTMLSanitizer.isPictureData(lowercased) ? .shown(address) : .none }
    let rest = lowercased.hasPrefix("//") ? "https:\(lowercased)" : lowercased
    guard rest.hasPrefix("https://") || rest.hasPrefix("http://") else { return .none }
    if isInvisible || HTMLAllowList.trackingMarks.contains(where: rest.contains) { return .tracker }
    switch remotePictures {
    case .blocked: return .blocked
    case .allowed: return .shown(address)
    case .hosts(let hosts):
      let host = HTMLSanitizer.host(of: rest)
      return hosts.contains { host == $0 || host.hasSuffix(".\($0)") } ? .shown(address) : .blocked
    }
  }

  /// The host of an address that starts with `http:` or `https:`; empty if it names a user or has odd characters.
  private static func host(of address: String) -> String {
    guard let slashes = address.firstRange(of: "//") else { return "" }
    let authority = address[slashes.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }
    let host = authority.contains("@") ? "" : authority.prefix { $0 != ":" }
    return host.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || $0 == 0x2E || $0 == 0x2D } ? String(host) : ""
  }

  private static func isPictureData(_ address: String) -> Bool {
    guard let comma = address.firstIndex(of: ",") else { return false }
    let head = address[..<comma].dropFirst(5)
    guard head.hasSuffix(";base64"), HTMLAllowList.pictureTypes.contains(String(head.dropLast(7))) else { return false }
    return address[comma...].utf8.dropFirst().allSatisfy {
      $0.isASCIILetter || $0.isDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "=")
    }
  }

  /// The address that a link may lead to, or `nil`.
  func linkTarget(_ target: String) -> String? {
    let scalars = target.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
    let address = String(String.UnicodeScalarView(scalars)).trimmingASCIIWhitespace
    let lowercased = address.lowercased()
    return HTMLAllowList.linkSchemes.contains(where: lowercased.hasPrefix) ? address : nil
  }

  static func percentDecoded(_ text: String) -> String {
    guard text.contains("%") else { return text }
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = bytes[index + 1].hexadecimalDigit,
        let low = bytes[index + 2].hexadecimalDigit
      {
        output.append(high << 4 | low)
        index += 3
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
