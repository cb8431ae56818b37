public import Localization

/// Why a secret could not be had or kept.
///
/// No message holds a secret, a piece of one, or what a command was given.
public struct SecretError: CodedError {
  /// The kind of failure, a stable name in snake_case.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No source has the secret.
    public static let missing = Code(rawValue: "secret_missing")
    /// The name of a secret is invalid.
    public static let nameInvalid = Code(rawValue: "secret_name_invalid")
    /// The value is empty, too long, or no text.
    public static let valueInvalid = Code(rawValue: "secret_value_invalid")
    /// A file that others may read or change, or that belongs to another user.
    public static let fileRefused = Code(rawValue: "secret_file_refused")
    /// A file that cannot be read or written.
    public static let file = Code(rawValue: "secret_file")
    /// A line of a file is not `NAME=VALUE`.
    public static let fileInvalid = Code(rawValue: "secret_file_invalid")
    /// The folder's configuration names the place of the secret, and the user has not trusted the configuration.
    public static let untrusted = Code(rawValue: "not_trusted")
    /// A command failed, took too long or said too much.
    public static let command = Code(rawValue: "secret_command")
    /// An account has no token until a user signs in or the configuration changes.
    public static let signIn = Code(rawValue: "secret_sign_in")
    /// An account's token cannot be had just now; later it may be.
    public static let temporary = Code(rawValue: "secret_temporary")
    /// There is no vault.
    public static let vaultMissing = Code(rawValue: "vault_missing")
    /// There is a vault where one was to be made.
    public static let vaultExists = Code(rawValue: "vault_exists")
    /// The passphrase is not available, or the key file is missing.
    public static let vaultLocked = Code(rawValue: "vault_locked")
    /// The passphrase or the key file is not the vault's.
    public static let vaultWrongKey = Code(rawValue: "vault_wrong_key")
    /// The file is not a vault, or is not as it was written.
    public static let vaultDamaged = Code(rawValue: "vault_damaged")
    /// The key is right and the checksum too, but the contents were not written with that key.
    public static let vaultAltered = Code(rawValue: "vault_altered")
    /// The vault was written by a newer Sous, or wants more work than is allowed.
    public static let vaultUnsupported = Code(rawValue: "vault_unsupported")
    /// Another process is changing the vault.
    public static let vaultBusy = Code(rawValue: "vault_busy")
    /// There is no terminal to ask on.
    public static let noTerminal = Code(rawValue: "no_terminal")
    /// The two entries of something new differ.
    public static let entry = Code(rawValue: "secret_entry")
    /// A person has called the entry off.
    public static let interrupted = Code(rawValue: "secret_interrupted")
    /// The system refused something that always works: memory, random numbers, cryptography.
    public static let system = Code(rawValue: "secret_system")
  }

  /// The kind of failure.
  public let code: Code
  /// The problem and the remedy.
  public let message: LocalizedText

  /// Creates an error.
  public init(_ code: Code, _ message: LocalizedText) {
    self.code = code
    self.message = message
  }
}
