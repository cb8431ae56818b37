import CSystemCalls
import Engine
import Glibc
import Localization
import OperatingSystem

/// Adds to the end of a file, once for each call.
///
/// Where the addition is to begin is noted before anything is written. A repeated call finds there what an earlier attempt
/// has written: all of it, and it is done; the beginning of it at the file's end, and the rest follows; something else, or
/// what a later call has put there, and the addition goes to the end as it is now. A lock keeps additions of Sous apart;
/// programs that know nothing of it may add meanwhile, and lose nothing.
struct FileAddition {
  let files: FolderAccess
  let place: FolderAccess.Place
  let bytes: [UInt8]

  /// How often it is noted anew where others add meanwhile; then it is written all the same.
  private static let patience = 100

  /// Appends, and syncs to disk.
  ///
  /// - Parameter note: Reads the position recorded for the call; with an argument, records one.
  /// - Returns: The size of the file.
  /// - Throws: ``Engine/ActionFailure``; the earlier contents are unchanged.
  func append(_ note: (Int64?) throws -> Int64?) throws -> Int64 {
    // Its size counts once the lock is there.
    let descriptor = try OpenFile(place, flags: O_RDWR | O_CREAT).descriptor
    let lock = try lock(descriptor)
    defer { lock.release() }
    // Always at the end, wherever that is by then.
    let file = try OpenFile(place, flags: O_RDWR | O_APPEND)
    try files.checkContent(of: file, at: place, isRead: false)
    if let found = try begun(at: note(nil), in: file) {
      return try add(Array(bytes.dropFirst(found)), to: file).end
    }
    var begin = try size(of: file)
    for _ in 0..<Self.patience {
      _ = try note(begin)
      let now = try size(of: file)
      if now == begin { break }
      begin = now
    }
    let added = try add(bytes, to: file)
    // Another process has appended just now.
    if added.begin != begin { _ = try note(added.begin) }
    return added.end
  }

  /// How much of the addition is at a place, so that only the rest is missing; `nil` if it is not to be found there.
  private func begun(at offset: Int64?, in file: OpenFile) -> Int? {
    guard let offset = offset.flatMap(Int.init(exactly:)), offset >= 0, offset <= file.size,
      let found = try? file.read(from: offset, count: bytes.count), bytes.starts(with: found), !found.isEmpty,
      found.count == bytes.count || offset + found.count == file.size
    else { return nil }
    return found.count
  }

  /// - Returns: Where what was missing has begun, and the end of it.
  private func add(_ missing: [UInt8], to file: OpenFile) throws(ActionFailure) -> (begin: Int64, end: Int64) {
    let number = file.descriptor.number
    var error: Int32 = 0
    if !missing.isEmpty {
      // A full disk is noticed before there is half of it, where the file system can set room aside. Written bytes are kept,
      // because others may have appended behind them.
      let size = try size(of: file)
      error = system_set_aside(number, off_t(size), off_t(missing.count))
      if ![ENOSPC, EDQUOT, EFBIG].contains(error) { error = 0 }
      do {
        if error == 0 { try file.descriptor.write(missing) }
      } catch {
        throw .file(place.path, error: error.code)
      }
    }
    let end = lseek(number, 0, missing.isEmpty ? SEEK_END : SEEK_CUR)
    if error == 0, end < 0 || fsync(number) != 0 { error = errno }
    guard error == 0 else { throw .file(place.path, error: error) }
    fsync(place.folder.number)
    return (Int64(end) - Int64(missing.count), Int64(end))
  }

  private func size(of file: OpenFile) throws(ActionFailure) -> Int64 {
    var information = stat()
    guard fstat(file.descriptor.number, &information) == 0 else { throw .file(place.path, error: errno) }
    return Int64(information.st_size)
  }

  private func lock(_ descriptor: Descriptor) throws(ActionFailure) -> FileLock {
    do {
      if let lock = try FileLock(descriptor, patience: 10) { return lock }
    } catch {
      throw .file(place.path, error: error.code)
    }
    throw ActionFailure(
      .io,
      LocalizedText(
        "'\(place.path)' has been locked by another program for 10 s",
        de: "'\(place.path)' ist seit 10 s von einem anderen Programm gesperrt"))
  }
}
