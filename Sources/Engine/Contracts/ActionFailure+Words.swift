public import Localization

extension ActionFailure.Kind {
  /// The kind for people: in English its name, which recipes and documentation use; in German a word. A kind of a plugin's own is its
  /// name in both languages.
  public var words: LocalizedText { LocalizedText(rawValue, de: german ?? rawValue) }

  private var german: String? {
    switch self {
    case .dns: "Name unbekannt"
    case .timeout: "Zeitüberschreitung"
    case .refused: "Verbindung abgelehnt"
    case .unreachable: "nicht erreichbar"
    case .io: "Übertragungsfehler"
    case .rateLimited: "zu viele Anfragen"
    case .server: "Serverfehler"
    case .unsuitable: "unpassende Antwort"
    case .crashed: "abgestürzt"
    case .auth: "Anmeldung"
    case .quota: "Kontingent erschöpft"
    case .protocol: "Protokollfehler"
    case .parse: "nicht lesbar"
    case .invalidInput: "ungültige Eingabe"
    case .notFound: "nicht gefunden"
    case .unsupported: "nicht unterstützt"
    case .failed: "gescheitert"
    case .badOutput: "unerwartete Ausgabe"
    case .outputs: "Ausgaben"
    case .notYet: "noch nicht so weit"
    case .repeatLimit: "Grenze der Wiederholungen"
    case .rejected: "abgelehnt"
    case .cancelled: "abgebrochen"
    default: nil
    }
  }
}
