import Localization

/// Finds what has a form of its own: addresses of mail and networks, numbers of accounts, cards, people and telephones,
/// dates of birth.
struct NumberDetector: Sendable {
  private typealias Judge = @Sendable (_ match: ArraySlice<UInt8>) -> Bool

  private struct Rule: Sendable {
    var kind: PersonalDataKind
    var pattern: LinearPattern
    /// Which group is the data; 0 for the whole match.
    var group = 0
    var judge: Judge = { _ in true }
  }

  private let rules: [Rule]

  /// A pattern of this file, which is one.
  private static func rule(
    _ kind: PersonalDataKind, _ pattern: String, group: Int = 0, _ judge: @escaping Judge = { _ in true }
  ) -> Rule? {
    (try? LinearPattern(pattern)).map { Rule(kind: kind, pattern: $0, group: group, judge: judge) }
  }

  /// The built-in patterns, and whether all of them could be compiled; a test asks.
  static let shared = NumberDetector()
  static var isComplete: Bool { shared.rules.count == definitions.count }

  private init() { rules = Self.definitions.compactMap { Self.rule($0.0, $0.1, group: $0.2, $0.3) } }

  /// Letters, for a class; those beyond ASCII by their blocks, as the classes of Unicode make patterns a hundred times as
  /// large.
  private static let letter = "A-Za-z\\x{c0}-\\x{1fff}"
  /// Suffixes of a telephone number: "x72321", "ext. 844".
  private static let phoneExtension = "(?: ?(?:[xX]|[eE]xt\\.?) ?\\d{1,6})?"
  /// Letters and digits.
  private static let word = letter + "0-9"
  private static let month =
    "(?:jan(?:uary|uar|\\.)?|jän(?:ner|\\.)?|feb(?:ruary|ruar|\\.)?|mar(?:ch|\\.)?|märz|mär\\.?|mrz\\.?|apr(?:il|\\.)?|ma[iy]"
    + "|june?|juni|jun\\.|july?|juli|jul\\.|aug(?:ust|\\.)?|sep(?:tember|t\\.?|\\.)?|o[ck]t(?:ober|\\.)?"
    + "|nov(?:ember|embre|\\.)?|de[cz](?:ember|\\.)?|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|décembre)"
  /// Days in words: `dritten`, `third`.
  private static let ordinal =
    "(?:ersten?|zweiten?|dritten?|vierten?|fünften?|sechsten?|siebten?|siebenten?|achten?|neunten?|zehnten?|elften?|zwölften?"
    + "|(?:drei|vier|fünf|sech|sieb|acht|neun)zehnten?|(?:(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und)?zwanzigsten?"
    + "|(?:einund)?drei(?:ss|ß)igsten?|(?:twenty[- ]|thirty[- ])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)"
    + "|tenth|eleventh|twelfth|(?:thir|four|fif|six|seven|eigh|nine)teenth|twentieth|thirtieth)"
  private static let date =
    "(?:\(ordinal) (?:of )?\(month),? \\d{4}|\\d{1,2}\\. ?\\d{1,2}\\. ?(?:\\d{4}|\\d{2})|\\d{4}-\\d{2}-\\d{2}|\\d{1,2}/\\d{1,2}/(?:\\d{4}|\\d{2})"
    + "|\\d{1,2}-(?:\\d{1,2}|\(month))-\\d{4}|\\d{1,2}(?:\\.|st|nd|rd|th|er)? ?(?:of )?\(month),? \\d{4}"
    + "|\(month) \\d{1,2}(?:st|nd|rd|th)?,? \\d{4})"

