import Localization

/// The parts of a message that its answer or its forwarded form quotes.
struct Quotation {
  private let message: Message
  private let language: Language

  init(_ message: Message, language: Language) {
    self.message = message
    self.language = language
  }

  // MARK: Answers

  /// `On 5 November 2026 at 09:02, Anna wrote:`.
  var attribution: String {
    let name = message.from.first?.displayName ?? message.sender?.displayName ?? ""
    guard let date = message.date else {
      return
        (name.isEmpty
        ? LocalizedText("The message was:", de: "Die Nachricht lautete:")
        : LocalizedText("\(name) wrote:", de: "\(name) schrieb:")).string(in: language)
    }
    let (day, time) = Quotation.spoken(date, in: language)
    return LocalizedText(
      "On \(day) at \(time), \(name) wrote:", de: "Am \(day) um \(time) schrieb \(name):"
    ).string(in: language)
  }

  /// The text without its signature, each line behind `>` (RFC 3676 §4.5).
  var quotedText: String {
    var lines = message.textBody.split(separator: "\n", omittingEmptySubsequences: false)
    if let signature = lines.firstIndex(where: { $0 == "-- " }), signature > 0 { lines.removeSubrange(signature...) }
    while let last = lines.last, last.utf8.allSatisfy(\.isMailWhitespace) { lines.removeLast() }
    while let first = lines.first, first.utf8.allSatisfy(\.isMailWhitespace) { lines.removeFirst() }
    return lines.map { line in
      let isDeeper = line.hasPrefix(">")
      return line.isEmpty ? ">" : isDeeper ? ">\(line)" : "> \(line)"
    }.joined(separator: "\n")
  }

  /// The HTML, or the text as HTML, without what could run or count; pictures inside the message stay.
  var bodyHTML: String { html.output.html }

  /// The pictures that ``bodyHTML`` refers to.
  var pictures: [Part] {
    let source = html.output.html
    return html.pictures.filter { source.contains("cid:\(HTMLText.escape($0.contentID ?? ""))\"") }
  }

  private var html: (output: HTMLSanitizer.Output, pictures: [Part]) {
    guard let source = message.htmlBody else {
      let text = HTMLText.escape(message.textBody).replacing("\n", with: "<br>\n")
      return (HTMLSanitizer.Output(html: text, blockedPictures: 0, removedTrackers: 0), [])
    }
    var seen: Set<String> = []
    let pictures = message.body.leaves.prefix(200).filter { part in
      guard let identifier = part.contentID, (try? HeaderWriter.checkedMessageID(identifier, field: "")) != nil,
        HTMLAllowList.pictureTypes.contains(part.contentType.mediaType)
      else { return false }
      return seen.insert(identifier).inserted
    }
    let identifiers = seen
    let sanitizer = HTMLSanitizer(remotePictures: .allowed, keepsStyleSheets: false) { identifier in
      identifiers.contains(identifier) ? "cid:\(identifier)" : nil
    }
    return (sanitizer.sanitize(source), Array(pictures))
  }

  // MARK: Forwarding

  /// The lines above a forwarded text: sender, date and recipients.
  var headings: [(name: String, value: String)] {
    func list(_ addresses: [Address]) -> String { addresses.map(\.description).joined(separator: ", ") }
    var lines: [(LocalizedText, String)] = [(LocalizedText("From", de: "Von"), list(message.from))]
    if let date = message.date {
      let (day, time) = Quotation.spoken(date, in: language)
      lines.append((LocalizedText("Date", de: "Datum"), "\(day), \(time)"))
    }
    lines.append((LocalizedText("Subject", de: "Betreff"), message.subject))
    lines.append((LocalizedText("To", de: "An"), list(message.to)))
    lines.append((LocalizedText("Cc", de: "Kopie"), list(message.cc)))
    return lines.filter { !$0.1.isEmpty }.map { ($0.0.string(in: language), $0.1) }
  }

  /// The line above the headings.
  var forwardMark: String {
    LocalizedText(
      "---------- Forwarded message ----------", de: "---------- Weitergeleitete Nachricht ----------"
    ).string(in: language)
  }

  /// Day and time on the sender's clock.
  private static func spoken(_ date: MessageDate, in language: Language) -> (day: String, time: String) {
    let text = date.rfc3339
    let pieces = text.prefix(10).split(separator: "-").map { Int($0) ?? 1 }
    let time = String(text.dropFirst(11).prefix(5))
    let english = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ]
    let german = [
      "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
      "Dezember",
    ]
    guard pieces.count == 3, (1...12).contains(pieces[1]) else { return (String(text.prefix(10)), time) }
    let month = pieces[1] - 1
    let day = LocalizedText(
      "\(pieces[2]) \(english[month]) \(pieces[0])", de: "\(pieces[2]). \(german[month]) \(pieces[0])")
    return (day.string(in: language), time)
  }
}
