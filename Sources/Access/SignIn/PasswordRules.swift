internal import Foundation

/// Which passwords are accepted: length counts, not the kinds of characters (NIST SP 800-63B, section 5.1.1.2).
public enum PasswordRules {
  /// The fewest characters.
  public static let leastCharacters = 10
  /// The most bytes in UTF-8.
  public static let mostBytes = 1024

  /// Refuses a password that is too short, too long or equal to the user name.
  ///
  /// - Throws: ``AccessError``: `weak_password`.
  public static func check(_ password: String, user: String) throws(AccessError) {
    guard password.count >= leastCharacters else {
      throw AccessError(
        .weakPassword, "a password has at least \(leastCharacters) characters",
        de: "ein Passwort hat mindestens \(leastCharacters) Zeichen")
    }
    guard password.utf8.count <= mostBytes else {
      throw AccessError(
        .weakPassword, "a password has at most \(mostBytes) bytes", de: "ein Passwort hat höchstens \(mostBytes) Bytes")
    }
    guard password.lowercased() != user.lowercased() else {
      throw AccessError(
        .weakPassword, "the password is the user name; choose another one",
        de: "das Passwort ist der Benutzername; ein anderes wählen")
    }
  }
}