  /// Words whose number identifies a person: papers, customer and member numbers.
  private static let paper =
    "(?:reise)?pass|(?:personal)?ausweis|identitätskarten?|ID-?Karten?|führer(?:ausweis|schein)s?|aufenthaltstitel|passport"
    + "|passeport|permis(?: de (?:conduire|séjour))?|carte d['’]identité"
    + "|identity card|ID card|driv(?:er'?s?|ing) licen[cs]e|residence permit|green card|policy|police"
  private static let bearer =
    paper
    + "|licen[cs]e|permit|visa|kunden|kd\\.?|mitglieds?|vertrags?|(?:versicherungs)?policen?|vers\\.?|versicherungs|versicherungsschein|versicherten|patienten|fall|personal|mitarbeiter|matrikel|studenten|schüler|mandats|mandanten|depot|teilnehmer|schadens?|dossier|zähler|benutzer"
    + "|holder['’]s|customer|client|member(?:ship)?|policy|patient|medical record|MRN|employee|staff|student|contract|claim|account|acct|loan|mortgage|user|case|hospital"
  /// The holder of such a number, where it follows the word alone.
  private static let holder = "patient(?:in|e)?|kund(?:e|in)|mitglied|mandant(?:in)?|versicherte[rn]?"
  private static let numberWord = "nr|numéro|nummern?|no|numbers?|num|id|kennung|kennziffer|zeichen"
  /// A number with the letters that may occur in it.
  private static let identifier =
    "[A-Z]{0,4}[-/]?\\d[A-Z0-9]*(?:[-/. ]?[A-Z]{0,2}\\d[A-Z0-9]*){0,5}(?:[-/](?-i:[A-Z]{1,4})\\b)?"
  /// Usual top levels of hosts.
  private static let topLevel =
    "com|net|org|info|biz|io|dev|app|eu|de|ch|at|li|uk|fr|it|nl|be|us|ca|shop|online|cloud|swiss|berlin|wien"
  private static let plateWord =
    "(?:auto|kfz-|kraftfahrzeug)?kennzeichen|kontrollschild|nummernschild|autonummer|schild|(?:vehicle )?registration|\\breg|licen[cs]e plate|number plate|plate|plaque|immatriculation|\\btag|\\bVRN"
  private static let vehicle =
    "\\b(?i:kfz|pkw|lkw|fahrzeug|fahrzeuge|wagen|auto|autos|lieferwagen|motorrad|roller|car|van|truck|vehicle|motorbike)\\b|\\b(?:VW|Audi|BMW|Opel|Ford|Skoda|Škoda|Seat|Toyota|Volvo|Tesla|Fiat|Renault|Peugeot|Mercedes|Golf|Passat|Polo)\\b"
  /// Germany, Switzerland, Austria, France, the United Kingdom, the United States.
  private static let plate =
    "[A-ZÄÖÜ]{1,3}[- ][A-Z]{1,2}[- ]?\\d{1,4}[EH]?|(?:AG|AI|AR|BE|BL|BS|FR|GE|GL|GR|JU|LU|NE|NW|OW|SG|SH|SO|SZ|TG|TI|UR|VD|VS|ZG|ZH|FL)[ •·-]{0,3}\\d{1,3}[ '’]?\\d{0,3}"
    + "|[A-Z]{2}-\\d{3}-[A-Z]{2}|[A-ZÄÖÜ]{1,2}[- ]\\d{1,5} ?[A-Z]{1,3}|[A-Z]{2}\\d{2} ?[A-Z]{3}|[A-Z]{2} ?\\d{5}|[A-Z]{1,3}[- ]\\d{3,4}"

