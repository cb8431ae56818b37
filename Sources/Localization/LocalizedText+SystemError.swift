internal import Glibc

extension LocalizedText {
  /// What an error of the operating system means: `No such file or directory`.
  ///
  /// The German texts are those of the errors that people meet; any other one reads as the C library words it.
  ///
  /// - Parameter code: A value of `errno`.
  public static func systemError(_ code: Int32) -> LocalizedText {
    let english = String(cString: strerror(code))
    return LocalizedText(english, de: germanSystemErrors[code] ?? english)
  }

  private static let germanSystemErrors: [Int32: String] = [
    EPERM: "Das ist nicht erlaubt",
    ENOENT: "Datei oder Ordner nicht gefunden",
    EINTR: "Unterbrochener Systemaufruf",
    EIO: "Eingabe-/Ausgabefehler",
    ENXIO: "Kein solches Gerät oder keine solche Adresse",
    E2BIG: "Die Argumentliste ist zu lang",
    ENOEXEC: "Das Programm hat kein Format, das ausgeführt werden kann",
    EBADF: "Ungültiger Dateideskriptor",
    EAGAIN: "Zurzeit nicht verfügbar",
    ENOMEM: "Kein Speicher mehr frei",
    EACCES: "Keine Berechtigung",
    EBUSY: "Das Gerät oder die Datei ist belegt",
    EEXIST: "Die Datei ist schon da",
    EXDEV: "Es liegt auf einem anderen Dateisystem",
    ENOTDIR: "Das ist kein Ordner",
    EISDIR: "Das ist ein Ordner",
    EINVAL: "Ungültiges Argument",
    ENFILE: "Im System sind zu viele Dateien offen",
    EMFILE: "Zu viele offene Dateien",
    ETXTBSY: "Das Programm wird gerade geschrieben",
    EFBIG: "Die Datei ist zu groß",
    ENOSPC: "Auf dem Gerät ist kein Platz mehr",
    EROFS: "Das Dateisystem ist nur lesbar",
    EMLINK: "Zu viele Links",
    EPIPE: "Der Leser der Pipe ist weg",
    ENAMETOOLONG: "Der Name ist zu lang",
    ENOTEMPTY: "Der Ordner ist nicht leer",
    ELOOP: "Zu viele symbolische Links",
    EDQUOT: "Das Kontingent an Speicherplatz ist erschöpft",
    ENOTSUP: "Das wird nicht unterstützt",
    ENETUNREACH: "Das Netz ist nicht erreichbar",
    ECONNRESET: "Die Gegenstelle hat die Verbindung abgebrochen",
    ECONNREFUSED: "Die Verbindung wurde abgelehnt",
    ETIMEDOUT: "Die Verbindung kam nicht rechtzeitig zustande",
    EHOSTUNREACH: "Der Rechner ist nicht erreichbar",
  ]
}
