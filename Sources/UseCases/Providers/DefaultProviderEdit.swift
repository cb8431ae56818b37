import Localization
import Plans
import RecipeModel
import RecipeSyntax
import Schemas

/// Sets who answers for a contract in the text of `sous.yaml`; everything else stays as it is, comments among it.
struct DefaultProviderEdit {
  let path: String
  let text: String

  /// The text with other defaults.
  ///
  /// - Parameters:
  ///   - contract: The contract.
  ///   - routes: The providers, first choice first; each the text of a `ProviderRoute`.
  /// - Throws: ``UseCaseError`` where the file has a form that cannot be changed like that.
  func setting(_ contract: String, to routes: [String]) throws(UseCaseError) -> String {
    let value = routes.count == 1 ? Self.written(routes[0]) : "[\(routes.map(Self.written).joined(separator: ", "))]"
    let edited = edited(contract, value)
    let (configuration, diagnostics) = Configuration.parse(SourceText(path: path, text: edited))
    guard !diagnostics.contains(where: { $0.severity == .error }), configuration.defaults(for: contract) == routes
    else {
      throw .environment(
        LocalizedText(
          "\(path) has a form that cannot be changed by itself; write 'defaults: { \(contract): \(value) }' into it",
          de: "\(path) hat eine Form, die sich nicht von selbst ändern lässt; 'defaults: { \(contract): \(value) }' "
            + "eintragen"))
    }
    return edited
  }

  private func edited(_ contract: String, _ value: String) -> String {
    let bytes = Array(text.utf8)
    let root = YAMLDocument.parse(SourceText(path: path, text: text), allowsEmpty: true).0?.root
    guard let entry = root?.mapping?.entry("defaults") else {
      let gap = text.isEmpty ? "" : text.hasSuffix("\n") ? "\n" : "\n\n"
      return text + gap + "defaults:\n  \(contract): \(value)\n"
    }
    guard let map = entry.value.mapping else {
      // Nothing stands behind it: the new line goes below.
      let end = bytes[min(entry.nameRange.end.offset, bytes.count)...].firstIndex(of: 0x0A) ?? bytes.count
      return replacing(bytes, end..<end, "\n  \(contract): \(value)")
    }
    if let known = map.entry(contract) {
      return replacing(bytes, known.value.range.start.offset..<known.value.range.end.offset, value)
    }
    let start = entry.value.range.start.offset
    if bytes.indices.contains(start), bytes[start] == UInt8(ascii: "{") {
      return replacing(bytes, start + 1..<start + 1, " \(contract): \(value)\(map.entries.isEmpty ? " " : ",")")
    }
    let first = map.entries.first?.nameRange.start ?? entry.value.range.start
    let indent = String(repeating: " ", count: max(0, first.column - 1))
    return replacing(bytes, first.offset..<first.offset, "\(contract): \(value)\n\(indent)")
  }

  private func replacing(_ bytes: [UInt8], _ range: Range<Int>, _ new: String) -> String {
    let start = min(max(0, range.lowerBound), bytes.count)
    let end = min(max(start, range.upperBound), bytes.count)
    return String(decoding: bytes[..<start] + Array(new.utf8) + bytes[end...], as: UTF8.self)
  }

  /// A name as YAML has it, also inside brackets.
  private static func written(_ route: String) -> String {
    let isPlain = route.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "/"):
        true
      default: false
      }
    }
    let isWord = route.contains { $0.isLetter } && !["true", "false", "null", "yes", "no", "on", "off"].contains(route)
    guard !isPlain || !isWord || route.hasPrefix("-") else { return route }
    return "\"" + route.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