  private static let definitions: [(PersonalDataKind, String, Int, Judge)] = [
    // RFC 5321 and 6531.
    (
      .email,
      "([\(word)._%+'&=~-]+@(?:[\(word)-]+\\.)+[\(letter)]{2,24})", 1,
      { _ in true }
    ),
    // Written so that robots do not read it.
    (
      .email,
      "([\(word)._-]+ ?(?:\\[at\\]|\\(at\\)|\\{at\\}|\\(ät\\)|\\[AT\\]|\\(AT\\)) ?[\(word)-]+(?:(?: ?(?:\\[dot\\]|\\(dot\\)|\\(punkt\\)) ?|\\.)[\(word)-]+){1,4})",
      1, { _ in true }
    ),
    // "anna at example dot ch"
    (
      .email,
      "(?i)\\b([\(word)._-]{2,40} (?:at|ät|arobase) [\(word)-]+(?: (?:dot|punkt|point) [\(word)-]+){0,3} (?:dot|punkt|point) (?:\(topLevel)))\\b",
      1, { _ in true }
    ),
    (
      .url,
      "(?i)\\b(?:(?:https?|ftps?|sftp|file|ldaps?|webcal|imaps?|smtp)://|www\\.)[^\\s<>\"'`|\\\\^{}\\[\\]]+", 0,
      { _ in true }
    ),
    (.url, "(?i)\\b(?:tel|sip|sips|xmpp|skype|facetime):[^\\s<>\"'`]{3,200}", 0, { _ in true }),
    // The name of an account: "@anna_k"; not the rules of style sheets.
    (
      .url, "(?:^|[\\s(,;:\"'>/])(@[\(letter)][\(word)_.]{1,30}[\(word)_])", 1,
      {
        !["@media", "@import", "@charset", "@supports", "@keyframes", "@page"].contains(
          String(decoding: $0, as: UTF8.self)) && !$0.starts(with: "@font".utf8)
      }
    ),
    (
      .url,
      "(?i)\\b(?:skype|insta(?:gram)?|twitter|telegram|threema|discord|snapchat|tiktok|mastodon|github)(?:[- ]?(?:id|name))? ?: ?(@?[\(word)_.-]{3,40}[\(word)_])",
      1,
      { _ in true }
    ),
    // A host without a scheme, under a usual top level, with a path or without.
    (
      .url,
      "(?i)\\b((?:[a-z0-9-]+\\.)+(?:\(topLevel))(?:/[^\\s<>\"'`|\\\\^{}\\[\\]]*)?)(?:[^a-zA-Z0-9@-]|$)",
      1, { _ in true }
    ),
    (
      .iban, "(?i)\\b([A-Z]{2}\\d{2}(?:[ \\x{a0}.-]?[A-Z0-9]{1,4}){3,9})\\b", 1,
      { match in NumberDetector.ibanLength(match) != nil }
    ),
    // Named as one, so that a wrong digit does not show it.
    (
      .iban,
      "(?i)\\b(?:IBAN|Konto(?:nummer|nr\\.?|-Nr\\.?)?|account(?: number)?|acct)\\b(?: is| ist| lautet)?(?: no\\.?| nr\\.?)?(?: is| ist| lautet)?[ :#.=-]{0,4}([A-Z]{2}\\d{2}(?:[ \\x{a0}.-]?[A-Z0-9]{4}){2,7}(?:[ .-]?[A-Z0-9]{1,3})?|\\d{1,3}(?:[ .-]?\\d{2,6}){1,4})\\b",
      1, { _ in true }
    ),
    (
      .ahv, "\\b(756[. \\x{a0}-]?\\d{4}[. \\x{a0}-]?\\d{4}[. \\x{a0}-]?\\d{2})\\b", 1,
      { Checksum.ahv(NumberDetector.digits($0)) }
    ),
    // Grouped as nothing else is, so that a wrong digit does not show it.
    (
      .ahv, "\\b(756\\.\\d{4}\\.\\d{4}\\.\\d{2}|756 \\d{4} \\d{4} \\d{2}|756-\\d{4}-\\d{4}-\\d{2})\\b", 1, { _ in true }
    ),
    (
      .ahv,
      "(?i)\\b(?:AHV|AVS|SV|NAVS13|AHVN13|Sozialversicherungs)[a-zäöü]*[- ]?(?:Nr|Nummer|no|n°)?[a-z]*(?: lautet| ist| is)?[ :.#=-]{0,4}(756[. -]?\\d{4}[. -]?\\d{4}[. -]?\\d{2}|\\d{3}\\.\\d{2}\\.\\d{3}\\.\\d{3})\\b",
      1, { _ in true }
    ),
    // The AHV number before 2008.
    (.ahv, "\\b(\\d{3}\\.\\d{2}\\.\\d{3}\\.\\d{3})\\b", 1, { !NumberDetector.isAddress($0) }),
    (.card, "\\b([1-6]\\d{3}(?:[ \\x{a0}-]?\\d){8,15})\\b", 1, { Checksum.card(NumberDetector.digits($0)) }),
    (.card, "\\b([3-6]\\d{3} \\d{4} \\d{4} \\d{4}|[3-6]\\d{3}-\\d{4}-\\d{4}-\\d{4})\\b", 1, { _ in true }),
    (
      .card,
      "(?i)(?:karte|kartennummer|karten-?nr\\.?|\\bcard|\\bvisa|mastercard|amex|american express)\\b[a-zäöü ]{0,20}[ :#.=-]{0,4}(\\d{4}(?:[ -]?\\d){9,15})\\b",
      1, { _ in true }
    ),
    (
      .socialInsurance, "(?i)\\b(\\d{2} ?[0-3]\\d[01]\\d{3} ?[A-Z] ?\\d{2} ?\\d)\\b", 1,
      { Checksum.germanSocial($0.filter { $0 != 0x20 }) }
    ),
    (
      .socialInsurance, "\\b(\\d{2} [0-3]\\d[01]\\d{3} [A-Z] \\d{2} ?\\d|\\d{2}[0-3]\\d[01]\\d{3}[A-Z]\\d{3})\\b", 1,
      { _ in true }
    ),
    (
      .socialInsurance,
      "(?i)\\b(?:SV(?:-|NR|A| )|Sozialvers|Versicherungsn|Rentenvers|RVNR|SVNR)[a-zäöü]*[- .]?(?:Nr|Nummer)?(?: lautet| ist| is)?[ :.#=-]{0,4}(\\d{2} ?\\d{6} ?[A-Z] ?\\d{3}|\\d{4}[ /-]?\\d{6})\\b",
      1, { _ in true }
    ),
    (
      .socialInsurance,
      "(?i)\\be-?card(?:[- ]?(?:nummer|nr\\.?|number|no\\.?))?(?: (?:ist|lautet|is))?[ :#.=-]{0,4}(\\d{4}[ /-]?\\d{6})\\b",
      1,
      { _ in true }
    ),
    (
      .socialInsurance, "\\b(\\d{4}[ /-]?[0-3]\\d[01]\\d{3})\\b", 1,
      { Checksum.austrianSocial(NumberDetector.digits($0)) }
    ),
    // National Insurance number (UK), social security number (US).
    (
      .socialInsurance, "(?i)\\b([A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\\d{2} ?\\d{2} ?\\d{2} ?[A-D])\\b", 1,
      { _ in true }
    ),
    (.socialInsurance, "\\b([0-8]\\d{2}-\\d{2}-\\d{4})\\b", 1, { _ in true }),
    (
      .socialInsurance,
      "(?i)\\b(?:NI|NINO|national insurance)\\b[a-z ]{0,10}\\.?[ :#.=-]{0,4}([A-Z]{2} ?\\d{2} ?\\d{2} ?\\d{2} ?[A-D])\\b",
      1,
      { _ in true }
    ),
    (
      .socialInsurance,
      "(?i)\\b(?:SSN|social security)\\b[a-z ]{0,14}[.#]?[ :#.=-]{0,4}(\\d{3}[ -]?\\d{2}[ -]?\\d{4})\\b", 1,
      { _ in true }
    ),
    // France: sex, year and month of birth, département, commune, order, key.
    (
      .socialInsurance,
      "(?i)\\b([12] \\d{2} \\d{2} (?:\\d{2}|2[AB]) \\d{3} \\d{3}(?: \\d{2})?|[12]\\d{2}(?:0[1-9]|1[0-2])(?:\\d{2}|2[AB])\\d{8})\\b",
      1, { _ in true }
    ),
    // The card of a Swiss health insurance (EN 1867), and the number of a German one.
    (.socialInsurance, "\\b(80756(?: ?\\d){15})\\b", 1, { _ in true }),
    (
      .socialInsurance,
      "(?i)\\b(?:versicherten|krankenversicherungs|kv)-?(?:nummer|nr\\.?)[ :#.=-]{0,4}([A-Z]\\d{9})\\b", 1,
      { _ in true }
    ),
    (
      .socialInsurance,
      "(?i)\\b(?:NHS|CHI|Medicare|Medicaid|NPI)\\b[- ]?(?:number|no|nr|id)?\\b\\.?(?: is)?[ :#.=-]{0,4}(\\d{3}[ -]?\\d{3}[ -]?\\d{4}|\\d[A-Z][A-Z0-9]\\d-?[A-Z][A-Z0-9]\\d-?[A-Z]{2}\\d{2})\\b",
      1, { _ in true }
    ),
    (.tax, "\\b(\\d{2} \\d{3} \\d{3} \\d{3}|\\d{11})\\b", 1, { Checksum.germanTax(NumberDetector.digits($0)) }),
    (.tax, "\\b(\\d{2,3}/\\d{3,4}/\\d{4,5})\\b", 1, { _ in true }),
    (.tax, "(?i)\\b(CHE[- ]?\\d{3}[. ]?\\d{3}[. ]?\\d{3}(?: ?(?:MWST|TVA|IVA|HR))?)\\b", 1, { _ in true }),
    (
      .tax,
      "\\b(ATU ?\\d{8}|DE ?\\d{9}|GB ?\\d{9}|GB ?\\d{3} \\d{4} \\d{2}|NL ?\\d{9}B\\d{2}|FR ?[0-9A-Z]{2} ?\\d{9}|IT ?\\d{11}|BE ?0\\d{9}|LU ?\\d{8}|PL ?\\d{10}|ES ?[A-Z0-9]\\d{7}[A-Z0-9])\\b",
      1, { _ in true }
    ),
    (
      .tax,
      "(?i)\\b(?:Steuer|St\\.?-?(?:Id|Nr|Nummer)|UID|USt|MWST|VAT|TIN|I?TIN|EIN|UTR|tax|employer identification|IdNr)[a-zäöü-]*\\.?[- ]?(?:ID|IdNr|Nr|Nummer|number|no|reference|ref)?[a-z]*\\.?(?: lautet| ist| is)?[ :#=-]{1,4}((?:[A-Z]{2,3}[- ]?)?\\d[\\d ./-]{6,18}\\d)\\b",
      1, { (8...16).contains(NumberDetector.digits($0).count) && !NumberDetector.isDate($0) }
    ),
    // Numbers that identify a person, by the words before them.
    (
      .idNumber,
      "(?i)\\b(?:\(bearer))[- ]?(?:(?:\(numberWord))\\b|n[°º])\\.?(?: (?:ist|lautet|war|is|was))?(?: die)?[ :#=\\t(-]{0,4}(\(identifier))(?:[^\(word)]|$)",
      1, { NumberDetector.isIdentifier($0, least: 4) && !NumberDetector.isYear($0) }
    ),
    (
      .idNumber, "(?i)\\b(?:\(bearer)) ?[:#] ?(\(identifier))(?:[^\(word)]|$)", 1,
      { NumberDetector.isIdentifier($0) }
    ),
    (
      .idNumber, "(?i)\\b(?:\(paper))[ (]{1,2}(\(identifier))(?:[^\(word)]|$)", 1,
      { NumberDetector.isIdentifier($0) && $0.count > 6 }
    ),
    // "Führerschein Klasse B (B072RRE2I55)"
    (
      .idNumber,
      "(?i)\\b(?:\(paper))(?:[ \\t]+[\(letter)][\(word).’'-]{0,20}){1,4},?[ \\t]*[(:][ \\t]*(?:(?:\(numberWord))\\b\\.?:? ?)?(\(identifier)|(?-i:[A-Z][A-Z0-9]{5,14}))(?:[^\(word)]|$)",
      1, { NumberDetector.isIdentifier($0) && $0.count > 5 }
    ),
    (
      .idNumber,
      "(?i)\\b(?:(?:kunden|mitglieds|bonus|treue|bibliotheks)-?(?:karte|konto)|(?:loyalty|membership|customer|library) card)(?:[- ]?(?:\(numberWord))\\b\\.?)?[ :#=-]{1,3}(\(identifier))(?:[^\(word)]|$)",
      1, { NumberDetector.isIdentifier($0) }
    ),
    // A driving licence of the United Kingdom.
    (.idNumber, "\\b([A-Z]{2,5}9{0,3} ?\\d{6} ?[A-Z9]{2}\\d[A-Z]{2})\\b", 1, { _ in true }),
    (
      .idNumber, "(?i)\\b(?:\(holder)) (\(identifier))(?:[^\(word)]|$)", 1, { NumberDetector.isHolderNumber($0) }
    ),
    (
      .idNumber,
      "(?i)\\b(?:sort code|bankleitzahl|BLZ|routing (?:number|no\\.?)|ABA)\\b(?: is| ist)?[ :#=-]{0,4}(\\d{2}[- ]?\\d{2}[- ]?\\d{2}|\\d{3} ?\\d{3} ?\\d{2,3})\\b",
      1, { _ in true }
    ),
    (
      .idNumber,
      "(?i)\\b(?:\(plateWord))\\b(?:[- ]?(?:\(numberWord)))?\\.?(?: (?:ist|lautet|is|was))?[ :#=-]{0,4}(\(plate))(?:[^\(word)]|$)",
      1, { _ in true }
    ),
    (
      // A German number plate, recognised by its form: "B-XY 1234", not "DIN-EN 1090".
      .idNumber, "(?:^|[^\(word)-])([A-ZÄÖÜ]{1,3}-[A-Z]{1,2} [1-9]\\d{1,3}[EH]?)(?:[^\(word)-]|$)", 1,
      { bytes in !["DIN-", "ISO-", "USB-", "IEC-"].contains { bytes.starts(with: $0.utf8) } }
    ),
    (
      .idNumber,
      "(?:\(vehicle))[^\\n]{0,40}?[ (:,](\(plate))(?:[^\(word)]|$)", 1, { _ in true }
    ),
    (
      .birthdate,
      "(?i)(?:geb(?:oren|\\.)|geburts(?:datum|tag)|geb\\.?-?datum|geb\\.-dat\\.|jahrgang|birth ?da(?:te|y)|date of birth|\\bd\\.?o\\.?b\\b\\.?|\\bborn|né(?:e|\\(e\\))? le|nat[oa] il|\\*)[^\\d\\n.;]{0,40}(\(date))",
      1, { _ in true }
    ),
    (.birthdate, "(?i)(\(date))[ ,]{1,2}(?:geboren|geb\\.|\\(geb)", 1, { _ in true }),
    (
      .birthdate,
      "(?i)(?:geboren|geb\\.|geburtstag|birthday|\\bborn)[a-zäöü ,:]{0,25}[ :](\\d{1,2}\\. ?(?:\(month)|\\d{1,2}\\.)|\\d{1,2}(?:st|nd|rd|th)? (?:of )?\(month)|\(month) \\d{1,2}(?:st|nd|rd|th)?)(?:[^\\d\(letter)]|$)",
      1, { _ in true }
    ),
    (
      .birthdate,
      "(?i)(?:jahrgang|geboren|geb\\.|\\bborn|geburtsjahr|year of birth)(?: im jahr| in| im)?[ :]{1,2}((?:19|20)\\d{2})\\b",
      1,
      { _ in true }
    ),
    (.ip, "\\b(\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3})\\b", 1, { NumberDetector.isAddress($0) }),
    (
      .ip, "(?i)(?:^|[^0-9a-z:.])((?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4})(?:[^0-9a-z:]|$)", 1,
      { NumberDetector.isLongAddress($0) }
    ),
    (
      .phone,
      "(?:^|[^\\d\(letter).])((?:\\+|\\b00)[1-9]\\d{0,2}(?:[ \\x{a0}./()–-]{0,3}\\d){6,13}\(phoneExtension))\\b", 1,
      { (8...15).contains(NumberDetector.digits($0.prefix { $0 | 0x20 != 0x78 && $0 | 0x20 != 0x65 }).count) }
    ),
    (
      .phone,
      "(?:^|[^\\d\(letter).,/-])(\\(?0[1-9]\\d{0,4}\\)?(?:[ \\x{a0}./–-]{1,3}\\d{1,8}){1,6})(?:[^\\d\(letter)]|$)", 1,
      { NumberDetector.isNationalPhone($0) }
    ),
    (.phone, "(?:^|[^\\d\(letter).,/-])(0[1-9]\\d{8,10})(?:[^\\d\(letter)]|$)", 1, { _ in true }),
    (
      .phone,
      "(?:^|[^\\d\(letter)])((?:\\([2-9]\\d{2}\\) ?|[2-9]\\d{2}[-. ])[2-9]\\d{2}[-. ]\\d{4}\(phoneExtension))(?:[^\\d\(letter)]|$)",
      1,
      { _ in true }
    ),
    (.phone, "(?:^|[^\\d\(letter)])(\\(0\\d{2,5}\\)\\d{4,9})(?:[^\\d\(letter)]|$)", 1, { _ in true }),
    (
      .phone,
      "(?i)\\b(?:tel(?:efon|ephone)?|phone|fon|mobil(?:e|telefon)?|handy|natel|cell|fax|call|reach(?:ed)?(?: me| us)? (?:at|on)|erreichbar unter|durchwahl|direkt|direct|rückruf)\\b\\.?[ \\t:.(nr-]{0,6}(\\+?\\(?\\d[\\d \\x{a0}./()–-]{4,20}\\d)",
      1, { (5...15).contains(NumberDetector.digits($0).count) && !NumberDetector.isDate($0) }
    ),
    // "Ring me on 6088007526", "her new number is 9787365092"
    (
      .phone,
      "(?i)\\b(?:(?:call|ring|text) (?:me|us|him|her|them)(?: on| at)?"
        + "|(?:my|his|her|our|their)(?: [a-z]+)? number(?:['’]s| is)"
        + "|(?:meine|seine|ihre|unsere|deine)(?: [a-zäöü]+)? nummer (?:ist|lautet)):? (\\+?\\(?\\d[\\d \\x{a0}()/-]{5,20}\\d)",
      1, { NumberDetector.isPhoneNumber($0) }
    ),
    // Within a house: "Tel. 1234", "Durchwahl 12", "Nebenstelle: 33", "/ int. 33".
    (
      .phone,
      "(?i)(?:\\b(?:(?:tel\\.|durchwahl|ext\\.)(?:[ -]?(?:nr\\.?|nummer|no\\.?|number))?[ :]{1,3}|(?:telefon|fon|phone|dw|nebenstelle|apparat|klappe|extension)(?:[ -]?(?:nr\\.?|nummer|no\\.?|number))? ?: ?)|/ ?int\\. ?)(\\d{2,5})(?:[^\\d\(letter).:/-]|[.:/-]?(?:\\s|$))",
      1, { _ in true }
    ),
  ]

