/// The code that a person types to let a device in (RFC 8628, section 6.1): `WDJB-MJHT`.
enum UserCode {
  /// Without vowels no word can arise.
  private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ")

  static func make() throws(AccessError) -> String {
    var letters = ""
    while letters.count < 8 {
      // 240 is the largest multiple of 20 in a byte: every letter is equally likely.
      for byte in try RandomBytes.make(16) where byte < 240 && letters.count < 8 {
        letters.append(alphabet[Int(byte) % alphabet.count])
      }
    }
    return letters.prefix(4) + "-" + letters.suffix(4)
  }

  /// The code in the form that is stored: typed in lower case, without the hyphen or with blanks, it is the same code. `nil`
  /// if the text cannot be a code.
  static func normalized(_ text: String) -> String? {
    guard text.utf8.count <= 64 else { return nil }
    let letters = text.uppercased().filter { $0 != "-" && !$0.isWhitespace }
    guard letters.count == 8, letters.allSatisfy(alphabet.contains) else { return nil }
    return letters.prefix(4) + "-" + letters.suffix(4)
  }
}
