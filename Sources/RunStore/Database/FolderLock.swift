internal import Glibc
internal import OperatingSystem

extension FileLock {
  /// Locks a folder while the schema of the database in it is made or changed.
  ///
  /// It locks the folder itself, which leaves no file behind and ends with the process; SQLite's own locks, on the database
  /// file, are not touched.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - timeout: The seconds to wait for another holder.
  ///   - path: The database, which an error names.
  /// - Returns: `nil` if the file system has no locks: SQLite's own must do.
  /// - Throws: ``RunStoreError`` with code `database_locked` after `timeout` seconds.
  static func folder(_ folder: String, timeout: Double, path: String) throws(RunStoreError) -> FileLock? {
    let descriptor: Descriptor
    do throws(SystemError) {
      descriptor = try Descriptor(opening: folder, O_RDONLY | O_DIRECTORY)
    } catch {
      throw .notReadable(path: folder, cause: String(cString: strerror(error.code)))
    }
    do throws(SystemError) {
      if let lock = try FileLock(descriptor, patience: timeout) { return lock }
    } catch {
      return nil
    }
    throw .locked(path: path)
  }
}