  /// Finds everything of the kinds that are asked for.
  func find(in bytes: UnsafeBufferPointer<UInt8>, kinds: Set<PersonalDataKind>, _ found: (Finding) -> Void) {
    for rule in rules where kinds.contains(rule.kind) {
      rule.pattern.matches(in: bytes, sharesBoundary: true) { whole, groups in
        guard var range = rule.group == 0 ? whole : groups[rule.group - 1] else { return }
        if rule.kind == .iban, let length = Self.ibanLength(bytes[range]) {
          range = range.lowerBound..<range.lowerBound + length
        }
        if rule.kind == .url { range = Self.withoutPunctuation(range, bytes) }
        guard rule.judge(ArraySlice(bytes[range])) else { return }
        found(Finding(range: range, kind: rule.kind))
      }
    }
  }

  private static let datesAlone = try? LinearPattern("(?i)(?:^|[^\\d.])(\(date))(?:[^\\d]|$)")

  /// Dates that are beside a name: "Zora Quobb, 3.4.1980", "Zora Quobb (*1980-04-03)".
  func dates(behind ends: [Int], in bytes: UnsafeBufferPointer<UInt8>) -> [Finding] {
    guard !ends.isEmpty, let pattern = Self.datesAlone else { return [] }
    let ends = Set(ends)
    var found: [Finding] = []
    pattern.matches(in: bytes) { _, groups in
      guard let date = groups[0] else { return }
      var start = date.lowerBound
      // A comma, a bracket, an asterisk, a dash of three bytes, and blanks.
      while start > 0, date.lowerBound - start < 5, " ,(*–".utf8.contains(bytes[start - 1]) { start -= 1 }
      // Letters are dated behind a place, and in these years.
      let numbers = bytes[date].split { !(0x30...0x39).contains($0) }
      let isRecent = numbers.contains { $0.count == 4 && $0.starts(with: Array("202".utf8)) }
      if start < date.lowerBound, ends.contains(start), !isRecent {
        found.append(Finding(range: date, kind: .birthdate))
      }
    }
    return found
  }

