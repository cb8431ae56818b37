internal import Engine
internal import GRDB
internal import Localization

extension RunStore {
  /// Reads on the connection for queries; blocks.
  func storage<Result>(_ body: (Database) throws -> Result) throws(StorageFailure) -> Result {
    do {
      return try readNow(body)
    } catch {
      throw StorageFailure(error, path: path)
    }
  }

  /// Runs a transaction on the writing connection and brings it to the disk; blocks.
  ///
  /// - Parameter isDurable: Whether it is to wait for the disk.
  func storageTransaction<Result>(
    isDurable: Bool = true, _ body: (Database) throws -> Result
  ) throws(StorageFailure) -> Result {
    do {
      return try writeNow(isDurable: isDurable, body)
    } catch {
      throw StorageFailure(error, path: path)
    }
  }
}

extension StorageFailure {
  fileprivate init(_ error: any Error, path: String) {
    if let failure = error as? StorageFailure {
      self = failure
    } else {
      self.init(.failed, RunStoreError(error, path: path).message)
    }
  }
}
