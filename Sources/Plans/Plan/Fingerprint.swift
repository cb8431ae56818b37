import Hashing

/// Versions of recipes.
public enum Fingerprint {
  /// The version of a recipe's text: the first 16 lowercase hexadecimal digits of its SHA-256.
  public static func version(of text: [UInt8]) -> String { String(ContentHash.hexadecimal(of: text).prefix(16)) }
}

extension Plan {
  /// The version of the recipe's text, see ``Fingerprint/version(of:)``; empty if the plan has no source.
  public var sourceVersion: String { source.map { Fingerprint.version(of: Array($0.utf8)) } ?? "" }
}