  // MARK: - Judging

  /// The digits of a number, without what is between them.
  static func digits(_ bytes: some Sequence<UInt8>) -> [Int] {
    bytes.compactMap { (0x30...0x39).contains($0) ? Int($0) - 0x30 : nil }
  }

  /// How many bytes of a match are an IBAN: what follows one may have been taken for a group of it.
  static func ibanLength(_ match: some BidirectionalCollection<UInt8>) -> Int? {
    let bytes = Array(match)
    if let length = countryLength(bytes) { return length }
    guard let wanted = countries[String(decoding: bytes.prefix(2), as: UTF8.self).uppercased()] else { return nil }
    var end = bytes.count
    while end >= 15 {
      let text = bytes[..<end].filter {
        $0 > 0x7F ? false : ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || (0x30...0x39).contains($0)
      }
      let isWhole = end == bytes.count || !PlaceholderReader.isWordByte(bytes[end])
      if isWhole, text.count == wanted, Checksum.iban(text) { return end }
      // Back to the separator before the last group, or by a sign.
      end -= 1
      while end > 0, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x2E || bytes[end - 1] == 0x2D { end -= 1 }
    }
    return nil
  }

  /// How many signs the account numbers of a country have: one of them that is grouped, or as long as that, is one even
  /// where a digit is wrong.
  private static let countries: [String: Int] = [
    "CH": 21, "LI": 21, "DE": 22, "AT": 20, "FR": 27, "IT": 27, "GB": 22, "ES": 24, "NL": 18, "BE": 16, "LU": 20,
    "PL": 28, "PT": 25, "SE": 24, "DK": 18, "NO": 15, "FI": 18, "IE": 22, "CZ": 24, "HU": 28, "GR": 27, "HR": 21,
    "SI": 19, "SK": 24, "BG": 22, "RO": 24, "TR": 26, "XK": 20, "RS": 22, "AL": 28, "MK": 19, "BA": 20, "ME": 22,
    "AD": 24, "AE": 23, "AZ": 28, "BH": 22, "BI": 27, "BR": 29, "BY": 28, "CR": 22, "CY": 28, "DJ": 27, "DO": 28,
    "EE": 20, "EG": 29, "FK": 18, "FO": 18, "GE": 22, "GI": 23, "GL": 18, "GT": 28, "IL": 23, "IQ": 23, "IS": 26,
    "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LT": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "MN": 20,
    "MR": 27, "MT": 31, "MU": 30, "NI": 28, "OM": 23, "PK": 24, "PS": 29, "QA": 29, "RU": 33, "SA": 24, "SC": 31,
    "SD": 18, "SM": 27, "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "UA": 29, "VA": 22, "VG": 24, "YE": 30,
  ]

