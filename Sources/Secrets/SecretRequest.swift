/// What a setting asks for: a secret by name, of whatever source has it, or one of a certain place.
public enum SecretRequest: Sendable, Hashable {
  /// By name, from the sources in order.
  case named(SecretName)
  /// A variable of the environment.
  case environment(String)
  /// The whole of a file, or with a name the line `NAME=VALUE` of one.
  case file(String, line: SecretName?)
  /// What a program prints; the program and its arguments.
  case command([String])
  /// The access token of an account.
  case account(String)
}
