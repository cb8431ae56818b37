public import Localization
public import Secrets

/// What of its process a workspace works with: passed in, so that several can be open in one process.
public struct Surroundings: Sendable {
  /// The variables that name files, secrets and languages, and that programs of recipes get a part of.
  public var environment: [String: String]
  /// The folder that relative paths begin at; empty for the current one, where paths are told as they were written.
  public var folder = ""
  /// Asks a person for the passphrase of a vault; `nil` where nobody can be asked.
  public var passphrase: VaultKeyring.Question?
  /// Whether a person is there who answers before a run begins, so that it is not asked for anything later.
  public var asksEarly = false
  /// Whether programs that give secrets may ask a person, and get the time for it.
  public var isAttended = false
  /// Whether the command runs, sends or changes something, instead of only looking: see ``WorkspaceTrust``.
  public var isActing = false
  /// Whether the user trusts the folder for this process, whatever its configuration says.
  public var trustsFolder = false
  /// Asks a person whether to trust a folder. Its arguments are the folder and the items that are not allowed yet. `nil` without
  /// a terminal.
  public var trustQuestion: (@Sendable (String, [TrustItem]) -> Bool)?
  /// Whether mail plugins run in worker processes, so that a crash over data from a mail server does not end this process.
  public var isolatesMail = false
  /// The language of prompts that have several.
  public var language: Language
  /// Takes what happens, from several tasks at once; returns at once.
  public var events: @Sendable (WorkspaceEvent) -> Void = { _ in }

  /// Creates surroundings in which nobody can be asked and nobody watches.
  ///
  /// - Parameters:
  ///   - environment: The variables of the environment.
  ///   - folder: The folder that relative paths begin at; empty for the current one.
  public init(environment: [String: String], folder: String = "") {
    self.environment = environment
    self.folder = folder
    language = .preferred(environment: environment)
  }

  /// A path as this process can use it.
  package func resolve(_ path: String) -> String {
    folder.isEmpty || path.hasPrefix("/") ? path : folder + "/" + path
  }

  /// A variable's value; `nil` where it is unset or empty.
  func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
