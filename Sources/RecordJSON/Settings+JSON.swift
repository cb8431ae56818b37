import Engine
public import Expressions
import Hashing
import Plans
public import RecipeModel
import RecipeSyntax
import Schedules
import Secrets
public import UseCases

extension SecretList.Row {
  /// The secret without its value: `{name, source, place?, found, uses}`; `found` is null if only asking would tell.
  public var json: Value {
    var map: ValueMap = [
      "name": .string(name), "source": origin.map { .string($0.kind.rawValue) } ?? .null,
      "found": isThere.map { .bool($0) } ?? .null, "uses": .list(uses.map { .string($0) }),
    ]
    if let detail = origin?.detail { map["place"] = .string(detail) }
    return .map(map)
  }
}

extension Configuration {
  /// The settings in force, without values that can be secret: of providers and accounts the names alone.
  public var overview: Value {
    .object([
      ("path", .text(path)), ("sections", .texts(sections.keys.sorted())),
      ("recipe_folders", .texts(servedFolders)), ("file_folders", .texts(fileFolders ?? [directory])),
      ("plugin_folders", .texts(pluginPaths)),
      ("plugin_indexes", .texts(pluginIndexes.map(\.location.withoutUserInformation))),
      ("listen", .string("\(listen)")), ("server", server?.overview ?? .null), ("engine", engine.overview),
      (
        "providers",
        .list(
          providers.map { provider in
            .object([
              ("name", .string(provider.name)), ("plugin", .string(provider.plugin.text)),
              ("isolation", .text(provider.isolation?.rawValue)), ("hosts", .texts(provider.hosts.map(\.value))),
              ("concurrency", .number(provider.concurrency)), ("settings", .texts(provider.settings.names)),
            ])
          })
      ),
      (
        "defaults",
        .object(defaults.map { ($0.contract.value, .texts($0.providers.map(\.value))) })
      ),
      ("accounts", .texts(accounts.map(\.name))), ("http_hosts", .texts(http.hosts.map(\.value))),
      ("outbox", outbox.overview), ("reminder_ways", .number(reminderWays.count)),
      ("bookmarks", .bool(bookmarks != nil)), ("recipe_sync", recipeSync?.overview ?? .null),
    ])
  }

  /// The settings for the audit log: the overview, and the digest of the file, which also shows other changes.
  public var audited: Value {
    var map = overview.mapValue ?? [:]
    let bytes = path.flatMap { try? SourceText.read($0).bytes }
    map["sha256"] = .text(bytes.map { ContentHash.hexadecimal(of: $0) })
    return .map(map)
  }

  /// The name of the settings in the audit log: `settings/sous.yaml`.
  public var auditedName: String {
    "settings/" + (path?.split(separator: "/").last.map(String.init) ?? "sous.yaml")
  }
}

extension ConfiguredRecipeSync {
  fileprivate var overview: Value {
    .object([
      ("url", .string(url.withoutUserInformation)), ("branch", .text(branch)), ("folder", .string(folder)),
      ("every", .double(interval)), ("signatures", .bool(signatures != nil)),
    ])
  }
}

extension String {
  /// The text without user names and passwords in its URLs.
  package var withoutUserInformation: String { replacing(/\/\/[^\/@\s]*@/, with: "//") }
}

extension ConfiguredProvider.Plugin {
  /// The id, or the path of the file.
  fileprivate var text: String {
    switch self {
    case .id(let id): id
    case .file(let path): path
    }
  }
}

extension SettingValue {
  /// The names of the settings of a map.
  fileprivate var names: [String] {
    guard case .map(let entries, _) = self else { return [] }
    return entries.map(\.name)
  }
}

extension ConfiguredServer {
  fileprivate var overview: Value {
    .object([
      ("tls", .bool(tls != nil)), ("url", .text(url)), ("proxies", .texts(proxies)),
      ("body_limit", .number(limits.body)), ("upload_limit", .number(limits.upload)),
      ("requests_per_minute", .number(limits.perMinute)), ("time_limit", .double(limits.time)),
      ("idle", .double(idle)), ("longest", .double(longest)), ("identity", .text(identity?.issuer)),
    ])
  }
}

extension EngineSettings {
  fileprivate var overview: Value {
    .object([
      ("parallel", .number(parallel)), ("text_limit", .number(textLimit)),
      (
        "retention",
        .object([
          ("age", retention.age.map(Value.double) ?? .null), ("runs", .number(retention.runs)),
          ("size", .number(retention.size)), ("versions", .number(retention.versions)),
        ])
      ),
      (
        "breaker",
        .object([("failures", .number(breaker.failures)), ("open_seconds", .double(breaker.openSeconds))])
      ), ("ping", .bool(ping != nil)),
      (
        "prices",
        .object(
          prices.sorted { $0.key < $1.key }.map { name, price in
            (
              name,
              .object([
                ("input", .double(price.input)), ("output", .double(price.output)),
                ("cached", price.cached.map(Value.double) ?? .null),
              ])
            )
          })
      ),
    ])
  }
}

extension OutboxSettings {
  fileprivate var overview: Value {
    .object([
      ("undo_for", .double(undoFor)), ("late", .double(late)),
      ("seconds_between", rate.map { .double($0.interval) } ?? .null), ("quiet_hours", .bool(quiet != nil)),
    ])
  }
}

extension Value {
  fileprivate static func texts(_ texts: [String]) -> Value { .list(texts.map { .string($0) }) }
}
