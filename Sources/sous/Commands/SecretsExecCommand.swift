import ArgumentParser
import Glibc
import Localization
import Secrets
import UseCases

/// `sous secrets exec`: runs a program with secrets in its environment.
struct SecretsExecCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "exec",
      abstract: say(
        "Run a program with secrets in its environment.",
        de: "Ein Programm mit Geheimnissen in seiner Umgebung starten."),
      usage: "sous secrets exec NAME … -- PROGRAM …")
  }

  @OptionGroup var global: GlobalOptions

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp(
      say(
        "The secrets' names, which the variables have too, or VARIABLE=NAME; after '--' the program and its arguments.",
        de: "Die Namen der Geheimnisse, die auch die Variablen haben, oder VARIABLE=NAME; nach '--' das Programm und "
          + "seine Argumente."),
      valueName: "name"))
  var words: [String] = []

  func run() async throws {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    let (names, program) = (words[..<end], words[end...].dropFirst())
    guard names.first != "--help", names.first != "-h" else { throw CleanExit.helpRequest(self) }
    guard !names.isEmpty, let name = program.first, !name.isEmpty else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "the program is missing: sous secrets exec DB -- psql",
          de: "das Programm fehlt: sous secrets exec DB -- psql"), code: "program_missing")
    }
    let secrets = try Project(try Workspace(global)).readableSecrets()
    for given in names {
      let parts = given.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let secret = try SecretName(checking: parts.last ?? "")
      guard let variable = parts.first, Self.isVariable(variable) else {
        throw CommandError(
          ExitStatus.wrongInput,
          LocalizedText(
            "the name of a variable has letters, digits and '_' only: PGPASSWORD=\(secret.text)",
            de: "der Name einer Variable hat nur Buchstaben, Ziffern und '_': PGPASSWORD=\(secret.text)"),
          code: "variable_invalid")
      }
      let value = try secrets.value(named: secret.text)
      guard !value.utf8.contains(0) else {
        throw CommandError(
          ExitStatus.wrongInput,
          LocalizedText(
            "the secret '\(secret.text)' holds a NUL, which no variable can",
            de: "das Geheimnis '\(secret.text)' enthält ein NUL, das keine Variable halten kann"),
          code: "secret_invalid")
      }
      setenv(variable, value, 1)
    }
    // The program takes the place of this process: its signals, exit status and terminal are its own.
    signal(SIGPIPE, SIG_DFL)
    var arguments: [UnsafeMutablePointer<CChar>?] = program.map { strdup($0) } + [nil]
    execvp(name, &arguments)
    let reason = String(cString: strerror(errno))
    for argument in arguments { free(argument) }
    throw CommandError(
      ExitStatus.wrongInput,
      LocalizedText("'\(name)' cannot be started: \(reason)", de: "'\(name)' lässt sich nicht starten: \(reason)"),
      code: "program_not_started")
  }

  private static func isVariable(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(48...57).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case 48...57, 65...90, 97...122, UInt8(ascii: "_"): true
      default: false
      }
    }
  }
}
