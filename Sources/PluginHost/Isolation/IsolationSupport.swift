import CIsolation
public import Localization
import PluginBoundary

/// How far this system can keep plugins apart.
public enum IsolationSupport {
  /// A restriction of worker processes that not every kernel supports.
  public enum Fence: String, Sendable, CaseIterable {
    /// Forbids sockets, programs, processes, signals, shared memory and watching files (seccomp).
    case systemCalls = "system_calls"
    /// Forbids all files that neither manifest nor settings name (Landlock: Linux 5.13, with write access 5.19).
    case files
    /// Forbids signals to other processes and abstract sockets (Landlock version 6, Linux 6.12).
    case scopes
  }

  /// Whether system calls of workers are filtered: sockets, programs, processes, signals to others.
  ///
  /// Without that everything else holds, but a plugin that means harm can start programs and open connections.
  public static var filtersSystemCalls: Bool { isolation_can_filter() == 0 }

  /// The version of Landlock that the kernel has; 0 for none.
  public static var domainVersion: Int { Int(isolation_domain_version()) }

  /// The fences that this kernel lacks.
  public static var missing: [Fence] {
    missing(filtersSystemCalls: filtersSystemCalls, domainVersion: domainVersion)
  }

  /// The fences that a kernel lacks.
  static func missing(filtersSystemCalls: Bool, domainVersion: Int) -> [Fence] {
    var missing: [Fence] = []
    if !filtersSystemCalls { missing.append(.systemCalls) }
    if domainVersion < WorkerPlace.leastDomainVersion(forWriting: true) { missing.append(.files) }
    // The filter of system calls refuses the same: signals by their numbers, and sockets.
    if domainVersion < 6, !filtersSystemCalls { missing.append(.scopes) }
    return missing
  }
}

extension IsolationSupport.Fence {
  /// The harm that a malicious plugin can do without this restriction.
  public var lack: LocalizedText {
    switch self {
    case .systemCalls:
      LocalizedText(
        "this kernel cannot filter system calls (seccomp): a plugin can open connections and run programs",
        de:
          "dieser Kernel kann Systemaufrufe nicht filtern (seccomp): Ein Plugin kann Verbindungen öffnen und Programme starten"
      )
    case .files:
      LocalizedText(
        "this kernel cannot restrict files (Landlock, Linux 5.19): a plugin can read and write all files of the user",
        de:
          "dieser Kernel kann Dateien nicht abgrenzen (Landlock, Linux 5.19): Ein Plugin kann alle Dateien des Benutzers lesen "
          + "und schreiben"
      )
    case .scopes:
      LocalizedText(
        "this kernel cannot restrict signals and abstract sockets (Landlock, Linux 6.12): a plugin can reach other processes",
        de:
          "dieser Kernel kann Signale und abstrakte Sockets nicht abgrenzen (Landlock, Linux 6.12): Ein Plugin kann andere "
          + "Prozesse erreichen")
    }
  }
}
