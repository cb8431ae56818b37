/// Finds secrets: keys and tokens by their published forms, and passwords, PINs and codes by the words beside them.
///
/// It runs before all other detectors, and its findings are hidden from them: a key becomes one placeholder, not several.
struct SecretDetector: Sendable {
  private typealias Judge = @Sendable (_ match: ArraySlice<UInt8>) -> Bool

  private struct Rule: Sendable {
    var kind: PersonalDataKind
    var pattern: LinearPattern
    var judge: Judge
  }

  /// The detector with the built-in patterns.
  static let shared = SecretDetector()
  /// Whether all built-in patterns compile; for a test.
  static var isComplete: Bool { shared.rules.count == definitions.count && shared.words.count == announcing.count }

  private let rules: [Rule]
  private let words: [Announcing]

  private struct Announcing: Sendable {
    var kind: SecretReader.Kind
    var isPlural: Bool
    var pattern: LinearPattern
  }

  private init() {
    words = Self.announcing.compactMap { kind, isPlural, pattern in
      (try? LinearPattern(pattern)).map { Announcing(kind: kind, isPlural: isPlural, pattern: $0) }
    }
    rules = Self.definitions.compactMap { kind, pattern, judge in
      (try? LinearPattern(pattern)).map { Rule(kind: kind, pattern: $0, judge: judge) }
    }
  }

  /// All secrets of some kinds. The first group of each pattern is the data.
  func find(in bytes: UnsafeBufferPointer<UInt8>, kinds: Set<PersonalDataKind>) -> [Finding] {
    var found: [Finding] = []
    for rule in rules where kinds.contains(rule.kind) {
      rule.pattern.matches(in: bytes, sharesBoundary: true) { _, groups in
        guard let whole = groups.first.flatMap(\.self) else { return }
        let range = Self.trimmed(whole, bytes)
        guard !range.isEmpty, rule.judge(ArraySlice(bytes[range])) else { return }
        found.append(Finding(range: range, kind: rule.kind))
      }
    }
    guard kinds.contains(.idNumber) else { return found }
    var values = SecretAssignments.find(in: bytes)
    for word in words {
      word.pattern.matches(in: bytes, sharesBoundary: true) { _, groups in
        guard let label = groups.first.flatMap(\.self) else { return }
        let reader = SecretReader(bytes: bytes, kind: word.kind, isPlural: word.isPlural)
        values += reader.values(behind: label.upperBound)
      }
    }
    return found + values.map { Finding(range: $0, kind: .idNumber) }
  }

  // MARK: - Forms

