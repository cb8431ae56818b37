internal import Glibc

/// A look at a process number, see proc_pid_stat(5).
public enum ProcessSight: Sendable, Equatable {
  /// No process has the number, or only a zombie has it.
  case absent
  /// There is one, of which nothing else can be known.
  case hidden
  /// There is one that began then, in clock ticks since the machine started.
  case began(Int64)

  /// When it began; `nil` if that is not known.
  public var startTicks: Int64? { if case .began(let ticks) = self { ticks } else { nil } }

  /// Where the kernel lists processes.
  public static let folder = "/proc"

  /// Looks at a process.
  ///
  /// A process is not yet a zombie while one of its threads works, even if its first thread has ended: what that thread is about to
  /// write is still written. A process that keeps secrets cannot be read; it is hidden if `/proc` is mounted with `hidepid`, see
  /// proc(5).
  ///
  /// - Parameters:
  ///   - pid: The process number.
  ///   - folder: Where the kernel lists processes.
  public init(of pid: Int, in folder: String = folder) {
    guard let number = pid_t(exactly: pid), number > 0 else {
      self = .absent
      return
    }
    guard let text = KernelFile.text(of: "\(folder)/\(pid)/stat") else {
      self = kill(number, 0) != 0 && errno == ESRCH ? .absent : .hidden
      return
    }
    self = Self(stat: text)
  }

  private init(stat text: String) {
    // The second field is the command in parentheses and may itself hold spaces and parentheses.
    let fields = text.lastIndex(of: ")").map { text[text.index(after: $0)...].split(separator: " ") } ?? []
    guard fields.count > 19, let ticks = Int64(fields[19]) else {
      self = .hidden
      return
    }
    let isGone = fields[0] == "X" || fields[0] == "Z" && Int(fields[17]) ?? 1 <= 1
    self = isGone ? .absent : .began(ticks)
  }
}
