import Glibc
import Localization
import NIOCore

extension NetworkError {
  /// A name that cannot be resolved.
  init(_ failure: NameFailure, for endpoint: Endpoint) {
    switch failure {
    case .unknown:
      self.init(
        .dns, .nameUnknown,
        LocalizedText("there is no host '\(endpoint.host)'", de: "es gibt keinen Rechner '\(endpoint.host)'"),
        advice: LocalizedText("is the name spelt right?", de: "ist der Name richtig geschrieben?"))
    case .service(let reason):
      self.init(
        .dns, .nameServiceFailed,
        LocalizedText(
          "the address of '\(endpoint.host)' cannot be found: \(reason)",
          de: "die Adresse von '\(endpoint.host)' ist nicht zu finden: \(reason)"),
        advice: LocalizedText(
          "is this machine connected to the network?", de: "ist dieser Rechner mit dem Netz verbunden?"))
    }
  }

  /// The results of the attempts to connect to the addresses of a host.
  init(connecting failures: [any Error], to endpoint: Endpoint) {
    let codes = failures.map { ($0 as? IOError)?.errnoCode ?? 0 }
    let unreachable: Set<Int32> = [ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, EACCES, EPERM]
    if codes.contains(ECONNREFUSED) {
      self.init(
        .refused, .connectionRefused,
        LocalizedText("\(endpoint) refuses the connection", de: "\(endpoint) lehnt die Verbindung ab"),
        advice: LocalizedText(
          "does the server run, and on this port?", de: "läuft der Server, und auf diesem Port?"))
    } else if codes.contains(ETIMEDOUT) {
      self.init(connectTimeout: endpoint)
    } else if codes.contains(where: unreachable.contains) {
      self.init(
        .unreachable, .hostUnreachable,
        LocalizedText("there is no way to \(endpoint)", de: "es führt kein Weg zu \(endpoint)"),
        advice: LocalizedText(
          "is this machine connected to that network?", de: "ist dieser Rechner mit diesem Netz verbunden?"))
    } else {
      let reason = codes.first { $0 != 0 }.map(LocalizedText.systemError) ?? LocalizedText(verbatim: "I/O")
      self.init(
        .io, .connectionLost,
        LocalizedText("no connection to \(endpoint): ", de: "keine Verbindung zu \(endpoint): ") + reason)
    }
  }

  /// A connection that is not established in time.
  init(connectTimeout endpoint: Endpoint) {
    self.init(
      .timeout, .connectTimeout,
      LocalizedText("no connection to \(endpoint) in time", de: "keine Verbindung zu \(endpoint) in der Zeit"),
      advice: LocalizedText("is the server up and reachable?", de: "läuft der Server, und ist er erreichbar?"))
  }

  /// A silence that is too long.
  init(idleTimeout endpoint: Endpoint) {
    self.init(
      .timeout, .idleTimeout,
      LocalizedText("\(endpoint) has been silent for too long", de: "\(endpoint) hat zu lange geschwiegen"))
  }

  /// A connection that broke.
  init(connectionLost endpoint: Endpoint) {
    self.init(
      .io, .connectionLost,
      LocalizedText(
        "the connection to \(endpoint) broke off", de: "die Verbindung zu \(endpoint) ist abgebrochen"))
  }

  /// Something that was cancelled.
  init(cancelled endpoint: Endpoint?) {
    let whom = endpoint.map { " (\($0))" } ?? ""
    self.init(.cancelled, .cancelled, LocalizedText("cancelled\(whom)", de: "abgebrochen\(whom)"))
  }

  /// The host that has been shut down.
  static let shutDown = NetworkError(
    .cancelled, .closed,
    LocalizedText("Sous is ending its network connections", de: "Sous beendet seine Netzverbindungen"))

  /// More to send than is kept.
  init(unsent endpoint: Endpoint, limit: Int) {
    self.init(
      .io, .unsentTooLarge,
      LocalizedText(
        "\(endpoint) takes too slowly what is written: more than \(limit) bytes are waiting",
        de: "\(endpoint) nimmt zu langsam entgegen, was geschrieben wird: Mehr als \(limit) Bytes warten"))
  }
}
