/// Leave to call a provider once; see ``ProviderDirectory/admit(to:)``.
public struct Admission: Sendable {
  private let release: (@Sendable () -> Void)?

  /// Leave to call a provider that has no limits.
  public static let free = Admission(release: nil)

  /// Creates leave.
  ///
  /// - Parameter release: Called when the call is over, so that the next one may begin; `nil` for nothing.
  public init(release: (@Sendable () -> Void)?) {
    self.release = release
  }

  /// Says that the call is over. To be called once.
  public func end() { release?() }
}
