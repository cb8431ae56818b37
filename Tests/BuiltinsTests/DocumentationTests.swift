import Builtins
import Expressions
import Foundation
import Localization
import Plans
import Schemas
import Testing

/// `docs/actions.md` names every built-in action with its effect, and every key of its input and output.
@Suite struct DocumentationTests {
  private static let page =
    (try? String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/actions.md")
        .standardizedFileURL, encoding: .utf8)) ?? ""

  @Test(arguments: BuiltinActions().signatures.map(\.name))
  func everyActionIsDescribed(name: String) throws {
    let signature = try #require(BuiltinActions().signatures.first { $0.name == name })
    let row = Self.page.split(separator: "\n").first { $0.hasPrefix("| `\(name)`") || $0.hasPrefix("| [`\(name)`]") }
    #expect(row?.contains("| \(signature.effect.rawValue) |") == true, "\(name)")
    for schema in [signature.input, signature.output] {
      for key in schema.document["properties"]?.mapValue?.keys ?? [] {
        #expect(Self.page.contains("`\(key.text)`"), "\(name): \(key.text)")
      }
    }
  }

  @Test(arguments: BuiltinActions().signatures.map(\.name))
  func everyInputIsExplainedToEditors(name: String) throws {
    let signature = try #require(BuiltinActions().signatures.first { $0.name == name })
    #expect(!signature.summary.english.isEmpty && signature.summary.english != signature.summary.german)
    for (key, schema) in signature.input.document["properties"]?.mapValue?.entries ?? [] {
      #expect(schema["description"] != nil || schema["$ref"] != nil || name == "mail.classify", "\(name): \(key.text)")
    }
  }
}
