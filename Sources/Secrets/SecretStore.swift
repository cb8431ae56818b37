import Localization
import Synchronization

/// Gets secrets from where they are kept. One that was found is not looked up again; one that was not found is looked up at
/// each call, so that a process that runs for long sees a secret that is set later.
///
/// Nothing is touched before the first secret is asked for. From the first one on the process is protected; see
/// ``ProcessProtection``.
public final class SecretStore: Sendable {
  /// Throws if a secret may not be read from the place that the configuration names.
  public typealias Gate = @Sendable (SecretRequest) throws(SecretError) -> Void

  /// The sources that are asked by name, in order.
  public let sources: [any SecretSource]
  private let environment: [String: String]
  private let commandTimeout: Double
  private let tokens: (any TokenSource)?
  private let gate: Gate?
  private let isAttended: Bool
  private let known = Mutex<[SecretRequest: Result<String, SecretError>]>([:])

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - sources: Where secrets are looked up by name, first choice first.
  ///   - environment: The environment of the process.
  ///   - commandTimeout: The seconds that the command of a setting may take.
  ///   - tokens: Gives the tokens of accounts; `nil` if there are none.
  ///   - gate: Decides whether a secret may be read; `nil` allows every secret.
  ///   - isAttended: Whether a lookup may ask a person, who is then not asked again after a wrong answer.
  public init(
    sources: [any SecretSource], environment: [String: String],
    commandTimeout: Double = SecretCommand.standardTimeout, tokens: (any TokenSource)? = nil, gate: Gate? = nil,
    isAttended: Bool = false
  ) {
    self.gate = gate
    self.isAttended = isAttended
    self.sources = sources
    self.environment = environment
    self.commandTimeout = commandTimeout
    self.tokens = tokens
  }

  /// The value of a secret, as it was when it was first asked for; of an account the token as it is now. May block for
  /// seconds; any thread.
  ///
  /// - Throws: ``SecretError``: ``SecretError/Code/missing`` if no source has it, with what each of them said. The next call
  ///   looks again, except after a person has given a wrong answer; then the error stays until ``refreshed(_:)`` succeeds.
  public func value(of request: SecretRequest) throws(SecretError) -> String {
    // Asked each time: the user may trust the folder while this process runs.
    try gate?(request)
    // Access tokens are not cached here; the token keeper knows when they expire.
    if case .account = request { return try read(request).get() }
    // Others wait: two providers with secrets in one vault are one question to the user.
    return try known.withLock { known in
      if let result = known[request] { return result }
      let result = read(request)
      if lasts(result) { known[request] = result }
      return result
    }.get()
  }

  /// Whether a lookup is not repeated: it found the secret, or a person who was asked has answered wrongly.
  private func lasts(_ result: Result<String, SecretError>) -> Bool {
    guard case .failure(let error) = result else { return true }
    return isAttended && [.command, .vaultWrongKey, .entry, .interrupted].contains(error.code)
  }

  /// The value of a secret as it is now: one that was rotated is new. May block for seconds; any thread.
  ///
  /// - Throws: ``SecretError``; an earlier value then stays.
  public func refreshed(_ request: SecretRequest) throws(SecretError) -> String {
    try gate?(request)
    if case .account = request { return try read(request).get() }
    return try known.withLock { known in
      let result = read(request)
      if case .failure = result, case .success? = known[request] { return result }
      known[request] = lasts(result) ? result : nil
      return result
    }.get()
  }

  private func read(_ request: SecretRequest) -> Result<String, SecretError> {
    do {
      let bytes = try find(request)
      ProcessProtection.enable()
      return .success(try SecretStore.checked(bytes))
    } catch {
      return .failure(error)
    }
  }

  private func find(_ request: SecretRequest) throws(SecretError) -> SecureBytes {
    switch request {
    case .named(let name): return try find(name)
    case .environment(let variable):
      guard let value = environment[variable], !value.isEmpty else {
        throw SecretError(
          .missing,
          LocalizedText(
            "the environment variable '\(variable)' is not set",
            de: "die Umgebungsvariable '\(variable)' ist nicht gesetzt"))
      }
      return try SecureBytes(value)
    case .file(let path, let line):
      let finding: SecretFinding
      if let line {
        finding = try FileSource(path: path).find(line)
      } else {
        finding = try FileSource.contents(of: path)
      }
      switch finding {
      case .found(let bytes): return bytes
      case .failed(let message): throw SecretError(.missing, message)
      case .refused(let message): throw SecretError(.untrusted, message)
      case .absent:
        throw SecretError(
          .missing,
          line.map {
            LocalizedText("\(path) has no line '\($0)=…'", de: "\(path) hat keine Zeile '\($0)=…'")
          } ?? LocalizedText("\(path) is empty", de: "\(path) ist leer"))
      }
    case .account(let account):
      guard let tokens else {
        throw SecretError(
          .missing, LocalizedText("there are no accounts here", de: "es gibt hier keine Konten"))
      }
      return try tokens.accessToken(of: account)
    case .command(let arguments):
      let command = SecretCommand(arguments: arguments, environment: environment, timeout: commandTimeout)
      let value = try command.run()
      guard value.isEmpty else { return value }
      throw SecretError(
        .missing,
        LocalizedText(
          "the command '\(command.program)' printed nothing",
          de: "der Befehl '\(command.program)' hat nichts ausgegeben"))
    }
  }

  private func find(_ name: SecretName) throws(SecretError) -> SecureBytes {
    var notes: [LocalizedText] = []
    var refusal: LocalizedText?
    for source in sources {
      switch try source.find(name) {
      case .found(let bytes): return bytes
      case .absent: notes.append(source.origin.text)
      case .failed(let reason): notes.append(source.origin.text + LocalizedText(verbatim: ": ") + reason)
      case .refused(let reason): refusal = refusal ?? reason
      }
    }
    // To set the secret would be the wrong advice: it may be in the source that was not asked.
    if let refusal {
      throw SecretError(
        .untrusted,
        refusal
          + LocalizedText(
            "; no other source has the secret '\(name)'", de: "; keine andere Quelle hat das Geheimnis '\(name)'"))
    }
    throw SecretError(.missing, SecretStore.missing(name, notes))
  }

  private static func missing(_ name: SecretName, _ notes: [LocalizedText]) -> LocalizedText {
    let remedy = LocalizedText(
      "the secret '\(name)' is not there; set it with: sous secrets set \(name)",
      de: "das Geheimnis '\(name)' fehlt; setzen mit: sous secrets set \(name)")
    guard let first = notes.first else { return remedy }
    let asked = notes.dropFirst().reduce(first) { $0 + LocalizedText(verbatim: "; ") + $1 }
    return remedy + LocalizedText(" (looked in: ", de: " (gesucht in: ") + asked + LocalizedText(verbatim: ")")
  }

  /// A value as a text that settings can hold.
  static func checked(_ bytes: SecureBytes) throws(SecretError) -> String {
    guard bytes.count <= SecretLimits.value, let text = bytes.text, !text.utf8.contains(0) else {
      throw SecretError(
        .valueInvalid,
        LocalizedText(
          "a secret is a text in UTF-8 without NUL, of at most \(SecretLimits.value) bytes",
          de: "ein Geheimnis ist ein Text in UTF-8 ohne NUL mit höchstens \(SecretLimits.value) Byte"))
    }
    return text
  }
}
