import Access
import Expressions

/// The proof of who a caller is. It is read again while a stream or a call goes on: a token can be removed meanwhile, and a user
/// can be disabled or lose a role.
enum Credential: Sendable {
  /// The text of a token.
  case token(String)
  /// The secret of a browser's session.
  case session(String)
  /// A caller whose rights do not change while the process lives: that of the local socket, or of standard input.
  case fixed(Actor)

  /// The caller with the rights that it has now. Does not count as a use of the token or the session.
  ///
  /// - Throws: ``AccessError`` if the proof is not valid any more, or cannot be read: a caller whose rights are not known has
  ///   none.
  func actor(in access: AccessStore, now: Timestamp) throws(AccessError) -> Actor {
    switch self {
    case .token(let text): try access.actor(token: text, isUse: false, now: now)
    case .session(let secret): try access.actor(session: secret, isUse: false, now: now).actor
    case .fixed(let actor): actor
    }
  }
}
