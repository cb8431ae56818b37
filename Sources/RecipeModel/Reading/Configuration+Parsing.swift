import Expressions
import Localization
import Plans
public import RecipeSyntax

extension Configuration {
  /// Reads a configuration.
  ///
  /// - Returns: The configuration as far as it could be read, and every problem in source order. With an error among
  ///   them it should not be used for a run; it still tells names apart for further messages.
  public static func parse(_ source: SourceText) -> (configuration: Configuration, diagnostics: [Diagnostic]) {
    let (document, problems) = YAMLDocument.parse(source, allowsEmpty: true)
    var configuration = Configuration(path: source.path, providers: [], defaults: [], pluginPaths: [])
    guard let document, let root = document.root, !root.isNull else { return (configuration, problems) }
    let reader = FieldReader(document)
    if let map = reader.map(root, "sous.yaml", keys: RecipeDefinitions.configuration.keyNames) {
      for entry in map.entries where !entry.value.isNull { configuration.sections[entry.name] = entry.value.value }
      if let node = map["providers"], !node.isNull { configuration.readProviders(node, reader) }
      if let node = map["defaults"], !node.isNull {
        configuration.defaults = readDefaults(node, reader)
        configuration.checkDefaults(reader)
      }
      if let node = map["secrets"], !node.isNull {
        configuration.secretSources = readSecretSources(node, reader)
      }
      if let node = map["plugins"], !node.isNull { configuration.readPlugins(node, reader) }
      if let node = map["files"], !node.isNull, let files = reader.map(node, "files", RecipeDefinitions.files) {
        configuration.fileFolders = files["folders"].flatMap { reader.strings($0, "files.folders") }?
          .map { configuration.resolve($0.value) }
      }
      if let node = map["recipes"], !node.isNull { configuration.readRecipes(node, reader) }
      if let node = map["listen"], !node.isNull, let address = reader.listenAddress(node) {
        configuration.listen = address
      }
      if let node = map["server"] {
        let (server, listen) = ConfiguredServer.read(node, reader) { [configuration] in configuration.resolve($0) }
        configuration.server = server
        if let listen { configuration.listen = listen }
        if listen != nil, let other = map["listen"], !other.isNull {
          reader.report(
            .invalidValue,
            LocalizedText(
              "the address is written twice: keep the one in 'server.listen'",
              de: "die Adresse steht doppelt da: die in 'server.listen' behalten"), at: other.range)
        }
      }
      if let node = map["engine"], !node.isNull { configuration.engine = EngineSettings.read(node, reader) }
      if let node = map["http"], !node.isNull { configuration.readHTTP(node, reader) }
      if let node = map["bookmarks"], !node.isNull {
        configuration.bookmarks = ConfiguredBookmarks.read(node, reader)
      }
      if let node = map["neutralise"], !node.isNull,
        let settings = ConfiguredNeutralisation.read(node, "neutralise", allowsWord: false, reader)
      {
        configuration.neutralise = settings
      }
      if let node = map["summaries"], !node.isNull {
        configuration.summaries = ConfiguredSummaries.read(node, reader)
      }
      if let node = map["outbox"], !node.isNull { configuration.outbox = OutboxSettings.read(node, reader) }
      if let node = map["reminders"], !node.isNull,
        let fields = reader.map(node, "reminders", RecipeDefinitions.reminders),
        let deliver = fields["deliver"]
      {
        ReminderReader(reader: reader).check(deliver: deliver)
        configuration.reminderWays = (deliver.sequence ?? [deliver]).map(\.value)
      }
      if let node = map["auth"], !node.isNull { configuration.accounts = configuration.readAccounts(node, reader) }
    }
    return (configuration, (problems + reader.diagnostics).inSourceOrder)
  }