  /// Patterns of keys with a prefix of their issuer; from gitleaks, detect-secrets and the documentation of the issuers.
  private static let prefixes = [
    // OpenAI, Anthropic, OpenRouter; Groq, Hugging Face, Replicate, Perplexity, xAI
    "sk-(?:proj|svcacct|admin|ant|or|None)-[\\w-]{16,}", "sk-[A-Za-z0-9]{20,}", "gsk_[A-Za-z0-9]{20,}",
    "hf_[A-Za-z0-9]{20,}", "r8_[A-Za-z0-9]{20,}", "pplx-[A-Za-z0-9]{20,}", "xai-[A-Za-z0-9]{20,}",
    // GitHub, GitLab, Atlassian, Bitbucket
    "gh[pousr]_[A-Za-z0-9]{16,}", "github_pat_\\w{20,}",
    "gl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|oas|soat|ffct)-[\\w.-]{16,}",
    "ATATT3[\\w=-]{20,}", "ATBB[A-Za-z0-9]{20,}",
    // AWS, Google, Azure, Alibaba, Tencent, DigitalOcean, Databricks, Heroku
    "(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|APKA|ASCA)[A-Z0-9]{12,}", "AIza[\\w-]{30,}",
    "ya29\\.[\\w.-]{16,}",
    "GOCSPX-[\\w-]{16,}", "1//0[\\w-]{24,}", "[\\w.~-]{3}8Q~[\\w.~-]{28,}", "LTAI[A-Za-z0-9]{12,}",
    "AKID[A-Za-z0-9]{13,}",
    "do[opr]_v1_[a-f0-9]{32,}", "dapi[a-f0-9]{32}", "HRKU-[\\w-]{30,}",
    // Stripe, Square, PayPal, Shopify, Razorpay, Plaid
    "(?:sk|pk|rk)_(?:live|test|prod)_[A-Za-z0-9]{8,}", "whsec_[A-Za-z0-9+/=]{16,}", "sq0(?:atp|csp|idp)-[\\w-]{20,}",
    "access_token\\$(?:production|sandbox)\\$[\\w$]{20,}", "shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{16,}",
    "rzp_(?:live|test)_\\w{10,}",
    // Slack, Discord, Telegram, Twilio, SendGrid, Mailgun, Mailchimp, Brevo, Postmark
    "xox[abceoprs]-[A-Za-z0-9-]{8,}", "xapp-\\d-[A-Za-z0-9-]{16,}", "[MNO][\\w-]{23,25}\\.[\\w-]{6}\\.[\\w-]{27,}",
    "\\d{8,10}:[A-Za-z0-9_-]{32,}", "(?:SK|AC)[0-9a-f]{32}", "SG\\.[\\w-]{12,}\\.[\\w-]{12,}", "key-[0-9a-f]{32}",
    "[0-9a-f]{32}-us\\d{1,2}", "xkeysib-[\\w-]{20,}",
    // npm, PyPI, RubyGems, crates.io, Docker, NuGet
    "npm_[A-Za-z0-9]{20,}", "pypi-[\\w-]{16,}", "rubygems_[a-f0-9]{32,}", "cio[A-Za-z0-9]{32}",
    "dckr_(?:pat|oat)_[\\w-]{16,}",
    "oy2[a-z0-9]{43}",
    // Vault, Terraform, Pulumi, Doppler, Grafana, Sentry, New Relic, Postman, Linear, Notion, Figma, Airtable, Tailscale
    "hv[sbr]\\.[\\w-]{20,}", "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{40,}", "pul-[a-f0-9]{40}",
    "dp\\.(?:pt|st|ct)\\.\\w{20,}",
    "gl(?:sa|c)_[\\w=+/]{20,}", "sntry[su]_[\\w=+/.-]{20,}", "NRAK-[A-Z0-9]{20,}", "PMAK-[a-f0-9-]{20,}",
    "lin_api_\\w{20,}",
    "(?:ntn|secret)_[A-Za-z0-9]{40,}", "figd_[\\w-]{20,}", "pat[A-Za-z0-9]{14}\\.[a-f0-9]{40,}", "tskey-[\\w-]{16,}",
    // Supabase, PlanetScale, Netlify, Fly, Dropbox, age
    "sb[ps]_[\\w-]{20,}", "sb_secret_[\\w-]{16,}", "pscale_(?:tkn|pw|oauth)_[\\w.-]{20,}", "nfp_[A-Za-z0-9]{30,}",
    "fo1_[\\w-]{30,}", "sl\\.[\\w-]{60,}", "AGE-SECRET-KEY-1[A-Z0-9]{30,}",
  ]

  /// A JSON Web Token, signed or encrypted (RFC 7519).
  private static let webToken = "eyJ[\\w-]{8,}\\.[\\w-]{4,}(?:\\.[\\w-]*){1,3}"

  // MARK: - Words

