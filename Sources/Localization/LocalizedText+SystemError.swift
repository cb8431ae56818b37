internal import Glibc

extension LocalizedText {
  /// What an error of the operating system means: `No such file or directory`.
  ///
  /// The German texts are those of the errors that people meet; any other one reads as the C library words it.
  ///
  /// - Parameter code: A value of `errno`.
  public static func systemError(_ code: Int32) -> LocalizedText {
    let english = String(cString: strerror(code))
    return LocalizedText(english, de: germanSystemError(code) ?? english)
  }

  /// `nil` for what has no German text. A dictionary would have to be built first.
  private static func germanSystemError(_ code: Int32) -> String? {
    switch code {
    case EPERM: "Das ist nicht erlaubt"
    case ENOENT: "Datei oder Ordner nicht gefunden"
    case EINTR: "Unterbrochener Systemaufruf"
    case EIO: "Eingabe-/Ausgabefehler"
    case ENXIO: "Kein solches Gerät oder keine solche Adresse"
    case E2BIG: "Die Argumentliste ist zu lang"
    case ENOEXEC: "Das Programm hat kein Format, das ausgeführt werden kann"
    case EBADF: "Ungültiger Dateideskriptor"
    case EAGAIN: "Zurzeit nicht verfügbar"
    case ENOMEM: "Kein Speicher mehr frei"
    case EACCES: "Keine Berechtigung"
    case EBUSY: "Das Gerät oder die Datei ist belegt"
    case EEXIST: "Die Datei ist schon da"
    case EXDEV: "Es liegt auf einem anderen Dateisystem"
    case ENOTDIR: "Das ist kein Ordner"
    case EISDIR: "Das ist ein Ordner"
    case EINVAL: "Ungültiges Argument"
    case ENFILE: "Im System sind zu viele Dateien offen"
    case EMFILE: "Zu viele offene Dateien"
    case ETXTBSY: "Das Programm wird gerade geschrieben"
    case EFBIG: "Die Datei ist zu groß"
    case ENOSPC: "Auf dem Gerät ist kein Platz mehr"
    case EROFS: "Das Dateisystem ist nur lesbar"
    case EMLINK: "Zu viele Links"
    case EPIPE: "Der Leser der Pipe ist weg"
    case ENAMETOOLONG: "Der Name ist zu lang"
    case ENOTEMPTY: "Der Ordner ist nicht leer"
    case ELOOP: "Zu viele symbolische Links"
    case EDQUOT: "Das Kontingent an Speicherplatz ist erschöpft"
    case ENOTSUP: "Das wird nicht unterstützt"
    case ENETUNREACH: "Das Netz ist nicht erreichbar"
    case ECONNRESET: "Die Gegenstelle hat die Verbindung abgebrochen"
    case ECONNREFUSED: "Die Verbindung wurde abgelehnt"
    case ETIMEDOUT: "Die Verbindung kam nicht rechtzeitig zustande"
    case EHOSTUNREACH: "Der Rechner ist nicht erreichbar"
    default: nil
    }
  }
}