  private static func countryLength(_ bytes: [UInt8]) -> Int? {
    let country = String(decoding: bytes.prefix(2), as: UTF8.self).uppercased()
    guard let wanted = countries[country] else { return nil }
    var count = 0
    for (index, byte) in bytes.enumerated() {
      let isDigit = (0x30...0x39).contains(byte)
      // Most countries have digits alone; letters in lower case are words behind it.
      guard isDigit || (0x41...0x5A).contains(byte) || index < 2 else {
        if byte == 0x20 || byte == 0x2D || byte == 0x2E { continue }
        return nil
      }
      count += 1
      if count == wanted {
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0x20
        return PlaceholderReader.isWordByte(next) ? nil : index + 1
      }
    }
    return nil
  }

  /// Enough digits for a telephone, and neither a date nor years nor an amount: "2019-2020", "2 000 000".
  private static func isPhoneNumber(_ match: ArraySlice<UInt8>) -> Bool {
    guard (7...15).contains(digits(match).count), !isDate(match) else { return false }
    let parts = String(decoding: match, as: UTF8.self).split { !$0.isNumber }
    let isYears = parts.count == 2 && parts.allSatisfy { $0.count == 4 && ($0.hasPrefix("19") || $0.hasPrefix("20")) }
    let isAmount =
      parts.count > 1 && parts.dropFirst().allSatisfy { $0.count == 3 } && parts[0].count <= 3
      && !parts[0].hasPrefix("0") && match.first != UInt8(ascii: "+")
    return !isYears && !isAmount
  }

