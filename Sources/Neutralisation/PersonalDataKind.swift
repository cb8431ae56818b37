public import Localization

/// A kind of personal data.
public enum PersonalDataKind: String, CaseIterable, Sendable, Hashable, Codable {
  /// The name of a person, or a part of it.
  case person
  /// The name of a company, an association, an authority.
  case organisation
  /// A mail address (RFC 5321).
  case email
  /// A street with its number, a town with its postal code, a PO box.
  case address
  /// A telephone number.
  case phone
  /// An account number (ISO 13616), its checksum right or named as one.
  case iban
  /// The number of a payment card (ISO/IEC 7812), its checksum right.
  case card
  /// A Swiss AHV number (EAN-13 checksum).
  case ahv
  /// A tax number of Germany, Austria, Switzerland, the United Kingdom or the United States, VAT numbers among them.
  case tax
  /// A number of a social or health insurance: Germany, Austria, United Kingdom, United States.
  case socialInsurance = "social_insurance"
  /// The number of a document, a customer, a member, a contract or a vehicle, if a word beside it says so; also a password, a
  /// PIN, a code, a key or a token.
  case idNumber = "id_number"
  /// A date of birth, by the words around it.
  case birthdate
  /// A URL (RFC 3986).
  case url
  /// An IP address, version 4 or 6, or the MAC address of a network card.
  case ip
  /// A word that is probably a name, though no rule found it: as rare names, it is in no dictionary.
  case unknownName = "unknown_name"
  /// A match of a configured pattern or word.
  case own
  /// A text that looked like a placeholder before.
  case literal

  /// The word of the placeholder: `PERSON` of `[PERSON_1]`.
  public var word: String {
    switch self {
    case .person: "PERSON"
    case .organisation: "ORG"
    case .email: "EMAIL"
    case .address: "ADDRESS"
    case .phone: "PHONE"
    case .iban: "IBAN"
    case .card: "CARD"
    case .ahv: "AHV"
    case .tax: "TAXID"
    case .socialInsurance: "SOCIALID"
    case .idNumber: "IDNUMBER"
    case .birthdate: "BIRTHDATE"
    case .url: "URL"
    case .ip: "IP"
    case .unknownName: "NAME"
    case .own: "PRIVATE"
    case .literal: "LITERAL"
    }
  }

  /// Forms of the word that models write when they translate it or spell it in full.
  var otherWords: [String] {
    switch self {
    case .person: ["PERSONNE", "PERSONA"]
    case .organisation: ["ORGANISATION", "ORGANIZATION", "FIRMA"]
    case .address: ["ADRESSE", "INDIRIZZO", "DIRECCION"]
    case .phone: ["TELEFON", "TELEPHONE", "TELEFONO"]
    case .tax: ["STEUERNUMMER", "STEUERID", "TAX-ID"]
    case .birthdate: ["GEBURTSDATUM", "BIRTHDAY", "GEBURTSTAG"]
    case .card: ["KARTE"]
    case .idNumber: ["ID-NUMBER", "ID-NUMMER"]
    case .email: ["E-MAIL", "MAIL"]
    case .own: ["PRIVAT"]
    default: []
    }
  }

  /// The name for people.
  public var summary: LocalizedText {
    switch self {
    case .person: .init("names of persons", de: "Namen von Personen")
    case .organisation: .init("companies, associations, authorities", de: "Firmen, Vereine, Behörden")
    case .email: .init("mail addresses", de: "Mailadressen")
    case .address:
      .init("streets with numbers, towns with postal codes", de: "Straßen mit Nummern, Orte mit Postleitzahlen")
    case .phone: .init("telephone numbers", de: "Telefonnummern")
    case .iban: .init("account numbers (IBAN)", de: "Kontonummern (IBAN)")
    case .card: .init("numbers of payment cards", de: "Nummern von Zahlungskarten")
    case .ahv: .init("Swiss AHV numbers", de: "AHV-Nummern")
    case .tax: .init("tax numbers", de: "Steuernummern")
    case .socialInsurance: .init("social insurance numbers", de: "Sozialversicherungsnummern")
    case .idNumber:
      .init(
        "numbers of documents, customers, contracts, vehicles; passwords, PINs, codes, keys",
        de: "Nummern von Ausweisen, Kunden, Verträgen, Fahrzeugen; Passwörter, PINs, Codes, Schlüssel")
    case .birthdate: .init("dates of birth", de: "Geburtsdaten")
    case .url: .init("URLs", de: "URLs")
    case .ip: .init("IP and MAC addresses", de: "IP- und MAC-Adressen")
    case .unknownName:
      .init(
        "words with a capital that are in no dictionary",
        de: "Großgeschriebene Wörter, die in keinem Wörterbuch stehen")
    case .own: .init("own patterns and words", de: "eigene Muster und Wörter")
    case .literal: .init("texts that look like a placeholder", de: "Texte, die wie ein Platzhalter aussehen")
    }
  }

  /// The kinds that can be chosen; texts that look like a placeholder are always replaced, because they would be ambiguous.
  public static let choices = allCases.filter { $0 != .literal }

  /// Which kind a place has that two of them claim: the lower.
  var rank: Int { PersonalDataKind.ranks[self] ?? 0 }

  private static let ranks: [PersonalDataKind: Int] = {
    let order: [PersonalDataKind] = [
      .literal, .own, .email, .url, .iban, .ahv, .card, .socialInsurance, .tax, .ip, .birthdate, .idNumber, .phone,
      .address,
      .organisation, .person, .unknownName,
    ]
    return Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
  }()
}
