extension Neutraliser {
  /// Remembers the words of what an earlier mapping has.
  static func learn(_ entry: PlaceholderMapping.Entry, _ mapping: inout PlaceholderMapping) {
    Array(entry.original.utf8).withUnsafeBufferPointer { bytes in
      let words = WordScan(bytes).words
      switch entry.kind {
      case .person: learn(words, &mapping)
      case .organisation: learn(organisation: words, &mapping)
      case .email: learn(mail: entry.original, words, &mapping)
      case .unknownName: learn(unknown: words, &mapping)
      default: break
      }
    }
  }

  /// Remembers words that are probably names; those of every sentence count only where they are used like one.
  static func learn(unknown words: some Sequence<WordScan.Word>, _ mapping: inout PlaceholderMapping) {
    for word in words where word.isCapital && word.text.count > 2 && !CommonWords.all.contains(word.text) {
      mapping.unknownNames.insert(NameDetector.base(word.text))
    }
  }

  /// Remembers the words of a name.
  static func learn(_ words: [WordScan.Word], _ mapping: inout PlaceholderMapping) {
    // "d'Aubigné" occurs elsewhere with its particle or without.
    for word in words where word.isElided && word.text.count >= 6 && !CommonWords.all.contains(word.stem) {
      mapping.nameWords.formUnion([word.stem, word.text])
    }
    for word in words where word.isCapital && word.text.count >= 3 {
      // A name that is a word too counts once its surroundings have said so; words of every sentence never do.
      guard !CommonWords.all.contains(word.text) || Surnames.all.contains(word.text) && word.text.count > 3,
        !CommonWords.titles.contains(word.text)
      else { continue }
      mapping.nameWords.insert(word.text)
      let base = NameDetector.base(word.text)
      // "Tjorvens Mutter": the name may occur elsewhere without its ending.
      if FirstNames.all.contains(base) || Surnames.all.contains(base)
        || base.count >= 4 && !NameDetector.isListed(word.text) && !CommonWords.all.contains(base)
      {
        mapping.nameWords.insert(base)
      }
      for part in word.text.split(separator: "-") where part.count >= 4 && !CommonWords.all.contains(String(part)) {
        mapping.nameWords.insert(String(part))
      }
    }
  }

  /// Remembers the parts of a mail address that the text has as words with a capital.
  static func learn(mail address: String, _ words: [WordScan.Word], _ mapping: inout PlaceholderMapping) {
    let local = address.prefix { $0 != "@" && $0 != "+" }
    for part in local.split(whereSeparator: { ".-_+0123456789".contains($0) }) where part.count >= 4 {
      let part = part.lowercased()
      guard !CommonWords.all.contains(part), !Self.mailboxes.contains(part), !FirstNames.ambiguous.contains(part) else {
        continue
      }
      mapping.nameWords.insert(part)
    }
  }

  private static let mailboxes = WordList(
    """
    info kontakt contact mail office support noreply reply admin service team sales hello kundendienst buchhaltung rechnung billing invoice newsletter
    marketing personal jobs career karriere sekretariat empfang reception webmaster postmaster abuse security post anfrage verwaltung vertrieb
    repairs lettings enquiries payroll finance legal bookings booking reservations reservation hilfe praxis schule gemeinde kanzlei sekretariat hotel
    customer customers client clients members mitglieder redaktion presse einkauf technik hausverwaltung verwaltung leitung direktion zentrale
    secretary accounts account invoices claims returns feedback community events event first last test user users example mein meine name
    bewerbung bestellung order orders shop help datenschutz privacy press presse media welcome notification notifications mailer daemon
    """)

  /// Remembers an organisation with its form, and by the words before that.
  static func learn(organisation words: [WordScan.Word], _ mapping: inout PlaceholderMapping) {
    var stem = words.map(\.text)
    while let last = stem.last, OrganisationDetector.forms.contains(last) || last.count == 1 { stem.removeLast() }
    guard let first = stem.first, stem.count < 8 else { return }
    if stem.count == 1, first.count < 4 || CommonWords.all.contains(first) || Places.all.contains(first) { return }
    mapping.organisations[first, default: []].insert(stem)
  }
}
