public import Localization

extension AuditSource {
  /// The origin for people: `command line`; a word that this version does not know as it is stored.
  public var spokenOrigin: LocalizedText {
    switch origin {
    case "session": LocalizedText("session", de: "Sitzung")
    case "token": LocalizedText("token", de: "Token")
    case "socket": LocalizedText("socket", de: "Socket")
    case "command": LocalizedText("command line", de: "Befehlszeile")
    case "sign-in": LocalizedText("sign-in", de: "Anmeldung")
    case "device": LocalizedText("device", de: "Gerät")
    case "file": LocalizedText("file", de: "Datei")
    case "sync": LocalizedText("sync", de: "Synchronisierung")
    default: LocalizedText(verbatim: origin)
    }
  }
}

extension AuditEntry {
  /// The outcome for people: `refused: forbidden`; empty for a change that was made.
  public var spokenOutcome: LocalizedText {
    outcome == Self.done
      ? LocalizedText(verbatim: "") : LocalizedText("refused: \(outcome)", de: "abgelehnt: \(outcome)")
  }
}
