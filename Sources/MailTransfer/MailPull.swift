import Engine
import Expressions
import Hashing
public import Localization
import OperatingSystem
import PluginHost
import RecipeModel
import RecipeSyntax
import Secrets
public import UseCases

/// Copies the messages of one provider's folders to another provider: a backup, or a move to another server.
///
/// What is copied is kept in the run log, so that a second pull copies only what is new and takes flags over that have
/// changed. A pull that was cut off resumes where it was: what had arrived and was not noted yet is told by its content.
/// Nothing is removed on either side, and what was removed from the target stays away.
public struct MailPull: Sendable {
  /// How far a folder is.
  public struct Progress: Sendable {
    /// The folder.
    public let folder: String
    /// How many of its messages are there.
    public let done: Int
    /// How many messages it has.
    public let total: Int
    /// Whether the target gets time to take what an interrupted pull has sent.
    public var isWaiting = false
  }

  let project: Project
  let source: String
  let target: String
  let folders: [String]
  let isRestoring: Bool

  /// Prepares a pull.
  ///
  /// - Parameters:
  ///   - source: The provider that has the messages.
  ///   - target: The provider that gets them, in folders of the same names.
  ///   - folders: Only these folders; none for all.
  ///   - isRestoring: Whether copies that were removed from the target are made again. Those of a folder that was removed
  ///     always are.
  /// - Throws: ``UseCaseError``: `unknown_provider`; `wrong_input` where both are the same.
  public init(
    _ project: Project, from source: String, to target: String, folders: [String], restoring isRestoring: Bool = false
  ) throws(UseCaseError) {
    guard source != target else {
      throw .wrongInput(
        LocalizedText(
          "'\(source)' cannot be pulled to itself; name another provider with --to",
          de: "'\(source)' lässt sich nicht in sich selbst kopieren; mit --to einen anderen Provider nennen"))
    }
    try project.checkIsKnown(source)
    try project.checkIsKnown(target)
    (self.project, self.source, self.target, self.folders) = (project, source, target, folders)
    self.isRestoring = isRestoring
  }

  /// Pulls.
  ///
  /// - Parameter tell: Told of progress.
  /// - Throws: ``UseCaseError``: `wrong_input` where a folder is not there, or another process pulls; with a
  ///   ``TransferFailure`` as its cause where a provider fails. What was copied before stays copied.
  public func run(_ tell: @escaping @Sendable (Progress) -> Void) async throws(UseCaseError) -> MailPullReport {
    try await project.workspace.recordingRunLog { store in
      do {
        // Messages pass through; nothing of them stays in the run log.
        let storage = TransferStorage(store)
        return try await project.keeping(in: storage) { try await pull($0, store, storage, tell) }
      } catch let error as TransferFailure {
        var shown = UseCaseError(error.failure)
        shown.cause = error
        throw shown
      }
    }
  }

  private func pull(
    _ project: Project, _ store: any ProviderStateStore & TriggerStore, _ storage: TransferStorage,
    _ tell: @escaping @Sendable (Progress) -> Void
  ) async throws -> MailPullReport {
    let lock = try project.lockMailbox(
      for: "pull/\(source)/\(target)",
      busy: LocalizedText(
        "another process is copying from '\(source)' to '\(target)'; wait until it has ended",
        de: "ein anderer Prozess kopiert gerade von '\(source)' nach '\(target)'; sein Ende abwarten"))
    defer { lock.release() }
    let from = try await TransferMailStore(project, source, storage)
    let to = try await TransferMailStore(project, target, storage)
    let existing = Dictionary(try await to.folders().known.map { ($0.name, $0.total) }) { first, _ in first }
    let isEmpty = existing.values.allSatisfy { $0 == 0 }
    var report = MailPullReport()
    var refusals = 0
    for folder in try await chosenFolders(of: from, &report) {
      do {
        let state = try PulledFolder(store, of: "pull/\(source)/\(target)/\(folder)", between: mailboxes)
        var pull = FolderPull(
          folder: folder, source: from, target: to, storage: storage, state: state, tell: tell)
        try await copy(&pull, isNew: existing[folder] == nil, isTargetEmpty: isEmpty, &report)
        report.folders += 1
        refusals = 0
      } catch let error as TransferFailure where error.concernsFolder {
        // One refused sign-in may concern the folder; a second one in a row concerns the account.
        refusals = error.failure.kind == .auth ? refusals + 1 : 0
        guard refusals < 2 else { throw error }
        report.fail(folder, error)
      }
    }
    return report
  }

