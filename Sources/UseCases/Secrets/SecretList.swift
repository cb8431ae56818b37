public import Recipes
public import Secrets

/// The secrets that are used or kept somewhere, without their values.
public struct SecretList {
  /// A secret.
  public struct Row {
    /// Where the configuration says it is.
    public let place: SecretReference.Place
    /// What people know it by.
    public let name: String
    /// The settings that use it: `work.password`.
    public internal(set) var uses: [String]
    /// Where it is; `nil` where it was not found, or not looked for.
    public internal(set) var origin: SecretOrigin?
    /// Whether it is there; `nil` where only asking would tell, a command or a vault that is locked.
    public internal(set) var isThere: Bool?

    init(place: SecretReference.Place, name: String, uses: [String], origin: SecretOrigin? = nil, isThere: Bool? = nil)
    {
      self.place = place
      self.name = name
      self.uses = uses
      self.origin = origin
      self.isThere = isThere
    }
  }

  private let project: Project
  /// The secrets, those that are used first, in the order of `sous.yaml`.
  public private(set) var rows: [Row] = []
  /// What went wrong while looking.
  public private(set) var problems: [UseCaseError] = []

  /// The secrets that providers use; looks nothing up.
  public init(_ project: Project) {
    self.project = project
    for provider in project.configuration.providers {
      for (reference, setting) in provider.settings.secretPlaces {
        let use = provider.name + "." + setting
        if let index = rows.firstIndex(where: { $0.place == reference.place }) {
          rows[index].uses.append(use)
        } else {
          rows.append(Row(place: reference.place, name: reference.name, uses: [use]))
        }
      }
    }
  }

  /// Gets every secret that providers use, as a run would.
  ///
  /// - Parameter names: Only these; empty for all.
  /// - Returns: Each secret, and why it cannot be had.
  /// - Throws: ``UseCaseError`` for what is no name of a secret.
  public func test(_ names: [String]) throws(UseCaseError) -> [(row: Row, problem: UseCaseError?)] {
    var tested = rows
    if !names.isEmpty {
      tested = []
      for name in names {
        let name = try mapErrors { try SecretName(checking: name) }.text
        tested.append(
          rows.first { $0.place == .name(name) } ?? Row(place: .name(name), name: name, uses: []))
      }
    }
    return tested.map { row in
      do throws(SecretError) {
        try project.trust.checkReading(in: project.manifests)
        _ = try project.secrets.store.value(of: try project.secrets.request(row.place))
        return (row, nil)
      } catch {
        return (row, UseCaseError(error))
      }
    }
  }

  /// Finds out where they are, and which others there are. No command runs.
  public mutating func look() {
    let sources = project.secrets.store.sources
    var broken: Set<Int> = []
    for index in rows.indices { look(at: index, in: sources, &broken) }
    for (index, source) in sources.enumerated() where !broken.contains(index) {
      for name in attempt({ () throws(SecretError) in try source.names() ?? [] }) ?? [] {
        guard !rows.contains(where: { $0.place == .name(name.text) }) else { continue }
        rows.append(
          Row(place: .name(name.text), name: name.text, uses: [], origin: source.origin, isThere: true))
      }
    }
  }

  private mutating func look(at index: Int, in sources: [any SecretSource], _ broken: inout Set<Int>) {
    switch rows[index].place {
    case .name(let text):
      guard let name = SecretName(text) else { return }
      var isSure = true
      for (number, source) in sources.enumerated() {
        guard !broken.contains(number), let has = attempt({ () throws(SecretError) in try source.has(name) }) else {
          // What a source that is locked or broken would say is not known.
          broken.insert(number)
          isSure = false
          continue
        }
        guard let has else {
          if isSure { rows[index].origin = source.origin }
          return
        }
        guard has else { continue }
        rows[index].origin = source.origin
        rows[index].isThere = isSure ? true : nil
        return
      }
      rows[index].isThere = isSure ? false : nil
    case .account(let name):
      rows[index].origin = SecretOrigin(.vault, detail: project.secrets.vault.path)
      let vault = project.secrets.openedVault
      let isThere = attempt { () throws(SecretError) in
        guard let secret = SecretName(OpenedVault.accountPrefix + name) else { return false }
        return try vault.names().contains(secret)
      }
      rows[index].isThere = isThere
    case .command(let arguments):
      rows[index].origin = SecretOrigin(.command, detail: arguments.first)
    case .environment, .file:
      let secrets = project.secrets
      let place = rows[index].place
      let isThere = attempt { () throws(SecretError) -> Bool? in
        do throws(SecretError) {
          _ = try secrets.store.value(of: try secrets.request(place))
          return true
        } catch {
          if error.code == .untrusted { return nil }
          guard error.code == .missing else { throw error }
          return false
        }
      }
      rows[index].isThere = isThere ?? nil
      if case .file(let path, _) = place {
        rows[index].origin = SecretOrigin(.file, detail: path)
      } else {
        rows[index].origin = SecretOrigin(.environment)
      }
    }
  }

  private mutating func attempt<Result>(_ body: () throws(SecretError) -> Result) -> Result? {
    do throws(SecretError) {
      return try body()
    } catch {
      problems.append(UseCaseError(error))
      return nil
    }
  }
}
