/// A value with parameters, the shape of `Content-Type` and `Content-Disposition` (RFC 2045 §5.1, RFC 2183).
struct ParameterizedValue: Sendable {
  /// The text before the first semicolon, comments removed, as written.
  var value: String
  /// Parameters by name in lower case, in their order; the extended forms of RFC 2231 are decoded and joined.
  var parameters: [(name: String, value: String)]

  /// A parameter's value; of duplicates the first.
  func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  init(value: String, parameters: [(name: String, value: String)] = []) {
    self.value = value
    self.parameters = parameters
  }

  /// Reads a header field's value, forgiving unquoted spaces and separators, missing quotes and encoded words.
  init(parsing bytes: ArraySlice<UInt8>) {
    var scanner = ParameterScanner(bytes)
    value = scanner.readValue()
    let raw = scanner.readParameters()
    parameters = ParameterizedValue.joined(raw)
  }

  /// A parameter as written: `filename*1*=…` has the section 1 and is encoded.
  fileprivate struct RawParameter {
    var name: String
    var section: Int?
    var isExtended: Bool
    var value: [UInt8]
  }

  /// Joins continuations (RFC 2231 §3) and decodes extended values (§4); plain values may hold encoded words, which no
  /// standard allows and many writers use.
  private static func joined(_ raw: [RawParameter]) -> [(name: String, value: String)] {
    if !raw.contains(where: { $0.isExtended || $0.section != nil }) {
      var values: [(name: String, value: String)] = []
      for parameter in raw where !values.contains(where: { $0.name == parameter.name }) {
        values.append((parameter.name, EncodedWord.decodeUnstructured(parameter.value[...])))
      }
      return values
    }
    var order: [String] = []
    var plain: [String: [UInt8]] = [:]
    var extended: [String: [UInt8]] = [:]
    var sections: [String: [Int: RawParameter]] = [:]
    for parameter in raw {
      if !order.contains(parameter.name) { order.append(parameter.name) }
      if let section = parameter.section {
        if sections[parameter.name, default: [:]][section] == nil {
          sections[parameter.name, default: [:]][section] = parameter
        }
      } else if parameter.isExtended {
        if extended[parameter.name] == nil { extended[parameter.name] = parameter.value }
      } else if plain[parameter.name] == nil {
        plain[parameter.name] = parameter.value
      }
    }
    return order.compactMap { name in
      if let value = extended[name] {
        let (charset, rest) = splitExtended(value[...])
        return (name, Charset.decode(percentDecoded(rest)[...], label: charset).text)
      }
      if let parts = sections[name] {
        return (name, joinedSections(parts))
      }
      return plain[name].map { (name, EncodedWord.decodeUnstructured($0[...])) }
    }
  }

  private static func joinedSections(_ parts: [Int: RawParameter]) -> String {
    var bytes: [UInt8] = []
    var charset: String?
    // Writers number from 0; one that starts at 1 is understood, too, and a gap ends nothing.
    for (position, section) in parts.keys.sorted().enumerated() {
      guard let part = parts[section] else { continue }
      if part.isExtended {
        var content = part.value[...]
        if position == 0 {
          let split = splitExtended(content)
          charset = split.charset
          content = split.rest
        }
        bytes += percentDecoded(content)
      } else {
        bytes += part.value
      }
    }
    return charset == nil
      ? EncodedWord.decodeUnstructured(bytes[...]) : Charset.decode(bytes[...], label: charset).text
  }

  /// Splits `charset'language'text`; without two quotes everything is text.
  private static func splitExtended(_ value: ArraySlice<UInt8>) -> (charset: String?, rest: ArraySlice<UInt8>) {
    let quote = UInt8(ascii: "'")
    guard let first = value.firstIndex(of: quote), let second = value[(first + 1)...].firstIndex(of: quote) else {
      return (nil, value)
    }
    return (String(decoding: value[..<first], as: UTF8.self), value[(second + 1)...])
  }

  private static func percentDecoded(_ value: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    var index = value.startIndex
    while index < value.endIndex {
      if value[index] == UInt8(ascii: "%"), index + 2 < value.endIndex, let high = value[index + 1].hexadecimalDigit,
        let low = value[index + 2].hexadecimalDigit
      {
        output.append(high << 4 | low)
        index += 3
      } else {
        output.append(value[index])
        index += 1
      }
    }
    return output
  }

  /// Cuts a value into its parts without interpreting them.
  private struct ParameterScanner {
    /// More parameters than this are ignored.
    private static let limit = 200

    private let bytes: ArraySlice<UInt8>
    private var index: Int

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      index = bytes.startIndex
    }

