import PluginKit

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

extension ActionError {
  /// What a failed system call means for a recipe.
  init(_ error: FileError) {
    let (path, reason) = (error.path, error.reason)
    if error.isDenied {
      self.init(
        .auth, "Cannot \(error.operation) '\(path)': \(reason).",
        german: "Kein Zugriff auf '\(path)' (\(error.operation)): \(reason).",
        advice: "Give the user that runs Sous the right to read and write this folder.",
        adviceGerman: "Gib dem Benutzer, unter dem Sous läuft, Lese- und Schreibrecht auf diesen Ordner.")
    } else if error.isLink {
      self.init(
        .invalidInput, "'\(path)' is a symbolic link; links inside a Maildir are not followed.",
        german: "'\(path)' ist ein symbolischer Link; Links in einem Maildir wird nicht gefolgt.",
        advice: "Replace the link by the folder itself.", adviceGerman: "Ersetze den Link durch den Ordner selbst.")
    } else if error.code == EDQUOT {
      self.init(
        .quota, "Cannot \(error.operation) '\(path)': \(reason).",
        german: "'\(path)' (\(error.operation)): \(reason).", advice: "Free some of the disk quota.",
        adviceGerman: "Gib Speicherplatz im Kontingent frei.")
    } else if error.isMissing {
      self.init(
        .notFound, "Cannot \(error.operation) '\(path)': \(reason).",
        german: "'\(path)' (\(error.operation)): \(reason).")
    } else {
      self.init(
        .io, "Cannot \(error.operation) '\(path)': \(reason).",
        german: "'\(path)' (\(error.operation)): \(reason).")
    }
  }
}
