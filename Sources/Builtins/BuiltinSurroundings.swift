public import Engine
public import Localization
public import RecipeModel

/// The dependencies of the built-in actions: folders, hosts, state.
///
/// Holds descriptions only; connections, threads and files are made by the first action that needs them. The stores of the
/// run log are `nil` if no run log is open.
public struct BuiltinSurroundings: Sendable {
  /// The folder where relative paths begin: that of `sous.yaml`.
  let folder: String
  /// The environment of this process, of which programs get a part.
  let environment: [String: String]
  /// The variables of ``environment`` that hold secrets.
  let secretVariables: Set<String>
  /// Gets a secret by its name; may block for seconds.
  let secret: HTTPAccess.NamedSecret
  /// The folders that actions on files may work in.
  let files: FolderAccess

  /// The permitted targets of the HTTP actions.
  let http: HTTPAccess
  /// How messages wait and go out.
  let outbox: OutboxSettings
  /// The present, from which a server's dates are counted.
  let time: any TimeSource

  /// The programs that steps have started, also those that outlived their Sous process.
  public let programs: ProgramRegister

  /// The configured neutralisation of texts.
  let neutralisation: ConfiguredNeutralisation

  /// The contents of folders that were used for saving recently.
  let contents = FolderContents()

  /// Seals personal data; without one of the project, only until the process ends.
  public var seal: any PersonalDataSeal = MemorySeal()
  /// The bytes of a text that a step reads if it does not say; `nil` for the default of each action.
  public var textLimit: Int?
  /// The stored state of recipes.
  public var state: (any RecipeState)?
  /// The contents that plugins have kept.
  public var blobs: (any BlobStore)?
  /// Queues the next delivery of a reminder.
  public var rounds: (any ReminderRounds)?

  /// Creates surroundings.
  ///
  /// - Parameters:
  ///   - folder: The folder where relative paths begin.
  ///   - fileFolders: The folders that actions on files may work in; relative ones begin at `folder`.
  ///   - stateFolder: The folder of the run log, which is out of their reach; as the process can use it.
  ///   - configuration: The configuration file, which they cannot change; likewise.
  ///   - secrets: Files and folders that secrets and their keys come from, which are out of their reach; likewise.
  ///   - caches: Further folders of Sous; likewise.
  ///   - pluginFolders: Folders with libraries that Sous loads and that they cannot change; likewise.
  ///   - code: Further files that Sous runs; likewise.
  ///   - executed: Folders with recipes and prompts, which the actions cannot change; likewise.
  ///   - areFoldersNamed: Whether `fileFolders` come from `files: folders`. In those the actions may also change recipes.
  ///   - foldersRefusal: Why not all folders of `files: folders` are in `fileFolders`; `nil` if they are.
  ///   - environment: The environment of this process.
  ///   - secretVariables: The names of variables in it that hold secrets; their values are removed from outputs of programs.
  ///   - secret: Gets a secret that a recipe names; may block for seconds.
  ///   - http: The permitted targets of the HTTP actions.
  ///   - outbox: How messages wait and go out.
  ///   - neutralisation: The configured neutralisation of texts.
  ///   - time: The present.
  public init(
    folder: String = ".", fileFolders: [String] = ["."], stateFolder: String? = nil, configuration: String? = nil,
    secrets: [String] = [], caches: [String] = [], pluginFolders: [String] = [], code: [String] = [],
    executed: [String] = [], areFoldersNamed: Bool = false,
    foldersRefusal: LocalizedText? = nil, environment: [String: String] = [:],
    secretVariables: Set<String> = [], secret: @escaping HTTPAccess.NamedSecret = BuiltinSurroundings.noSecret,
    http: HTTPAccess = HTTPAccess(),
    outbox: OutboxSettings = OutboxSettings(), neutralisation: ConfiguredNeutralisation = .init(),
    time: any TimeSource = SystemTime()
  ) {
    self.folder = folder
    self.environment = environment
    self.secretVariables = secretVariables
    self.secret = secret
    self.http = http
    self.outbox = outbox
    self.neutralisation = neutralisation
    self.time = time
    programs = ProgramRegister(stateFolder: stateFolder)
    files = FolderAccess(
      base: folder, folders: fileFolders, state: stateFolder, configuration: configuration, areNamed: areFoldersNamed,
      own: secrets.map { ($0, .secret) } + caches.map { ($0, .state) } + pluginFolders.map { ($0, .plugins) }
        + code.map { ($0, .code) } + executed.map { ($0, .executed) }, refusal: foldersRefusal)
  }

  /// Surroundings without secrets.
  public static let noSecret: HTTPAccess.NamedSecret = { (name) throws(ActionFailure) in
    throw ActionFailure(
      .auth, LocalizedText("the secret '\(name)' is not available", de: "das Geheimnis '\(name)' ist nicht verfügbar"))
  }

  /// Checks every path that is not an input of `file.*`.
  public var fence: PathFence { PathFence(files: files) }

  /// A path as the process can use it: relative ones begin at the folder.
  func path(_ path: String) -> String {
    if path.isEmpty { return folder }
    return path.hasPrefix("/") ? path : (folder.hasSuffix("/") ? folder + path : folder + "/" + path)
  }
}