  private func copy(
    _ pull: inout FolderPull, isNew: Bool, isTargetEmpty: Bool, _ report: inout MailPullReport
  ) async throws {
    if isNew {
      // In this order: a pull that is cut off between the two makes the folder the next time.
      try pull.state.forgetAll()
      try await pull.target.make(pull.folder)
    } else if let pause = pull.state.pause {
      pull.tell(Progress(folder: pull.folder, done: 0, total: 0, isWaiting: true))
      try await SystemTime().sleep(seconds: pause)
    }
    try await pull.run(isTargetNew: isNew || isTargetEmpty, isRestoring: isRestoring, &report)
  }

  /// What tells the mailboxes that both providers stand for now from those that they stood for before.
  private var mailboxes: String {
    let names = [source, target].map { name -> Value in
      guard let provider = project.configuration.provider(name) else { return .string(name) }
      let settings = provider.settings.value { _ in .null }
      return .list([.string("\(provider.plugin)")] + Self.identifying.map { settings[$0] ?? .null })
    }
    return ContentHash.hexadecimal(of: Array(Value.list(names).json()))
  }

  /// The settings that say whose mailbox it is.
  private static let identifying = ["host", "port", "user", "path", "url", "base_url"]

  private func chosenFolders(of source: TransferMailStore, _ report: inout MailPullReport) async throws -> [String] {
    let (known, unreadable) = try await source.folders()
    let there = known.map(\.name)
    if folders.isEmpty {
      for text in unreadable {
        let failure = ActionFailure(
          .protocol, LocalizedText("its name cannot be read", de: "sein Name lässt sich nicht lesen"))
        report.fail(text, TransferFailure(provider: source.provider, failure: failure))
      }
    }
    if let missing = folders.first(where: { !there.contains($0) }) {
      throw UseCaseError.wrongInput(
        LocalizedText(
          "'\(source.provider)' has no folder '\(missing)'", de: "'\(source.provider)' hat keinen Ordner '\(missing)'")
          + Suggestion.text(for: missing, among: there))
    }
    return folders.isEmpty ? there : folders
  }
}

/// What a pull has done.
public struct MailPullReport: Sendable {
  /// A message that could not be copied, or flags that could not be taken over.
  public struct Refusal: Sendable {
    /// The folder.
    public let folder: String
    /// The message at the source.
    public let uid: String
    /// The reason.
    public let reason: LocalizedText
  }

  /// A folder that was copied only in part or not at all.
  public struct FolderFailure: Sendable {
    /// The folder.
    public let folder: String
    /// The provider that failed.
    public let provider: String
    /// The reason.
    public let reason: LocalizedText
  }

  /// Refusals beyond these are only counted.
  static let refusalLimit = 1000

  /// Folders that were looked through.
  public var folders = 0
  /// Messages that were copied.
  public var copied = 0
  /// Messages whose copies were found in the target by their content.
  public var recognized = 0
  /// Messages whose flags were taken over.
  public var flagged = 0
  /// Messages that were there already, as they are.
  public var unchanged = 0
  /// Messages whose copies were removed from the target; they stay away.
  public var removed = 0
  /// Messages that were listed and had gone from the source when it was their turn.
  public var vanished = 0
  /// Messages that could not be copied, or whose flags could not be taken over.
  public var refused = 0
  /// The first thousand of those.
  public var refusals: [Refusal] = []
  /// Folders that were copied only in part or not at all; all others are complete.
  public var failures: [FolderFailure] = []

  mutating func fail(_ folder: String, _ error: TransferFailure) {
    failures.append(FolderFailure(folder: folder, provider: error.provider, reason: error.failure.message))
  }

  mutating func refuse(_ uids: [String], of folder: String, _ reason: LocalizedText) {
    refused += uids.count
    for uid in uids.prefix(max(0, Self.refusalLimit - refusals.count)) {
      refusals.append(Refusal(folder: folder, uid: uid, reason: reason))
    }
  }
}
