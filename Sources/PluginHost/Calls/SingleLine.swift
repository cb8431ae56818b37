extension String {
  /// The text in one line that a terminal shows as it is: line breaks and tabs become spaces, other control characters
  /// `\u{1B}`, and what exceeds a number of bytes is cut off.
  ///
  /// Plugins must not be able to forge lines of a log or to move the cursor of a terminal.
  func singleLine(limit: Int) -> String {
    let isPlain = utf8.count <= limit && unicodeScalars.allSatisfy { !String.isControl($0) }
    if isPlain { return self }
    var line = ""
    for scalar in unicodeScalars {
      let piece: String
      switch scalar.value {
      case 0x09...0x0d, 0x85, 0x2028, 0x2029: piece = " "
      case _ where String.isControl(scalar): piece = "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: piece = String(scalar)
      }
      if line.utf8.count + piece.utf8.count > limit { break }
      line += piece
    }
    return line
  }

  /// C0, DEL, C1, the separators of lines and paragraphs, and what turns the direction of writing round.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1f, 0x7f...0x9f, 0x2028, 0x2029, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
