/// A program that prints the secret it is asked for: a password manager.
public struct CommandSource: SecretSource {
  private let command: SecretCommand

  /// Creates the source.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments; `{name}` in an argument represents the secret's name. No shell.
  ///   - environment: The environment of this process, of which the program gets a part.
  ///   - timeout: The seconds it may take.
  public init(arguments: [String], environment: [String: String], timeout: Double = SecretCommand.standardTimeout) {
    command = SecretCommand(arguments: arguments, environment: environment, timeout: timeout)
  }

  /// The program.
  public var origin: SecretOrigin { SecretOrigin(.command, detail: command.program) }

  /// The output of the program for a name; a failure may mean that it does not know the name.
  public func find(_ name: SecretName) throws(SecretError) -> SecretFinding {
    do {
      let value = try command.run(name: name)
      return value.isEmpty ? .absent : .found(value)
    } catch {
      guard error.code == .command else { throw error }
      return .failed(error.message)
    }
  }
}
