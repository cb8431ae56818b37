import Localization

extension SourceText {
  /// What keeps the bytes from being read as UTF-8 text; `nil` where nothing does.
  func encodingProblem(limits: YAMLLimits) -> Diagnostic? {
    if bytes.count > limits.size { return Self.tooLarge(path, limit: limits.size) }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      return Diagnostic(
        .fileEncoding,
        LocalizedText(
          "the file is UTF-16; save it as UTF-8", de: "die Datei ist UTF-16; speichere sie als UTF-8"),
        path: path, range: nil)
    }
    guard let offset = firstUnreadableOffset() else { return nil }
    let byte = bytes[offset]
    let range = range(offset..<offset + 1)
    if byte < 0x80 || byte == 0xC2 {
      let code = byte == 0xC2 && offset + 1 < bytes.count ? bytes[offset + 1] : byte
      let name = "U+00" + (code < 16 ? "0" : "") + String(code, radix: 16, uppercase: true)
      return Diagnostic(
        .fileEncoding,
        LocalizedText(
          "the control character \(name) is not allowed; write it as an escape in double quotes",
          de: "das Steuerzeichen \(name) ist nicht erlaubt; als Escape in doppelte Anführungszeichen schreiben"),
        path: path, range: range)
    }
    return Diagnostic(
      .fileEncoding,
      LocalizedText("the file is not valid UTF-8 here", de: "die Datei ist hier kein gültiges UTF-8"),
      path: path, range: range)
  }

  /// The first byte that is no UTF-8 (RFC 3629) or no character that YAML 1.2.2, section 5.1, allows.
  private func firstUnreadableOffset() -> Int? {
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      if lead < 0x80 {
        let isAllowed = (lead >= 0x20 && lead != 0x7F) || lead == 0x09 || lead == 0x0A || lead == 0x0D
        if !isAllowed { return index }
        index += 1
        continue
      }
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch lead {
      case 0xC2...0xDF: length = 2
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: length = 3
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF1...0xF3: length = 4
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      default: return index
      }
      guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return index }
      for offset in 2..<max(length, 2) where bytes[index + offset] & 0xC0 != 0x80 { return index }
      // U+0080 to U+009F but U+0085 are control characters.
      if lead == 0xC2, bytes[index + 1] < 0xA0, bytes[index + 1] != 0x85 { return index }
      index += length
    }
    return nil
  }
}
