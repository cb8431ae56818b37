/// Names of columns with persons, or with numbers that identify a person: `Teilnehmer`, `Client name`, `Police`.
enum PersonColumns {
  private static let people = WordList(
    """
    teilnehmer teilnehmerin teilnehmende participant attendee mitglied member verantwortlich zuständig responsible owner assignee person wer who
    klient klientin client patientin mieterin schüler schülerin student pupil lehrer lehrerin teacher autor author bearbeiter sachbearbeiter
    besteller gast guest passenger
    """)
  private static let numbers = WordList(
    """
    kundennummer kundennr kdnr mitgliedsnummer mitgliednr vertragsnummer policennummer police patientennummer personalnummer ausweisnummer passnummer
    kennzeichen kontrollschild customernumber customerid customerno clientid memberid membershipnumber policynumber contractnumber patientid
    employeeid passport passportnumber registration licenseplate
    """)

  /// The kind of data in a column, by its name.
  static func kind(ofColumn name: String) -> PersonalDataKind? {
    let name = name.lowercased()
    let plain = name.filter { !" -_.:".contains($0) }
    if people.contains(plain) { return .person }
    if numbers.contains(plain) { return .idNumber }
    if SecretNames.strength(of: plain) == .strong { return .idNumber }
    if plain == "nhsnumber" || plain == "nhsno" { return .socialInsurance }
    // "Client name", "Name der Mieterin"
    let words = name.split(separator: " ").map(String.init)
    guard (2...3).contains(words.count), words.first == "name" || words.last == "name" else { return nil }
    return words.contains { CommonWords.roles.contains($0) || people.contains($0) } ? .person : nil
  }
}
