/// How names of Swift properties become names in JSON.
enum JSONName {
  /// `pageSize` → `page_size`, `attachmentURL` → `attachment_url`; a name without capitals stays as it is.
  static func snakeCase(_ name: String) -> String {
    guard name.utf8.contains(where: isUpper) else { return name }
    let letters = Array(name.utf8)
    var result: [UInt8] = []
    for (position, letter) in letters.enumerated() {
      guard isUpper(letter) else {
        result.append(letter)
        continue
      }
      let followsWord = position > 0 && !isUpper(letters[position - 1]) && letters[position - 1] != UInt8(ascii: "_")
      let startsWord =
        position > 0 && isUpper(letters[position - 1]) && position + 1 < letters.count
        && isLower(letters[position + 1])
      if followsWord || startsWord { result.append(UInt8(ascii: "_")) }
      result.append(letter | 0x20)
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether names of a key type stay as they are: those of dictionaries, which are data.
  static func isVerbatim<Key: CodingKey>(_ type: Key.Type) -> Bool {
    ObjectIdentifier(type) == dictionaryKeyType || type == JSONKey.self
  }

  // The standard library keeps the key type of its dictionaries to itself; encoding one shows it.
  private static let dictionaryKeyType: ObjectIdentifier? = {
    let probe = KeyTypeProbe()
    try? [String: Bool]().encode(to: probe)
    return probe.found
  }()

  private static func isUpper(_ letter: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) }
  private static func isLower(_ letter: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) }
}

/// A key made up where no type declares one: a position in a list, a name in an object.
struct JSONKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}

/// An encoder that only notes with what type of keys a value encodes itself.
private final class KeyTypeProbe: Encoder {
  var found: ObjectIdentifier?
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    found = ObjectIdentifier(type)
    // Names as they are declared: whether to convert them is what the probe is for.
    return JSONEncoding(names: .asDeclared).container(keyedBy: type)
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { JSONEncoding().unkeyedContainer() }
  func singleValueContainer() -> any SingleValueEncodingContainer { JSONEncoding() }
}
