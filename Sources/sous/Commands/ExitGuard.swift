import Foundation
import Localization
import Synchronization

/// Turns an end of the process that Sous did not ask for into a failure: a plugin that runs inside Sous may call `exit(0)`,
/// and the unfinished run would look like a success.
///
/// `_exit`, `quick_exit` and signals run no handlers: those nobody catches but a worker process.
enum ExitGuard {
  private static let isExpected = Atomic(false)

  /// Watches from now on. What has not ended then is interrupted, and can be resumed.
  static func begin() {
    atexit {
      guard !ExitGuard.isExpected.load(ordering: .acquiring) else { return }
      let message = LocalizedText(
        """
        a plugin that runs inside Sous called exit and ended the process. Its run is interrupted; 'sous resume' goes on \
        with it. 'isolation: process' of the provider in sous.yaml keeps the plugin in a process of its own.
        """,
        de: """
          Ein Plugin, das in Sous selbst läuft, hat exit gerufen und den Prozess beendet. Sein Lauf ist unterbrochen; \
          'sous resume' setzt ihn fort. 'isolation: process' des Providers in sous.yaml hält das Plugin in einem eigenen \
          Prozess.
          """)
      writeError(say("error: ", de: "Fehler: ") + message.spoken + "\n")
      _exit(ExitStatus.environment)
    }
  }

  /// Sous itself is about to end the process.
  static func expect() { isExpected.store(true, ordering: .releasing) }
}
