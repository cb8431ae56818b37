/// Which parts of a message are its text, which its HTML and which its attachments: the algorithm of RFC 8621 §4.1.4.
struct BodyStructure {
  private(set) var textParts: [Part] = []
  private(set) var htmlParts: [Part] = []
  private(set) var attachments: [Part] = []

  init(_ root: Part) {
    var text: [Part]? = []
    var html: [Part]? = []
    collect([root], multipart: "mixed", isInAlternative: false, text: &text, html: &html)
    textParts = text ?? []
    htmlParts = html ?? []
  }

  /// Depth is bounded by the parser's limit.
  private mutating func collect(
    _ parts: [Part], multipart: String, isInAlternative: Bool, text: inout [Part]?, html: inout [Part]?
  ) {
    let textCount = text?.count ?? -1
    let htmlCount = html?.count ?? -1
    for (index, part) in parts.enumerated() {
      let type = part.contentType
      if case .multipart(let children) = part.content {
        collect(
          children, multipart: type.subtype, isInAlternative: isInAlternative || type.subtype == "alternative",
          text: &text, html: &html)
        continue
      }
      let isMedia = ["image", "audio", "video"].contains(type.type)
      let isEnriched = type.mediaType == "text/enriched"
      let isText = type.mediaType == "text/plain" || type.mediaType == "text/html" || isEnriched
      let isFirst = index == 0 || (multipart != "related" && (isMedia || part.fileName == nil))
      guard part.disposition != .attachment, isText || isMedia, isFirst else {
        attachments.append(part)
        continue
      }
      if isMedia {
        // Shown in place by programs that can, a file to everything else.
        attachments.append(part)
        continue
      }
      let isHTML = type.mediaType == "text/html"
      if multipart == "alternative" {
        if isEnriched {
          // Beside HTML it says the same with less; without it, it is the better text.
          if !parts.contains(where: { $0.containsHTML }) { html?.append(part) }
          continue
        }
        if isHTML { html?.append(part) } else { text?.append(part) }
        continue
      }
      if isInAlternative {
        if isHTML { text = nil } else { html = nil }
      }
      text?.append(part)
      html?.append(part)
    }
    if multipart == "alternative", let texts = text, let htmls = html {
      if textCount == texts.count, htmlCount >= 0, htmlCount < htmls.count { text = texts + htmls[htmlCount...] }
      if htmlCount == htmls.count, textCount >= 0, textCount < texts.count { html = htmls + texts[textCount...] }
    }
  }
}

extension Part {
  /// Whether the part, or one in it, is HTML. Depth is bounded by the parser's limit.
  fileprivate var containsHTML: Bool {
    if case .multipart(let parts) = content { return parts.contains { $0.containsHTML } }
    return contentType.mediaType == "text/html"
  }
}
