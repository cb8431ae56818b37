import CIsolation

/// How far this system can keep plugins apart.
public enum IsolationSupport {
  /// Whether system calls of workers are filtered: sockets, programs, processes, signals to others.
  ///
  /// Without that everything else holds, but a plugin that means harm can start programs and open connections.
  public static var filtersSystemCalls: Bool { isolation_can_filter() == 0 }
}
