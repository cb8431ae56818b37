/// The times and costs of sign-in, in seconds.
public struct AccessLimits: Sendable, Hashable {
  /// A session ends if it was not used for this long.
  public var sessionIdle: Double
  /// A session ends at this age.
  public var sessionAge: Double
  /// The last use of a session or token is written at most this often.
  public var useInterval: Double
  /// A code of a device expires at this age.
  public var deviceAge: Double
  /// The token of a device expires at this age; the device is let in again then.
  public var deviceTokenAge: Double
  /// A device asks this often at most.
  public var deviceInterval: Double
  /// The answer to a request is kept for repetitions for this long.
  public var requestAge: Double
  /// The cost of new passwords.
  public var passwordCost: PasswordCost

  /// Creates limits.
  public init(
    sessionIdle: Double = 8 * 3600, sessionAge: Double = 30 * 86_400, useInterval: Double = 60, deviceAge: Double = 600,
    deviceTokenAge: Double = 180 * 86_400, deviceInterval: Double = 5, requestAge: Double = 86_400,
    passwordCost: PasswordCost = .standard
  ) {
    (self.sessionIdle, self.sessionAge, self.useInterval) = (sessionIdle, sessionAge, useInterval)
    (self.deviceAge, self.deviceTokenAge) = (deviceAge, deviceTokenAge)
    (self.deviceInterval, self.requestAge) = (deviceInterval, requestAge)
    self.passwordCost = passwordCost
  }

  /// The usual ones.
  public static let standard = AccessLimits()
}
