/// Names of variables, members, attributes and columns that hold a secret: `DB_PASS`, `clientSecret`, `x-api-key`, `Passwort`.
enum SecretNames {
  /// How sure a name is.
  enum Strength {
    /// Any value is a secret, a usual word too.
    case strong
    /// The value has to look like a secret: "token" and "key" name other things as well.
    case weak
  }

  private static let longest = 64

  private static let strong = WordList(
    """
    password passwords passwort passwörter kennwort passwd passwrd passphrase passcode pwd pass pw pin puk otp cvv cvc cvv2 cvc2 psk tan geheimzahl
    losungswort
    """)
  private static let weak = WordList(
    "token tokens secret secrets apikey apitoken authtoken accesstoken refreshtoken sessionid sid csrf jwt auth bearer accesskey secretkey privatekey sharedkey"
  )
  private static let endings: [(String, Strength)] = [
    ("password", .strong), ("passwd", .strong), ("passwort", .strong), ("kennwort", .strong), ("passphrase", .strong),
    ("pwd", .strong), ("passcode", .strong), ("zugangscode", .strong), ("türcode", .strong), ("token", .weak),
    ("secret", .weak), ("apikey", .weak), ("accesskey", .weak), ("secretkey", .weak), ("privatekey", .weak),
    ("sharedkey", .weak),
  ]
  /// Words behind the one that counts: "SECRET_KEY_BASE".
  private static let tails = WordList(
    "base value val b64 base64 hex text txt plain enc encrypted hash string str old new current confirm confirmation repeat again default"
  )
  private static let keys = WordList(
    """
    api access secret private client auth account encryption encrypt decryption signing sign shared deploy master service app application license licence
    lizenz storage session ssh aws azure gcp hmac jwt webhook consumer subscription admin root server recovery activation product wpa wlan wifi
    openai anthropic stripe sendgrid mailgun google github gitlab auth0 sentry datadog cipher crypt aes rsa pgp gpg
    """)
  private static let noKeys = WordList(
    """
    public primary foreign sort cache partition object index row group unique hot map dict composite candidate natural shortcut short answer enter
    tab ctrl escape idempotency message issue project site field translation i18n lookup search route routing registry config dedup order entry pub
    """)

  /// How sure a name is; `nil` if it names no secret.
  static func strength(of name: String) -> Strength? {
    guard (2...longest).contains(name.utf8.count) else { return nil }
    var parts = parts(of: name)
    while parts.count > 1, let last = parts.last, tails.contains(last) || last.allSatisfy(\.isNumber) {
      parts.removeLast()
    }
    guard let last = parts.last else { return nil }
    // "tokens" count, but "max_tokens" is an amount.
    if last == "tokens", parts.count > 1,
      parts.contains(where: { ["max", "min", "total", "num", "prompt", "completion", "input", "output"].contains($0) })
    {
      return nil
    }
    if last == "secret", parts.count > 1 { return .strong }
    if last == "key", let before = parts.dropLast().last, ["secret", "private"].contains(before) { return .strong }
    if strong.contains(last) { return .strong }
    if weak.contains(last) { return .weak }
    if last == "key" || last == "keys" {
      guard let before = parts.dropLast().last else { return nil }
      if keys.contains(before) { return .weak }
      // A variable of the environment.
      let isEnvironment = name.contains("_") && !name.contains(where: \.isLowercase)
      return isEnvironment && !noKeys.contains(before) ? .weak : nil
    }
    if last == "id", parts.suffix(3).elementsEqual(["access", "key", "id"]) { return .weak }
    return endings.first { last.hasSuffix($0.0) }?.1
  }

  /// The words of a name, in lower case: at hyphens, points, underscores, and before capitals.
  private static func parts(of name: String) -> [String] {
    var parts: [String] = []
    var part = ""
    var wasLower = false
    for character in name {
      if "_-. :".contains(character) {
        if !part.isEmpty { parts.append(part) }
        part = ""
        wasLower = false
        continue
      }
      if character.isUppercase, wasLower, !part.isEmpty {
        parts.append(part)
        part = ""
      }
      wasLower = character.isLowercase || character.isNumber
      part += character.lowercased()
    }
    if !part.isEmpty { parts.append(part) }
    return parts
  }
}
