import Expressions
import Foundation
import Localization
import Testing

/// The public conformance cases of the CEL specification.
@Suite(.enabled(if: SharedData.folder("cel") != nil, "the conformance cases are not in ../shared/data/cel"))
struct ConformanceTests {
  static let files = [
    "basic", "bindings_ext", "comparisons", "conversions", "encoders_ext", "fields", "fp_math", "integer_math", "lists",
    "logic", "macros", "macros2", "math_ext", "namespace", "optionals", "parse", "plumbing", "string", "string_ext",
    "timestamps", "type_deduction",
  ]

  /// Cases whose expectation contradicts the language: an unescaped `?` is said to give `\?`. In the specification's own
  /// notation `\?` is an escaped `?`, on both sides; the copy in JSON kept the backslash on one side only.
  static let miscopied: Set<String> = [
    "parse/bytes_literals/triple_single_quoted_unescaped_punctuation",
    "parse/bytes_literals/triple_double_quoted_unescaped_punctuation",
  ]

  @Test(arguments: files)
  func everyCasePasses(file: String) throws {
    let folder = try #require(SharedData.folder("cel"))
    let cases = try #require(
      try Value(json: Data(contentsOf: folder.appendingPathComponent(file + ".json"))).listValue)
    var passed = 0
    var excused = 0
    for test in cases {
      let name = "\(file)/\(test["section"]?.stringValue ?? "")/\(test["name"]?.stringValue ?? "")"
      guard let complaint = Self.complaint(test) else {
        passed += 1
        continue
      }
      if Self.miscopied.contains(name) {
        excused += 1
        withKnownIssue { Issue.record("\(name): \(complaint)") }
      } else {
        Issue.record("\(name): \(complaint)")
      }
    }
    print("conformance \(file): \(passed)/\(cases.count)\(excused > 0 ? ", \(excused) miscopied" : "")")
    #expect(passed + excused == cases.count)
  }

  /// What is wrong about a case; `nil` where it passes.
  static func complaint(_ test: Value) -> String? {
    let source = test["expr"]?.stringValue ?? ""
    let outcome: Value
    do {
      let environment = try Environment(
        protobufJSON: test["type_env"] ?? [], container: test["container"]?.stringValue ?? "",
        checksTypes: test["disable_check"]?.boolValue != true)
      let expression = try Expression(source, in: environment)
      if let wanted = test["typed_result"]?["deduced_type"], expression.resultType.protobufJSON != wanted {
        return "\(source) has type \(expression.resultType.protobufJSON.jsonString), not \(wanted.jsonString)"
      }
      if test["check_only"]?.boolValue == true { return nil }
      var bindings = Bindings()
      for (name, bound) in test["bindings"]?.mapValue?.entries ?? [] {
        bindings.variables[name.text] = try Value(protobufJSON: bound["value"] ?? .null)
      }
      outcome = try expression.evaluate(bindings)
    } catch {
      if test["eval_error"] != nil { return nil }
      if let errors = error as? ExpressionErrors {
        return "\(source) failed: \(errors.all.map(\.message.english))"
      }
      return "\(source) failed: \((error as? ExpressionError)?.message.english ?? "\(error)")"
    }
    if test["eval_error"] != nil { return "\(source) gave \(outcome.jsonString) instead of an error" }
    let wanted = test["value"] ?? test["typed_result"]?["result"] ?? ["bool_value": true]
    guard let expected = try? Value(protobufJSON: wanted) else { return "cannot read \(wanted.jsonString)" }
    return expected == outcome ? nil : "\(source) gave \(outcome.protobufJSON.jsonString), not \(wanted.jsonString)"
  }
}
