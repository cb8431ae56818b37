import CIsolation

/// Keeps workers of the same user out of the host's memory and environment.
enum HostProtection {
  private static let isHidden: Bool = isolation_hide_process() == 0

  /// Hides this process; from then on it writes no core files, and debuggers of the same user cannot attach.
  static func begin() { _ = isHidden }
}
