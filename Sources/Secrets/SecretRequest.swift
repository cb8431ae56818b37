/// A secret that a setting asks for: by name from the first source that has it, or from one source.
public enum SecretRequest: Sendable, Hashable {
  /// By name, from the sources in order.
  case named(SecretName)
  /// A variable of the environment.
  case environment(String)
  /// The whole of a file, or with a name the line `NAME=VALUE` of one.
  case file(String, line: SecretName?)
  /// The output of a program; the program and its arguments.
  case command([String])
  /// The access token of an account.
  case account(String)
}