  private static func isDate(_ match: ArraySlice<UInt8>) -> Bool {
    guard match.allSatisfy({ (0x30...0x39).contains($0) || [0x2E, 0x2F, 0x2D, 0x20].contains($0) }) else {
      return false
    }
    let parts = String(decoding: match, as: UTF8.self).split { !$0.isNumber }
    guard parts.count == 3, parts[1].count <= 2 else { return false }
    return parts[0].count <= 2 && [2, 4].contains(parts[2].count) || parts[0].count == 4 && parts[2].count == 2
  }

  /// At least so many letters and digits, three of them digits, and no date.
  private static func isIdentifier(_ match: ArraySlice<UInt8>, least: Int = 5) -> Bool {
    let signs = match.count { PlaceholderReader.isWordByte($0) }
    return signs >= least && digits(match).count >= 3 && !isDate(match)
  }

  /// Four digits that begin with 19 or 20.
  private static func isYear(_ match: ArraySlice<UInt8>) -> Bool {
    match.count == 4 && (match.starts(with: "19".utf8) || match.starts(with: "20".utf8)) && digits(match).count == 4
  }

  /// At least five digits, with a letter or a hyphen among them, and no date and no years.
  private static func isHolderNumber(_ match: ArraySlice<UInt8>) -> Bool {
    let first = match.prefix { $0 != 0x20 }
    let isMarked = match.contains { $0 == 0x2D || $0 | 0x20 >= 0x61 }
    return isMarked && digits(match).count >= 5 && !match.contains(0x2E) && !match.contains(0x2F) && !isDate(first)
      && !isYear(first.prefix { $0 != 0x2D })
  }

