import SeededRandom

/// A letter with personal data that was planted in it. A seed decides all of it.
package struct PlantedLetter: Sendable {
  /// How it is written.
  package enum Manner: CaseIterable, Sendable {
    case german, swiss, english, file
  }

  /// The text.
  package let text: String
  /// What was planted, by kind; a name that occurs in parts has its parts too.
  package let planted: [(kind: String, value: String)]

  /// Letters, the manners in turn.
  package static func letters(_ count: Int, seed: UInt64) -> [PlantedLetter] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      var writer = LetterWriter(manner: Manner.allCases[index % Manner.allCases.count], number: index, random: random)
      let letter = writer.letter()
      random = writer.random
      return letter
    }
  }
}

/// Writes one letter.
struct LetterWriter {
  let manner: PlantedLetter.Manner
  let number: Int
  var random: SeededGenerator
  private var planted: [(kind: String, value: String)] = []

  init(manner: PlantedLetter.Manner, number: Int, random: SeededGenerator) {
    self.manner = manner
    self.number = number
    self.random = random
  }

  private struct Person {
    var first: String
    var last: String
    var isWoman: Bool
    var full: String { "\(first) \(last)" }
  }

  mutating func letter() -> PlantedLetter {
    let sender = person()
    let reader = person()
    let other = person()
    let text: String
    switch manner {
    case .german: text = german(sender, reader, other)
    case .swiss: text = swiss(sender, reader, other)
    case .english: text = english(sender, reader, other)
    case .file: text = file(sender, reader, other)
    }
    return PlantedLetter(text: text, planted: planted)
  }

  // MARK: - Texts

  private mutating func german(_ sender: Person, _ reader: Person, _ other: Person) -> String {
    let title = reader.isWoman ? "Sehr geehrte Frau" : "Sehr geehrter Herr"
    let company = plant(
      "organisation",
      "\(invented()) \(pick(["Maschinenbau GmbH", "& Partner AG", "Logistik KG", "e.V.", "GmbH & Co. KG"]))")
    let street = plant(
      "address",
      pick(["\(invented())straße", "\(invented())weg", "Am \(invented())platz", "\(invented())allee"])
        + " \(digits(2, first: 1...9))")
    let town = plant(
      "address",
      digits(5, first: 1...9) + " " + pick(["Berlin", "Köln", "\(invented())hausen", "Bad \(invented())", "Leipzig"]))
    let phone = plant(
      "phone",
      pick(["+49 30 ", "0\(digits(3, first: 1...9))/", "+49 (0)171 "]) + digits(7, first: 2...9))
    let body = pick([
      "im Namen der \(company) bestätige ich den Eingang Ihrer Kündigung. \(other.isWoman ? "Frau" : "Herrn") \(other.last)s Unterlagen liegen bei.",
      "\(other.full) hat mich gebeten, Ihnen zu schreiben. Die Rechnung der \(company) über 1.250,00 EUR ist offen.",
      "mein Kollege \(other.full) von der \(company) hat Sie am 12.03.2024 nicht erreicht. Bitte rufen Sie \(other.first) zurück.",
    ])
    return """
      \(sender.full)
      \(street)
      \(town)

      \(title) \(reader.last),

      \(body) Mein Geburtsdatum: \(plant("birthdate", date(pick([".", "month"])))).
      Steuer-ID: \(plant("tax", germanTax())), IBAN \(plant("iban", iban("DE", digits(18, first: 1...9)))).
      \(pick(["Telefon", "Tel.", "Mobil:"])) \(phone), Mail \(mail(sender)).
      Kundennummer \(plant("own", "K-" + digits(6, first: 1...9))), Karte \(plant("card", card())). Unterlagen: \(url()), Server \(plant("ip", ip())).

      \(pick(["Mit freundlichen Grüßen", "Viele Grüße", "Beste Grüße"]))
      \(sender.full)
      \(company)
      """
  }