  private static let letter = "A-Za-z\\x{c0}-\\x{1fff}"
  private static let verb = "ist|lautet|lauten|war|wäre|heißt|heisst|bleibt|is|was|remains|est|reads"
  private static let now =
    "(?: (?:jetzt|nun|neu|weiterhin|noch|nur|immer noch|now|still|just|currently|always|wie folgt|as follows))?"
  /// "(siehe Brief)", "(CVC)"
  private static let remark = "(?: ?\\([^)\\n]{1,24}\\))?"
  private static let quote = "[\"'`\u{201E}“”»«‘’]?"
  private static let password =
    "passw(?:or[dt]|ört)(?:er|s|es)?|passwd|passphrase|passcode|kennwort|kennwörter|losungswort|mot de passe|\\bpwd|\\bpw|\\bpass"
  private static let key =
    "(?:api|access|secret|private|client|auth|account|encryption|signing|shared|deploy|master|service|app|license|licence|lizenz"
    + "|product|produkt|activation|aktivierungs|installations|zugriffs)[-_ ]?(?:access[-_ ]?)?(?:key|keys|schlüssel|token|secret)"
    + "|token|secret|apikey|schlüssel|key"
  private static let codeWord =
    "(?:zugangs|zugriffs|zutritts|tür|tor|haustür|eingangs|alarm|safe|tresor|freischalt|aktivierungs|bestätigungs|sicherheits"
    + "|verifizierungs|verifikations|einmal|entsperr|login|anmelde|wiederherstellungs|recovery|backup|schlüsselbox|keybox"
    + "|schließfach|schliessfach|geräte|master|notfall|abhol|kunden|pin|karten|garagen)[- ]?codes?"
    + "|(?:access|entry|door|gate|garage|alarm|safe|lock|lockbox|key ?box|key ?pad|unlock|activation|verification|confirmation"
    + "|security|one[- ]time|login|recovery|backup|auth|authentication|2fa|two[- ]factor|sms|card|pickup|collection) codes?"
    + "|zugangsnummer|geheimzahl|geheimnummer|kartenprüf(?:nummer|ziffer)|prüf(?:ziffer|nummer)"
    + "|cvv2?|cvc2?|\\bcsc|pin(?:[- ]?(?:nummer|number|nr\\.?|no\\.?))?|puk2?|otp|(?:m|i|push|chip|photo|sms-?)?tan(?:[- ]?nummer)?"
  /// A code: digits, also in groups, or capitals and digits.
  private static let code =
    "\\d(?: \\d){3,9}|\\d{3} \\d{3}(?: \\d{3})?|\\d{2} \\d{2}(?: \\d{2}){0,2}|\\d{4} \\d{4}|\\d{2,4}(?:-\\d{2,4}){1,3}|\\d{3,10}[#*]?"
    + "|[A-Z0-9]{1,12}(?:-[A-Z0-9]{1,12}){1,5}|[A-Za-z]{1,12}\\d[A-Za-z0-9]{0,14}|\\d{1,6}[A-Za-z][A-Za-z0-9]{0,14}"
  private static let words = "(?:[ \\t]+[\(letter)][\(letter)'’.-]{0,24}){0,5}?"

  /// A password and its compounds; the short ones only by themselves, as "Reisepass" is none.
  private static func passwordWord(_ long: String, _ short: String) -> String {
    "(?i)(?:^|[^\(letter)0-9])((?:[\(letter)0-9_.-]{0,30}(?:\(long))|(?:[\(letter)0-9.]{0,30}_)?(?:\(short))))(?:[^\(letter)0-9]|$)"
  }

  /// Words behind which ``SecretReader`` looks for values.
  private static let announcing: [(SecretReader.Kind, Bool, String)] = [
    (
      .password, false,
      passwordWord(
        "pass[- ]?wor[dt](?:e?s)?|passwd|pass[- ]?code|kennwort(?:e?s)?|losungswort|codewort|netzwerkschlüssel|wlan-?(?:key|schlüssel)",
        "pwd|pw|pass|psk|wpa2?[- ]key|code ?word|mot de passe")
    ),
    (
      .password, true,
      passwordWord(
        "pass[- ]?words|passwörter[ns]?|passcodes|kennwörter[ns]?|losungswörter|codewörter", "pwds|pws|code ?words")
    ),
    (
      .passphrase, false,
      passwordWord(
        "pass[- ]?phrasen?|pass[- ]?phrases|sicherheitsphrase|master[- ]?(?:passwor[dt]|kennwort)",
        "(?:seed|secret|recovery|backup)[- ]phrase|seed[- ]?words|mnemonic")
    ),
    (.key, false, "(?i)(?:^|[^\(letter)0-9_-])(\(key))(?:[^\(letter)0-9]|$)"),
    (
      .key, true,
      "(?i)(?:^|[^\(letter)0-9_-])((?:(?:api|access)[- ])?(?:tokens|keys|secrets)|(?:api-|zugangs|lizenz)?schlüssel)(?:[^\(letter)0-9]|$)"
    ),
    (
      .code, false,
      "(?i)(?:^|[^\(letter)0-9-])((?:[\(letter)]{2,20}-)?(?:\(codeWord)|\(combination)))(?:[^\(letter)0-9]|$)"
    ),
    (
      .code, true,
      "(?i)(?:^|[^\(letter)0-9-])((?:[\(letter)]{2,20}-)?(?:\(codeWords)))(?:[^\(letter)0-9]|$)"
    ),
  ]
  private static let combination =
    "(?:safe|tresor|zahlen|schloss|tür|koffer)[- ]?(?:schloss)?[- ]?kombination|(?:safe|lock|vault|locker|bike lock|padlock) combination|combination (?:of|for|to) the (?:safe|lock|vault|locker|padlock)"
  private static let codeWords =
    "pins|puks|tans|(?:i|m)?tan-?liste|[\(letter)]{3,20}codes|(?:access|entry|door|gate|garage|alarm|safe|unlock|activation|verification|security|one[- ]time|login|recovery|backup|2fa|two[- ]factor|scratch) codes|(?:backup|recovery|wiederherstellungs|ersatz)[- ]?codes"

