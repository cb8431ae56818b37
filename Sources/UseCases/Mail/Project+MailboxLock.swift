import Hashing
package import Localization
package import OperatingSystem
import Secrets

extension Project {
  /// Takes the lock under which one process does something with a mailbox, so that no second one does the same.
  ///
  /// - Parameters:
  ///   - work: What is done, with the names of provider and folder.
  ///   - busy: What to say where another process does it.
  /// - Throws: ``UseCaseError`` with code `wrong_input` where another process holds it; `SecretError` where its file cannot
  ///   be made.
  package func lockMailbox(for work: String, busy: LocalizedText) throws -> FileLock {
    let name = ContentHash.hexadecimal(of: Array(work.utf8)).prefix(16)
    let path = "\(workspace.stateFolder)/mailbox-\(name).lock"
    guard let lock = try ProtectedFile.lock(path, patience: 0) else { throw UseCaseError.wrongInput(busy) }
    return lock
  }
}
