import Localization

/// Reads `NAME=VALUE` lines.
///
/// Blank lines and those that begin with `#` are skipped, `export` may occur in front. A value in single quotes is taken as it
/// is; in double quotes `\n`, `\r`, `\t`, `\"`, `\\` and `\$` are what they are elsewhere; a bare one goes to the end of its
/// line, without the blanks around it. Nothing is ever substituted.
struct AssignmentLines {
  /// The names with the bytes of their values, in the order of the file.
  private(set) var entries: [(name: SecretName, value: SecureBytes)] = []

  /// Reads a file's bytes.
  ///
  /// - Throws: ``SecretError/Code/fileInvalid`` with the line's number, and nothing of what is there.
  init(_ bytes: SecureBytes, path: String) throws(SecretError) {
    var start = bytes.withBytes { $0.starts(with: [0xEF, 0xBB, 0xBF]) } ? 3 : 0
    var number = 0
    while start < bytes.count {
      let end = bytes.withBytes { $0[start...].firstIndex(of: UInt8(ascii: "\n")) ?? $0.count }
      number += 1
      do {
        try bytes.withBytes { bytes throws(Problem) in
          try read(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        }
      } catch {
        throw SecretError(
          .fileInvalid, LocalizedText(verbatim: "\(path):\(number): ") + error.message)
      }
      start = end + 1
    }
  }

  private struct Problem: Error {
    let message: LocalizedText
  }

  private mutating func read(_ line: UnsafeRawBufferPointer) throws(Problem) {
    var rest = AssignmentLines.trimmed(line[...])
    guard let first = rest.first, first != UInt8(ascii: "#") else { return }
    let export = Array("export".utf8)
    if rest.starts(with: export), rest.count > export.count, AssignmentLines.isBlank(rest[rest.startIndex + 6]) {
      rest = AssignmentLines.trimmed(rest.dropFirst(export.count))
    }
    guard let sign = rest.firstIndex(of: UInt8(ascii: "=")),
      let text = String(validating: AssignmentLines.trimmed(rest[..<sign]), as: UTF8.self), let name = SecretName(text)
    else {
      throw Problem(
        message: LocalizedText(
          "the line is not NAME=VALUE (a comment begins with '#')",
          de: "die Zeile ist kein NAME=WERT (ein Kommentar beginnt mit '#')"))
    }
    guard !entries.contains(where: { $0.name == name }) else {
      throw Problem(
        message: LocalizedText("'\(name)' is there twice", de: "'\(name)' steht zweimal da"))
    }
    let value = AssignmentLines.trimmed(rest[(sign + 1)...])
    do {
      entries.append((name, try SecureBytes(capacity: value.count) { AssignmentLines.unquote(value, into: $0) }))
    } catch {
      throw Problem(message: error.message)
    }
    guard entries.last?.value.count ?? 0 <= SecretLimits.value else {
      throw Problem(
        message: LocalizedText("the value is too long", de: "der Wert ist zu lang"))
    }
  }

  private static func unquote(_ value: Slice<UnsafeRawBufferPointer>, into memory: UnsafeMutableRawBufferPointer) -> Int
  {
    guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"), value.count >= 2,
      value.last == quote
    else {
      memory.copyBytes(from: value)
      return value.count
    }
    var count = 0
    var isEscaped = false
    for byte in value.dropFirst().dropLast() {
      if isEscaped {
        isEscaped = false
        let plain: UInt8? =
          switch byte {
          case UInt8(ascii: "n"): 0x0A
          case UInt8(ascii: "r"): 0x0D
          case UInt8(ascii: "t"): 0x09
          case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"): byte
          default: nil
          }
        if plain == nil {
          memory[count] = UInt8(ascii: "\\")
          count += 1
        }
        memory[count] = plain ?? byte
        count += 1
      } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        isEscaped = true
      } else {
        memory[count] = byte
        count += 1
      }
    }
    return count
  }

  private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    var bytes = bytes.drop(while: isBlank)
    while let last = bytes.last, isBlank(last) { bytes = bytes.dropLast() }
    return bytes
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
