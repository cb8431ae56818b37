public import Expressions
public import RecipeSyntax

/// A secret that a setting names and that only its provider gets to see.
public struct SecretReference: Sendable, Hashable {
  /// Where the secret is.
  public enum Place: Sendable, Hashable {
    /// Wherever the configured sources have a secret of that name.
    case name(String)
    /// A variable of the environment.
    case environment(String)
    /// The whole of a file, or with a name the line `NAME=VALUE` of one; the path as it is written.
    case file(String, line: String?)
    /// What a program prints; the program and its arguments.
    case command([String])
    /// The access token of an account that Sous has signed in to, fresh.
    case account(String)
  }

  /// Where the secret is.
  public var place: Place
  /// Where the file names it.
  public var range: SourceRange

  /// Creates a reference to a place.
  public init(_ place: Place, range: SourceRange) {
    self.place = place
    self.range = range
  }

  /// Creates a reference by name.
  public init(name: String, range: SourceRange) {
    self.init(.name(name), range: range)
  }

  /// What the secret is called: its name, its variable, its file, its account, or the program that prints it without its
  /// arguments.
  public var name: String {
    switch place {
    case .name(let name), .environment(let name), .account(let name): name
    case .file(let path, let line): line.map { "\(path): \($0)" } ?? path
    case .command(let arguments): arguments.first ?? ""
    }
  }

  /// The reference as it is written in the file.
  public var document: Value {
    switch place {
    case .name(let name): .map(["secret": .string(name)])
    case .environment(let variable): .map(["secret": .map(["env": .string(variable)])])
    case .file(let path, let line):
      .map(["secret": .map(line.map { ["file": .string(path), "name": .string($0)] } ?? ["file": .string(path)])])
    case .command(let arguments): .map(["secret": .map(["command": .list(arguments.map { .string($0) })])])
    case .account(let name): .map(["oauth": .string(name)])
    }
  }
}

/// A place where secrets are looked up by name, as `sous.yaml` lists it under `secrets`.
public enum ConfiguredSecretSource: Sendable, Hashable {
  /// The environment.
  case environment
  /// A file of `NAME=VALUE` lines, or with `{name}` in its path one for each secret; the path as it is written.
  case file(String)
  /// systemd's credentials.
  case credentials
  /// A program with its arguments, of which `{name}` stands for the secret's name.
  case command([String])
  /// The vault, and where its key comes from; paths as they are written.
  case vault(keyFile: String?, passphraseFile: String?)
}