  private static let definitions: [(PersonalDataKind, String, Judge)] = [
    // RFC 9110: the whole of the field but the scheme.
    (
      .idNumber,
      "(?i)\\b(?:proxy-)?authorization[\"']?[ \\t]*[:=][ \\t]*[\"']?(?:(?:basic|bearer|token|digest|apikey|api-key|negotiate|ntlm|hmac|signature|aws4-hmac-sha256|oauth|hawk)[ \\t]+)([^\\s\"'`,;]{4,})",
      { looksChosen($0) || $0.count >= 12 && !isPlaceholder($0) }
    ),
    (
      .idNumber,
      "(?i)\\b(?:proxy-)?authorization[\"']?[ \\t]*[:=][ \\t]*[\"']?(?:digest|hmac|signature|aws4-hmac-sha256|oauth|hawk)[ \\t]+([^\\n`]+)",
      { $0.contains(0x3D) }
    ),
    (.idNumber, "(?im)\\b(?:set-)?cookie[\"']?[ \\t]*:[ \\t]*[\"']?([\\w.-]+=[^\\r\\n\"'`]+)", { _ in true }),
    // Programs that are given a password: "curl -u user:password", "mysql -psecret", "--token secret"
    (
      .idNumber,
      "(?i)\\b(?:curl|http|https|wget|svn|mongosh?|ldapsearch|smbclient)\\b[^\\n]*?[ \\t](?:-u|-U|-a|--user|--proxy-user|--auth)[ =]?[\"']?[^\\s:\"'/%]{1,80}[:%]([^\\s\"']{1,200})",
      { !isPlaceholder($0) }
    ),
    (
      .idNumber,
      "\\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|sshpass|mongodump|docker login|podman login|helm registry login|az login)\\b[^\\n|;]*?[ \\t]-p[ ]?[\"']?([^\\s\"'-][^\\s\"']{1,200})",
      { !isPlaceholder($0) }
    ),
    (
      .idNumber,
      "(?i)[ \\t]--?(?:[a-z]{1,20}[-_]){0,3}(?:password|passwd|passphrase|passwort|pass|pwd|token|secret|apikey|api-key|access-key|secret-key|auth-key)[ =]+[\"']([^\"'\\n]{2,200})[\"']",
      { !isPlaceholder($0) }
    ),
    (
      .idNumber,
      "(?i)[ \\t]--?(?:[a-z]{1,20}[-_]){0,3}(?:password|passwd|passphrase|passwort|pass|pwd|token|secret|apikey|api-key|access-key|secret-key|auth-key)[ =]+([^\\s\"'<>|-][^\\s\"'<>|]{2,200})",
      { !isPlaceholder($0) }
    ),
    // "Login: tquill / hunter2Battery!"
    (
      .idNumber,
      "(?i)\\b(?:log-?ins?|logon|zugang|zugangsdaten|zugänge|anmeldung|anmeldedaten|credentials?|creds|account|konto|user(?:name)?|benutzer(?:name)?)\\b[^\\n:]{0,30}:[ \\t]*[^\\s/:]{2,60}(?: ?/ ?| ?\\| ?|:)([^\\s/\"'|]{4,80})(?:\\s|$)",
      { looksChosen($0) }
    ),
    // `{"name": "DB_PASSWORD", "value": "…"}`, `<add key="DbPassword" value="…"/>`, the same in YAML
    (
      .idNumber,
      "(?i)[\"' ](?:key|name)[\"']?\\s{0,3}[:=]\\s{0,3}[\"']?[\\w.:-]{0,40}(?:password|passwd|passwort|passphrase|pwd|pass|secret|token|api_?key|access_?key|secret_?key)[\"']?[ \\t]{0,3},?\\s{1,40}[\"']?value[\"']?\\s{0,3}[:=]\\s{0,3}[\"']?([^\"'\\s,}<>]{2,400})",
      { !isPlaceholder($0) }
    ),
    // An account and its password before a host, without a scheme: "bob:hunter2@db.local"
    (
      .url,
      "(?m)(?:^|[\\s\"'(=])([A-Za-z0-9._-]{1,60}:[^\\s:@/\"'<>]{3,120}@[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*(?::\\d{2,5})?(?:/[^\\s\"'<>]*)?)",
      { isAccount($0) }
    ),
    // "Code 9914", not "Fehlercode", "error code", "postal code"
    (
      .idNumber,
      "(?im)(?:^|[^\(letter)0-9 -]|[^a-z\(letter)0-9-] |\\b(?:mit|with|dem|den|der|the|ein|einen|a|your|ihr|ihren|dein|deinen|use|enter|neuer|new|als|as|beim|am|im|at) )codes?(?::| ist| lautet| is| reads)? ?(\\d(?: \\d){3,9}|\\d{4,8}[#*]?)(?:[^\(letter)0-9.,:/-]|[.,:](?:[^0-9]|$)|$)",
      { !isYear($0) && (!$0.suffix(2).elementsEqual("00".utf8) || $0.allSatisfy { $0 == 0x30 }) }
    ),
    // "Lizenznummer: LN 4482-119-0073", "Kto.-Nr. 445566778", "Die Nummer Ihres Kontos ist 12345678"
    (
      .idNumber,
      "(?i)\\b(?:lizenz(?:-?n(?:umme)?r\\.?|nummern?|schein-?nr\\.?)?|licen[cs]e(?: (?:no\\.?|number|id|plate))?|serien-?n(?:umme)?r\\.?|serial(?: (?:no\\.?|number))?|vertragsnummer|contract (?:no\\.?|number)|mitglieds(?:nummer|-?nr\\.?)|member(?:ship)? (?:no\\.?|number))(?: (?:\(verb)))?[ :#.=-]{1,4}((?-i:[A-Z]{1,5}[ -]?)\\d{1,8}(?:[ /.-]?(?-i:[A-Z]{0,3})\\d{1,8}){0,6})(?:[^\(letter)0-9]|$)",
      { digitCount($0) >= 4 }
    ),
    (
      .iban,
      "(?i)\\b(?:kto\\.?(?:[- ]?n(?:umme)?r\\.?)?|konto(?:[- ]?n(?:umme)?r\\.?)?|(?:kontonummer|account number|account no\\.?|a/c(?: no\\.?)?)|(?:nummer|number)(?: (?:meines|deines|ihres|seines|unseres|eures|des|of (?:my|your|his|her|our|their|the))) (?:kontos?|bank ?kontos?|girokontos?|sparkontos?|(?:bank )?account))(?: (?:ist|lautet|is|reads|war|was))?[ :#.=-]{1,4}(\\d{1,4}(?:[ .-]?\\d{2,6}){1,5}(?:[ .-]\\d)?)(?:[^\(letter)0-9]|$)",
      { digitCount($0) >= 5 }
    ),
    // In two halves, because the memory of one pattern is limited.
    (.idNumber, "(?:^|[^A-Za-z0-9_])((?:" + prefixes.prefix(30).joined(separator: "|") + "))", { hasDigit($0) }),
    (.idNumber, "(?:^|[^A-Za-z0-9_])((?:" + prefixes.dropFirst(30).joined(separator: "|") + "))", { hasDigit($0) }),
    (.idNumber, "(?:^|[^A-Za-z0-9_])(\(webToken))", { _ in true }),
    (
      .idNumber,
      "(?s)(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)",
      { _ in true }
    ),
    // A private key without its end.
    (
      .idNumber,
      "(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[ \\t>]*\\r?\\n?[ \\t>]*[A-Za-z0-9+/=]{24,})+)",
      { _ in true }
    ),
    // Connection strings of Azure.
    (
      .idNumber, "(?i)\\b(?:AccountKey|SharedAccessKey|SharedAccessSignature|sig)=([A-Za-z0-9+/%=_-]{20,})",
      { _ in true }
    ),
    // "postgres://user:password@host/db"
    (.url, "(?i)\\b([a-z][a-z0-9+.-]{1,20}://[^\\s:/@\"'<>]{0,64}:[^\\s@\"'<>]{1,128}@[^\\s\"'<>`|]+)", { _ in true }),
    // RFC 6750, RFC 7617
    (
      .idNumber,
      "(?i)\\b(?:bearer|authorization: ?basic|authorization: ?token)[ :]{1,2}\(quote)([A-Za-z0-9._~+/-]{8,}={0,2})",
      { looksRandom($0) || $0.count >= 20 && hasDigit($0) }
    ),
    // "Passwort: abc", "DB_PASSWORD=abc"
    (
      .idNumber,
      "(?im)(?:^|[^\(letter)0-9])(?:[\(letter)_-]{0,30})(?:\(password))\(remark)[ \\t]*(?:[:=]|->|→)+[ \\t]*\(quote)([^\\s\"'`\u{201E}“”»«]{3,80})",
      { isPasswordAfterColon($0) }
    ),
    // "Das Passwort fürs WLAN lautet abc1", "password for the portal: abc1"
    (
      .idNumber,
      "(?im)(?:^|[^\(letter)0-9])(?:[\(letter)_-]{0,30})(?:\(password))\(remark)\(words)(?:[ \\t]*[:=]|[ \\t]+(?:\(verb)))\(now)[ \\t]*\(quote)([^\\s\"'`\u{201E}“”»«]{4,80})",
      { looksChosen($0) }
    ),
    // "password abc1", "Startpasswort (abc1)"
    (
      .idNumber,
      "(?im)(?:^|[^\(letter)0-9])(?:[\(letter)_-]{0,30})(?:\(password))[ \\t]+[\"'`\u{201E}“»(]?([^\\s\"'`\u{201E}“”»«]{4,80})",
      { looksChosen($0) }
    ),
    // "opens with abc1 as its password"
    (
      .idNumber,
      "(?i)[ \\t]\(quote)([^\\s\"'`\u{201E}“”»«]{5,80})\(quote)[ \\t]+(?:as|als)(?: [\(letter)]{2,10})? (?:\(password))\\b",
      { looksChosen($0) }
    ),
    // "API-Key: 9f…", "AWS_SECRET_ACCESS_KEY=…", "the OpenAI key in the notebook is …"
    (
      .idNumber,
      "(?im)(?:^|[^\(letter)0-9])(?:[\(letter)0-9_-]{0,30}[_-])?(?:\(key))\(remark)\(words)(?:[ \\t]*(?:[:=]|->|→)+|[ \\t]+(?:\(verb)))\(now)[ \\t]*\(quote)([A-Za-z0-9_+/=.~$!-]{8,200})",
      { looksRandom($0) || isGrouped($0) }
    ),
    (
      .idNumber,
      "(?im)(?:^|[^\(letter)0-9])(?:\(key))[ \\t]+\(quote)([A-Za-z0-9_+/=.~-]{16,200})", { looksRandom($0) }
    ),
    // A product key: five groups of five.
    (
      .idNumber, "(?:^|[^A-Za-z0-9-])([A-Z0-9]{5}(?:-[A-Z0-9]{5}){3,5})(?:[^A-Za-z0-9-]|$)",
      { hasDigit($0) && hasLetter($0) }
    ),
    // "CVV 812", "PIN der Karte lautet 4711", "Türcode: 7713#"
    (
      .idNumber,
      "(?im)(?:^|[^\(letter)0-9-])(?:(?:[\(letter)]{2,20}-)?(?:\(codeWord)))\(remark)[ \\t]*(?:[:=#]|->|→)?[ \\t]*(?:(?:\(verb))\(now)[ \\t]+)?[\"'`\u{201E}“»(]?((?-i:\(code)))(?:[^\(letter)0-9]|$)",
      { isCode($0) }
    ),
    (
      .idNumber,
      "(?im)(?:^|[^\(letter)0-9-])(?:(?:[\(letter)]{2,20}-)?(?:\(codeWord)))\(remark)\(words)(?:[ \\t]*[:=]|[ \\t]+(?:\(verb)))\(now)[ \\t]*\(quote)((?-i:\(code)))(?:[^\(letter)0-9]|$)",
      { isCode($0) }
    ),
    (
      .idNumber,
      "(?im)(?:^|[^\(letter)0-9-])(?:(?:m|i|push|chip|sms-?)?tan|pin|puk|cvc|cvv)(?: (?:für|for|der|des|die|das|dem|zur|zum|of|the|my|your|his|her|meiner|deiner|seiner|ihrer|meine|karte|card|phone|handy)){1,3} ((?-i:\\d{3,8}|\\d{3} \\d{3}))(?:[^\(letter)0-9]|$)",
      { !isYear($0) }
    ),
    // "the code is 2580", "mit dem Code 7713#"
    (
      .idNumber,
      "(?i)\\b(?:der|dem|den|the|a|your|mit|with)[ \\t]+code\(words)(?:[ \\t]*[:=]|[ \\t]+(?:\(verb)))?[ \\t]+((?-i:\(code)))(?:[^\(letter)0-9]|$)",
      { isCode($0) && hasDigit($0) }
    ),
    // Numbers of devices and vehicles.
    (
      .ip, "(?im)(?:^|[^0-9a-z:.-])([0-9a-f]{2}(?::[0-9a-f]{2}){5}|[0-9a-f]{2}(?:-[0-9a-f]{2}){5})(?:[^0-9a-z:-]|$)",
      { _ in true }
    ),
    (
      .ip, "(?i)\\bMAC\\b[^\\n]{0,20}?[ :=]((?:[0-9a-f]{4}\\.){2}[0-9a-f]{4}|[0-9a-f]{12})(?:[^0-9a-z]|$)",
      { hasDigit($0) }
    ),
    (
      .idNumber,
      "(?i)\\b(?:FIN|VIN|fahrgestell(?:-?n(?:umme)?r\\.?)?|fahrzeug-?ident[a-zäöü]*(?:[- ]?n(?:umme)?r\\.?)?|chassis(?: (?:no\\.?|number))?)(?: (?:\(verb)))?[ :#.=-]{0,4}((?-i:[A-HJ-NPR-Z0-9]{11,17}))(?:[^\(letter)0-9]|$)",
      { hasDigit($0) }
    ),
    (
      .idNumber, "(?:^|[^A-Za-z0-9-])([A-HJ-NPR-Z][A-HJ-NPR-Z0-9]{11}[0-9A-HJ-NPR-Z]\\d{4})(?:[^A-Za-z0-9-]|$)",
      { isVehicle($0) }
    ),
    (
      .idNumber,
      "(?i)\\b(?:IMEI|ICCID|EID|chip(?:-?n(?:umme)?r\\.?)?|microchip|transponder(?:-?n(?:umme)?r\\.?)?)(?: (?:no\\.?|number|nr\\.?|nummer))?(?: (?:\(verb)))?[ :#.=-]{0,4}(\\d{2,6}(?:[ -]?\\d{2,6}){2,5})(?:[^\(letter)0-9]|$)",
      { digitCount($0) >= 12 }
    ),
    (
      .idNumber,
      "(?i)\\b(?:serien-?n(?:umme)?r\\.?|serial(?: (?:no\\.?|number))?|S/N|lizenz(?:-?n(?:umme)?r\\.?)?|licen[cs]e (?:no\\.?|number|id)|geräte-?n(?:umme)?r\\.?)(?: (?:\(verb)))?[ :#.=-]{0,4}((?-i:[A-Z0-9]{2,12}(?:[-/][A-Z0-9]{2,12}){0,4}))(?:[^\(letter)0-9]|$)",
      { $0.count >= 6 && digitCount($0) >= 3 }
    ),
  ]

