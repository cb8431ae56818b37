import Testing

@testable import Neutralisation

/// The forms in which people and programs write secrets; each is replaced whole.
@Suite struct SecretFormTests {
  private func neutral(_ text: String, _ format: TextFormat = .auto) throws -> String {
    var mapping = PlaceholderMapping()
    return try Neutraliser().neutralise(text, format: format, into: &mapping).text
  }

  /// An equals sign before two hexadecimal digits or at the end of a line is ordinary text.
  @Test(arguments: [
    ("Passwort=ce77Haus", "Passwort=[IDNUMBER_1]"), ("Token=de8f7a6b5c4d3e2f", "Token=[IDNUMBER_1]"),
    ("password=ab12cd34 user=bob\ntoken=ff00aa11bb22cc33", "password=[IDNUMBER_1] user=bob\ntoken=[IDNUMBER_2]"),
    ("API_KEY=abcd1234efgh5678ijkl\nHash: q83=\nEnde", "API_KEY=[IDNUMBER_1]\nHash: q83=\nEnde"),
    ("PIN=4711\nHash: q83=\nEnde", "PIN=[IDNUMBER_1]\nHash: q83=\nEnde"),
    ("x=1=\nFrau Quobb kommt", "x=1=\nFrau [PERSON_1] kommt"),
  ])
  func anEqualsSignIsNotQuotedPrintable(_ text: String, _ expected: String) throws {
    #expect(try neutral(text) == expected)
  }

  @Test func aSecretIsFoundInTextThatLooksLikeQuotedPrintable() throws {
    let text = "Gr=C3=BC=C3=9Fe von Frau M=C3=BCllerz=\nann, Passwort=CE77Haus42"
    let found = try neutral(text)
    #expect(!found.contains("Haus42") && !found.contains("llerz"), "\(found)")
    #expect(try !neutral("Passwort=CE77Haus\nHash: q83=\nEnde").contains("77Haus"))
  }

  @Test func aDeclaredPartIsReadAsQuotedPrintable() throws {
    let part = "Fasse zusammen: a=b\n\nContent-Transfer-Encoding: quoted-printable\n\nFrau M=FCllerz=\nann kommt.\n"
    #expect(try !neutral(part).contains("llerz"))
  }

  @Test(arguments: [
    ("The password is: swordfish", "The password is: [IDNUMBER_1]"),
    ("Your password is \"swordfish\".", "Your password is \"[IDNUMBER_1]\"."),
    ("The Wi-Fi password is \"purple monkey dishwasher\"", "The Wi-Fi password is \"[IDNUMBER_1]\""),
    ("Das Passwort lautet „blauer Elefant“.", "Das Passwort lautet „[IDNUMBER_1]“."),
    ("Das Passwort lautet kranich.", "Das Passwort lautet [IDNUMBER_1]."),
    ("Master password: correct horse battery staple", "Master password: [IDNUMBER_1]"),
    ("The new pass phrase reads the llama eats at noon", "The new pass phrase reads [IDNUMBER_1]"),
    ("Kennwort: \"zwei Wörter\"", "Kennwort: \"[IDNUMBER_1]\""),
    ("Das Passwort haben wir auf „zwei Wörter“ geändert.", "Das Passwort haben wir auf „[IDNUMBER_1]“ geändert."),
    (
      "Passwörter: alpha1, beta2 und gamma3", "Passwörter: [IDNUMBER_1], [IDNUMBER_2] und [IDNUMBER_3]"
    ),
    ("Passwords:\n- alpha\n- beta\n\nBye", "Passwords:\n- [IDNUMBER_1]\n- [IDNUMBER_2]\n\nBye"),
    (
      "The recovery codes are 8821-3391, 1029-4482 and 7777-0001.",
      "The recovery codes are [IDNUMBER_1], [IDNUMBER_2] and [IDNUMBER_3]."
    ),
    ("Backup codes: a1b2-c3d4 e5f6-g7h8", "Backup codes: [IDNUMBER_1] [IDNUMBER_2]"),
    ("Your PIN, it is 2580.", "Your PIN, it is [IDNUMBER_1]."),
    ("PIN: 4 7 1 1", "PIN: [IDNUMBER_1]"), ("Your door code: 4 4 7 1.", "Your door code: [IDNUMBER_1]."),
    ("Safe-Kombination: 12-34-56", "Safe-Kombination: [IDNUMBER_1]"),
    ("Login: tquill / hunter2Battery!", "Login: tquill / [IDNUMBER_1]"),
  ])
  func aSecretInASentenceIsReplacedWhole(_ text: String, _ expected: String) throws {
    #expect(try neutral(text) == expected)
  }

