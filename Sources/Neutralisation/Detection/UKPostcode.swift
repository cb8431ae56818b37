/// Post codes of Great Britain: "SW1A 1AA".
enum UKPostcode {
  private static let shapes = ["AA9A 9AA", "AA99 9AA", "A9A 9AA", "AA9 9AA", "A99 9AA", "A9 9AA"]

  /// The next nine bytes of a text at most, as long as they can belong to a post code: "A" for a letter, "9" for a digit.
  ///
  /// - Parameter letters: The letters that count, all of one case.
  static func shape(of bytes: UnsafeBufferPointer<UInt8>, from start: Int, letters: ClosedRange<UInt8>) -> String {
    var shape = ""
    for byte in bytes[start...].prefix(9) {
      switch byte {
      case letters: shape += "A"
      case 0x30...0x39: shape += "9"
      case 0x20: shape += " "
      default: return shape
      }
    }
    return shape
  }

  /// How many bytes the code takes that a shape begins with; `nil` if it begins with none, or goes on without a blank.
  static func length(of shape: String) -> Int? {
    shapes.first { shape.hasPrefix($0) && [nil, " "].contains(shape.dropFirst($0.utf8.count).first) }?.utf8.count
  }
}
