import Engine
public import Expressions
public import Localization
import Plans
import PluginBoundary
public import PluginHost
public import PluginStore
import Schemas
public import UseCases

extension InstalledPlugin {
  /// The plugin: `{id, path, origin, lock, source, status, version?, contracts?, actions?, other?, error?}`.
  ///
  /// - Parameters:
  ///   - lock: How its file compares with the lock.
  ///   - source: The origin of its file; `nil` if no lock names it.
  public func json(lock: PluginLocks.State, source: String?, in language: Language) -> Value {
    var map: ValueMap = [
      "id": .string(id), "path": .string(path), "origin": .string(origin.rawValue), "lock": .string(lock.rawValue),
      "source": source.map { .string($0) } ?? .null,
    ]
    switch status {
    case .active(let manifest):
      map["status"] = "active"
      map["version"] = .string(manifest.version)
      map["contracts"] = .list(manifest.contracts.map { .string($0) })
      map["actions"] = .list(manifest.actions.map { .string($0.name) })
    case .shadowed(let winner):
      map["status"] = "shadowed"
      map["other"] = .string(winner)
    case .duplicate(let winner):
      map["status"] = "duplicate"
      map["other"] = .string(winner)
    case .broken(let error):
      map["status"] = "broken"
      map["error"] = ["code": .string(error.code.rawValue), "message": .string(error.message.string(in: language))]
    }
    return .map(map)
  }
}

/// One plugin with its manifest and how it runs if the configuration does not say.
public struct PluginDetail: Sendable {
  /// Its actions, triggers and permissions.
  public let manifest: PluginManifest
  /// Whether it runs in a process of its own.
  public let isolation: Isolation
  /// How its file compares with the lock.
  public let lock: PluginLocks.State
  /// The origin of its file; `nil` if no lock names it.
  public let source: String?
  /// Who put its folder on the search path.
  public let origin: PluginSearchPath.Origin?

  /// Reads a plugin's manifest.
  ///
  /// - Parameter name: Its id, or the path of its library.
  /// - Throws: `PluginError` if it cannot be found or read; `PluginStoreError` for an unreadable lock.
  public init(_ name: String, in project: Project) throws {
    let (reference, searchPath) = (PluginReference(name), project.manifests.searchPath)
    manifest = try project.manifests.manifest(of: reference)
    let path = try searchPath.locate(reference)
    isolation = searchPath.isolation(ofLibraryAt: path)
    // Of an id the folder counts that has the library or a link to it.
    origin =
      reference == .id(manifest.id)
      ? searchPath.origin(ofPlugin: manifest.id) : searchPath.origin(ofLibraryAt: path)
    let state = try project.trust.locks.state(ofLibraryAt: path, id: manifest.id, origin: origin)
    (lock, source) = (state.state, state.entry?.source)
  }

  /// Its permissions in sentences.
  public var sentences: [LocalizedText] { PluginPermissions(manifest).sentences(isIsolated: isolation == .process) }

  /// The plugin: its manifest, and `{lock, source, origin, permissions, access, isolation}`.
  public func json(in language: Language) -> Value {
    [
      "lock": .string(lock.rawValue), "source": source.map { .string($0) } ?? .null,
      "origin": .text(origin?.rawValue), "permissions": PluginPermissions(manifest).json,
      "access": .list(sentences.map { .string($0.string(in: language)) }),
      "isolation": [
        "mode": .string(isolation.rawValue), "filters_system_calls": .bool(IsolationSupport.filtersSystemCalls),
        "landlock": .int(Int64(IsolationSupport.domainVersion)),
        "missing_fences": .list(IsolationSupport.missing.map { .string($0.rawValue) }),
      ],
      "id": .string(manifest.id), "version": .string(manifest.version),
      "summary": .string(manifest.summary.string(in: language)),
      "contracts": .list(manifest.contracts.map { .string($0) }),
      "actions": .list(manifest.actions.map { $0.json(in: language) }),
      "triggers": .list(
        manifest.triggers.map { trigger in
          [
            "name": .string(trigger.name), "summary": .string(trigger.summary.string(in: language)),
            "settings": trigger.settings?.document ?? .null, "event": trigger.event?.document ?? .null,
          ]
        }), "config": manifest.configuration.document, "hosts": .list(manifest.hosts.map { .string($0) }),
      "files": manifest.files.map { files in
        .list(
          files.map {
            ["path": .string("{\($0.setting)}"), "access": .string($0.isWritable ? "read-write" : "read")]
          })
      } ?? .null,
      "secrets": .list(manifest.secrets.map { .string($0) }),
    ]
  }
}

extension PluginManifest.Action {
  /// The action: `{name, summary, effect, costly, verifies, native, tasks, input, output}`.
  fileprivate func json(in language: Language) -> Value {
    [
      "name": .string(name), "summary": .string(summary.string(in: language)), "effect": .string(effect.rawValue),
      "costly": .bool(isCostly), "verifies": .bool(verifies), "native": .list(native.map { .string($0) }),
      "tasks": tasks.map { .list($0.map { .string($0) }) } ?? .null, "input": input?.document ?? .null,
      "output": output?.document ?? .null,
    ]
  }
}
