/// A source that is asked only while a gate allows it: the user may trust the folder that names it, or change what it runs,
/// while this process runs.
public struct GatedSource: SecretSource {
  /// Throws the reason if the source must not be asked.
  public typealias Gate = @Sendable () throws(SecretError) -> Void

  private let base: any SecretSource
  private let gate: Gate

  /// Creates a source behind a gate.
  public init(_ base: any SecretSource, gate: @escaping Gate) {
    self.base = base
    self.gate = gate
  }

  /// Where this is.
  public var origin: SecretOrigin { base.origin }

  /// Asks the source. If the gate refuses, the next source is asked, and the reason is reported if none has the secret.
  public func find(_ name: SecretName) throws(SecretError) -> SecretFinding {
    do { try gate() } catch { return .refused(error.message) }
    return try base.find(name)
  }

  /// The names; `nil` if the gate refuses.
  public func names() throws(SecretError) -> [SecretName]? { isOpen ? try base.names() : nil }

  /// `nil` if the gate refuses: only asking would show it.
  public func has(_ name: SecretName) throws(SecretError) -> Bool? { isOpen ? try base.has(name) : nil }

  private var isOpen: Bool { (try? gate()) != nil }
}
