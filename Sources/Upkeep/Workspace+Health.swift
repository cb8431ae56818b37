import Engine
import Foundation
import Localization
import Plans
import PluginHost
import Providers
import RecipeModel
import RecipePlanning
import RecipeSyntax
import RunStore
import Schedules
import Secrets
public import UseCases

extension Workspace {
  /// The seconds that a provider has to answer.
  private static let patience = 15.0
  /// A disk with less room than this, in bytes, soon stops the run log.
  private static let leastRoom: Int64 = 200 << 20

  /// Looks at everything that Sous needs on this machine and in this workspace. Changes nothing, asks no question.
  ///
  /// - Returns: The findings, the machine's first.
  public func examine() async -> [HealthFinding] {
    var findings = [files(), fences(), timeZone(), disk()]
    await findings.append(runLogHealth())
    findings += copyHealth(now: Date())
    var quiet = self
    quiet.surroundings.passphrase = nil
    quiet.surroundings.trustQuestion = nil
    quiet.surroundings.events = { _ in }
    do throws(UseCaseError) {
      let project = try Project(quiet)
      findings.append(configured())
      findings += project.vaultHealth()
      findings += await project.providerHealth(timeout: Self.patience)
      _ = await project.host.shutdown()
      findings.append(await project.service())
    } catch {
      let first = error.planning?.diagnostics.first { $0.severity == .error }
      findings.append(
        HealthFinding(
          .configuration, .problem,
          error.message + (first.map { .init(verbatim: ": ") + $0.message } ?? .init(verbatim: "")),
          remedy: .init("sous validate sous.yaml shows the place", de: "sous validate sous.yaml zeigt die Stelle")))
    }
    return findings
  }

  private func files() -> HealthFinding {
    let missing = SharedFiles.allCases.filter { $0.folder() == nil }
    guard missing.isEmpty else {
      return HealthFinding(
        .files, .warning,
        .init(
          "documentation, templates or the kit for plugins are not installed",
          de: "Dokumentation, Vorlagen oder das Plugin-Kit sind nicht installiert"),
        remedy: .init(
          "install the whole package: share/sous belongs beside the folder of the program",
          de: "das ganze Paket installieren: share/sous gehört neben den Ordner des Programms"))
    }
    return HealthFinding(.files, .fine, .init("the program is complete", de: "das Programm ist vollständig"))
  }

  private func fences() -> HealthFinding {
    let missing = IsolationSupport.missing
    guard let first = missing.first else {
      return HealthFinding(
        .fences, .fine,
        .init(
          "the kernel keeps plugins apart (seccomp, Landlock \(IsolationSupport.domainVersion))",
          de: "der Kernel kann Plugins isolieren (seccomp, Landlock \(IsolationSupport.domainVersion))"))
    }
    let rest = missing.dropFirst().reduce(first.lack) { $0 + .init(verbatim: "; ") + $1.lack }
    return HealthFinding(
      .fences, .warning, rest,
      remedy: .init(
        "use only plugins that you trust, or a kernel with these functions: sous docs security",
        de: "nur vertrauenswürdige Plugins verwenden, oder einen Kernel mit diesen Funktionen: sous docs security"))
  }

  private func timeZone() -> HealthFinding {
    let remedy = LocalizedText(
      "set TZ or /etc/localtime (timedatectl set-timezone Europe/Berlin), and install the package tzdata",
      de: "TZ oder /etc/localtime setzen (timedatectl set-timezone Europe/Berlin), und das Paket tzdata installieren")
    do throws(ScheduleError) {
      let zone = try Zone.system()
      guard FileManager.default.fileExists(atPath: "/usr/share/zoneinfo") else {
        return HealthFinding(
          .timeZone, .warning,
          .init("the zone database is not installed", de: "die Zonendatenbank ist nicht installiert"), remedy: remedy)
      }
      return HealthFinding(.timeZone, .fine, .init(verbatim: zone.identifier))
    } catch {
      return HealthFinding(.timeZone, .problem, error.text, remedy: remedy)
    }
  }

