/// Gives the access tokens of accounts that somebody has signed in to.
public protocol TokenSource: Sendable {
  /// An access token that is good for minutes to come. May block for seconds: it may have to be fetched.
  ///
  /// - Throws: ``SecretError`` where nobody is signed in, or the server refuses.
  func accessToken(of account: String) throws(SecretError) -> SecureBytes
}