  private static func isAddress(_ match: ArraySlice<UInt8>) -> Bool {
    match.split(separator: 0x2E).allSatisfy { part in
      guard let number = Int(String(decoding: part, as: UTF8.self)) else { return false }
      return number <= 255 && (part.count == 1 || part.first != 0x30)
    }
  }

  private static func isLongAddress(_ match: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: match, as: UTF8.self)
    let groups = text.split(separator: ":", omittingEmptySubsequences: false)
    let isShortened = text.contains("::")
    // Times have two signs of two digits: 12:30:45.
    return isShortened ? groups.count <= 8 && text.count > 4 : groups.count == 8
  }

  /// Nine digits or more, and no date.
  private static func isNationalPhone(_ match: ArraySlice<UInt8>) -> Bool {
    let count = digits(match).count
    guard (9...13).contains(count), !isDate(match.prefix(10)) else { return false }
    // A sum of money has groups of three behind its first point.
    return match.first == 0x28 || match.dropFirst().contains { $0 != 0x2E && !(0x30...0x39).contains($0) }
      || count >= 10
  }

  /// A URL without what ends the sentence that it is in.
  private static func withoutPunctuation(_ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    var end = range.upperBound
    var open = 0
    for byte in bytes[range] { open += byte == 0x28 ? 1 : byte == 0x29 ? -1 : 0 }
    while end > range.lowerBound {
      let last = bytes[end - 1]
      if last == 0x29, open < 0 {
        open += 1
      } else if !".,;:!?*_".utf8.contains(last) {
        break
      }
      end -= 1
    }
    return range.lowerBound..<end
  }
}