  private mutating func swiss(_ sender: Person, _ reader: Person, _ other: Person) -> String {
    let company = plant(
      "organisation",
      pick([
        "\(invented()) Treuhand AG", "\(invented()) & Söhne GmbH", "Verein \(invented())", "Stiftung \(invented())",
      ]))
    let street = plant(
      "address",
      pick(["\(invented())strasse", "\(invented())gasse", "\(invented())halde", "Im \(invented())rain"])
        + " \(digits(1, first: 1...9))" + pick(["", "a", "b"]))
    let town = plant(
      "address",
      digits(4, first: 1...9) + " " + pick(["Zürich", "\(invented())ikon", "St. Gallen", "Bern", "\(invented())wil"]))
    let phone = plant(
      "phone",
      pick(["+41 ", "0"]) + digits(2, first: 2...7) + " " + digits(3, first: 1...9) + " " + digits(2) + " " + digits(2))
    let greeting = pick([
      "\(reader.isWoman ? "Sehr geehrte Frau" : "Sehr geehrter Herr") \(reader.last)",
      "\(reader.isWoman ? "Liebe" : "Lieber") \(reader.first)",
      "Grüezi \(reader.isWoman ? "Frau" : "Herr") \(reader.last)", "Hallo \(reader.full)",
    ])
    return """
      Von: \(sender.full) <\(mail(sender))>
      An: \(reader.full) <\(mail(reader))>
      Betreff: Versicherung

      \(greeting)

      Besten Dank für Ihre Anfrage. Die AHV-Nr. von \(other.isWoman ? "Frau" : "Herrn") \(other.last) lautet \(plant("ahv", ahv())), geboren am \(plant("birthdate", date(pick([".", "month"])))).
      Die \(company) überweist CHF 1'480.50 auf \(plant("iban", iban("CH", digits(17, first: 1...9)))). Für Rückfragen: \(phone).
      Wohnadresse: \(street), \(town)
      Referenz \(plant("own", "K-" + digits(6, first: 1...9))); Kreditkarte \(plant("card", card())); UID \(plant("tax", "CHE-\(digits(3)).\(digits(3)).\(digits(3))")). Siehe \(url()).

      \(pick(["Freundliche Grüsse", "Mit freundlichen Grüssen", "Liebe Grüsse", "Herzliche Grüsse"]))

      \(sender.full)
      """
  }

  private mutating func english(_ sender: Person, _ reader: Person, _ other: Person) -> String {
    let company = plant(
      "organisation",
      "\(invented()) \(pick(["Holdings Ltd", "Consulting Inc.", "Partners LLP", "Foundation", "& Sons Limited"]))")
    let street = plant(
      "address", digits(2, first: 1...9) + " \(invented()) " + pick(["Street", "Road", "Lane", "Avenue", "Close"]))
    let town = plant(
      "address",
      "London " + pick(["SW", "NW", "SE"]) + digits(1, first: 1...9) + " " + digits(1, first: 1...9)
        + pick(["AB", "DE", "QT"]))
    let phone = plant(
      "phone",
      pick([
        "+44 20 \(digits(4, first: 2...9)) \(digits(4))", "020 \(digits(4, first: 2...9)) \(digits(4))",
        "07\(digits(3)) \(digits(6))",
      ]))
    let greeting = pick([
      "Dear \(reader.isWoman ? "Ms" : "Mr") \(reader.last),", "Dear \(reader.full),", "Hi \(reader.first),",
      "Dear Dr. \(reader.last),",
    ])
    return """
      \(greeting)

      My name is \(sender.full) and I write on behalf of \(company). Please note that \(other.isWoman ? "Mrs" : "Mr") \(other.last)'s policy ends soon.
      My colleague \(other.full) tried to reach you. Date of birth: \(plant("birthdate", date("english"))). NI number \(plant("social_insurance", "\(pick(["AB", "CE", "JK"])) \(digits(2)) \(digits(2)) \(digits(2)) \(pick(["A", "B", "C"]))")).
      We moved to \(street), \(town).
      Call \(phone) or write to \(mail(sender)). Details: \(url()). Server \(plant("ip", ip())).
      Account \(plant("iban", iban("GB", "WEST" + digits(14)))), card \(plant("card", card())), reference \(plant("own", "K-" + digits(6, first: 1...9))).

      \(pick(["Best regards", "Kind regards", "Yours sincerely", "Many thanks"])),
      \(sender.full)
      \(pick(["Head of Sales", "Claims Department", ""]))
      """
  }

  /// What people copy together: a talk, a table, notes, the numbers of papers.
  private mutating func file(_ sender: Person, _ reader: Person, _ other: Person) -> String {
    let third = person()
    let passport = plant("id_number", "C" + digits(2, first: 1...9) + "H" + digits(5))
    let plate = plant("id_number", pick(["ZH ", "AG ", "BE "]) + digits(5, first: 1...9))
    let customer = plant("id_number", digits(8, first: 1...9))
    let insured = plant("social_insurance", "\(digits(3, first: 4...7)) \(digits(3)) \(digits(4))")
    let street = plant("address", "\(invented())acher \(digits(2, first: 1...9))")
    let town = plant("address", digits(4, first: 3...9) + " \(invented())")
    return """
      Betreff: Akte \(reader.full)

      [09:14] \(sender.first): Reisepass Nr. \(passport), Kundennummer \(customer), NHS number \(insured).
      [09:15] \(other.first): Das Auto mit dem Kennzeichen \(plate) gehört ihr.

      | Nr | Teilnehmer | Telefon |
      |---|---|---|
      | 1 | \(reader.full) | \(plant("phone", "0" + digits(2, first: 4...7) + "-" + digits(3) + "-" + digits(2) + "-" + digits(2))) |
      | 2 | \(third.full) | \(plant("phone", "+41." + digits(2, first: 4...7) + "." + digits(3) + "." + digits(2) + "." + digits(2))) |

      Zeuge: \(other.full). Neue Anschrift: \(street), \(town).
      Geschädigter: \(sender.full), \(plant("birthdate", date("."))), hat nicht unterschrieben. Telegram: \(plant("url", "@" + invented().lowercased() + "_" + digits(2))).
      Our EIN is \(plant("tax", digits(2, first: 1...9) + "-" + digits(7))). Es grüßt \(third.first)
      """
  }

