public import Expressions
import RecipeSyntax

/// What `sous.yaml` says.
public struct Configuration: Sendable {
  /// Who answers for a contract when a step names nobody.
  public struct Default: Sendable {
    /// The contract: `mail.store`.
    public var contract: Located<String>
    /// The providers, first choice first; each as the text of a ``ProviderRoute``.
    public var providers: [Located<String>]
  }

  /// The file, as it was named; `nil` where there is none.
  public var path: String?
  /// The sections that the file has, with their contents as they are written, by name.
  public var sections: [String: Value] = [:]
  /// The names of all sections that a file may have, in their usual order.
  public static let sectionNames = RecipeDefinitions.configuration.keyNames
  /// The configured providers in source order.
  public var providers: [ConfiguredProvider]
  /// The default providers by contract, in source order.
  public var defaults: [Default]
  /// Folders to look for plugins in, before the standard ones; resolved like every path of the file.
  public var pluginPaths: [String]

  /// The indexes that plugins are installed from, in the order of the file.
  public var pluginIndexes: [ConfiguredPluginIndex] = []

  /// Where secrets are looked up by name, first choice first; `nil` where the file does not say.
  public var secretSources: [ConfiguredSecretSource]?

  /// The folders that actions on files may work in, resolved like every path of the file; `nil` where the file does not
  /// say, and its own folder is meant.
  public var fileFolders: [String]?

  /// The folders whose recipes 'sous serve' starts by their triggers, resolved like every path of the file; `nil` where
  /// the file does not say, and `recipes` and `workflows` beside it are meant.
  public var recipeFolders: [String]?

  /// The Git repository that recipes come from; `nil` for none.
  public var recipeSync: ConfiguredRecipeSync?

  /// ``recipeFolders``, or `recipes` and `workflows` beside the file.
  public var servedFolders: [String] { recipeFolders ?? ["recipes", "workflows"].map(resolve) }

  /// The ways in which `sous remind` delivers, as a reminder's `deliver` has them; empty where the file does not say.
  public var reminderWays: [Value] = []

  /// Where 'sous serve' listens for webhooks, and for requests to its server.
  public var listen = ListenAddress()

  /// The HTTP server; `nil` for webhooks alone.
  public var server: ConfiguredServer?

  /// The accounts that Sous signs in to, in source order.
  public var accounts: [ConfiguredAccount] = []

  /// What the actions of HTTP may reach.
  public var http = ConfiguredHTTP()

  /// How runs are carried out and how long they are kept.
  public var engine = EngineSettings()

  /// Which bookmarks are kept for reading offline; `nil` for none.
  public var bookmarks: ConfiguredBookmarks?

  /// What is taken out of texts before they leave the machine, wherever a provider or an action does so.
  public var neutralise = ConfiguredNeutralisation()

  /// How summaries of messages are made in advance.
  public var summaries = ConfiguredSummaries()

  /// How messages wait and go out.
  public var outbox = OutboxSettings()

  /// A configuration without any provider.
  public static let empty = Configuration(path: nil, providers: [], defaults: [], pluginPaths: [])

  /// The provider of a name.
  public func provider(_ name: String) -> ConfiguredProvider? { providers.first { $0.name == name } }

  /// The account of a name.
  public func account(_ name: String) -> ConfiguredAccount? { accounts.first { $0.name == name } }

  /// The default providers of a contract; `nil` where none are set.
  public func defaults(for contract: String) -> [String]? {
    defaults.first { $0.contract.value == contract }?.providers.map(\.value)
  }

  /// The folder of the file, without a slash at its end; `.` where the file was named without one.
  public var directory: String { RecipePath.directory(of: path ?? "") }

  /// A path of the file as the process can use it: relative ones start at the file's folder.
  public func resolve(_ path: String) -> String {
    RecipePath.resolve(path, in: directory)
  }
}
