/// The signs that one message shows.
struct Evidence {
  private let message: Message
  private let tables: RuleTables
  private var rules: ClassificationRules { _read { yield tables.rules } }
  private let from: Address?
  private let localPart: String
  private let domain: String
  /// Lower-case words of the sender's display name.
  private let nameWords: [String]
  private lazy var subject = SubjectText(message.subject)
  var reasons: [Classification.Reason] = []

  /// - Parameter authors: The authors of the message.
  init(message: Message, authors: [Address], tables: RuleTables) {
    self.message = message
    self.tables = tables
    from = authors.first ?? message.sender
    localPart = from?.localPart.lowercased() ?? ""
    domain = from?.domain ?? ""
    // Some programs repeat the address in the place of the name.
    let name = from?.name ?? ""
    nameWords = name.contains("@") ? [] : Evidence.words(ofName: name)
  }

  private func has(_ reason: Classification.Reason) -> Bool { reasons.contains(reason) }

  // MARK: Sender

  /// Looks for signs that a person sent the message.
  mutating func findSender(isOwn: Bool) -> Bool {
    guard let from else { return false }
    if isOwn {
      reasons.append(.ownMessage)
      return true
    }
    let name = from.name ?? ""
    let words = nameWords
    var isHuman = false
    var isRefuted = false
    if isAutomaticAddress {
      reasons.append(.automaticAddress)
      isRefuted = true
    }
    if tables.roleAddresses.contains(localPart) {
      reasons.append(.roleAddress)
      isRefuted = true
    }
    if words.contains("via") {
      reasons.append(.viaName)
      isRefuted = true
    }
    if words.contains(where: tables.brandWords.contains) || isDomainName(name)
      || words.count == 1 && isOrganisation(words[0])
    {
      reasons.append(.brandName)
      isRefuted = true
    }
    if tables.personalDomains.containsDomain(of: domain) {
      reasons.append(.personalDomain)
      isHuman = true
    }
    if words.count == 1, Evidence.isEastAsianName(words[0]) {
      reasons.append(.personalName)
      isHuman = true
    } else if words.count == 1, words[0].allSatisfy({ $0.isLetter || "-'’".contains($0) }) {
      reasons.append(.singleWordName)
      isHuman = true
    } else if (2...4).contains(Evidence.lengthOfName(words)), !name.unicodeScalars.contains(where: \.isNumber) {
      reasons.append(.personalName)
      isHuman = true
    } else if words.isEmpty, looksLikeTwoNames(localPart) {
      reasons.append(.personalAddress)
      isHuman = true
    }
    return isHuman && !isRefuted
  }

  /// Whether a name without spaces is that of the sender's domain: `Booking.com`, `ALDI` at `aldi-mails.example`.
  private func isDomainName(_ name: String) -> Bool {
    let name = name.lowercased()
    guard !name.isEmpty, !name.contains(" "), !tables.personalDomains.containsDomain(of: domain) else { return false }
    let labels = domain.lowercased().split { $0 == "." || $0 == "-" }.map(String.init)
    if labels.contains(name) || domain.lowercased().hasSuffix(name) && name.contains(".") { return true }
    // A person's name may begin the one of a family's domain.
    return name.count >= 4 && !localPart.contains(name) && labels.contains { $0.hasPrefix(name) || $0.hasSuffix(name) }
  }

  /// Whether a word alone means an organisation: `Finanzamt`, `Volksbank`.
  private func isOrganisation(_ word: String) -> Bool { rules.brandEndings.contains { word.hasSuffix($0) } }

  private var isAutomaticAddress: Bool {
    guard tables.mayBeAutomatic(localPart) || rules.mailSystemAddresses.contains(localPart) else { return false }
    let plain = localPart.filter { $0 != "-" && $0 != "_" && $0 != "." }
    if rules.mailSystemAddresses.contains(localPart) { return true }
    return rules.automaticAddressPrefixes.contains { plain.hasPrefix($0) }
      || ["noreply", "donotreply"].contains { plain.hasSuffix($0) }
  }

