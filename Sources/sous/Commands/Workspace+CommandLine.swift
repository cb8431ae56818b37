import Foundation
import Localization
import Secrets
import UseCases

extension Workspace {
  /// The workspace that the options name, in the current folder; events are printed on standard error.
  init(_ options: GlobalOptions) throws(UseCaseError) {
    try self.init(configuration: options.config, state: options.state, trusts: options.trustWorkspace)
  }

  /// The workspace of the current folder.
  ///
  /// - Parameter trusts: Whether the user trusts the folder for this call.
  init(configuration: String?, state: String?, trusts: Bool) throws(UseCaseError) {
    var surroundings = Surroundings.ofProcess
    surroundings.trustsFolder = trusts
    try self.init(configuration: configuration, state: state, surroundings)
  }

  /// Works with an open session and closes it, whatever comes of it.
  ///
  /// - Parameters:
  ///   - patience: Seconds to wait while another process keeps the run log locked; `nil` for the usual.
  ///   - probesAtOnce: Whether a provider whose circuit is open is tried at once.
  ///   - body: The work.
  func withSession<Answer>(
    patience: Double? = nil, probesAtOnce: Bool = false, _ body: (Session) async throws -> Answer
  ) async throws -> Answer {
    let project = try Project(self)
    let session =
      if let patience {
        try await Session(project, patience: patience, probesAtOnce: probesAtOnce)
      } else {
        try await Session(project, probesAtOnce: probesAtOnce)
      }
    return try await session.closing(body)
  }
}

extension Session {
  /// Works with the session and closes it, whatever comes of it.
  ///
  /// - Parameters:
  ///   - tidies: Whether some of what retention no longer keeps is removed at the end.
  ///   - body: The work.
  func closing<Answer>(
    tidies: Bool = true, _ body: (Session) async throws -> Answer
  ) async throws -> Answer {
    do {
      let answer = try await body(self)
      try await close(tidies: tidies)
      return answer
    } catch {
      await abandon()
      throw error
    }
  }
}

extension Surroundings {
  /// Those of this process: its environment, its terminal.
  static var ofProcess: Surroundings {
    var surroundings = Surroundings(environment: ProcessInfo.processInfo.environment)
    surroundings.passphrase = { path throws(SecretError) in
      try HiddenEntry.ask(say("Passphrase of the vault \(path): ", de: "Passphrase des Tresors \(path): "))
    }
    surroundings.asksEarly = HiddenEntry.isPossible
    surroundings.isAttended = isatty(STDIN_FILENO) == 1
    surroundings.isActing = CommandPurpose.isActing(Array(CommandLine.arguments.dropFirst()))
    if isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 { surroundings.trustQuestion = TrustCommand.ask }
    surroundings.events = Notices.tell
    surroundings.language = Speech.language
    return surroundings
  }
}

extension Assignment {
  /// The assignments of options such as `-i NAME=VALUE`.
  ///
  /// - Parameters:
  ///   - texts: The values of the option.
  ///   - option: Its name.
  static func all(_ texts: [String], option: String) throws(CommandError) -> [Assignment] {
    var result: [Assignment] = []
    for text in texts {
      guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
        throw CommandError(
          ExitStatus.wrongInput,
          .init("\(option) takes NAME=VALUE, not '\(text)'", de: "\(option) erwartet NAME=WERT, nicht '\(text)'"))
      }
      result.append(Assignment(String(text[..<sign]), String(text[text.index(after: sign)...])))
    }
    return result
  }
}
