import Builtins
import Engine
import Foundation
import Localization
import Networking
import PluginHost
import RecipeModel
import Secrets

extension BuiltinSurroundings {
  /// What a configuration lets the built-in actions reach. Reads no secret and opens nothing.
  init(
    _ configuration: Configuration, _ workspace: Workspace, secrets: ProjectSecrets, manifests: ManifestDirectory,
    network: NetworkService
  ) {
    let trust = configuration.http.trust
    let (files, http) = (secrets.trust.fileFolders, secrets.trust.httpHosts)
    self.init(
      folder: Self.absolute(configuration.directory),
      fileFolders: (files.folders ?? [configuration.directory]).map(Self.absolute),
      stateFolder: Self.absolute(workspace.stateFolder), configuration: configuration.path.map(Self.absolute),
      secrets: secrets.files.map(Self.absolute),
      caches: [manifests.cache.folder, secrets.trust.store.folder].compactMap { $0.map(Self.absolute) },
      pluginFolders: manifests.searchPath.folders.map { Self.absolute($0.path) },
      code: configuration.pluginFiles.map(Self.absolute) + [PluginSearchPath.currentExecutable].map(Self.absolute),
      executed: (configuration.servedFolders + [configuration.resolve("catalog")]).map(Self.absolute),
      areFoldersNamed: files.folders != nil && files.refusal == nil, foldersRefusal: files.refusal,
      environment: workspace.surroundings.environment, secretVariables: secrets.variables,
      secret: { (name) throws(ActionFailure) in
        do throws(SecretError) {
          return try secrets.value(named: name)
        } catch {
          throw ActionFailure(.auth, error.message)
        }
      },
      http: HTTPAccess(
        hosts: http.hosts, credentials: configuration.http.credentials.map { .init($0, secrets) },
        withheld: http.withheld, refusal: http.refusal,
        tls: TLSOptions(authorities: trust.authorities, certificate: trust.certificate), network: network),
      outbox: configuration.outbox, neutralisation: configuration.neutralise)
    seal = secrets.seal
    textLimit = configuration.engine.textLimit
  }

  /// A path from the root, as this process sees it.
  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}

extension Configuration {
  /// The libraries that providers name by their paths.
  fileprivate var pluginFiles: [String] {
    providers.compactMap { if case .file(let path) = $0.plugin { resolve(path) } else { nil } }
  }
}

extension HTTPAccess.Credential {
  /// A credential of the configuration; its secret is read when a request needs it.
  fileprivate init(_ credential: ConfiguredHTTP.Credential, _ secrets: ProjectSecrets) {
    let read: Read = { () throws(ActionFailure) in
      do throws(SecretError) {
        try secrets.trust.check(credential)
        return try secrets.value(of: credential.secret)
      } catch {
        if error.code == .untrusted { throw ActionFailure(.auth, error.message) }
        throw ActionFailure(
          .auth,
          LocalizedText(verbatim: secrets.place(of: credential.secret) + ": ")
            + LocalizedText(
              "requests to \(credential.host.value) need a secret: ",
              de: "Anfragen an \(credential.host.value) brauchen ein Geheimnis: ")
            + error.message)
      }
    }
    switch credential.form {
    case .bearer:
      self.init(host: credential.host.value, header: "Authorization", secret: read) { "Bearer " + $0 }
    case .basic(let user):
      // RFC 7617.
      self.init(host: credential.host.value, header: "Authorization", secret: read) {
        "Basic " + Data("\(user):\($0)".utf8).base64EncodedString()
      }
    case .header(let name): self.init(host: credential.host.value, header: name, secret: read)
    }
  }
}