  @Test(arguments: [
    ("{\"user\": \"bob\", \"password\": \"s3cr3t9x\"}", "{\"user\": \"bob\", \"password\": \"[IDNUMBER_1]\"}"),
    ("Hier: {\"client_secret\": \"a b\\\"c\", \"max_tokens\": 4096} geht nicht", "\"max_tokens\": 4096} geht nicht"),
    ("<password>s3cr3t</password>", "<password>[IDNUMBER_1]</password>"),
    ("<smtp user=\"bob\" password=\"hut-ab\"/>", "<smtp user=\"bob\" password=\"[IDNUMBER_1]\"/>"),
    ("SECRET_KEY_BASE=3c6e0b8a9c15224a8228b9a98ca1531d", "SECRET_KEY_BASE=[IDNUMBER_1]"),
    ("DB_PASS=Zk3mT9pQ2vX7LrB5", "DB_PASS=[IDNUMBER_1]"), ("export MYSQL_PWD=kiesel", "export MYSQL_PWD=[IDNUMBER_1]"),
    ("STRIPE_WEBHOOK_SECRET=ce40ab17de", "STRIPE_WEBHOOK_SECRET=[IDNUMBER_1]"),
    ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "aws_secret_access_key = [IDNUMBER_1]"),
    ("curl -u bob:hunter2 https", "curl -u bob:[IDNUMBER_1] https"),
    ("mysql -u root -pKettle shop", "mysql -u root -p[IDNUMBER_1] shop"),
    ("tool --api-key kranich99 run", "tool --api-key [IDNUMBER_1] run"),
    ("Authorization: Basic c2hvcDpsYW50ZXJu", "Authorization: Basic [IDNUMBER_1]"),
    ("Cookie: sid=8f02aa71; theme=dark", "Cookie: [IDNUMBER_1]"), ("X-Api-Key: pk0017zzqa", "X-Api-Key: [IDNUMBER_1]"),
    ("amqp://worker:plum-jam@queue/x", "[URL_1]"),
  ])
  func aSecretOfAProgramIsReplacedWhole(_ text: String, _ expected: String) throws {
    let found = try neutral(text)
    #expect(found.hasSuffix(expected), "\(found)")
    #expect(!found.contains("a b") && !found.contains("c\","))
  }

  @Test(arguments: [
    ("Lizenznummer: LN 4482-119-0073", "Lizenznummer: [IDNUMBER_1]"),
    ("Licence number LN 4482-119-0073", "Licence number [IDNUMBER_1]"), ("Kto.-Nr. 445566778", "Kto.-Nr. [IBAN_1]"),
    ("Die Nummer meines Kontos ist 12345678.", "Die Nummer meines Kontos ist [IBAN_1]."),
  ])
  func aNumberBehindItsNameIsReplacedWhole(_ text: String, _ expected: String) throws {
    #expect(try neutral(text) == expected)
  }

  @Test func aSecretIsReplacedWhereverItOccursAgain() throws {
    #expect(
      try neutral("Das Passwort ist Geheim!77x. Bitte Geheim!77x sofort ändern.")
        == "Das Passwort ist [IDNUMBER_1]. Bitte [IDNUMBER_1] sofort ändern.")
    var mapping = PlaceholderMapping()
    let texts = try Neutraliser().neutralise(["Nimm swordfish.", "The password is: swordfish"], into: &mapping)
    #expect(texts.map(\.text) == ["Nimm [IDNUMBER_1].", "The password is: [IDNUMBER_1]"])
    // A part of a longer word or number is something else.
    #expect(try neutral("PIN: 4711, und 47110 mal 4711,50 Euro").hasSuffix(", und 47110 mal 4711,50 Euro"))
  }

  @Test func anElementAndAColumnSayThatTheirTextIsASecret() throws {
    #expect(try neutral("<p>Neu: <password>kranich</password></p>") == "<p>Neu: <password>[IDNUMBER_1]</password></p>")
    let table = try neutral("Name;Passwort\nQuobb;kranich\nZwirbel;amsel")
    #expect(table == "Name;Passwort\n[PERSON_1];[IDNUMBER_1]\n[PERSON_2];[IDNUMBER_2]")
  }

  @Test(arguments: [
    "Das Passwort ist abgelaufen.", "The password is too short", "my password is not working", "key results",
    "PIN: see letter", "Die Passwörter sind alle sicher.", "The password for the portal has expired.",
    "Passwort vergessen?", "Das Passwort ist Pflicht.", "Ein Passwort: mindestens 12 Zeichen",
    "{\"max_tokens\": 4096, \"password\": \"required\"}", "password = os.environ[\"DB_PASSWORD\"]",
    "api_key: { secret: OPENAI_API_KEY }", "The error says \"password is required\".", "sort_key=created_at",
    "Der Fehler lautet „Passwort fehlt“.", "Code 404 heißt nicht gefunden", "Authorization has been given",
    "The cookie: sweet and warm", "pass: 12, fail: 3", "Token: 1200 am Tag", "<password/>", "Die TAN kommt per SMS.",
    "Passwort und Benutzername: siehe Brief", "primary_key=customer", "Das Passwort lautet wie bisher.",
    "self.password = password", "The password policy is strict.", "passphrase_file: key.txt",
  ])
  func aSentenceAboutSecretsStays(_ text: String) throws { #expect(try neutral(text) == text) }

  /// Many signs that may begin a value cost no more than one look at each.
  @Test(.timeLimit(.minutes(2))) func manyBeginningsOfValuesAreReadInLinearTime() throws {
    for piece in ["pw=", "password: \"", "<password>", "PIN ", "Passwörter: a, ", "=C3=BC=\n"] {
      _ = try neutral(String(repeating: piece, count: 4_000), .text)
    }
  }
}
