import Localization
import Plans
import RecipeSyntax
import Schemas

extension Configuration {
  /// The sources that are named by a word.
  enum SourceWord: String, CaseIterable {
    case environment, credentials, vault
  }

  /// Reads the list under `secrets`.
  static func readSecretSources(_ node: Node, _ reader: FieldReader) -> [ConfiguredSecretSource]? {
    guard let elements = reader.list(node, "secrets") else { return nil }
    return elements.enumerated().compactMap { index, element in
      source(element, "secrets[\(index)]", reader)
    }
  }

  private static func source(_ node: Node, _ field: String, _ reader: FieldReader) -> ConfiguredSecretSource? {
    guard node.mapping != nil else {
      guard let word = reader.choice(node, field, of: SourceWord.self) else { return nil }
      return switch word {
      case .environment: .environment
      case .credentials: .credentials
      case .vault: .vault(keyFile: nil, passphraseFile: nil)
      }
    }
    let definition = RecipeDefinitions.secretSource
    guard let map = reader.map(node, field, definition), let entry = single(map, of: definition, field, node, reader)
    else { return nil }
    switch entry.name {
    case "file": return reader.name(entry.value, "\(field).file").map { .file($0.value) }
    case "command": return arguments(entry.value, "\(field).command", reader).map { .command($0) }
    case "vault":
      guard let vault = reader.map(entry.value, "\(field).vault", RecipeDefinitions.vault) else { return nil }
      return .vault(
        keyFile: vault["key_file"].flatMap { reader.name($0, "key_file")?.value },
        passphraseFile: vault["passphrase_file"].flatMap { reader.name($0, "passphrase_file")?.value })
    default: return nil
    }
  }

  /// Reads what stands after `secret:` in a setting.
  static func secret(_ node: Node, at range: SourceRange, _ reader: FieldReader) -> SecretReference? {
    guard node.mapping != nil else {
      return name(node, "secret", reader).map { SecretReference(name: $0, range: range) }
    }
    let definition = RecipeDefinitions.secretPlace
    guard let map = reader.map(node, "secret", definition) else { return nil }
    let line = map["name"]
    guard let entry = single(map, of: definition, "secret", node, reader, besides: "name") else { return nil }
    if let line, entry.name != "file" {
      reader.report(
        .invalidValue,
        LocalizedText("'name' belongs to 'file' only", de: "'name' gehört nur zu 'file'"), at: line.range)
    }
    switch entry.name {
    case "oauth": return account(entry.value, at: range, reader)
    case "env":
      return reader.name(entry.value, "secret.env").map { SecretReference(.environment($0.value), range: range) }
    case "command":
      return arguments(entry.value, "secret.command", reader).map { SecretReference(.command($0), range: range) }
    case "file":
      guard let path = reader.name(entry.value, "secret.file") else { return nil }
      return SecretReference(.file(path.value, line: line.flatMap { name($0, "secret.name", reader) }), range: range)
    default: return nil
    }
  }

  /// The one known key of a map that may have only one.
  private static func single(
    _ map: Node.Mapping, of definition: MappingDefinition, _ field: String, _ node: Node, _ reader: FieldReader,
    besides other: String? = nil
  ) -> Node.Mapping.Entry? {
    let known = map.entries.filter { definition.key($0.name) != nil && $0.name != other }
    if known.count == 1 { return known.first }
    let names = definition.keyNames.filter { $0 != other }.joined(separator: ", ")
    reader.report(
      .invalidValue,
      LocalizedText("'\(field)' needs exactly one of \(names)", de: "'\(field)' braucht genau eines von \(names)"),
      at: known.dropFirst().first?.nameRange ?? node.range)
    return nil
  }

  /// A program and its arguments.
  private static func arguments(_ node: Node, _ field: String, _ reader: FieldReader) -> [String]? {
    guard let elements = reader.list(node, field) else { return nil }
    guard let first = elements.first else {
      reader.report(
        .invalidValue, LocalizedText("'\(field)' names no program", de: "'\(field)' nennt kein Programm"),
        at: node.range)
      return nil
    }
    guard let program = reader.name(first, "\(field)[0]") else { return nil }
    var arguments = [program.value]
    for (index, element) in elements.enumerated().dropFirst() {
      guard let argument = reader.string(element, "\(field)[\(index)]") else { return nil }
      arguments.append(argument)
    }
    return arguments
  }

  /// The name of a secret: it must suit every source, as a variable, a file's name and an argument.
  private static func name(_ node: Node, _ field: String, _ reader: FieldReader) -> String? {
    guard let name = reader.name(node, field)?.value else { return nil }
    let bytes = name.utf8
    let isName =
      bytes.count <= 128 && bytes.first?.isNameByte == true
      && bytes.allSatisfy { $0.isNameByte || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    guard isName else {
      reader.report(
        .invalidName,
        LocalizedText(
          "the name of a secret has letters, digits, '_', '-' and '.' only, at most 128, and no '-' or '.' in front",
          de:
            "der Name eines Geheimnisses hat nur Buchstaben, Ziffern, '_', '-' und '.', höchstens 128, und vorne kein "
            + "'-' oder '.'"),
        at: node.range)
      return nil
    }
    return name
  }
}