  private func disk() -> HealthFinding {
    // The nearest folder that exists: the state's is made by the first run.
    var folder = surroundings.resolve(stateFolder)
    if !folder.hasPrefix("/") { folder = FileManager.default.currentDirectoryPath + "/" + folder }
    while folder != "/", !FileManager.default.fileExists(atPath: folder) {
      folder = (folder as NSString).deletingLastPathComponent
    }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      return HealthFinding(
        .disk, .problem, .init("\(folder) cannot be written", de: "\(folder) lässt sich nicht schreiben"),
        remedy: .init(
          "change its owner, or name another folder: --state FOLDER or SOUS_STATE",
          de: "den Besitzer ändern, oder einen anderen Ordner nennen: --state ORDNER oder SOUS_STATE"))
    }
    let values = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    guard let room = (values?[.systemFreeSize] as? NSNumber)?.int64Value else {
      return HealthFinding(
        .disk, .warning, .init("the room in \(folder) is not known", de: "der Platz in \(folder) ist nicht bekannt"))
    }
    let text = LocalizedText(
      "\(room >> 20) MB free in \(folder)", de: "\(room >> 20) MB frei in \(folder)")
    guard room < Self.leastRoom else { return HealthFinding(.disk, .fine, text) }
    return HealthFinding(
      .disk, .problem, text,
      remedy: .init(
        "make room; old runs go with sous db prune and sous db vacuum",
        de: "Platz schaffen; alte Läufe entfernen sous db prune und sous db vacuum"))
  }

  private func configured() -> HealthFinding {
    guard let configurationPath else {
      return HealthFinding(
        .configuration, .unused, .init("no sous.yaml here", de: "hier ist keine sous.yaml"),
        remedy: .init("sous init writes one", de: "sous init schreibt eine"))
    }
    return HealthFinding(.configuration, .fine, .init(verbatim: configurationPath))
  }

  private func runLogHealth() async -> HealthFinding {
    do throws(UseCaseError) {
      guard FileManager.default.fileExists(atPath: surroundings.resolve(database)) else {
        return HealthFinding(.runLog, .unused, .init("no run yet", de: "noch kein Lauf"))
      }
      guard let damage = try await checkRunLog(isQuick: true).first else {
        return HealthFinding(.runLog, .fine, .init(verbatim: database))
      }
      return HealthFinding(
        .runLog, .problem, damage.message,
        remedy: .init(
          "sous db check, and a backup: sous docs operations",
          de: "sous db check, und eine Sicherung: sous docs operations"))
    } catch {
      return HealthFinding(
        .runLog, .problem, error.message, remedy: .init("sous docs operations", de: "sous docs operations"))
    }
  }
}

extension Project {
  /// The vault, and each secret that a provider uses and that cannot be had.
  fileprivate func vaultHealth() -> [HealthFinding] {
    var findings: [HealthFinding] = []
    do throws(UseCaseError) {
      for (row, problem) in try SecretList(self).test([]) {
        guard let problem else { continue }
        // A passphrase is missing, or the folder is not trusted: both are a question that a person answers.
        let asks = [SecretError.Code.vaultLocked.rawValue, SecretError.Code.untrusted.rawValue].contains(
          problem.code.rawValue)
        findings.append(
          HealthFinding(
            .vault, asks ? .warning : .problem, .init(verbatim: row.name + ": ") + problem.message,
            remedy: .init(
              "sous secrets set \(row.name), or sous secrets test",
              de: "sous secrets set \(row.name), oder sous secrets test")))
      }
    } catch {
      findings.append(HealthFinding(.vault, .problem, error.message))
    }
    guard findings.isEmpty else { return findings }
    guard FileManager.default.fileExists(atPath: workspace.surroundings.resolve(secrets.vault.path)) else {
      return [
        HealthFinding(
          .vault, .unused, .init("no vault yet", de: "noch kein Tresor"),
          remedy: .init("sous secrets set NAME makes one", de: "sous secrets set NAME legt einen an"))
      ]
    }
    do throws(SecretError) {
      let count = try secrets.namesInVault.count
      return [
        HealthFinding(
          .vault, .fine,
          .init("the vault opens (\(count) entries)", de: "der Tresor lässt sich öffnen (\(count) Einträge)"))
      ]
    } catch {
      let problem = UseCaseError(error)
      return [HealthFinding(.vault, error.code == .vaultLocked ? .warning : .problem, problem.message)]
    }
  }