  // MARK: - Judging

  /// A value without the punctuation or bracket that follows it.
  static func trimmed(_ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound {
      let last = bytes[end - 1]
      let opens = bytes[range.lowerBound..<end].contains(0x28)
      guard ".,;:".utf8.contains(last) || last == 0x29 && !opens || last == 0x3F && end == range.upperBound else {
        break
      }
      end -= 1
    }
    return range.lowerBound..<end
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) || byte > 0x7F }
  private static func hasDigit(_ match: ArraySlice<UInt8>) -> Bool { match.contains(where: isDigit) }
  private static func hasLetter(_ match: ArraySlice<UInt8>) -> Bool { match.contains(where: isLetter) }
  private static func digitCount(_ match: ArraySlice<UInt8>) -> Int { match.count(where: isDigit) }

  private static func isYear(_ match: ArraySlice<UInt8>) -> Bool {
    match.count == 4 && match.allSatisfy(isDigit) && (match.starts(with: "19".utf8) || match.starts(with: "20".utf8))
  }

  /// Whether a value is only digits with points, slashes, colons or hyphens: a date, a time, a version, an amount.
  private static func isFigure(_ match: ArraySlice<UInt8>) -> Bool {
    match.allSatisfy { isDigit($0) || ".,:/%-".utf8.contains($0) }
  }

  /// "12-stellig", "3x", "24h", "2nd", "8-character"
  private static func isMeasure(_ match: ArraySlice<UInt8>) -> Bool {
    let number = match.prefix(while: isDigit)
    guard !number.isEmpty, number.count < 4, number.count < match.count else { return false }
    return match.dropFirst(number.count).allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D || $0 > 0x7F }
      || match.dropFirst(number.count).first == 0x2D && match.dropFirst(number.count + 1).allSatisfy(isLetter)
  }

  /// Whether a value is a mask, a variable or a tag in place of a secret.
  static func isPlaceholder(_ match: ArraySlice<UInt8>) -> Bool {
    guard let first = match.first else { return true }
    return "<{$%[".utf8.contains(first) || match.last == 0x5B || match.allSatisfy { $0 == first }
      || match.starts(with: "\\".utf8)
  }

  /// Words that often follow "password:" and are not passwords.
  static let nonPasswords = WordList(
    """
    siehe folgt folgen fehlt falsch richtig ungültig gültig abgelaufen abgelehnt unbekannt bekannt vergessen geändert zurückgesetzt gesperrt leer keines kein
    keins keine nicht noch wird wurde werden muss soll sollte darf kann bitte ihr dein mein sein das der die den dem wie per von und oder in im
    auf mit für ändern eingeben wählen setzen anfordern sicher geheim beim same see required optional wrong correct incorrect invalid valid expired
    forgotten forgot reset changed change none unknown empty missing blank must should will can please your their the not and for with from
    anders gleich password passwort kennwort passwords passwörter passphrase mindestens maximal minimum least at too never none null true false string yes no hidden secret protected encrypted manager policy field prompt length strength
    """)

  /// Whether a value after "password:" is a password: nearly every word is.
  private static func isPasswordAfterColon(_ match: ArraySlice<UInt8>) -> Bool {
    match.count >= 3 && !isPlaceholder(match)
      && !nonPasswords.contains(String(decoding: match, as: UTF8.self).lowercased())
  }

  /// Whether a value looks like a password that a person chose: letters mixed with digits or signs, a capital inside a word, or
  /// digits.
  static func looksChosen(_ match: ArraySlice<UInt8>) -> Bool {
    guard match.count >= 4, !isPlaceholder(match), !isFigure(match) || match.count >= 4 && match.allSatisfy(isDigit),
      !isYear(match), !isMeasure(match)
    else { return false }
    let inner = match.dropFirst().dropLast()
    let hasSign = inner.contains { !isDigit($0) && !isLetter($0) && !"-.'/,_".utf8.contains($0) }
    let hasInnerCapital =
      match.dropFirst().contains { (0x41...0x5A).contains($0) } && match.contains { (0x61...0x7A).contains($0) }
    return hasDigit(match) || hasSign || hasInnerCapital && !match.contains(0x2D)
  }

  /// Whether a value looks like a random key: at least eight letters and digits, mixed.
  static func looksRandom(_ match: ArraySlice<UInt8>) -> Bool {
    guard match.count >= 8, !isPlaceholder(match), hasLetter(match), digitCount(match) >= 2, !isMeasure(match) else {
      return false
    }
    // "2025-05-12T10:00", "v1.2.3-beta"
    let changes = zip(match, match.dropFirst()).count { isDigit($0) != isDigit($1) && (isLetter($0) || isLetter($1)) }
    return changes >= 2 || match.count >= 16 && changes >= 1
  }

  /// Whether a value is a key in groups, as on a licence: "ABCD-1234-EFGH-5678".
  static func isGrouped(_ match: ArraySlice<UInt8>) -> Bool {
    match.count >= 14 && hasDigit(match) && hasLetter(match) && match.count { $0 == 0x2D } >= 2
      && match.allSatisfy { isDigit($0) || $0 == 0x2D || (0x41...0x5A).contains($0) }
  }

  /// Whether a value is a code: at least three digits, or a digit among letters.
  static func isCode(_ match: ArraySlice<UInt8>) -> Bool {
    let digits = digitCount(match)
    guard digits >= 1, !isMeasure(match) else { return false }
    if match.allSatisfy({ isDigit($0) || $0 == 0x20 || $0 == 0x2D || $0 == 0x23 || $0 == 0x2A }) { return digits >= 3 }
    return match.count >= 4 && (digits >= 2 || match.contains(0x2D) && match.count >= 6)
  }

  /// An account with its password before a host, not "mailto:anna@example.org".
  private static func isAccount(_ match: ArraySlice<UInt8>) -> Bool {
    guard let colon = match.firstIndex(of: 0x3A), let at = match.lastIndex(of: 0x40), colon < at else { return false }
    let name = String(decoding: match[..<colon], as: UTF8.self).lowercased()
    return ![
      "mailto", "mail", "e-mail", "email", "an", "von", "to", "from", "cc", "bcc", "sip", "sips", "xmpp", "kontakt",
    ]
    .contains(name) && looksChosen(match[(colon + 1)..<at])
  }

  /// Whether a value looks like a vehicle identification number (ISO 3779): at least five letters and five digits.
  private static func isVehicle(_ match: ArraySlice<UInt8>) -> Bool {
    digitCount(match) >= 5 && match.count(where: isLetter) >= 5
  }
}
