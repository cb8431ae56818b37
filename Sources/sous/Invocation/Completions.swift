import Access
import ArgumentParser
import Engine
import Foundation
import Providers
import RunStore
import Upkeep
import UseCases

/// What the shell completes arguments with. A completion asks no question, opens no plugin, and is empty if the workspace cannot
/// be read.
enum Completions {
  /// The names of served recipes, and YAML files.
  static let recipes = CompletionKind.custom { _, _, prefix in
    let names = project?.servedNames ?? []
    return names + yamlFiles(prefix)
  }

  /// `last`, and the ids of the newest runs.
  static let runs = CompletionKind.custom { _, _, _ async -> [String] in
    let newest = try? await workspace?.runLog({ try await $0.runs(RunFilter(limit: 30)) }, ifMissing: { [] })
    return ["last"] + (newest ?? []).map(\.id.rawValue)
  }

  /// The steps of the run that is named on the command line, or of the newest.
  static let steps = CompletionKind.custom { words, _, _ async -> [String] in
    let run = words.dropFirst(2).first { !$0.hasPrefix("-") } ?? "last"
    let found = try? await workspace?.runLog({ try await $0.run(run, limit: 1).steps.map(\.id) }, ifMissing: { [] })
    return found ?? []
  }

  /// The configured providers.
  static let providers = CompletionKind.custom { _, _, _ in project?.providers.names ?? [] }

  /// The statuses of runs.
  static let statuses = CompletionKind.list(RunStatus.allCases.map(\.rawValue))

  /// The pages of documentation.
  static let pages = CompletionKind.custom { _, _, _ in Manual.pages(isGerman: false).map(\.name) }

  /// The templates of new recipes.
  static let templates = CompletionKind.custom { _, _, _ in RecipeTemplate.names }

  /// The users of the server.
  static let users = CompletionKind.custom { _, _, _ in
    let users = try? workspace?.readingAccess({ try $0.users() }, ifMissing: { [] })
    return (users ?? []).map(\.name)
  }

  /// The roles of users of the server.
  static let roles = CompletionKind.custom { _, _, _ in
    let roles = try? workspace?.readingAccess({ try $0.roles() }, ifMissing: { AccessRole.builtIn })
    return (roles ?? []).map(\.name)
  }

  private static var workspace: Workspace? {
    var surroundings = Surroundings.ofProcess
    surroundings.trustQuestion = nil
    surroundings.events = { _ in }
    return try? Workspace(surroundings)
  }

  private static var project: Project? { workspace.flatMap { try? Project($0) } }

  /// The YAML files, and the folders, that begin with what is typed.
  private static func yamlFiles(_ prefix: String) -> [String] {
    let folder = prefix.contains("/") ? String(prefix[...(prefix.lastIndex(of: "/") ?? prefix.startIndex)]) : ""
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return entries.sorted().compactMap { entry in
      guard !entry.hasPrefix(".") else { return nil }
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: folder + entry, isDirectory: &isFolder)
      if isFolder.boolValue { return folder + entry + "/" }
      return entry.hasSuffix(".yaml") && !entry.hasSuffix(".test.yaml") ? folder + entry : nil
    }
  }
}