  private mutating func readProviders(_ node: Node, _ reader: FieldReader) {
    guard let map = reader.map(node, "providers", keys: nil) else { return }
    for entry in map.entries {
      let isName = entry.name.utf8.allSatisfy { $0.isNameByte || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
      if entry.name.isEmpty || !isName {
        reader.report(
          .invalidName,
          LocalizedText(
            "a provider's name has letters, digits, '_', '-' and '.' only",
            de: "der Name eines Providers hat nur Buchstaben, Ziffern, '_', '-' und '.'"),
          at: entry.nameRange)
      }
      guard let fields = reader.map(entry.value, "providers.\(entry.name)", keys: nil) else { continue }
      guard let pluginNode = fields["plugin"] else {
        reader.report(
          .missingKey,
          LocalizedText(
            "the provider '\(entry.name)' needs a 'plugin'", de: "dem Provider '\(entry.name)' fehlt 'plugin'"),
          at: entry.nameRange)
        continue
      }
      guard let plugin = reader.name(pluginNode, "plugin") else { continue }
      let isFile = plugin.value.contains("/") || plugin.value.hasSuffix(".so")
      let isolation = fields["isolation"].flatMap {
        reader.choice($0, "isolation", of: ConfiguredProvider.Isolation.self)
      }
      let settings = fields.entries.filter { RecipeDefinitions.provider.key($0.name) == nil }
      providers.append(
        ConfiguredProvider(
          name: entry.name, nameRange: entry.nameRange,
          plugin: isFile ? .file(resolve(plugin.value)) : .id(plugin.value), pluginRange: plugin.range,
          isolation: isolation,
          limits: fields["limits"].map { Self.readLimits($0, "providers.\(entry.name).limits", reader) } ?? .init(),
          hosts: fields["hosts"].flatMap { reader.strings($0, "hosts") } ?? [],
          trust: fields["trust"].map { readTrust($0, reader) } ?? ConfiguredProvider.Trust(),
          concurrency: fields["concurrency"].flatMap { reader.integer($0, "concurrency", in: 1...10_000) },
          rate: fields["rate"].flatMap { Self.readRate($0, reader) },
          models: ModelSettings.read(fields, "providers.\(entry.name)", reader),
          neutralise: fields["neutralise"].flatMap {
            ConfiguredNeutralisation.read($0, "providers.\(entry.name).neutralise", allowsWord: true, reader)
          },
          settings: .map(
            settings.map { .init($0, Self.setting($0.value, reader)) }, entry.value.range)))
    }
    shareCredentials(node, reader)
  }

  /// Gives providers with `credentials_of` what the named one signs in with.
  private mutating func shareCredentials(_ node: Node, _ reader: FieldReader) {
    guard let entries = node.mapping?.entries else { return }
    let settings = Dictionary(providers.map { ($0.name, $0.settings) }) { first, _ in first }
    for entry in entries {
      guard let field = entry.value.mapping?["credentials_of"], let source = reader.name(field, "credentials_of"),
        let index = providers.firstIndex(where: { $0.name == entry.name })
      else { continue }
      guard let other = settings[source.value], source.value != entry.name else {
        reader.report(
          .unknownProvider,
          LocalizedText(
            "'credentials_of' names no other provider: '\(source.value)'",
            de: "'credentials_of' nennt keinen anderen Provider: '\(source.value)'"),
          at: field.range, suggestion: reader.suggestion(for: source.value, among: settings.keys.sorted()))
        continue
      }
      guard providers[index].settings.takeCredentials(of: other) else {
        reader.report(
          .invalidValue,
          LocalizedText(
            "the provider '\(source.value)' has neither 'user' nor 'password' nor 'token' of its own",
            de: "der Provider '\(source.value)' hat weder 'user' noch 'password' noch 'token'"),
          at: field.range)
        continue
      }
    }
  }

  func readTrust(_ node: Node, _ reader: FieldReader) -> ConfiguredProvider.Trust {
    guard let fields = reader.map(node, "trust", RecipeDefinitions.trust) else { return ConfiguredProvider.Trust() }
    func file(_ key: String) -> String? {
      fields[key].flatMap { reader.name($0, "trust.\(key)") }.map { resolve($0.value) }
    }
    return ConfiguredProvider.Trust(authorities: file("authorities"), certificate: file("certificate"))
  }

  private static func readRate(_ node: Node, _ reader: FieldReader) -> ConfiguredProvider.Rate? {
    guard let fields = reader.map(node, "rate", RecipeDefinitions.rate),
      let requests = fields["requests"].flatMap({ reader.integer($0, "rate.requests", in: 1...1_000_000) })
    else { return nil }
    return ConfiguredProvider.Rate(
      requests: requests, seconds: fields["per"].flatMap { reader.duration($0, "rate.per") } ?? 60,
      burst: fields["burst"].flatMap { reader.integer($0, "rate.burst", in: 1...1_000_000) } ?? 1)
  }

  private static func readLimits(
    _ node: Node, _ field: String, _ reader: FieldReader
  ) -> ConfiguredProvider.Limits {
    var limits = ConfiguredProvider.Limits()
    guard let map = reader.map(node, field, RecipeDefinitions.limits) else { return limits }
    limits.memory = map["memory"].flatMap { reader.bytes($0, field + ".memory", in: RecipeDefinitions.byteBounds) }
    limits.processorSeconds = map["cpu"].flatMap { reader.duration($0, field + ".cpu") }
    limits.threads = map["threads"].flatMap {
      reader.integer($0, field + ".threads", in: RecipeDefinitions.threadBounds)
    }
    limits.files = map["files"].flatMap { reader.integer($0, field + ".files", in: RecipeDefinitions.fileBounds) }
    return limits
  }

  private static func setting(_ node: Node, _ reader: FieldReader) -> SettingValue {
    switch node.content {
    case .scalar, .invalid: return .literal(node.value, node.range)
    case .sequence(let elements): return .list(elements.map { setting($0, reader) }, node.range)
    case .mapping(let mapping):
      if let secret = mapping["secret"], mapping.entries.count == 1 {
        return Self.secret(secret, at: node.range, reader).map { .secret($0) } ?? .literal(.null, node.range)
      }
      if let account = mapping["oauth"], mapping.entries.count == 1 {
        return Self.account(account, at: node.range, reader).map { .secret($0) } ?? .literal(.null, node.range)
      }
      // A map is a value of its own, so this may be meant.
      if let only = mapping.entries.first, mapping.entries.count == 1, only.name != "Secret",
        Suggestion.closest(to: only.name, among: ["secret"]) != nil
      {
        reader.report(
          .unknownKey,
          LocalizedText(
            "a setting with the key '\(only.name)' is no secret",
            de: "eine Einstellung mit '\(only.name)' ist kein Geheimnis"),
          at: only.nameRange, suggestion: "secret", severity: .warning)
      }
      return .map(mapping.entries.map { .init($0, setting($0.value, reader)) }, node.range)
    }
  }

  /// Reads a map from contracts to providers, of a configuration or a recipe.
  ///
  /// - Parameter isContract: Whether a key is read; others have another meaning.
  static func readDefaults(
    _ node: Node, _ reader: FieldReader, where isContract: (String) -> Bool = { _ in true }
  ) -> [Default] {
    guard let map = reader.map(node, "defaults", keys: nil) else { return [] }
    return map.entries.filter { isContract($0.name) }.compactMap { entry in
      guard let names = reader.routes(entry.value, "defaults.\(entry.name)") else { return nil }
      guard !names.isEmpty else {
        reader.report(
          .invalidValue,
          LocalizedText(
            "'defaults.\(entry.name)' names no provider", de: "'defaults.\(entry.name)' nennt keinen Provider"),
          at: entry.value.range)
        return nil
      }
      return Default(contract: Located(entry.name, at: entry.nameRange), providers: names)
    }
  }

  private func checkDefaults(_ reader: FieldReader) {
    let known = providers.map(\.name)
    let contracts = BundledContract.all.map(\.name)
    for entry in defaults {
      if !contracts.contains(entry.contract.value) {
        reader.report(
          .unknownContract,
          LocalizedText(
            "unknown contract '\(entry.contract.value)'", de: "unbekannter Vertrag '\(entry.contract.value)'"),
          at: entry.contract.range, suggestion: reader.suggestion(for: entry.contract.value, among: contracts))
      }
      let bundled = ConfiguredProvider.bundled[entry.contract.value]
      for route in entry.providers {
        let name = ProviderRoute(route.value).provider
        guard !known.contains(name), name != bundled else { continue }
        reader.report(
          .unknownProvider,
          LocalizedText("unknown provider '\(name)'", de: "unbekannter Provider '\(name)'"),
          at: route.range, suggestion: reader.suggestion(for: name, among: known))
      }
    }
  }

  /// Reads the folders of recipes: a list, or a map with their source as well.
  private mutating func readRecipes(_ node: Node, _ reader: FieldReader) {
    var folders: Node? = node
    if node.mapping != nil {
      guard let map = reader.map(node, "recipes", RecipeDefinitions.servedRecipes) else { return }
      folders = map["folders"]
      if let sync = map["sync"], !sync.isNull {
        recipeSync = ConfiguredRecipeSync.read(sync, reader) { [self] in resolve($0) }
      }
    }
    if let folders { recipeFolders = reader.strings(folders, "recipes")?.map { resolve($0.value) } }
  }

  private mutating func readPlugins(_ node: Node, _ reader: FieldReader) {
    guard let map = reader.map(node, "plugins", keys: RecipeDefinitions.plugins.keyNames) else { return }
    if let paths = map["paths"], !paths.isNull {
      pluginPaths = reader.strings(paths, "plugins.paths")?.map { resolve($0.value) } ?? []
    }
    if let index = map["index"] { pluginIndexes = ConfiguredPluginIndex.read(index, reader, resolve: resolve) }
  }
}
