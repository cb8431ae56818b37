/// Which parts of a message are its text, which its HTML and which its attachments: the algorithm of RFC 8621 §4.1.4.
struct BodyStructure {
  private(set) var textParts: [Part] = []
  private(set) var htmlParts: [Part] = []
  private(set) var attachments: [Part] = []

  init(_ root: Part) {
    collect([root], multipart: "mixed", isInAlternative: false, takesText: true, takesHTML: true)
  }

  /// Depth is bounded by the parser's limit.
  ///
  /// - Parameters:
  ///   - takesText: Whether parts may be the text. Decisions in here apply to these parts only: a `multipart/related` with the
  ///     HTML leaves the plain text beside it as it is.
  ///   - takesHTML: The same of the HTML.
  private mutating func collect(
    _ parts: [Part], multipart: String, isInAlternative: Bool, takesText: Bool, takesHTML: Bool
  ) {
    var (takesText, takesHTML) = (takesText, takesHTML)
    let (textCount, htmlCount) = (textParts.count, htmlParts.count)
    for (index, part) in parts.enumerated() {
      let type = part.contentType
      if case .multipart(let children) = part.content {
        // Outlook repeats the text of the message in its winmail.dat.
        let repeats = part.isTNEF && textParts.contains { !$0.rawBody.allSatisfy(\.isMailWhitespace) }
        collect(
          children, multipart: type.subtype, isInAlternative: isInAlternative || type.subtype == "alternative",
          takesText: takesText && !repeats, takesHTML: takesHTML && !repeats)
        continue
      }
      if multipart == "alternative", part.isUnseenAlternative { continue }
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
          if !parts.contains(where: { $0.containsHTML }), takesHTML { htmlParts.append(part) }
          continue
        }
        if isHTML, takesHTML { htmlParts.append(part) }
        if !isHTML, takesText { textParts.append(part) }
        continue
      }
      if isInAlternative {
        if isHTML { takesText = false } else { takesHTML = false }
      }
      if takesText { textParts.append(part) }
      if takesHTML { htmlParts.append(part) }
    }
    if multipart == "alternative", takesText, takesHTML {
      let (texts, htmls) = (textParts[textCount...], htmlParts[htmlCount...])
      if texts.isEmpty { textParts += htmls }
      if htmls.isEmpty { htmlParts += texts }
    }
  }
}

extension Part {
  /// Whether the part says what its neighbours say, for the few programs that know AMP or a watch.
  fileprivate var isUnseenAlternative: Bool {
    ["text/x-amp-html", "text/watch-html"].contains(contentType.mediaType) && disposition != .attachment
  }

  /// Whether the part is Outlook's winmail.dat, opened.
  fileprivate var isTNEF: Bool {
    !contentType.isMultipart && OpaqueContent.isTNEF(contentType.mediaType, fileName)
  }

  /// Whether the part, or one in it, is HTML. Depth is bounded by the parser's limit.
  fileprivate var containsHTML: Bool {
    if case .multipart(let parts) = content { return parts.contains { $0.containsHTML } }
    return contentType.mediaType == "text/html"
  }
}
