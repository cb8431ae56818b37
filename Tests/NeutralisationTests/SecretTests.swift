import Foundation
import Testing

@testable import Neutralisation

/// Keys, passwords and codes become placeholders; the words beside them stay.
@Suite struct SecretTests {
  private func neutral(_ text: String) throws -> String {
    var mapping = PlaceholderMapping()
    return try Neutraliser().neutralise(text, format: .text, into: &mapping).text
  }

  @Test func everyPatternCompiles() { #expect(SecretDetector.isComplete && NumberDetector.isComplete) }

  /// The literals are split, so that secret scanners of code hosts do not report them.
  @Test(arguments: [
    "sk-" + "proj-Zx81kfQ93mmVbT0aPq7LrD2YsWn4Ue6H", "sk-" + "ant-api03-Zx81kfQ93mmVbT0aPq7Lr",
    "gh" + "p_9aB3cD4eF5gH6iJ7kL8mN9oP0qR1sT2uV3wX",
    "github_" + "pat_11ABCDEFG0aB3cD4eF5gH6_iJ7kL8", "gl" + "pat-Ab12Cd34Ef56Gh78Ij90", "AK" + "IAIOSFODNN7EXAMPLE",
    "sk_" + "live_51HqLyjWDarjtT1zdp7dcXf9", "whsec_" + "5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH",
    "xo" + "xb-1234567890-abcdefGHIJKL",
    "AIza" + "SyA-1234567890abcdefghijklmnopqrstu", "ya29." + "a0AfH6SMBx1234567890",
    "np" + "m_8hGt5Rf2Wq9Xv3Bn6Mk1Zp4Lc7Jd0SyEaUo",
    "py" + "pi-AgEIcHlwaS5vcmcCJDU3", "S" + "G.kX92mQpLr7TvZnWb.3Yd8HsJcF5gA1eUoRiKt",
    "S" + "K0123456789abcdef0123456789abcdef",
    "612938" + "4475:AAHk9LmQzXw3RtVbNp1Yc4Hf6Jg0SaEdUoi",
    "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MjAxIn0.dBjftJeZ4CVPmB92K27uhbUJU1p1",
    "dop_" + "v1_0123456789abcdef0123456789abcdef", "hf_" + "AbCdEfGhIj0KlMnOpQrStUv",
    "shpat_" + "0123456789abcdef0123456789abcdef",
    "QX7RT-9MK2P-LL04W-ZN8VB-3HCYD",
  ])
  func aKeyIsOnePlaceholder(_ key: String) throws {
    #expect(try neutral("Der Wert \(key) gehört Anna Meier.") == "Der Wert [IDNUMBER_1] gehört [PERSON_1].")
    #expect(try neutral("key='\(key)'").contains(key.suffix(8)) == false)
  }

  @Test(arguments: [
    ("password purple-otter-42", "password [IDNUMBER_1]"), ("wifi pw: abc123xy", "wifi pw: [IDNUMBER_1]"),
    ("PW: geheim!9", "PW: [IDNUMBER_1]"), ("WLAN-Passwort = Kiesel7", "WLAN-Passwort = [IDNUMBER_1]"),
    ("Das Passwort fürs Portal lautet Wels4600!neu.", "Das Passwort fürs Portal lautet [IDNUMBER_1]."),
    ("The password for the wifi is hedgehog_2019, bye", "The password for the wifi is [IDNUMBER_1], bye"),
    ("(Kennwort: Hobel-1988)", "(Kennwort: [IDNUMBER_1])"), ("DB_PASSWORD=Vq7tRn2xK", "DB_PASSWORD=[IDNUMBER_1]"),
    ("Zugangscode 4491#", "Zugangscode [IDNUMBER_1]"), ("TAN 992 114", "TAN [IDNUMBER_1]"),
    ("CVV 812", "CVV [IDNUMBER_1]"), ("Türcode 4491#\nTAN 992 114", "Türcode [IDNUMBER_1]\nTAN [IDNUMBER_2]"),
    ("PIN der Karte 4711 merken", "PIN der Karte [IDNUMBER_1] merken"),
    ("Sicherheitscode: 331", "Sicherheitscode: [IDNUMBER_1]"),
    ("security code 902", "security code [IDNUMBER_1]"), ("one-time code is 90 41 77", "one-time code is [IDNUMBER_1]"),
    ("Authorization: Bearer Zx81kfQ93mmVbT0a", "Authorization: Bearer [IDNUMBER_1]"),
    ("API-Key: 9f8e7d6c5b4a3210", "API-Key: [IDNUMBER_1]"), ("postgres://deploy:Vq7tRn@db/orders", "[URL_1]"),
    ("MAC 3C:22:FB:9A:10:7E", "MAC [IP_1]"), ("IMEI und FIN WVWZZZ1KZAW123456", "IMEI und FIN [IDNUMBER_1]"),
    ("E-Card Nummer 4321 120256", "E-Card Nummer [SOCIALID_1]"),
    ("Führerschein Klasse B (B072RRE2I55)", "Führerschein Klasse B ([IDNUMBER_1])"),
    ("Licence key: ABCD-1234-EFGH-5678", "Licence key: [IDNUMBER_1]"),
  ])
  func aWordBesideASecretGivesItAway(_ text: String, _ neutral: String) throws {
    #expect(try self.neutral(text) == neutral)
  }

  @Test(arguments: [
    "Das Passwort ist falsch.", "Password: required", "Passwort: siehe Brief", "the password is 12 characters long",
    "Das Passwort wurde am 3.4.2024 geändert.", "Die PIN ist 4-stellig.", "PIN: ****", "password: ${DB_PASSWORD}",
    "Bearer of bad news", "the key to success is patience", "Der Code ist in Swift geschrieben.", "Fehlercode 404",
    "Version 1.2.3-beta",
    "Commit 82610cc1 und Ticket 88213", "Token zählen: 1200 am Tag", "Schlüssel unter der Matte",
  ])
  func aTextAboutSecretsStays(_ text: String) throws { #expect(try neutral(text) == text) }

  /// One line break ends a value and begins the next line's label: both values are found.
  @Test func valuesOnLinesOneBelowTheOtherAreAllFound() throws {
    let lines = [
      "TAN 992 114", "TAN 481 203", "CVV 812", "PIN 4711", "Zugangscode 4491#", "MAC 3C:22:FB:9A:10:7E",
      "MAC 9C:B6:D0:1E:44:FA", "Kundennummer 55.1207", "Kundennummer 55.1208", "Kundennummer 55.1209",
    ]
    let found = try neutral(lines.joined(separator: "\n"))
    #expect(found.split(separator: "\n").count == lines.count)
    #expect(found.split(separator: "\n").allSatisfy { $0.hasSuffix("]") }, "\(found)")
  }

  /// A value ends with its line or sentence. A bracket stays if its partner does.
  @Test(arguments: [
    ("Eircode D12 XY45\nCard ending paid with cash", "Card ending paid with cash"),
    ("MAC 3C:22:FB:9A:10:7E. Temporary password is x", "Temporary password is x"),
    ("an malte (at) example (punkt) org. Meine Nummer folgt.", "Meine Nummer folgt."),
    ("Ruf an (079 412 88 03) oder schreib.", "([PHONE_1]) oder"),
    ("Passwort:\nBitte anrufen", "Bitte anrufen"), ("PIN\n2024 war ein gutes Jahr", "2024 war ein gutes Jahr"),
  ])
  func aValueEndsWithItsLineOrSentence(_ text: String, _ rest: String) throws {
    let found = try neutral(text)
    #expect(found.contains(rest), "\(found)")
  }

  @Test func aPrivateKeyIsOnePlaceholderOverItsLines() throws {
    let body = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAE\nQyNTUxOQAAACBq7v0kPzL9rT2xW8nYb4Hc5J\n"
    let begin = "-----BEGIN OPENSSH PRIVATE " + "KEY-----\n"
    #expect(try neutral("Neu:\n\(begin)\(body)-----END OPENSSH PRIVATE KEY-----\nGruß") == "Neu:\n[IDNUMBER_1]\nGruß")
    // The end was cut off.
    #expect(try !neutral("Neu:\n\(begin)\(body)").contains("b3Bl"))
  }

  @Test func illnessesTradesAndLabelsAreNotPersons() throws {
    for text in [
      "Diagnosen: Hypertonie, Apoplex, Morbus Parkinson, Morbus Crohn, Asperger-Syndrom, Hashimoto.",
      "Bewerbung als Mechatroniker und Spengler", "Ramipril, Bisoprolol und Pantoprazol",
      "Raynaud phenomenon, possible Sjögren syndrome",
    ] { #expect(try neutral(text) == text) }
    let mail = "Von: Gundula Quobb\nAn: Severin Quobb\nAHV-Nr: folgt\n\n> Von: Severin Quobb\n> AHV-Nr: fehlt"
    let found = try neutral(mail)
    #expect(
      found.hasPrefix("Von: [PERSON_1]\nAn: ") && found.contains("> Von: ") && found.contains("AHV-Nr: folgt"),
      "\(found)")
    // A person with the name of an illness is a person.
    #expect(try neutral("Frau Parkinson hat Morbus Parkinson.") == "Frau [PERSON_1] hat Morbus Parkinson.")
  }
}
