/// Why the host did not do something: what its functions answer besides `SOUS_OK`.
package enum HostRefusal: UInt32, Error {
  case absent = 1
  case refused = 2
  case conflict = 3
  case tooLarge = 4
  case failed = 5
  /// The host does not offer the capability.
  case missing = 0xFFFF_FFFF

  /// Checks an answer of the host; throws unless it is `SOUS_OK`.
  static func check(_ answer: UInt32) throws(HostRefusal) {
    if answer != 0 { throw HostRefusal(rawValue: answer) ?? .failed }
  }
}

extension ActionError {
  /// The error for a refusal of something that a plugin named.
  init(_ refusal: HostRefusal, _ capability: String, _ name: String) {
    switch refusal {
    case .missing: self = .missing(capability)
    case .absent:
      self.init(.notFound, "There is no '\(name)'.", german: "'\(name)' gibt es nicht.")
    case .refused:
      self.init(
        .auth, "This provider may not have '\(name)'.", german: "Dieser Provider darf '\(name)' nicht haben.")
    case .conflict:
      self.init(
        .io, "'\(name)' has been changed by somebody else meanwhile.",
        german: "'\(name)' wurde inzwischen von anderer Seite geändert.")
    case .tooLarge:
      self.init(.invalidInput, "'\(name)' is too large.", german: "'\(name)' ist zu groß.")
    case .failed:
      self.init(
        .io, "The host could not work with '\(name)'; its log says why.",
        german: "Der Host konnte '\(name)' nicht bearbeiten; warum, steht in seinem Protokoll.")
    }
  }
}
