public import RecipeSyntax

/// A provider as `sous.yaml` describes it.
public struct ConfiguredProvider: Sendable {
  /// Where a plugin comes from.
  public enum Plugin: Sendable, Hashable {
    /// A plugin found by its id in the plugin folders.
    case id(String)
    /// A plugin file; absolute, or relative to the current folder.
    case file(String)
  }

  /// How a plugin is run.
  public enum Isolation: String, Sendable, CaseIterable {
    /// In the process of Sous.
    case inProcess = "in-process"
    /// In a worker process of its own.
    case process
  }

  /// Whom connections trust; `nil` and `nil` for the system's authorities.
  public struct Trust: Sendable, Hashable {
    /// A PEM file with authorities; absolute, or relative to the current folder.
    public var authorities: String?
    /// A PEM file with the one certificate that a server must present; likewise.
    public var certificate: String?

    /// Creates a choice; without arguments: the system's authorities.
    public init(authorities: String? = nil, certificate: String? = nil) {
      self.authorities = authorities
      self.certificate = certificate
    }
  }

  /// How often calls may begin.
  public struct Rate: Sendable, Hashable {
    /// Calls in every ``seconds``.
    public var requests: Int
    /// The time.
    public var seconds: Double
    /// How many may begin at once after a pause.
    public var burst: Int

    /// Creates a rate.
    public init(requests: Int, seconds: Double, burst: Int) {
      self.requests = requests
      self.seconds = seconds
      self.burst = burst
    }
  }

  /// The providers that Sous brings by contract: each answers where nobody configured does, and may be named like one.
  public static let bundled = ["chat": "extractive", "document": "pdf", "notify": inbox, "notes": notes]

  /// The bundled provider that keeps notifications in the run log; there is no plugin behind it.
  public static let inbox = "inbox"

  /// The bundled provider that keeps notes in a file beside the run log; there is no plugin behind it.
  public static let notes = "notes"

  /// The bundled providers without a plugin.
  public static let withoutPlugin = ["notify": inbox, "notes": notes]

  /// What a worker process of the plugin may use; what is `nil` is left to the host.
  public struct Limits: Sendable, Hashable {
    /// Bytes of memory.
    public var memory: Int?
    /// Seconds of processor time while a call goes on.
    public var processorSeconds: Double?
    /// Threads.
    public var threads: Int?
    /// Open files.
    public var files: Int?

    /// Creates limits that leave everything to the host.
    public init() {}
  }

  /// The name recipes use.
  public var name: String
  /// Where the name stands.
  public var nameRange: SourceRange
  /// Its plugin.
  public var plugin: Plugin
  /// Where the plugin is named.
  public var pluginRange: SourceRange
  /// How it is run; `nil` leaves the choice to the host.
  public var isolation: Isolation?
  /// What its worker process may use.
  public var limits = Limits()
  /// Hosts it may reach beside those of its plugin's manifest, as they are written.
  public var hosts: [Located<String>] = []
  /// Whom its connections trust.
  public var trust = Trust()
  /// The most calls at a time.
  public var concurrency: Int?
  /// How often calls may begin.
  public var rate: Rate?
  /// What holds for its models.
  public var models = ModelSettings()
  /// What is replaced in all that goes to it; `nil` where texts go to it as they are.
  public var neutralise: ConfiguredNeutralisation?
  /// Everything else, for the plugin.
  public var settings: SettingValue
}
