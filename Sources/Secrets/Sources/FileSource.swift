import Localization

/// A file of `NAME=VALUE` lines, or a file for each secret.
///
/// Refused unless it belongs to the user or to root and no other user may read or change it (mode 0600 or stricter).
public struct FileSource: SecretSource {
  /// The placeholder of a secret's name in paths and arguments.
  public static let placeholder = "{name}"

  private let path: String

  /// Creates the source.
  ///
  /// - Parameter path: The file; with ``placeholder`` in it one file for each secret, whose contents are the value.
  public init(path: String) {
    self.path = path
  }

  /// The file.
  public var origin: SecretOrigin { SecretOrigin(.file, detail: path) }

  private var isFilePerSecret: Bool { path.contains(FileSource.placeholder) }

  /// The line of that name, or the contents of its file.
  public func find(_ name: SecretName) throws(SecretError) -> SecretFinding {
    if isFilePerSecret { return try FileSource.contents(of: path.replacing(FileSource.placeholder, with: name.text)) }
    guard let lines = try lines() else {
      return .failed(LocalizedText("\(path) does not exist", de: "\(path) gibt es nicht"))
    }
    guard let entry = lines.entries.first(where: { $0.name == name }), !entry.value.isEmpty else { return .absent }
    return .found(entry.value)
  }

  /// The names of the lines.
  public func names() throws(SecretError) -> [SecretName]? {
    isFilePerSecret ? nil : try lines()?.entries.map(\.name) ?? []
  }

  /// Whether there is such a line or file.
  public func has(_ name: SecretName) throws(SecretError) -> Bool? {
    if case .found = try find(name) { true } else { false }
  }

  private func lines() throws(SecretError) -> AssignmentLines? {
    guard let bytes = try ProtectedFile.read(path, limit: SecretLimits.file) else { return nil }
    return try AssignmentLines(bytes, path: path)
  }

  /// The whole of a file, without a line end at its end.
  static func contents(of path: String) throws(SecretError) -> SecretFinding {
    guard let bytes = try ProtectedFile.read(path, limit: SecretLimits.value) else {
      return .failed(LocalizedText("\(path) does not exist", de: "\(path) gibt es nicht"))
    }
    let value = try bytes.withoutLineEnd()
    return value.isEmpty ? .absent : .found(value)
  }
}
