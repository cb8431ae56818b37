import Expressions
import Localization
import UseCases

/// One case of `sous eval --batch`: an expression with what it sees, in JSON.
///
/// ```
/// {"expr": "x + 1", "bindings": {"x": {"int64_value": "1"}}}
/// ```
///
/// `bindings`, `type_env`, `container`, `disable_check`, `check_only` and `typed` are optional. Values and types are in the
/// JSON form of CEL's protobuf messages; a binding may be the value itself or, as in the conformance cases of the
/// specification, `{"value": …}`.
struct ExpressionCase {
  private let fields: ValueMap

  /// The answer to a line: `{"value": …}`, `{"value": …, "type": …}`, `{"type": …}` or `{"error": …}`.
  static func answer(to line: InputLines.Line, typed: Bool) -> Value {
    do throws(Refusal) {
      guard case .complete(let bytes) = line else {
        throw Refusal(LocalizedText("the line is too long", de: "die Zeile ist zu lang"))
      }
      return try ExpressionCase(bytes).answer(typed: typed)
    } catch {
      return ["error": .string(error.message.spoken)]
    }
  }

  /// Why a case has no value.
  fileprivate struct Refusal: Error {
    let message: LocalizedText

    init(_ message: LocalizedText) { self.message = message }
    init(_ error: ExpressionError) { message = error.message }
    init(_ errors: ExpressionErrors) {
      message = LocalizedText(
        errors.all.map(\.message.english).joined(separator: "; "),
        de: errors.all.map(\.message.german).joined(separator: "; "))
    }
  }

  private init(_ bytes: [UInt8]) throws(Refusal) {
    do throws(ExpressionError) {
      guard case .map(let map) = try Value(json: bytes) else {
        throw ExpressionError(.json, .init("a JSON object is wanted", de: "ein JSON-Objekt wird erwartet"))
      }
      fields = map
    } catch {
      throw Refusal(error)
    }
  }

  private func answer(typed: Bool) throws(Refusal) -> Value {
    guard let source = try text("expr") else {
      throw Refusal(LocalizedText("'expr' is missing", de: "'expr' fehlt"))
    }
    let bindings = try bindings()
    let expression: Expressions.Expression
    do {
      var environment = try Environment(
        protobufJSON: fields["type_env"].flatMap { $0.isNull ? nil : $0 } ?? [],
        container: try text("container") ?? "", checksTypes: try flag("disable_check") != true)
      // Variables without a declared type exist too.
      for name in bindings.variables.keys where environment.variables[name] == nil {
        environment.variables[name] = .dynamic
      }
      expression = try Expressions.Expression(source, in: environment)
    } catch let refusal as Refusal {
      throw refusal
    } catch let error as ExpressionError {
      throw Refusal(error)
    } catch let errors as ExpressionErrors {
      throw Refusal(errors)
    } catch {
      throw Refusal(LocalizedText(verbatim: "\(error)"))
    }
    let type = expression.resultType.protobufJSON
    if try flag("check_only") == true { return ["type": type] }
    let value: Value
    do throws(ExpressionError) {
      value = try expression.evaluate(bindings)
    } catch {
      throw Refusal(error)
    }
    return try flag("typed") ?? typed ? ["value": value.protobufJSON, "type": type] : ["value": value.protobufJSON]
  }

  private func bindings() throws(Refusal) -> Bindings {
    var bindings = Bindings()
    guard let given = fields["bindings"], !given.isNull else { return bindings }
    guard case .map(let map) = given else { throw Refusal.wrongType("bindings") }
    for (key, bound) in map.entries {
      do throws(ExpressionError) {
        bindings.variables[key.text] = try Value(protobufJSON: bound["value"] ?? bound)
      } catch {
        throw Refusal(
          LocalizedText("binding '\(key.text)': ", de: "Bindung '\(key.text)': ") + error.message)
      }
    }
    return bindings
  }

  private func text(_ name: String) throws(Refusal) -> String? {
    guard let value = fields[name], !value.isNull else { return nil }
    guard let text = value.stringValue else { throw Refusal.wrongType(name) }
    return text
  }

  private func flag(_ name: String) throws(Refusal) -> Bool? {
    guard let value = fields[name], !value.isNull else { return nil }
    guard let flag = value.boolValue else { throw Refusal.wrongType(name) }
    return flag
  }
}

extension ExpressionCase.Refusal {
  fileprivate static func wrongType(_ name: String) -> Self {
    Self(LocalizedText("'\(name)' has the wrong type", de: "'\(name)' hat den falschen Typ"))
  }
}
