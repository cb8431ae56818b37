public import Localization

/// The result of `sous doctor` for one part of the machine or the workspace.
public struct HealthFinding: Sendable {
  /// What was looked at.
  public enum Subject: String, Sendable, CaseIterable {
    /// The files that come with the program.
    case files
    /// What the kernel does to keep plugins apart.
    case fences
    /// The local time zone.
    case timeZone = "time_zone"
    /// The room on the disk that has the run log.
    case disk
    /// `sous.yaml`.
    case configuration
    /// The run log.
    case runLog = "run_log"
    /// The vault and the secrets that providers use.
    case vault
    /// The providers of mail.
    case mail
    /// The language models.
    case models
    /// The other providers.
    case providers
    /// The daemon.
    case service
  }

  /// How it is.
  public enum State: String, Sendable {
    /// It works.
    case fine
    /// Nothing needs it yet.
    case unused
    /// It works with a restriction.
    case warning
    /// It does not work.
    case problem
  }

  /// What was looked at.
  public let subject: Subject
  /// How it is.
  public let state: State
  /// The result.
  public let text: LocalizedText
  /// The remedy.
  public let remedy: LocalizedText?

  init(_ subject: Subject, _ state: State, _ text: LocalizedText, remedy: LocalizedText? = nil) {
    self.subject = subject
    self.state = state
    self.text = text
    self.remedy = remedy
  }
}
