import ArgumentParser
import Engine
import Expressions
import Localization
import PluginHost
import UseCases

/// `sous models`: what models the providers have.
struct ModelsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "models",
      abstract: say("List the models of the providers.", de: "Die Modelle der Provider auflisten."))
  }

  /// Seconds that a provider may take.
  static let timeout = 20.0

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say(
        "Only this provider (default: all that offer 'chat').", de: "Nur dieser Provider (Vorgabe: alle mit 'chat')."),
      valueName: "name"))
  var provider: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let project = try Project(try Workspace(global))
    let names = try provider == nil ? project.allChatProviders() : project.chatProviders(named: provider)
    let listings = try await Interruption.untilInterrupted { await project.models(of: names, timeout: Self.timeout) }
    await project.host.shutdown()
    show(listings)
    let failures = listings.compactMap { if case .failure(let failure) = $0.models { failure } else { nil } }
    guard failures.isEmpty else {
      if failures.contains(where: { $0.kind == .cancelled }) { throw CommandError(ExitStatus.interrupted) }
      throw CommandError(ExitStatus.runFailed)
    }
  }

  private func show(_ listings: [ModelListing]) {
    if format.json {
      writeJSON(
        .list(
          listings.map { listing in
            switch listing.models {
            case .success(let models): ["provider": .string(listing.provider), "models": .list(models)]
            case .failure(let failure):
              [
                "provider": .string(listing.provider),
                "error": CommandError(failure, provider: listing.provider).json["error"] ?? .null,
              ]
            }
          }))
      return
    }
    var table = TextTable([
      .init(say("provider", de: "Provider")), .init(say("model", de: "Modell")),
      .init(say("owner", de: "Inhaber"), .cut(to: 8)), .init(say("remarks", de: "Bemerkungen"), .below),
    ])
    for listing in listings {
      guard case .success(let models) = listing.models else { continue }
      for model in models { table.append(row(model, provider: listing.provider)) }
    }
    write(table.text())
    for listing in listings {
      switch listing.models {
      case .failure(let failure):
        writeError((CommandError(failure, provider: listing.provider).message?.spoken ?? "") + "\n")
      case .success(let models) where models.isEmpty:
        writeError(say("\(listing.provider): no models\n", de: "\(listing.provider): keine Modelle\n"))
      case .success: break
      }
    }
  }

  private func row(_ model: Value, provider: String) -> [String] {
    var notes: [String] = []
    if case .int(let bytes)? = model["size"] { notes.append(Self.size(bytes)) }
    if case .int(let tokens)? = model["context"] { notes.append(say("\(tokens) tokens", de: "\(tokens) Tokens")) }
    if let capabilities = model["capabilities"]?.listValue {
      notes.append(capabilities.compactMap(\.stringValue).joined(separator: ", "))
    }
    return [
      provider, model["id"]?.stringValue ?? "", model["owner"]?.stringValue ?? "",
      notes.filter { !$0.isEmpty }.joined(separator: " · "),
    ]
  }

  /// `4.7 GB`
  private static func size(_ bytes: Int64) -> String {
    bytes >= 1_000_000_000
      ? "\(bytes / 1_000_000_000).\(bytes % 1_000_000_000 / 100_000_000) GB" : "\(bytes / 1_000_000) MB"
  }
}
