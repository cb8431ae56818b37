public import Localization

/// Why a plugin was not installed, updated, removed or verified.
public struct PluginStoreError: CodedError {
  /// A stable name for a kind of error.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case, as machine-readable output shows it.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The argument names nothing that can be installed.
    public static let wrongSource = Code(rawValue: "plugin_source_invalid")
    /// A file or folder cannot be read or written.
    public static let unusableFile = Code(rawValue: "plugin_file_unusable")
    /// The file could not be fetched from its URL.
    public static let download = Code(rawValue: "plugin_download_failed")
    /// The archive is damaged, too large, or contains something that a plugin's archive must not contain.
    public static let badArchive = Code(rawValue: "plugin_archive_invalid")
    /// The file has another SHA-256 than the index or the lock says.
    public static let wrongDigest = Code(rawValue: "plugin_checksum_mismatch")
    /// The signature is missing, damaged, made by another key, or belongs to another file.
    public static let wrongSignature = Code(rawValue: "plugin_signature_invalid")
    /// The index cannot be read.
    public static let badIndex = Code(rawValue: "plugin_index_invalid")
    /// No configured index has the plugin.
    public static let notInIndex = Code(rawValue: "plugin_not_in_index")
    /// The source that the lock records cannot be fetched again: a folder, a file that is gone, or a URL without its query.
    public static let notUpdatable = Code(rawValue: "plugin_not_updatable")
    /// The version is older than the installed one.
    public static let olderVersion = Code(rawValue: "plugin_version_older")
    /// The library asks for more than was announced, or has another id or version.
    public static let differs = Code(rawValue: "plugin_differs_from_announcement")
    /// The library did not pass its check in a worker process.
    public static let notUsable = Code(rawValue: "plugin_not_usable")
    /// A program that builds or unpacks failed or is missing.
    public static let program = Code(rawValue: "plugin_build_failed")
    /// `sous.lock` cannot be read.
    public static let badLock = Code(rawValue: "plugin_lock_invalid")
    /// The plugin is not installed, or no lock names it.
    public static let notInstalled = Code(rawValue: "plugin_not_installed")
    /// The user did not agree, or could not be asked.
    public static let notConfirmed = Code(rawValue: "plugin_not_confirmed")
    /// The task was cancelled.
    public static let interrupted = Code(rawValue: "interrupted")
  }

  /// The kind of error.
  public var code: Code
  /// The failure, the file or plugin, and the remedy.
  public var message: LocalizedText

  /// Creates an error.
  public init(_ code: Code, _ message: LocalizedText) {
    self.code = code
    self.message = message
  }
}

extension PluginStoreError {
  /// A file that the system does not let Sous read or write.
  static func unusable(_ path: String, _ error: LocalizedText) -> PluginStoreError {
    PluginStoreError(
      .unusableFile,
      LocalizedText("\(path) cannot be used: ", de: "\(path) ist nicht benutzbar: ") + error)
  }
}
