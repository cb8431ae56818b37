/// Comma-separated values: what the names of columns say of their fields.
enum CSVView {
  /// Names of columns in small letters, as ``plain(_:)`` gives them.
  private static let kinds: [String: PersonalDataKind] = [
    "name": .person, "vorname": .person, "nachname": .person, "familienname": .person, "surname": .person,
    "firstname": .person, "lastname": .person, "fullname": .person, "kunde": .person, "kundin": .person,
    "kundenname": .person, "customer": .person, "kontakt": .person, "contact": .person, "ansprechpartner": .person,
    "mitarbeiter": .person, "employee": .person, "mieter": .person, "tenant": .person, "patient": .person,
    "customername": .person, "contactperson": .person, "contactname": .person, "ansprechperson": .person,
    "kontaktperson": .person, "kontoinhaber": .person, "accountholder": .person, "inhaber": .person,
    "empfänger": .person, "recipient": .person, "absender": .person, "sender": .person, "titelname": .person,
    "geburtsname": .person, "middlename": .person, "givenname": .person, "familyname": .person,
    "nom": .person, "prénom": .person, "prenom": .person, "cognome": .person, "nome": .person,
    "entreprise": .organisation, "société": .organisation, "ditta": .organisation,
    "courriel": .email, "ville": .address, "codepostal": .address, "rue": .address, "indirizzo": .address,
    "téléphone": .phone, "portable": .phone, "telefono": .phone, "cellulare": .phone,
    "datedenaissance": .birthdate, "datadinascita": .birthdate,
    "firma": .organisation, "company": .organisation, "organisation": .organisation, "organization": .organisation,
    "arbeitgeber": .organisation, "employer": .organisation, "unternehmen": .organisation, "companyname": .organisation,
    "firmenname": .organisation,
    "email": .email, "mail": .email, "emailadresse": .email, "emailaddress": .email, "mailadresse": .email,
    "mailaddress": .email,
    "adresse": .address, "address": .address, "strasse": .address, "street": .address, "plz": .address,
    "postleitzahl": .address, "ort": .address, "wohnort": .address, "city": .address, "town": .address, "zip": .address,
    "postcode": .address, "postalcode": .address, "hausnummer": .address, "anschrift": .address, "strassenr": .address,
    "strasseundhausnummer": .address, "streetaddress": .address, "addressline1": .address, "adresse1": .address,
    "plzort": .address, "zipcode": .address, "stadt": .address, "homeaddress": .address, "wohnadresse": .address,
    "postfach": .address,
    "telefon": .phone, "tel": .phone, "phone": .phone, "mobile": .phone, "mobil": .phone, "handy": .phone,
    "natel": .phone, "fax": .phone, "telephone": .phone, "telefonnummer": .phone, "phonenumber": .phone,
    "telefonprivat": .phone, "telefonmobil": .phone, "telefongeschäft": .phone, "mobiltelefon": .phone,
    "mobilnummer": .phone, "handynummer": .phone, "telephonenumber": .phone, "mobilenumber": .phone, "cell": .phone,
    "iban": .iban, "konto": .iban, "kontonummer": .iban, "account": .iban, "accountnumber": .iban,
    "kreditkarte": .card, "card": .card, "cardnumber": .card, "kartennummer": .card, "kreditkartennummer": .card,
    "creditcard": .card, "creditcardnumber": .card, "kreditkartennr": .card,
    "ahv": .ahv, "ahvnr": .ahv, "ahvnummer": .ahv, "ahvn13": .ahv, "avs": .ahv,
    "sozialversicherungsnummer": .socialInsurance, "svnummer": .socialInsurance, "svnr": .socialInsurance,
    "ssn": .socialInsurance, "ninumber": .socialInsurance, "sozialversicherungsnr": .socialInsurance,
    "rentenversicherungsnummer": .socialInsurance, "nationalinsurance": .socialInsurance,
    "nationalinsurancenumber": .socialInsurance, "ni": .socialInsurance, "nino": .socialInsurance,
    "socialsecuritynumber": .socialInsurance,
    "steuernummer": .tax, "steuerid": .tax, "uid": .tax, "ustid": .tax, "taxid": .tax, "vat": .tax, "vatnumber": .tax,
    "steueridentifikationsnummer": .tax, "idnr": .tax, "ustidnr": .tax, "uidnummer": .tax, "taxnumber": .tax,
    "utr": .tax,
    "geburtsdatum": .birthdate, "geboren": .birthdate, "geb": .birthdate, "geburtstag": .birthdate,
    "dateofbirth": .birthdate, "dob": .birthdate, "birthday": .birthdate, "birthdate": .birthdate,
    "gebdatum": .birthdate, "geburtsdat": .birthdate, "born": .birthdate,
    "homepage": .url, "web": .url, "link": .url, "url": .url, "website": .url, "webseite": .url,
    "ipaddressv4": .ip, "ip": .ip, "ipaddress": .ip, "ipadresse": .ip,
  ]

  /// The kind of data in a column, by its name.
  static func kind(ofColumn name: String) -> PersonalDataKind? { kinds[plain(name)] }

