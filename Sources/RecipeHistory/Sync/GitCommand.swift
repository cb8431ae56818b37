import Foundation
import Localization
import OperatingSystem
import PluginStore
import UseCases

/// Runs `git`, without a shell, for a bare repository in the state folder.
///
/// The repository that is fetched from may be hostile. Nothing of it is checked out, no hook and no submodule is run or fetched,
/// only the named protocols are allowed, and git asks for no password. Time and size are bounded.
struct GitCommand: Sendable {
  /// Seconds that one call may take.
  private static let patience = 300.0
  /// The most bytes that the fetched objects may take.
  static let largestRepository = 256 << 20

  /// The bare repository.
  let repository: String
  /// The variables of the environment of this process.
  let environment: [String: String]
  /// Further settings: `name=value`.
  var settings: [String] = []
  /// The command for SSH; `nil` for that of the settings of git.
  var sshCommand: String?
  /// Whether `http` is allowed, for a server on this machine.
  var allowsHTTP = false
  /// Whether the work should end.
  var isCancelled: @Sendable () -> Bool = { false }

  /// The result of a call.
  struct Result {
    var status: Int32
    var output: [UInt8]
    /// The end of standard error.
    var words: String

    var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// Runs git to its end. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - input: A file as standard input.
  ///   - limit: The most bytes of output.
  ///   - watch: Called several times a second; throws to end the program.
  /// - Throws: ``UseCaseError`` if git is missing, takes too long or writes too much.
  func run(
    _ arguments: [String], input: String? = nil, limit: Int = 8 << 20, watch: () throws(UseCaseError) -> Void = {}
  ) throws(UseCaseError) -> Result {
    let tool = ToolProcess(
      arguments: ["git", "--git-dir=" + repository] + (Self.protections + Self.bounds).flatMap { ["-c", $0] }
        + settings.flatMap { ["-c", $0] } + arguments,
      environment: variables, input: input)
    let deadline = MonotonicClock.seconds + Self.patience
    var output: [UInt8] = []
    var refusal: UseCaseError?
    func refuse(_ error: UseCaseError) throws(PluginStoreError) {
      refusal = error
      throw PluginStoreError(.interrupted, error.message)
    }
    func check() throws(PluginStoreError) {
      if isCancelled() { try refuse(Self.interrupted) }
      if MonotonicClock.seconds > deadline { try refuse(Self.tooSlow) }
      do {
        try watch()
      } catch {
        try refuse(error)
      }
    }
    do {
      let ending = try tool.run(watch: check) { (piece) throws(PluginStoreError) in
        output += piece
        if output.count > limit { try refuse(Self.tooLarge) }
      }
      return Result(status: ending.status, output: output, words: ending.words)
    } catch {
      throw refusal ?? UseCaseError(.environment, error.message, cause: error)
    }
  }

  /// Runs git, and reports its words if it fails.
  func output(
    _ arguments: [String], input: String? = nil, limit: Int = 8 << 20, watch: () throws(UseCaseError) -> Void = {}
  ) throws(UseCaseError) -> [UInt8] {
    let result = try run(arguments, input: input, limit: limit, watch: watch)
    guard result.status == 0 else { throw Self.failed(result) }
    return result.output
  }

  /// Settings that override those of the user and the system.
  private static let protections = [
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.symlinks=false", "core.quotePath=false", "gc.auto=0",
    "maintenance.auto=false", "fetch.fsckObjects=true", "transfer.fsckObjects=true", "fetch.unpackLimit=1",
    "fetch.recurseSubmodules=false", "submodule.recurse=false", "fetch.writeCommitGraph=false",
    "log.showSignature=false",
    "gpg.minTrustLevel=marginal",
  ]

  /// Bounds of the memory that git uses, whatever is in the repository: packs are mapped in small windows, and one thread resolves deltas.
  private static let bounds = [
    "core.packedGitWindowSize=8m", "core.packedGitLimit=64m", "core.deltaBaseCacheLimit=16m",
    "core.bigFileThreshold=4m",
    "pack.windowMemory=16m", "pack.deltaCacheSize=16m", "pack.threads=1", "index.threads=1", "fetch.parallel=1",
  ]

  /// The environment: what git needs to find programs, keys and proxies. Variables of a calling git, such as `GIT_DIR`, are left
  /// out.
  private var variables: [String: String] {
    let known: Set<String> = [
      "PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "XDG_CONFIG_HOME", "SSH_AUTH_SOCK", "GNUPGHOME", "http_proxy",
      "https_proxy", "all_proxy", "no_proxy", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
    ]
    var variables = environment.filter { known.contains($0.key) }
    variables["LC_ALL"] = "C"
    // Overrides every setting of protocols, so that a redirection leads to no other one either.
    variables["GIT_ALLOW_PROTOCOL"] = allowsHTTP ? "file:https:ssh:http" : "file:https:ssh"
    variables["GIT_TERMINAL_PROMPT"] = "0"
    // An empty one keeps git from every other program that would ask.
    variables["GIT_ASKPASS"] = ""
    variables["GIT_NO_REPLACE_OBJECTS"] = "1"
    if let sshCommand { variables["GIT_SSH_COMMAND"] = sshCommand }
    return variables
  }

  /// The error of a call that has failed, with the first lines of git.
  static func failed(_ result: Result) -> UseCaseError {
    let lines = result.words.split(whereSeparator: \.isNewline).prefix(4).map { line in
      // An address may have a user name; the rest is from outside and may hold anything.
      String(line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.map(Character.init).prefix(300))
    }
    let words = lines.joined(separator: "; ")
    return .environment(
      LocalizedText("git has failed: ", de: "Git ist gescheitert: ")
        + LocalizedText(verbatim: words.isEmpty ? "status \(result.status)" : words))
  }

  private static let interrupted = UseCaseError(
    .interrupted, LocalizedText("the sync was interrupted", de: "die Synchronisierung wurde unterbrochen"))

  private static let tooSlow = UseCaseError.environment(
    LocalizedText(
      "git took longer than \(Int(patience)) s; nothing was changed",
      de: "Git brauchte länger als \(Int(patience)) s; nichts wurde geändert"))

  static let tooLarge = UseCaseError.environment(
    LocalizedText(
      "the repository is too large: its history may have 256 MB, and its recipes 32 MB in 2000 files of 1 MB each",
      de: "das Repository ist zu groß: Der Verlauf darf 256 MB haben, die Rezepte 32 MB in 2000 Dateien zu je 1 MB"))
}