    mutating func readValue() -> String {
      var content: [UInt8] = []
      while index < bytes.endIndex, bytes[index] != UInt8(ascii: ";") {
        if bytes[index] == UInt8(ascii: "(") {
          skipComment()
        } else if bytes[index] == UInt8(ascii: "\"") {
          index += 1
        } else if bytes[index].isMailWhitespace, isParameter(after: index) {
          break
        } else {
          content.append(bytes[index])
          index += 1
        }
      }
      return String(decoding: content[...].trimmingMailWhitespace, as: UTF8.self)
    }

    mutating func readParameters() -> [RawParameter] {
      var parameters: [RawParameter] = []
      while index < bytes.endIndex, parameters.count < ParameterScanner.limit {
        skipSeparators()
        let start = index
        while index < bytes.endIndex, bytes[index] != UInt8(ascii: "="), bytes[index] != UInt8(ascii: ";"),
          !bytes[index].isMailWhitespace
        {
          index += 1
        }
        let name = bytes[start..<index]
        skipWhitespace()
        guard index < bytes.endIndex, bytes[index] == UInt8(ascii: "=") else { continue }
        index += 1
        skipWhitespace()
        // Parentheses in names of files are part of them: `filename=Report (1).pdf`.
        let isName = ["name".utf8, "filename".utf8].contains { wanted in
          name.count >= wanted.count && zip(name, wanted).allSatisfy { $0.lowercasedASCII == $1 }
        }
        let value = readParameterValue(hasComments: !isName)
        if !name.isEmpty { parameters.append(parameter(named: name, value: value)) }
      }
      return parameters
    }

    private func parameter(named name: ArraySlice<UInt8>, value: [UInt8]) -> RawParameter {
      var text = String(decoding: name.map(\.lowercasedASCII), as: UTF8.self)
      guard name.contains(UInt8(ascii: "*")) else {
        return RawParameter(name: text, section: nil, isExtended: false, value: value)
      }
      var isExtended = false
      var section: Int?
      if text.hasSuffix("*") {
        isExtended = true
        text.removeLast()
      }
      if let star = text.lastIndex(of: "*") {
        if let number = Int(text[text.index(after: star)...]), (0...9999).contains(number) { section = number }
        text = String(text[..<star])
      }
      return RawParameter(name: text, section: section, isExtended: isExtended, value: value)
    }

    private mutating func readParameterValue(hasComments: Bool) -> [UInt8] {
      guard index < bytes.endIndex, bytes[index] == UInt8(ascii: "\"") else {
        return readUnquoted(hasComments: hasComments)
      }
      index += 1
      var content: [UInt8] = []
      while index < bytes.endIndex {
        let byte = bytes[index]
        index += 1
        if byte == UInt8(ascii: "\"") { return content }
        if byte == UInt8(ascii: "\\"), index < bytes.endIndex,
          bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "\\")
        {
          content.append(bytes[index])
          index += 1
        } else if byte == UInt8.lineFeed || byte == UInt8.carriageReturn {
          continue
        } else {
          content.append(byte)
        }
      }
      return content
    }

    private mutating func readUnquoted(hasComments: Bool) -> [UInt8] {
      var content: [UInt8] = []
      while index < bytes.endIndex {
        let byte = bytes[index]
        if byte == UInt8(ascii: ";") || (byte.isMailWhitespace && isParameter(after: index)) { break }
        if hasComments, byte == UInt8(ascii: "("), content.isEmpty || content.last == UInt8.space {
          skipComment()
          continue
        }
        content.append(byte.isMailWhitespace ? UInt8.space : byte)
        index += 1
      }
      return Array(content[...].trimmingMailWhitespace)
    }

    /// Whether a parameter follows white space, so that a semicolon was forgotten.
    private func isParameter(after start: Int) -> Bool {
      var position = start + 1
      let limit = Swift.min(bytes.endIndex, position + 40)
      let nameStart = position
      while position < limit, bytes[position].isToken { position += 1 }
      return position > nameStart && position < limit && bytes[position] == UInt8(ascii: "=")
    }

    private mutating func skipWhitespace() {
      while index < bytes.endIndex, bytes[index].isMailWhitespace { index += 1 }
    }

    private mutating func skipSeparators() {
      while index < bytes.endIndex {
        if bytes[index] == UInt8(ascii: ";") || bytes[index].isMailWhitespace {
          index += 1
        } else if bytes[index] == UInt8(ascii: "(") {
          skipComment()
        } else if bytes[index] == UInt8(ascii: "=") || bytes[index] == UInt8(ascii: "\"") {
          index += 1
        } else {
          return
        }
      }
    }

    private mutating func skipComment() {
      var depth = 0
      while index < bytes.endIndex {
        let byte = bytes[index]
        index += 1
        if byte == UInt8(ascii: "\\") {
          index = Swift.min(index + 1, bytes.endIndex)
        } else if byte == UInt8(ascii: "(") {
          depth += 1
        } else if byte == UInt8(ascii: ")") {
          depth -= 1
          if depth <= 0 { return }
        }
      }
    }
  }
}
