public import Engine
public import Localization
import RecipeModel
public import Schemas

/// Why a plugin cannot be used.
public struct PluginError: CodedError {
  /// A stable name for a kind of trouble.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case, as machine-readable output shows it.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No provider of that name is configured.
    public static let providerUnknown = Code(rawValue: "provider_unknown")
    /// No folder of the search path, or not the path given, has the library.
    public static let missing = Code(rawValue: "plugin_missing")
    /// The dynamic linker refuses the file: no ELF file, a symbol or a dependency is missing.
    public static let notLoadable = Code(rawValue: "plugin_not_loadable")
    /// The library exports no entry function.
    public static let noEntry = Code(rawValue: "plugin_no_entry")
    /// The entry function returned NULL.
    public static let refused = Code(rawValue: "plugin_refused")
    /// The entry function returned something other than a plugin table.
    public static let badMagic = Code(rawValue: "plugin_bad_magic")
    /// The plugin was built against another version of the ABI.
    public static let abiMismatch = Code(rawValue: "plugin_abi_mismatch")
    /// The plugin table is too small or lacks functions.
    public static let invalidStruct = Code(rawValue: "plugin_invalid_struct")
    /// The manifest is not a JSON object of the form the header describes.
    public static let manifestInvalid = Code(rawValue: "plugin_manifest_invalid")
    /// The manifest has another id than the file name.
    public static let idMismatch = Code(rawValue: "plugin_id_mismatch")
    /// The plugin crashed, or ended the process, while it was tried out.
    public static let crashedLoading = Code(rawValue: "plugin_crashed_loading")
    /// The plugin did not finish loading in time.
    public static let probeTimeout = Code(rawValue: "plugin_probe_timeout")
    /// The child process that tries plugins out could not be run.
    public static let probeFailed = Code(rawValue: "plugin_probe_failed")
    /// The configuration asks for something that runs, connects or reads a secret, and the user has not trusted it.
    public static let untrusted = Code(rawValue: "not_trusted")
    /// Users other than this one and root may change the library.
    public static let writableByOthers = Code(rawValue: "plugin_writable_by_others")
    /// The library is not the file that `sous.lock` names, or `sous.lock` cannot be read.
    public static let changed = Code(rawValue: "plugin_changed")
    /// The provider's settings do not suit the plugin.
    public static let configInvalid = Code(rawValue: "plugin_config_invalid")
    /// The plugin could not be made ready for a provider.
    public static let createFailed = Code(rawValue: "plugin_create_failed")
    /// A secret that the provider's settings name is not there.
    public static let secretMissing = Code(rawValue: "secret_missing")
    /// A secret cannot be had: its source is locked, refused or broken.
    public static let secretUnavailable = Code(rawValue: "secret_unavailable")
    /// The task that waited for the provider was cancelled.
    public static let cancelled = Code(rawValue: "plugin_open_cancelled")
    /// The host has been shut down.
    public static let closed = Code(rawValue: "plugin_host_closed")
  }

  /// The kind of trouble.
  public var code: Code
  /// The problem, the file and the remedy.
  public var message: LocalizedText
  /// The library, if one was found.
  public var path: String?
  /// The plugin's own failure, if it reported one.
  public var cause: ActionFailure?

  /// Where a provider's settings do not satisfy the plugin's schema, for the code ``Code/configInvalid``.
  public var violations: [SchemaViolation] = []

  /// Creates an error.
  public init(_ code: Code, _ message: LocalizedText, path: String? = nil, cause: ActionFailure? = nil) {
    self.code = code
    self.message = message
    self.path = path
    self.cause = cause
  }

  /// Settings that do not satisfy the schema of a plugin.
  package init(settingsOf provider: String, path: String, violations: [SchemaViolation]) {
    let list = violations.prefix(10).reduce(LocalizedText(verbatim: "")) { list, violation in
      list + LocalizedText(verbatim: "\n  " + (violation.pathText.isEmpty ? "" : violation.pathText + ": "))
        + violation.message
    }
    self.init(
      .configInvalid,
      LocalizedText(
        "The settings of the provider '\(provider)' do not suit the plugin \(path):",
        de: "Die Einstellungen des Providers '\(provider)' passen nicht zum Plugin \(path):") + list, path: path)
    self.violations = violations
  }

  /// The error as the failure of an attempt: the plugin's own failure if it reported one, otherwise `not_found` for
  /// what is not there, `auth` for a secret that cannot be had and `unsupported` for the rest.
  public var failure: ActionFailure {
    let kind: ActionFailure.Kind =
      switch code {
      case .missing, .providerUnknown: .notFound
      case .configInvalid: .invalidInput
      case .secretMissing, .secretUnavailable, .untrusted, .writableByOthers, .changed: .auth
      case .cancelled: .cancelled
      default: .unsupported
      }
    var failure = ActionFailure(kind, message)
    if let cause {
      failure.kind = cause.kind
      failure.advice = cause.advice
      failure.retryAfter = cause.retryAfter
    }
    return failure
  }
}

extension PluginError {
  /// A plugin that was not ready for a provider in time.
  package init(createLate provider: String, path: String, seconds: Double) {
    self.init(
      .createFailed,
      LocalizedText(
        "The plugin \(path) did not get ready for the provider '\(provider)' in \(seconds) s.",
        de: "Das Plugin \(path) war nach \(seconds) s nicht bereit für den Provider '\(provider)'."), path: path)
  }

  /// A plugin that could not be made ready for a provider, with what it said.
  package init(createFailed failure: ActionFailure?, provider: String, path: String) {
    let words = failure?.message ?? LocalizedText("it gave no reason", de: "einen Grund nannte es nicht")
    if failure?.kind == .invalidInput {
      self.init(
        .configInvalid,
        LocalizedText(
          "The settings of the provider '\(provider)' do not suit the plugin \(path): ",
          de: "Die Einstellungen des Providers '\(provider)' passen nicht zum Plugin \(path): ") + words, path: path,
        cause: failure)
    } else {
      self.init(
        .createFailed,
        LocalizedText(
          "The plugin \(path) could not be made ready for the provider '\(provider)': ",
          de: "Das Plugin \(path) ließ sich für den Provider '\(provider)' nicht bereit machen: ") + words, path: path,
        cause: failure)
    }
  }

  /// The task that waited for a provider or a plugin was cancelled.
  package static func cancelled(_ name: String) -> PluginError {
    PluginError(
      .cancelled,
      LocalizedText("Opening '\(name)' was cancelled.", de: "Das Öffnen von '\(name)' wurde abgebrochen."))
  }

  /// A manifest that the header does not allow.
  package static func invalidManifest(_ path: String, _ reason: LocalizedText) -> PluginError {
    PluginError(
      .manifestInvalid,
      LocalizedText(
        "The manifest of \(path) cannot be used: ", de: "Das Manifest von \(path) ist nicht zu gebrauchen: ")
        + reason
        + LocalizedText(
          ". This has to be put right in the plugin; look for a newer version.",
          de: ". Das muss im Plugin berichtigt werden; nach einer neueren Version sehen."), path: path)
  }
}
