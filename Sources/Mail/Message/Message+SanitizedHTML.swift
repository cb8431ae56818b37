extension Message {
  /// The message as HTML that is safe to show; `nil` if it has no HTML part.
  ///
  /// Inline pictures that the HTML refers to become data URLs, each up to 5 MB and together up to 20 MB.
  ///
  /// - Parameters:
  ///   - remotePictures: Which pictures from the network may be loaded.
  ///   - keepsStyleSheets: Whether `style` elements are kept, cleaned.
  public func sanitizedHTML(
    remotePictures: HTMLSanitizer.RemotePictures = .blocked, keepsStyleSheets: Bool = true
  ) -> HTMLSanitizer.Output? {
    guard let htmlBody else { return nil }
    var pictures: [String: Part] = [:]
    var total = 0
    for part in body.leaves where HTMLAllowList.pictureTypes.contains(part.contentType.mediaType) {
      guard let identifier = part.contentID, pictures[identifier] == nil else { continue }
      let size = part.rawBody.count
      guard size <= 7_000_000, total + size <= 28_000_000 else { continue }
      total += size
      pictures[identifier] = part
    }
    let sanitizer = HTMLSanitizer(remotePictures: remotePictures, keepsStyleSheets: keepsStyleSheets) {
      [pictures] identifier in
      pictures[identifier].map { part in
        let data = String(decoding: Base64.encode(part.decodedBytes), as: UTF8.self)
        return "data:\(part.contentType.mediaType);base64,\(data)"
      }
    }
    return sanitizer.sanitize(htmlBody)
  }
}
