/// A subject that mail is commonly sorted by, with the words that speak for it.
struct Category: Sendable {
  /// Names of categories of this meaning, in lower case.
  let names: Set<String>
  /// Words, or parts of German compounds, that speak for it, in lower case.
  let signals: [String]

  private init(_ names: String, signals: String) {
    self.names = StopWords.words(names)
    self.signals = signals.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  }

  /// The category that is meant by a label, or nil where the label is none of the known names.
  static func named(_ label: String) -> Category? {
    let words = label.lowercased().split { !$0.isLetter }.map(String.init)
    return all.first { category in words.contains { category.names.contains($0) } }
  }

  /// Every known category; earlier ones win where two are meant.
  static let all: [Category] = [
    Category(
      """
      invoice invoices rechnung rechnungen billing receipt receipts quittung beleg belege money geld finance
      finances finanzen payment payments zahlung zahlungen bank
      """,
      signals: """
        invoice, receipt, payment, amount due, total, paid, refund, billing, subscription renew, charged, iban, vat,
        rechnung, betrag, quittung, zahlung, zahlbar, überweis, fällig, mwst, lastschrift, abbuchung, beleg,
        mahnung, rechnungsnummer, gutschrift, €, chf, eur, usd
        """),
    Category(
      "newsletter newsletters marketing promotion promotions promo werbung werbemail advertising ads bulk",
      signals: """
        unsubscribe, newsletter, view in browser, sale, discount, offer, % off, coupon, subscribe, webinar, deal,
        edition, abbestellen, angebot, rabatt, gutschein, im browser, aktion, ausgabe, jetzt kaufen, jetzt sichern,
        shop now
        """),
    Category(
      """
      meeting meetings appointment appointments termin termine calendar kalender event events invitation
      einladung veranstaltung
      """,
      signals: """
        meeting, appointment, calendar, invitation, invite, schedule, reschedule, agenda, conference call, zoom,
        rsvp, termin, besprechung, einladung, kalender, treffen, sitzung, verschieben, uhrzeit, uhr, tagesordnung,
        videokonferenz
        """),
    Category(
      "security sicherheit alert alerts warnung warning account konto login",
      signals: """
        password, security, sign-in, signed in, login, verification code, two-factor, suspicious, unauthorized,
        breach, reset your, new device, passwort, sicherheit, anmeldung, bestätigungscode, verdächtig, zwei-faktor,
        konto gesperrt
        """),
    Category(
      """
      shipping delivery shipment versand lieferung order orders bestellung bestellungen shopping paket package
      packages
      """,
      signals: """
        shipped, delivery, tracking, order, package, parcel, dispatched, shipment, courier, versand, lieferung,
        sendung, bestellung, paket, zustell, unterwegs zu, sendungsnummer, bestellnummer, geliefert
        """),
    Category(
      "travel reise reisen flight flights flug flüge booking bookings buchung trip hotel",
      signals: """
        flight, boarding, itinerary, hotel, reservation, check-in, booking, airport, departure, train, flug, reise,
        hotel, buchung, reservierung, abflug, bahn, zug, abfahrt, unterkunft
        """),
    Category(
      "support helpdesk ticket tickets problem bug incident hilfe complaint beschwerde reklamation",
      signals: """
        error, bug, issue, ticket, crash, not working, doesn't work, broken, problem, support, complaint, fails,
        failing, fehler, problem, funktioniert nicht, kaputt, reklamation, störung, beschwerde, geht nicht, defekt
        """),
    Category(
      "bounce bounces failure unzustellbar",
      signals: """
        undeliverable, delivery status, could not be delivered, mailer-daemon, returned to sender, unzustellbar,
        nicht zugestellt, zustellung fehlgeschlagen
        """),
    Category(
      "job jobs application applications bewerbung bewerbungen career karriere recruiting",
      signals: """
        application, resume, cv, interview, position, candidate, hiring, salary, bewerbung, lebenslauf,
        vorstellungsgespräch, stelle, gehalt, kandidat
        """),
    Category(
      "spam junk scam phishing betrug",
      signals: """
        lottery, winner, inheritance, wire transfer, prince, viagra, crypto giveaway, act now, million dollars,
        gewonnen, erbschaft, lotterie, sofort reich
        """),
    Category(
      "personal private privat persönlich people personen family familie friends freunde social",
      signals: """
        birthday, dinner, weekend, holiday, family, kids, mum, mom, dad, love, party, miss you, wedding, barbecue,
        geburtstag, abendessen, wochenende, urlaub, familie, kinder, mama, papa, oma, opa, feier, hochzeit, grillen,
        liebe
        """),
    Category(
      "work arbeit business geschäftlich project projekt beruf beruflich office",
      signals: """
        project, deadline, report, contract, client, customer, proposal, budget, release, review, team, quarter,
        draft, projekt, frist, bericht, vertrag, kunde, angebot, budget, freigabe, entwurf, quartal, protokoll,
        abgabe
        """),
    Category(
      "urgent dringend high hoch important wichtig critical kritisch asap",
      signals: """
        urgent, asap, as soon as possible, immediately, deadline, today, by tomorrow, overdue, critical, final
        notice, dringend, sofort, so schnell wie möglich, schnellstmöglich, frist, bis heute, bis morgen,
        überfällig, mahnung
        """),
    Category(
      "question questions frage fragen request requests anfrage anfragen",
      signals: "?, could you, can you, would you, wondering, kannst du, könnten sie, könntest du, anfrage, frage"),
  ]
}