  /// One finding for each configured provider, and one for mail and for models if none is configured.
  fileprivate func providerHealth(timeout: Double) async -> [HealthFinding] {
    let names = configuration.providers.map(\.name)
    let outcomes = await test(all: names, timeout: timeout)
    var findings = outcomes.map { name, outcome in
      let subject = subject(of: name)
      switch outcome {
      case .success: return HealthFinding(subject, .fine, .init("\(name) answers", de: "\(name) antwortet"))
      case .failure(let error) where error.code == .unsuitableProvider:
        return HealthFinding(
          subject, .fine, .init("\(name) needs no connection to test", de: "\(name) hat keine Verbindung zu prüfen"))
      case .failure(let error):
        let failure = error.cause as? ActionFailure
        return HealthFinding(
          subject, .problem, .init(verbatim: name + ": ") + (failure?.message ?? error.message),
          remedy: failure?.advice ?? .init("sous providers test \(name)", de: "sous providers test \(name)"))
      }
    }
    for (subject, page) in [(HealthFinding.Subject.mail, "mail"), (.models, "models")]
    where !findings.contains(where: { $0.subject == subject }) {
      findings.append(
        HealthFinding(
          subject, .unused, .init("no provider in sous.yaml", de: "kein Provider in sous.yaml"),
          remedy: .init(verbatim: "sous docs " + page)))
    }
    let order = HealthFinding.Subject.allCases
    return findings.enumerated().sorted { left, right in
      let (first, second) = (order.firstIndex(of: left.element.subject), order.firstIndex(of: right.element.subject))
      return (first ?? 0, left.offset) < (second ?? 0, right.offset)
    }.map(\.element)
  }

  private func subject(of provider: String) -> HealthFinding.Subject {
    let contracts = (try? providers.describe(provider).contracts) ?? []
    if contracts.contains("chat") { return .models }
    return contracts.contains { $0.hasPrefix("mail.") } ? .mail : .providers
  }

  /// The daemon: needed if a recipe has triggers.
  fileprivate func service() async -> HealthFinding {
    do throws(UseCaseError) {
      let alive = try await workspace.servingStatus().servers.filter { $0.isAlive(at: SystemTime().now) }
      if let server = alive.first {
        return HealthFinding(
          .service, .fine,
          .init(
            "process \(server.pid) on \(server.host) serves \(server.recipes) recipes",
            de: "Prozess \(server.pid) auf \(server.host) führt \(server.recipes) Rezepte aus"))
      }
      let waiting = try await servedRecipes().filter { $0.triggers > 0 && !$0.isDisabled }.count
      guard waiting > 0 else {
        return HealthFinding(
          .service, .unused, .init("no recipe waits for a trigger", de: "kein Rezept wartet auf einen Auslöser"))
      }
      return HealthFinding(
        .service, .problem,
        .count(
          waiting, "recipe has triggers", "recipes have triggers", de: "Rezept hat Auslöser", "Rezepte haben Auslöser")
          + .init(", and no server is running", de: ", und kein Server läuft"),
        remedy: .init(
          "sous serve, or as a service: systemctl --user enable --now sous (sous docs daemon)",
          de: "sous serve, oder als Dienst: systemctl --user enable --now sous (sous docs daemon)"))
    } catch {
      return HealthFinding(.service, .problem, error.message)
    }
  }
}
