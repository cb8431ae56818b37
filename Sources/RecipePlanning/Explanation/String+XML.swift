extension String {
  /// The text in XML 1.0: markup and line breaks become entities, characters that XML does not have become spaces.
  package var xmlText: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\n": text += "&#10;"
      default:
        let isForbidden = scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF
        text.unicodeScalars.append(isForbidden ? " " : scalar)
      }
    }
    return text
  }
}
