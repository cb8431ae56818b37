internal import Glibc

/// Paths that only the system knows.
public enum SystemPath {
  /// The absolute path of a file or folder without symbolic links.
  ///
  /// - Returns: The path; `nil` if it does not exist or may not be looked up, with the reason in `errno`.
  public static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The folder for temporary files: `TMPDIR` if that is an absolute path, else `/tmp`.
  public static var temporaryFolder: String {
    getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
  }
}
