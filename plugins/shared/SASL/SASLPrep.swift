/// Prepares user names and passwords, so that both sides hash the same bytes (SASLprep, RFC 4013).
///
/// Characters are told apart by today's Unicode, not by that of 2002 (3.2), which RFC 4013 names: what has been assigned
/// since is let through, as servers do.
enum SASLPrep {
  /// The prepared text.
  ///
  /// - Returns: `nil` for an empty text, and for one with characters that may not occur there: control, private use,
  ///   surrogates, non-characters, or right-to-left text mixed with left-to-right (RFC 3454, section 6).
  static func prepared(_ text: String) -> String? {
    // Most are printable ASCII, which stays as it is.
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text.isEmpty ? nil : text }
    var mapped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !isMappedToNothing(scalar) {
      mapped.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
    }
    let normal = UnicodeForm.compatibilityComposed.of(String(mapped))
    guard !normal.isEmpty, !normal.unicodeScalars.contains(where: isProhibited), isDirectionClear(normal) else {
      return nil
    }
    return normal
  }

  /// RFC 3454, table B.1.
  private static func isMappedToNothing(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x34F, 0x1806, 0x180B...0x180D, 0x200B...0x200D, 0x2060, 0xFE00...0xFE0F, 0xFEFF: true
    default: false
    }
  }

  /// RFC 3454, tables C.2 to C.9.
  private static func isProhibited(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .privateUse, .surrogate, .lineSeparator, .paragraphSeparator: return true
    case .format:
      // C.2.2, C.8 and C.9; other format characters are letters' company in some scripts.
      return scalar.value == 0x6DD || scalar.value == 0x70F || scalar.value == 0x180E
        || (0x200E...0x200F).contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
        || (0x2061...0x206F).contains(scalar.value) || (0xFFF9...0xFFFB).contains(scalar.value)
        || (0x1D173...0x1D17A).contains(scalar.value) || (0xE0000...0xE007F).contains(scalar.value)
    default:
      return scalar.properties.isNoncharacterCodePoint || (0xFFFC...0xFFFD).contains(scalar.value)
        || (0x2FF0...0x2FFB).contains(scalar.value) || (0x340...0x341).contains(scalar.value)
    }
  }

  /// RFC 3454, section 6: with a right-to-left letter, none from left to right, and it begins and ends with one.
  private static func isDirectionClear(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    guard scalars.contains(where: isRightToLeft) else { return true }
    guard let first = scalars.first, let last = scalars.last, isRightToLeft(first), isRightToLeft(last) else {
      return false
    }
    return !scalars.contains { !isRightToLeft($0) && $0.properties.isAlphabetic }
  }

  /// The scripts of table D.1.
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.properties.isAlphabetic else { return false }
    return (0x590...0x8FF).contains(scalar.value) || (0xFB1D...0xFDFF).contains(scalar.value)
      || (0xFE70...0xFEFC).contains(scalar.value) || (0x10800...0x10FFF).contains(scalar.value)
      || (0x1E800...0x1EFFF).contains(scalar.value)
  }
}
