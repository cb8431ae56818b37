/// Gives the access tokens of signed-in accounts.
public protocol TokenSource: Sendable {
  /// An access token that is good for minutes to come. May block for seconds: it may have to be fetched.
  ///
  /// - Throws: ``SecretError`` if no user is signed in, or the server refuses.
  func accessToken(of account: String) throws(SecretError) -> SecureBytes
}
