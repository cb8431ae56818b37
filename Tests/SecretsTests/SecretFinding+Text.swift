@testable import Secrets

extension SecretFinding {
  /// The value that was found, as a text.
  var text: String? {
    if case .found(let bytes) = self { bytes.text } else { nil }
  }
}

/// A name that is known to be one.
func name(_ text: String) throws -> SecretName { try SecretName(checking: text) }

/// The bytes of hexadecimal digits.
func bytes(hex: String) -> [UInt8] {
  var bytes: [UInt8] = []
  var digits = hex.makeIterator()
  while let high = digits.next()?.hexDigitValue, let low = digits.next()?.hexDigitValue {
    bytes.append(UInt8(high << 4 | low))
  }
  return bytes
}