  // MARK: - Parts

  private mutating func plant(_ kind: String, _ value: String) -> String {
    planted.append((kind, value))
    return value
  }

  private mutating func person() -> Person {
    let isWoman = Bool.random(using: &random)
    // Half of the people have names that stand in no list.
    let isKnown = Bool.random(using: &random)
    let first =
      isKnown
      ? pick(
        isWoman ? ["Anna", "Ursula", "Claudia", "Emma", "Fatima"] : ["Peter", "Hans", "Oliver", "Luca", "Mehmet"])
      : invented()
    let last =
      isKnown ? pick(["Huber", "Brunner", "Schmidt", "Johnson", "Yilmaz", "Keller", "Zimmermann"]) : invented()
    planted.append(("person", first))
    planted.append(("person", last))
    return Person(first: first, last: last, isWoman: isWoman)
  }

  private mutating func mail(_ person: Person) -> String {
    plant("email", "\(person.first).\(person.last)@\(invented()).example".lowercased())
  }

  private mutating func url() -> String {
    plant("url", "https://\(invented().lowercased()).example/\(invented().lowercased())?id=\(digits(4))")
  }

  private mutating func ip() -> String {
    "10.\(digits(2, first: 1...9)).\(digits(2, first: 1...9)).\(digits(1, first: 1...9))"
  }

  private mutating func date(_ form: String) -> String {
    let (day, month, year) = (
      Int.random(in: 1...28, using: &random), Int.random(in: 1...12, using: &random),
      Int.random(in: 1940...2005, using: &random)
    )
    let german = [
      "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
      "Dezember",
    ]
    let english = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ]
    switch form {
    case ".": return "\(day).\(month).\(year)"
    case "month": return "\(day). \(german[month - 1]) \(year)"
    default: return "\(day) \(english[month - 1]) \(year)"
    }
  }

  /// A name that no language has.
  private mutating func invented() -> String {
    let syllables = [
      "zwi", "quo", "knor", "fla", "bri", "moz", "tru", "vel", "gar", "pli", "osk", "umb", "wex", "yl", "dro", "sna",
    ]
    let ends = ["bel", "rax", "zel", "mund", "dok", "fin", "thar", "vek", "lotz", "nup", "gost", "rim"]
    let text = pick(syllables) + pick(syllables) + pick(ends)
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  private mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }

  private mutating func digits(_ count: Int, first: ClosedRange<Int> = 0...9) -> String {
    (0..<count).map { String(Int.random(in: $0 == 0 ? first : 0...9, using: &random)) }.joined()
  }

  // MARK: - Check digits

  private mutating func iban(_ country: String, _ account: String) -> String {
    var rest = 0
    for character in (account + country + "00").uppercased() {
      let value = character.wholeNumberValue ?? Int(character.asciiValue ?? 65) - 55
      rest = (rest * (value > 9 ? 100 : 10) + value) % 97
    }
    let check = 98 - rest
    let text = Array(country + (check < 10 ? "0" : "") + "\(check)" + account)
    guard Bool.random(using: &random) else { return String(text) }
    return stride(from: 0, to: text.count, by: 4).map { String(text[$0..<min($0 + 4, text.count)]) }.joined(
      separator: " ")
  }

  private mutating func card() -> String {
    var numbers = "4\(digits(14))".compactMap(\.wholeNumberValue)
    let sum = numbers.reversed().enumerated().reduce(0) { sum, entry in
      let value = entry.offset % 2 == 0 ? entry.element * 2 : entry.element
      return sum + (value > 9 ? value - 9 : value)
    }
    numbers.append((10 - sum % 10) % 10)
    let text = numbers.map(String.init)
    return [0, 4, 8, 12].map { text[$0..<$0 + 4].joined() }.joined(separator: " ")
  }

  private mutating func ahv() -> String {
    var numbers = "756\(digits(9))".compactMap(\.wholeNumberValue)
    let sum = numbers.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) }
    numbers.append((10 - sum % 10) % 10)
    let text = numbers.map(String.init).joined()
    let parts = [(0, 3), (3, 7), (7, 11), (11, 13)].map { String(Array(text)[$0.0..<$0.1]) }
    return parts.joined(separator: ".")
  }

  private mutating func germanTax() -> String {
    let numbers = digits(10, first: 1...9).compactMap(\.wholeNumberValue)
    var product = 10
    for number in numbers {
      var sum = (number + product) % 10
      if sum == 0 { sum = 10 }
      product = sum * 2 % 11
    }
    let check = 11 - product == 10 ? 0 : 11 - product
    return numbers.map(String.init).joined() + "\(check % 10)"
  }
}
