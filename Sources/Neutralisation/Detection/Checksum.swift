/// The check digits of numbers that name people and accounts. Each takes the digits, or letters too, without separators.
enum Checksum {
  /// ISO 7064 MOD 97-10, as an IBAN has it (ISO 13616).
  static func iban(_ text: [UInt8]) -> Bool {
    guard text.count >= 15, text.count <= 34 else { return false }
    var rest = 0
    for byte in text[4...] + text[..<4] {
      switch byte {
      case 0x30...0x39: rest = (rest * 10 + Int(byte - 0x30)) % 97
      case 0x41...0x5A: rest = (rest * 100 + Int(byte - 0x41) + 10) % 97
      case 0x61...0x7A: rest = (rest * 100 + Int(byte - 0x61) + 10) % 97
      default: return false
      }
    }
    return rest == 1
  }

  /// Luhn's formula (ISO/IEC 7812-1, annex B).
  static func card(_ digits: [Int]) -> Bool {
    guard (12...19).contains(digits.count), let first = digits.first, (1...6).contains(first) else { return false }
    // JCB; Maestro.
    if first == 1, digits.count != 15 || !digits.starts(with: [1, 8, 0, 0]) { return false }
    if digits.count == 12, ![50, 56, 57, 58, 63, 67].contains(first * 10 + digits[1]) { return false }
    let sum = digits.reversed().enumerated().reduce(0) { sum, entry in
      let doubled = entry.offset % 2 == 1 ? entry.element * 2 : entry.element
      return sum + (doubled > 9 ? doubled - 9 : doubled)
    }
    return sum % 10 == 0
  }

  /// EAN-13, as the AHV number has it; begins with 756.
  static func ahv(_ digits: [Int]) -> Bool {
    guard digits.count == 13, digits.starts(with: [7, 5, 6]) else { return false }
    let sum = digits.enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 1 : 3) }
    return sum % 10 == 0
  }

  /// ISO 7064 MOD 11,10, as the German tax identification number has it.
  static func germanTax(_ digits: [Int]) -> Bool {
    guard digits.count == 11, digits[0] != 0 else { return false }
    var product = 10
    for digit in digits[..<10] {
      var sum = (digit + product) % 10
      if sum == 0 { sum = 10 }
      product = sum * 2 % 11
    }
    let check = 11 - product
    return digits[10] == (check == 10 ? 0 : check)
  }

  /// The Austrian social insurance number: the fourth digit checks the others.
  static func austrianSocial(_ digits: [Int]) -> Bool {
    guard digits.count == 10, digits[0] != 0 else { return false }
    let weights = [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]
    let day = digits[4] * 10 + digits[5]
    let month = digits[6] * 10 + digits[7]
    guard (1...31).contains(day), (1...15).contains(month) else { return false }
    return zip(digits, weights).reduce(0) { $0 + $1.0 * $1.1 } % 11 == digits[3]
  }

  /// The German social insurance number: the letter is two digits, and the last digit checks all (VKVV, § 4).
  static func germanSocial(_ text: [UInt8]) -> Bool {
    guard text.count == 12, (0x41...0x5A).contains(text[8] & 0xDF) else { return false }
    let letter = Int(text[8] & 0xDF) - 0x40
    let digits =
      text[..<8].map { Int($0) - 0x30 } + [letter / 10, letter % 10] + text[9...].map { Int($0) - 0x30 }
    guard digits.allSatisfy({ (0...9).contains($0) }) else { return false }
    let weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1]
    let sum = zip(digits, weights).reduce(0) { sum, pair in
      let product = pair.0 * pair.1
      return sum + product / 10 + product % 10
    }
    return sum % 10 == digits[12]
  }
}
