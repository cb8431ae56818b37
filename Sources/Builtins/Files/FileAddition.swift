import Engine
import Glibc
import Localization

/// Adds to the end of a file, once for each call.
///
/// Where the addition is to begin is noted before anything is written. A repeated call finds there what an earlier attempt
/// has written: all of it, and it is done; the beginning of it at the file's end, and the rest follows; something else, and
/// the addition goes to the end as it is now. A lock keeps additions of several processes apart.
struct FileAddition {
  let files: FolderAccess
  let place: FolderAccess.Place
  let bytes: [UInt8]

  /// Adds, and brings it to the disk.
  ///
  /// - Parameter note: Tells the place noted for the call, or with an argument notes one.
  /// - Returns: The size of the file.
  /// - Throws: ``Engine/ActionFailure``; the file is then as it was.
  func append(_ note: (Int64?) throws(StorageFailure) -> Int64?) throws(ActionFailure) -> Int64 {
    // Its size counts once the lock is there.
    let descriptor = try OpenFile(place, flags: O_RDWR | O_CREAT).descriptor
    try lock(descriptor)
    let file = try OpenFile(place, flags: O_RDWR)
    try files.checkContent(of: file, at: place, isRead: false)
    var begin = file.size
    do throws(StorageFailure) {
      if let known = try note(nil), let offset = Int(exactly: known), offset <= file.size, offset >= 0 {
        let found = try? file.read(from: offset, count: bytes.count)
        if let found, found.count == bytes.count || offset + found.count == file.size, bytes.starts(with: found) {
          begin = offset
        }
      }
      if begin == file.size { _ = try note(Int64(begin)) }
    } catch {
      throw ActionFailure(error)
    }
    let missing = Array(bytes.dropFirst(max(0, min(bytes.count, file.size - begin))))
    if !missing.isEmpty { try add(missing, to: file, begin: begin) }
    return Int64(max(file.size, begin + bytes.count))
  }

  private func add(_ missing: [UInt8], to file: OpenFile, begin: Int) throws(ActionFailure) {
    let number = file.descriptor.number
    var error: Int32 = lseek(number, off_t(file.size), SEEK_SET) < 0 ? errno : 0
    if error == 0 { error = file.descriptor.write(missing) }
    if error == 0, fsync(number) != 0 { error = errno }
    guard error == 0 else {
      // A full disk leaves no half of it.
      ftruncate(number, off_t(begin))
      throw .file(place.path, error: error)
    }
    fsync(place.folder.number)
  }

  private func lock(_ descriptor: Descriptor) throws(ActionFailure) {
    for _ in 0..<1000 {
      if flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 { return }
      guard errno == EWOULDBLOCK || errno == EINTR else { throw .file(place.path, error: errno) }
      usleep(10_000)
    }
    throw ActionFailure(
      .io,
      LocalizedText(
        "'\(place.path)' has been locked by another program for 10 s",
        de: "'\(place.path)' ist seit 10 s von einem anderen Programm gesperrt"))
  }
}
