import CIsolation
public import Localization

/// How far this system can keep plugins apart.
public enum IsolationSupport {
  /// A fence that worker processes need and that not every kernel has.
  public enum Fence: String, Sendable, CaseIterable {
    /// No sockets, programs, processes, signals, shared memory, watching of files (seccomp).
    case systemCalls = "system_calls"
    /// No files but those that manifest and settings name (Landlock, Linux 5.13; to write in them 5.19).
    case files
    /// No signals to other processes by way of threads and no abstract sockets (Landlock version 6, Linux 6.12).
    case scopes
  }

  /// Whether system calls of workers are filtered: sockets, programs, processes, signals to others.
  ///
  /// Without that everything else holds, but a plugin that means harm can start programs and open connections.
  public static var filtersSystemCalls: Bool { isolation_can_filter() == 0 }

  /// The version of Landlock that the kernel has; 0 for none.
  public static var domainVersion: Int { Int(isolation_domain_version()) }

  /// The first version of Landlock with which a worker's files are fenced; see `FileFence`.
  static func leastVersion(forWriting isWriting: Bool) -> Int32 { isWriting ? 2 : 1 }

  /// The fences that this kernel lacks.
  public static var missing: [Fence] {
    missing(filtersSystemCalls: filtersSystemCalls, domainVersion: domainVersion)
  }

  /// The fences that a kernel lacks.
  static func missing(filtersSystemCalls: Bool, domainVersion: Int) -> [Fence] {
    var missing: [Fence] = []
    if !filtersSystemCalls { missing.append(.systemCalls) }
    if domainVersion < Int(leastVersion(forWriting: true)) { missing.append(.files) }
    // The filter of system calls refuses the same: signals by their numbers, and sockets.
    if domainVersion < 6, !filtersSystemCalls { missing.append(.scopes) }
    return missing
  }
}

extension IsolationSupport.Fence {
  /// What a plugin can do that means harm, as the kernel lacks the fence.
  public var lack: LocalizedText {
    switch self {
    case .systemCalls:
      LocalizedText(
        "this kernel has no filter of system calls (seccomp): a plugin can open connections and run programs",
        de:
          "dieser Kern hat keinen Filter für Systemaufrufe (seccomp): Ein Plugin kann Verbindungen öffnen und Programme starten"
      )
    case .files:
      LocalizedText(
        "this kernel does not fence files (Landlock, Linux 5.19): a plugin can read and write what the user may",
        de:
          "dieser Kern grenzt Dateien nicht ab (Landlock, Linux 5.19): Ein Plugin kann lesen und schreiben, was der Benutzer darf"
      )
    case .scopes:
      LocalizedText(
        "this kernel does not fence signals and abstract sockets (Landlock, Linux 6.12)",
        de: "dieser Kern grenzt Signale und abstrakte Sockets nicht ab (Landlock, Linux 6.12)")
    }
  }
}
