/// How a body was made fit for transport (RFC 2045 §6).
enum TransferEncoding: Sendable {
  case identity
  case quotedPrintable
  case base64
  case uuencode
  case unknown

  init(name: String) {
    switch name.lowercased() {
    case "base64", "b64", "base-64": self = .base64
    case "quoted-printable", "quotedprintable", "qp": self = .quotedPrintable
    case "", "7bit", "8bit", "binary", "7-bit", "8-bit", "7bits", "8bits", "7 bit", "8 bit", "none": self = .identity
    case "x-uuencode", "uuencode", "x-uue", "uue", "x-uu": self = .uuencode
    default: self = .unknown
    }
  }
}