  /// A name of a column without what people write differently: capitals, ß, and signs between its words.
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { !" _-.:/,".contains($0) }.replacing("ß", with: "ss")
  }

  /// The names of the columns of a first line.
  static func columns(_ line: String) -> [String] {
    line.split(separator: delimiter(line), omittingEmptySubsequences: false).map {
      String($0).trimming { $0 == "\"" || $0 == " " || $0 == "\u{FEFF}" || $0 == "\r" }
    }
  }

  private static func delimiter(_ line: String) -> Character {
    let counts = [";", "\t", ","].map { sign in (Character(sign), line.filter { $0 == Character(sign) }.count) }
    return counts.max { $0.1 < $1.1 }?.0 ?? ","
  }

  /// The view of a text, with what its columns tell.
  static func view(_ bytes: UnsafeBufferPointer<UInt8>) -> TextView {
    var view = TextView(bytes, 0..<bytes.count)
    var known: [Finding] = []
    let line = String(decoding: bytes.prefix { $0 != 0x0A }.prefix(20_000), as: UTF8.self)
    let delimiter = delimiter(line).asciiValue ?? 0x2C
    let columns = columns(line).map { kind(ofColumn: $0) ?? PersonColumns.kind(ofColumn: $0) }
    var index = bytes.firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
    var column = 0
    while index < bytes.count {
      var start = index
      var end: Int
      if bytes[index] == 0x22 {
        start = index + 1
        index = start
        while index < bytes.count {
          if bytes[index] == 0x22 {
            if index + 1 < bytes.count, bytes[index + 1] == 0x22 { index += 1 } else { break }
          }
          index += 1
        }
        end = min(index, bytes.count)
        while index < bytes.count, bytes[index] != delimiter, bytes[index] != 0x0A { index += 1 }
      } else {
        while index < bytes.count, bytes[index] != delimiter, bytes[index] != 0x0A { index += 1 }
        end = index
        if end > start, bytes[end - 1] == 0x0D { end -= 1 }
      }
      while start < end, bytes[start] == 0x20 { start += 1 }
      while end > start, bytes[end - 1] == 0x20 { end -= 1 }
      if column < columns.count, let kind = columns[column], start < end {
        known.append(Finding(range: start..<end, kind: kind))
      }
      column = index < bytes.count && bytes[index] == 0x0A ? 0 : column + 1
      index += 1
    }
    view.known = zip(view.places(of: known.map(\.range)), known).compactMap { place, finding in
      place.map { Finding(range: $0, kind: finding.kind) }
    }
    return view
  }

  /// Tables within a text: lines with the same number of semicolons, tabs or bars as a line of column names.
  static func tables(in bytes: UnsafeBufferPointer<UInt8>) -> [Finding] {
    var found: [Finding] = []
    var table: (delimiter: UInt8, count: Int, kinds: [PersonalDataKind?])?
    for line in bytes.indices.split(whereSeparator: { bytes[$0] == 0x0A }) where line.count < 20_000 {
      if let current = table {
        if line.count(where: { bytes[$0] == current.delimiter }) == current.count {
          found += fields(of: line, bytes, current)
          continue
        }
        table = nil
      }
      for delimiter in [UInt8(ascii: ";"), 0x09, UInt8(ascii: "|"), UInt8(ascii: ",")] {
        let count = line.count { bytes[$0] == delimiter }
        guard count >= 1 else { continue }
        let names = line.split(omittingEmptySubsequences: false) { bytes[$0] == delimiter }.map { field in
          String(decoding: field.map { bytes[$0] }, as: UTF8.self).trimming { " \r\"*_".contains($0) }
        }
        let kinds = names.map { kind(ofColumn: $0) ?? PersonColumns.kind(ofColumn: $0) }
        // Commas divide words of a sentence too; a table of Markdown has a line of hyphens below its names.
        let next = line.upperBound + 1
        let isMarked =
          delimiter == UInt8(ascii: "|") && next < bytes.count
          && bytes[next...].prefix { $0 != 0x0A }.allSatisfy { "|-: \r".utf8.contains($0) }
        if kinds.count(where: { $0 != nil }) >= (delimiter == UInt8(ascii: ",") ? 3 : isMarked ? 1 : 2) {
          table = (delimiter, count, kinds)
        }
      }
    }
    return found
  }

  private static func fields(
    of line: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>,
    _ table: (delimiter: UInt8, count: Int, kinds: [PersonalDataKind?])
  ) -> [Finding] {
    zip(line.split(omittingEmptySubsequences: false) { bytes[$0] == table.delimiter }, table.kinds).compactMap {
      field, kind in
      let signs = Array(" \r\"*_".utf8)
      guard let kind, let start = field.first(where: { !signs.contains(bytes[$0]) }),
        let end = field.last(where: { !signs.contains(bytes[$0]) }),
        // The line below the names, of a table in Markdown.
        !field.allSatisfy({ [0x2D, 0x3A, 0x20, 0x0D].contains(bytes[$0]) }),
        // Code about passwords, in a table of Markdown.
        kind != .idNumber || !field.contains(where: { bytes[$0] == 0x60 })
      else { return nil }
      return Finding(range: start..<end + 1, kind: kind)
    }
  }
}

extension String {
  /// The text without what fits at its begin and its end.
  fileprivate func trimming(_ fits: (Character) -> Bool) -> String {
    var text = self[...]
    while let first = text.first, fits(first) { text.removeFirst() }
    while let last = text.last, fits(last) { text.removeLast() }
    return String(text)
  }
}
