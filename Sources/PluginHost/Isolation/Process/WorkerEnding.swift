import Engine
import Foundation
import Localization

/// How a worker process ended, and why, if that is known.
struct WorkerEnding: Sendable, Equatable {
  /// Why the host ended it.
  enum Reason: Sendable, Equatable {
    /// It held more memory than it may, in bytes.
    case memory
    /// Its calls took more processor time than they may.
    case processorTime
    case threads
    /// It used too much processor time without a call.
    case idleTime
    /// Its temporary folder exceeded the limit.
    case temporaryFiles
    /// `start` did not return.
    case hangs(action: String)
    /// A cancelled call did not end.
    case ignoresCancel(action: String)
    /// It did not get ready, or ended, in time.
    case slow
    /// It does not read what it is sent.
    case deaf
    case violation(String)
    /// The provider was closed, or a new worker replaces this one.
    case closed
  }

  enum Status: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)
    case unknown
  }

  var reason: Reason?
  var status: Status
  /// The most memory it ever held in bytes; 0 if that is not known.
  var peakMemory: UInt64 = 0
  /// Its last words on standard error, masked, in one line.
  var lastWords = ""

  /// The failure of a call that was going on when the worker ended.
  ///
  /// - Parameter action: The action of the call; `nil` if the worker had none.
  func failure(plugin: String, provider: String, action: String?, limits: IsolationLimits) -> ActionFailure {
    let kind: ActionFailure.Kind =
      switch reason {
      case .violation, .hangs(action): .protocol
      default: .crashed
      }
    let place =
      action.map { LocalizedText(" in '\($0)'", de: " bei '\($0)'") } ?? LocalizedText(verbatim: "")
    let subject =
      LocalizedText(
        "The plugin '\(plugin)' (provider '\(provider)')", de: "Das Plugin '\(plugin)' (Provider '\(provider)')")
    let words = lastWords.isEmpty ? "" : " (\(lastWords))"
    let (verb, remedy) = description(limits: limits, action: action)
    return ActionFailure(
      kind, subject + LocalizedText(verbatim: " ") + verb + place + LocalizedText(verbatim: words + "."),
      advice: remedy)
  }

  private func description(limits: IsolationLimits, action: String?) -> (LocalizedText, LocalizedText) {
    switch reason {
    case .memory:
      return memoryLimit(limits)
    case .processorTime:
      let seconds = limits.processorSeconds.formatted
      return (
        LocalizedText(
          "was ended: it used more than \(seconds) s of processor time",
          de: "wurde beendet: Es brauchte mehr als \(seconds) s Rechenzeit"),
        LocalizedText(
          "Give it less to do at once, or raise 'limits: { cpu: … }' of the provider in sous.yaml.",
          de: "Ihm weniger auf einmal geben oder 'limits: { cpu: … }' des Providers in sous.yaml erhöhen.")
      )
    case .idleTime:
      return (
        LocalizedText(
          "was ended: it used too much processor time without a call",
          de: "wurde beendet: Es brauchte zu viel Rechenzeit ohne einen Aufruf"), AnswerReader.reportAdvice
      )
    case .temporaryFiles:
      return (
        LocalizedText(
          "was ended: it kept more than \(limits.temporaryBytes.formattedBytes) of temporary files",
          de: "wurde beendet: Es hatte mehr als \(limits.temporaryBytes.formattedBytes) temporäre Dateien"),
        AnswerReader.reportAdvice
      )
    case .threads:
      return (
        LocalizedText(
          "was ended: it had more than \(limits.threads) threads",
          de: "wurde beendet: Es hatte mehr als \(limits.threads) Threads"),
        LocalizedText(
          "Raise 'limits: { threads: … }' of the provider in sous.yaml, or report this to the plugin's author.",
          de: "'limits: { threads: … }' des Providers in sous.yaml erhöhen oder es dem Autor des Plugins melden.")
      )
    case .hangs(let other):
      return (
        other == action
          ? LocalizedText(
            "broke the plugin protocol and was ended: 'start' did not return",
            de: "hat das Plugin-Protokoll verletzt und wurde beendet: 'start' kehrte nicht zurück")
          : LocalizedText(
            "was ended: its call '\(other)' hung", de: "wurde beendet: Sein Aufruf '\(other)' hing"),
        AnswerReader.reportAdvice
      )
    case .ignoresCancel(let other):
      return (
        LocalizedText(
          "was ended: its call '\(other)' did not end when it was cancelled",
          de: "wurde beendet: Sein Aufruf '\(other)' endete nicht, als er abgebrochen wurde"),
        AnswerReader.reportAdvice
      )
    case .slow:
      return (
        LocalizedText("was ended: it was not ready in time", de: "wurde beendet: Es war nicht rechtzeitig bereit"),
        AnswerReader.reportAdvice
      )
    case .deaf:
      return (
        LocalizedText(
          "was ended: it no longer read what it was sent",
          de: "wurde beendet: Es las nicht mehr, was ihm geschickt wurde"), AnswerReader.reportAdvice
      )
    case .violation(let what):
      return (
        LocalizedText(
          "broke the protocol of worker processes (\(what)) and was ended",
          de: "hat das Protokoll der Arbeitsprozesse verletzt (\(what)) und wurde beendet"), AnswerReader.reportAdvice
      )
    case .closed:
      return (LocalizedText("was shut down", de: "wurde beendet"), AnswerReader.reportAdvice)
    case nil:
      return crash(limits)
    }
  }

  /// The name of a signal: `SIGSEGV`.
  static func signalName(_ signal: Int32) -> String {
    let names: [Int32: String] = [
      SIGSEGV: "SIGSEGV (invalid memory access)", SIGABRT: "SIGABRT (abort)", SIGBUS: "SIGBUS (bus error)",
      SIGILL: "SIGILL (illegal instruction or Swift runtime error)", SIGFPE: "SIGFPE (arithmetic error)",
      SIGTRAP: "SIGTRAP (Swift runtime error)", SIGKILL: "SIGKILL (killed, for instance out of memory)",
      SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGSYS: "SIGSYS (forbidden system call)",
    ]
    return names[signal] ?? "signal \(signal)"
  }

  private func memoryLimit(_ limits: IsolationLimits) -> (LocalizedText, LocalizedText) {
    let size = limits.memory.formattedBytes
    return (
      LocalizedText(
        "was ended: it needed more than the \(size) of memory it may use",
        de: "wurde beendet: Es brauchte mehr als die \(size) Speicher, die es haben darf"),
      LocalizedText(
        "Give it less to do at once, or raise 'limits: { memory: … }' of the provider in sous.yaml.",
        de: "Ihm weniger auf einmal geben oder 'limits: { memory: … }' des Providers in sous.yaml erhöhen.")
    )
  }

  private func crash(_ limits: IsolationLimits) -> (LocalizedText, LocalizedText) {
    // An allocation that was refused mostly ends in a crash of some kind.
    if peakMemory >= limits.memory / 10 * 9 { return memoryLimit(limits) }
    switch status {
    case .exited(let status):
      return (
        LocalizedText("ended its process with status \(status)", de: "beendete seinen Prozess mit Status \(status)"),
        AnswerReader.reportAdvice
      )
    case .signalled(let signal):
      let name = Self.signalName(signal)
      return (LocalizedText("crashed with \(name)", de: "stürzte mit \(name) ab"), AnswerReader.reportAdvice)
    case .unknown:
      return (LocalizedText("ended its process", de: "beendete seinen Prozess"), AnswerReader.reportAdvice)
    }
  }
}

extension Double {
  fileprivate var formatted: String { self == rounded() && magnitude < 1e9 ? String(Int(self)) : String(self) }
}

extension UInt64 {
  /// `1 GiB`, `512 MiB`.
  fileprivate var formattedBytes: String {
    for (unit, name) in [(UInt64(1 << 30), "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
    where self >= unit && self % unit == 0 { return "\(self / unit) \(name)" }
    return "\(self) B"
  }
}
