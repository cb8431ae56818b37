/// The process's environment. An empty variable is as good as none.
public struct EnvironmentSource: SecretSource {
  private let environment: [String: String]

  /// Creates the source.
  public init(environment: [String: String]) {
    self.environment = environment
  }

  /// The environment.
  public var origin: SecretOrigin { SecretOrigin(.environment) }

  /// The variable of that name.
  public func find(_ name: SecretName) throws(SecretError) -> SecretFinding {
    guard let value = environment[name.text], !value.isEmpty else { return .absent }
    return .found(try SecureBytes(value))
  }

  /// Whether there is a variable of that name.
  public func has(_ name: SecretName) -> Bool? { environment[name.text].map { !$0.isEmpty } ?? false }
}
