/// The results of a mail server's checks of a message's origin: the field `Authentication-Results` (RFC 8601).
///
/// Any sender can write such a field. Trust it only if ``authenticator`` is the name of a trusted server that removes fields of
/// its name from incoming messages (RFC 8601, 5).
public struct AuthenticationResults: Sendable, Hashable {
  /// The result of one method.
  public struct Result: Sendable, Hashable {
    /// The method, lower case: `dkim`, `spf`, `dmarc`.
    public var method: String
    /// The result in lower case: `pass`, `fail`, `none`.
    public var value: String
    /// The checked properties, by names in lower case: `header.d`.
    public var properties: [String: String]
  }

  /// The longest field that is read, in bytes.
  private static let longest = 16 << 10

  /// The server's name, lower case (`authserv-id`).
  public var authenticator: String
  /// The results of the methods, in the order of the field.
  public var results: [Result]

  /// Reads the value of a field; `nil` if it is not such a field, or longer than 16 KiB.
  public init?(_ value: String) {
    guard value.utf8.count <= Self.longest else { return nil }
    let parts = Self.parts(value)
    guard let name = parts.first?.first, !name.contains("=") else { return nil }
    authenticator = name.lowercased()
    results = parts.dropFirst().compactMap { words in
      guard let (method, value) = words.first.flatMap(Self.assignment) else { return nil }
      var properties: [String: String] = [:]
      for word in words.dropFirst() {
        guard let (name, value) = Self.assignment(word), properties[name] == nil else { continue }
        properties[name] = value
      }
      // A version may occur behind the method: `dkim/1`.
      return Result(
        method: String(method.prefix { $0 != "/" }), value: value.lowercased(), properties: properties)
    }
  }

  private static func assignment(_ word: String) -> (name: String, value: String)? {
    guard let equals = word.firstIndex(of: "="), equals != word.startIndex else { return nil }
    return (word[..<equals].lowercased(), String(word[word.index(after: equals)...]))
  }

  /// The words between semicolons, without comments; `a = b` is one word.
  private static func parts(_ value: String) -> [[String]] {
    var parts: [[String]] = [[]]
    var word = ""
    var (depth, isQuoted, isEscaped) = (0, false, false)
    func end() {
      if !word.isEmpty { parts[parts.count - 1].append(word) }
      word = ""
    }
    for character in value {
      if isEscaped {
        isEscaped = false
        if depth == 0 { word.append(character) }
        continue
      }
      switch character {
      case "\\" where isQuoted || depth > 0: isEscaped = true
      case "\"" where depth == 0: isQuoted.toggle()
      case _ where isQuoted: word.append(character)
      case "(": depth += 1
      case ")" where depth > 0: depth -= 1
      case _ where depth > 0: break
      case ";":
        end()
        parts.append([])
      case _ where character.isWhitespace: end()
      default: word.append(character)
      }
    }
    end()
    return parts.map(joined)
  }

  /// Puts together what blanks around `=` have set apart.
  private static func joined(_ words: [String]) -> [String] {
    var result: [String] = []
    for word in words {
      if let last = result.last, word.hasPrefix("=") || last.hasSuffix("=") && last.count > 1 {
        result[result.count - 1] = last + word
      } else {
        result.append(word)
      }
    }
    return result
  }
}

/// The tags of a field `DKIM-Signature` that tell what it covers (RFC 6376, 3.5). Nothing is verified here.
public struct DKIMSignature: Sendable, Hashable {
  /// The domain that signed, lower case (`d`).
  public var domain: String
  /// Which of its keys, lower case (`s`).
  public var selector: String
  /// The signature in Base64 without blanks (`b`).
  public var signature: String
  /// The names of the fields that it covers, lower case (`h`).
  public var fields: Set<String>

  /// Reads the value of a field; `nil` if it names no domain or no fields, or is longer than 16 KiB.
  public init?(_ value: String) {
    guard value.utf8.count <= 16 << 10 else { return nil }
    var tags: [String: String] = [:]
    for tag in value.split(separator: ";") {
      guard let equals = tag.firstIndex(of: "=") else { continue }
      let name = tag[..<equals].filter { !$0.isWhitespace }
      if tags[name] == nil { tags[name] = tag[tag.index(after: equals)...].filter { !$0.isWhitespace } }
    }
    guard let domain = tags["d"]?.lowercased(), !domain.isEmpty, let names = tags["h"]?.lowercased() else { return nil }
    self.domain = domain
    selector = tags["s"]?.lowercased() ?? ""
    signature = tags["b"] ?? ""
    fields = Set(names.split(separator: ":").map(String.init))
  }
}