  /// Lower-case words of a display name; `Keller, Jana` is two.
  private static func words(ofName name: String) -> [String] {
    if name.isEmpty { return [] }
    return name.lowercased().utf8.split { byte in
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"),
        UInt8(ascii: "|"):
        true
      default: false
      }
    }
    .map { String(Substring($0)) }.filter { $0.unicodeScalars.contains(where: \.isLetter) }
  }

  /// The number of words, in long names without titles and the little words that belong to the next one: `Prof. Dr. Eva von der
  /// Heide` has two.
  private static func lengthOfName(_ words: [String]) -> Int {
    guard words.count > 4 else { return words.count }
    return words.count { !smallWords.contains($0) }
  }

  private static let smallWords: Set<String> = [
    "dr", "prof", "med", "phil", "rer", "nat", "dipl", "ing", "mag", "mr", "mrs", "ms", "herr", "frau", "von", "vom",
    "van", "de", "der", "den", "zu", "zur", "zum", "di", "da", "del", "la", "le", "y", "e", "bin", "al", "jr", "sr",
    "phd", "mba",
  ]

  /// Chinese, Japanese and Korean names are written without a space: two to six Han, Kana or Hangul characters.
  private static func isEastAsianName(_ word: String) -> Bool {
    (2...6).contains(word.count)
      && word.unicodeScalars.allSatisfy { scalar in
        (0x3040...0x30FF).contains(scalar.value) || (0x3400...0x9FFF).contains(scalar.value)
          || (0xAC00...0xD7AF).contains(scalar.value) || (0x20000...0x323AF).contains(scalar.value)
      }
  }

  private func looksLikeTwoNames(_ localPart: String) -> Bool {
    let parts = localPart.split(separator: ".")
    return parts.count == 2 && parts.allSatisfy { $0.count > 1 && $0.allSatisfy(\.isLetter) }
      && !parts.contains { tables.brandWords.contains(String($0)) }
  }

  // MARK: Bulk and automation

  /// Looks for signs that the message went to many.
  mutating func findBulk() -> Bool {
    let headers = message.headers
    let before = reasons.count
    if headers.contains("List-Unsubscribe") { reasons.append(.listUnsubscribe) }
    if headers.contains("List-ID") { reasons.append(.listID) }
    if let post = headers["List-Post"], !post.lowercased().hasPrefix("no") { reasons.append(.listPost) }
    if let precedence = headers["Precedence"]?.lowercased(), ["bulk", "list", "junk"].contains(precedence) {
      reasons.append(.precedence)
    }
    if let value = headers["Auto-Submitted"]?.lowercased(), !value.hasPrefix("no"), !value.isEmpty {
      reasons.append(.autoSubmitted)
    }
    let isMarketing =
      tables.marketingDomains.containsDomain(of: domain)
      || (message.sender.map { tables.marketingDomains.containsDomain(of: $0.domain) } ?? false)
      || (headers.first("Return-Path")?.addresses.first.map { tables.marketingDomains.containsDomain(of: $0.domain) }
        ?? false)
    if isMarketing { reasons.append(.marketingDomain) }
    if rules.campaignHeaders.contains(where: headers.contains) { reasons.append(.campaignHeader) }
    if let labels = headers["X-Gmail-Labels"]?.lowercased() {
      let names = labels.split(separator: ",").map(\.trimmingASCIIWhitespace)
      if names.contains(where: rules.gmailCategories.contains) { reasons.append(.gmailCategory) }
    }
    if nameWords.first == "the", nameWords.last == "team" { reasons.append(.teamName) }
    return reasons.count > before
  }

  /// Looks for signs that a program sent the message, in addition to those for bulk.
  mutating func findAutomation() -> Bool {
    let headers = message.headers
    let responds = headers.contains("X-Autoreply") || headers.contains("X-Autorespond")
    if !has(.autoSubmitted), responds || headers["Precedence"]?.lowercased() == "auto_reply" {
      reasons.append(.autoSubmitted)
    }
    if let field = headers.first("Return-Path"), field.text == "<>" { reasons.append(.nullReturnPath) }
    if rules.mailSystemAddresses.contains(localPart) { reasons.append(.mailSystem) }
    return has(.autoSubmitted) || has(.nullReturnPath) || has(.mailSystem) || has(.automaticAddress)
  }

  // MARK: Kinds

  /// The kinds of a message that do not depend on its sender.
  mutating func findSpecialCategory(isAutomatic: Bool) -> Classification.Category? {
    if isBounce() { return .bounce }
    if isSpam() {
      reasons.append(.spamFlag)
      return .spam
    }
    let attachments = message.attachments
    if attachments.contains(where: { $0.type == "text/calendar" })
      || message.body.contentType.mediaType == "text/calendar"
    {
      reasons.append(.calendarPart)
      return .calendar
    }
    if has(.listPost) { return nil }
    if isAutomatic, contains(rules.securityPhrases) {
      reasons.append(.securitySubject)
      return .security
    }
    return findInvoice(in: attachments, isAutomatic: isAutomatic) ? .invoice : nil
  }

  private mutating func isBounce() -> Bool {
    // The header's own word: a report that was cut off is read as text.
    let type = message.headers.first("Content-Type").map { ContentType(parsing: $0.rawValue) } ?? .plainText
    if type.mediaType == "multipart/report",
      (type.parameter("report-type") ?? "delivery-status").lowercased() == "delivery-status"
    {
      reasons.append(.deliveryReport)
      return true
    }
    return (has(.mailSystem) || has(.nullReturnPath)) && contains(rules.bouncePhrases)
      || has(.mailSystem) && has(.nullReturnPath)
  }

  private func isSpam() -> Bool {
    if let flag = message.headers["X-Spam-Flag"]?.lowercased(), flag.hasPrefix("yes") { return true }
    return message.headers["X-Spam-Status"]?.lowercased().hasPrefix("yes") ?? false
  }

  /// A bill: the subject says so and a PDF is attached or a program sent it, or the PDF's own name says so.
  private mutating func findInvoice(in attachments: [Attachment], isAutomatic: Bool) -> Bool {
    let documents = attachments.filter { attachment in
      attachment.type == "application/pdf" || attachment.name?.lowercased().hasSuffix(".pdf") ?? false
    }
    let words = subject.words
    let isSubject = words.contains(where: isInvoiceWord) || contains(rules.invoicePhrases)
    let isFile = documents.contains { document in
      let words = (document.name ?? "").lowercased().split { !$0.isLetter }.map(String.init)
      return words.contains(where: isInvoiceWord)
    }
    if isSubject { reasons.append(.invoiceSubject) }
    if isFile { reasons.append(.invoiceFile) }
    if !documents.isEmpty { reasons.append(.documentAttached) }
    // An answer in a conversation about a bill is a conversation.
    let isAnswer = !message.inReplyTo.isEmpty && !isAutomatic
    return isFile && !isAnswer || isSubject && !isAnswer && (!documents.isEmpty || isAutomatic)
  }

  private func isInvoiceWord(_ word: String) -> Bool {
    guard rules.invoiceWords.contains(word) || rules.invoiceEndings.contains(where: { word.hasSuffix($0) })
    else { return false }
    return !rules.invoiceExceptions.contains(word)
  }

  /// The kind of a message that no person wrote to its recipients.
  mutating func impersonalCategory(isBulk: Bool, isAutomatic: Bool) -> Classification.Category {
    if contains(rules.shippingPhrases) {
      reasons.append(.shippingSubject)
      return .notification
    }
    if has(.listPost) || has(.listID) && !isCampaign { return .mailingList }
    if has(.listUnsubscribe) || has(.marketingDomain) || has(.campaignHeader) || has(.gmailCategory) || has(.teamName) {
      return .newsletter
    }
    if has(.precedence), !has(.autoSubmitted) { return .newsletter }
    return isAutomatic || isBulk ? .notification : .other
  }

  /// A `List-ID` alone does not make a discussion list: campaign software writes it, too.
  private var isCampaign: Bool {
    // RFC 8058 is for bulk senders; discussion lists have no use for it.
    message.headers.contains("List-Unsubscribe-Post") || has(.marketingDomain) || has(.campaignHeader)
      || has(.roleAddress) || has(.automaticAddress) || has(.brandName)
  }

  private mutating func contains(_ phrases: [String]) -> Bool { subject.contains(anyOf: phrases) }
}

extension Unicode.Scalar {
  /// Whether it is a letter; those of ASCII need no table.
  fileprivate var isLetter: Bool {
    guard isASCII else { return properties.isAlphabetic }
    return (value | 0x20) &- 0x61 < 26
  }

  /// Whether it represents a number; those of ASCII need no table.
  fileprivate var isNumber: Bool {
    guard isASCII else { return properties.numericType != nil }
    return value &- 0x30 < 10
  }
}
