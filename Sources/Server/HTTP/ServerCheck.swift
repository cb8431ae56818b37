import Access
import Foundation
import Glibc
public import Localization
import NIOSSL
import OAuth
import OperatingSystem
import RecipeModel
import RunStore
import Secrets
public import UseCases

/// The problems that would keep the server from working, found without serving.
public struct ServerCheck: Sendable {
  /// The problems of the section `server`, each with its remedy; empty if it is absent or in order.
  public private(set) var problems: [LocalizedText] = []
  /// Further facts for the person: that the daemon of the project is running already.
  public private(set) var notes: [LocalizedText] = []

  /// Checks the section `server` of a project.
  public init(of project: Project) async {
    problems = Self.problems(of: project)
    let address = project.configuration.listen
    guard project.configuration.server != nil, let code = TestBinding.failure(of: address) else { return }
    if code == EADDRINUSE, let process = await Self.daemon(of: project, at: address.port) {
      notes.append(
        LocalizedText(
          "the daemon of this project is running and listens at \(address) (process \(process))",
          de: "der Daemon dieses Projekts läuft und wartet an \(address) (Prozess \(process))"))
    } else {
      problems.append(
        LocalizedText("cannot listen at \(address): ", de: "an \(address) lässt sich nicht warten: ")
          + .systemError(code))
    }
  }

  /// The process of the project's daemon that listens at a port; `nil` if none does.
  private static func daemon(of project: Project, at port: Int) async -> Int? {
    guard let servers = try? await project.workspace.servingStatus().servers else { return nil }
    return servers.filter(\.isThere).map(\.pid).first { ListeningProcess.holds(port, $0) }
  }

  private static func problems(of project: Project) -> [LocalizedText] {
    guard let settings = project.configuration.server else { return [] }
    var problems: [LocalizedText] = []
    if let tls = settings.tls {
      do { _ = try TLSFiles.configuration(tls) } catch { problems.append(UseCaseError(error).message) }
    }
    for text in settings.proxies where text != "unix" && !TrustedProxies.isAddress(text) {
      problems.append(
        LocalizedText(
          "'\(text)' in 'server.proxies' is not an address such as 127.0.0.1, a network such as 10.0.0.0/8, or unix",
          de: "'\(text)' in 'server.proxies' ist keine Adresse wie 127.0.0.1, kein Netz wie 10.0.0.0/8 und nicht unix"))
    }
    let address = project.configuration.listen
    if address.socket != nil, !settings.proxies.isEmpty, !settings.isSocketOfProxy {
      problems.append(
        LocalizedText(
          "the server listens at a Unix socket, and 'server.proxies' names addresses only: write 'proxies: [unix]', so that "
            + "the proxy at the socket counts",
          de:
            "der Server wartet an einem Unix-Socket, und 'server.proxies' nennt nur Adressen: 'proxies: [unix]' schreiben, "
            + "damit der Proxy am Socket gilt"))
    }
    if settings.tls == nil, !address.isLoopback, settings.proxies.isEmpty {
      problems.append(
        LocalizedText(
          "\(address) can be reached from other machines without TLS: passwords and tokens can be read on the way; set "
            + "'server.tls', or listen at 127.0.0.1 behind a proxy",
          de: "\(address) ist ohne TLS von anderen Rechnern erreichbar: Passwörter und Tokens sind unterwegs lesbar; "
            + "'server.tls' setzen, oder hinter einem Proxy an 127.0.0.1 warten"))
    }
    do {
      let store = try AccessStore(path: project.workspace.access, creates: false)
      defer { store?.close() }
      if let identity = settings.identity { problems += try self.problems(of: identity, project, store) }
      // With an identity provider the first user may come from there.
      let isOpenToOthers = settings.identity?.roles.values.contains(AccessRole.administrator.name) ?? false
      if try store?.users().isEmpty ?? true, !isOpenToOthers {
        problems.append(
          LocalizedText(
            "there are no users yet: 'sous users add NAME' adds the first one, an administrator",
            de: "noch keine Benutzer: 'sous users add NAME' legt den ersten an, einen Administrator"))
      }
    } catch {
      problems.append(error.message)
    }
    return problems
  }

  /// The problems of `server.identity` that show without asking the provider.
  private static func problems(
    of identity: ConfiguredServer.Identity, _ project: Project, _ store: AccessStore?
  ) throws(AccessError) -> [LocalizedText] {
    var problems: [LocalizedText] = []
    if !IdentityProvider.isUsable(issuer: identity.issuer) {
      problems.append(
        LocalizedText(
          "'server.identity.issuer' must be an https URL (http is for 127.0.0.1 alone)",
          de: "'server.identity.issuer' muss eine https-URL sein (http geht nur für 127.0.0.1)"))
    }
    if let name = identity.secret {
      do throws(SecretError) {
        _ = try project.readableSecrets().value(named: name)
      } catch {
        problems.append(error.message)
      }
    }
    if identity.roles.isEmpty {
      problems.append(
        LocalizedText(
          "'server.identity.roles' is empty, so that no user may sign in there: name a group and its role",
          de:
            "'server.identity.roles' ist leer; so darf sich dort kein Benutzer anmelden: eine Gruppe und ihre Rolle nennen"
        ))
    }
    let known = try store?.roles() ?? AccessRole.builtIn
    for role in Set(identity.roles.values).sorted() where !known.contains(where: { $0.name == role }) {
      problems.append(
        LocalizedText(
          "'server.identity.roles' names the role '\(role)', which does not exist; 'sous roles' lists them",
          de: "'server.identity.roles' nennt die Rolle '\(role)', die es nicht gibt; 'sous roles' zählt sie auf"))
    }
    return problems
  }
}

/// Tries an address and gives it back at once.
private enum TestBinding {
  /// The `errno` of the refusal; `nil` if the address can be used, or is a socket in the file system.
  static func failure(of address: ListenAddress) -> Int32? {
    guard address.socket == nil else { return nil }
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address.host, "\(address.port)", &hints, &found) == 0, let info = found?.pointee else {
      return EADDRNOTAVAIL
    }
    defer { freeaddrinfo(found) }
    let descriptor = socket(info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), info.ai_protocol)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    return bind(descriptor, info.ai_addr, info.ai_addrlen) == 0 ? nil : errno
  }
}

/// The process behind a port, as the kernel reports it in `/proc`.
enum ListeningProcess {
  /// The state of a socket that listens (`TCP_LISTEN`).
  private static let listening = "0A"

  /// Whether a process has a socket that listens at a TCP port. `false` if this user may not see the files of the process.
  static func holds(_ port: Int, _ process: Int) -> Bool {
    let sockets = Set(["/proc/net/tcp", "/proc/net/tcp6"].flatMap { inodes(in: $0, port) })
    let folder = "/proc/\(process)/fd"
    guard !sockets.isEmpty, let files = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return false
    }
    return files.contains { file in
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + file) else {
        return false
      }
      return sockets.contains(target)
    }
  }

  /// The sockets of a table that listen at a port, as the links of open files name them: `socket:[4711]`.
  private static func inodes(in table: String, _ port: Int) -> [String] {
    guard let text = KernelFile.wholeText(of: table) else { return [] }
    return text.split(separator: "\n").compactMap { line in
      // sl, local address, remote address, state, queues, timer, retransmissions, user, timeout, inode
      let fields = line.split(separator: " ")
      guard fields.count > 9, fields[3] == listening, let local = fields[1].split(separator: ":").last,
        Int(local, radix: 16) == port
      else { return nil }
      return "socket:[\(fields[9])]"
    }
  }
}
