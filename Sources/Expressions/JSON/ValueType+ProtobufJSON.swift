internal import Localization

extension ValueType {
  /// Reads a type in the protobuf JSON form of `cel.expr.Type`: `{"primitive": "INT64"}`.
  ///
  /// - Throws: ``ExpressionError`` with the code `json` where the form is not kept.
  public init(protobufJSON json: Value) throws(ExpressionError) {
    self = try Self.decoded(json, depth: 0)
  }

  private static func decoded(_ json: Value, depth: Int) throws(ExpressionError) -> ValueType {
    guard depth < 200, case .map(let map) = json, map.count == 1, let entry = map.storage.first else {
      throw malformed(json)
    }
    let content = entry.value
    switch entry.key.text {
    case "dyn", "error": return .dynamic
    case "null": return .null
    case "primitive", "wrapper":
      if let type = content.stringValue.flatMap({ primitives[$0] }) { return type }
    case "well_known", "wellKnown":
      switch content.stringValue {
      case "TIMESTAMP": return .timestamp
      case "DURATION": return .duration
      case "ANY": return .dynamic
      default: break
      }
    case "message_type", "messageType":
      if let name = content.stringValue { return messages[name] ?? .abstract(name, []) }
    case "list_type", "listType":
      guard let element = content["elem_type"] ?? content["elemType"] else { return .list(.dynamic) }
      return .list(try decoded(element, depth: depth + 1))
    case "map_type", "mapType":
      guard let key = content["key_type"] ?? content["keyType"],
        let value = content["value_type"] ?? content["valueType"]
      else { return .map(.dynamic, .dynamic) }
      return .map(try decoded(key, depth: depth + 1), try decoded(value, depth: depth + 1))
    case "type_param", "typeParam":
      if let name = content.stringValue { return .parameter(name) }
    case "type":
      return .type(content.mapValue?.isEmpty == false ? try decoded(content, depth: depth + 1) : .dynamic)
    case "abstract_type", "abstractType":
      guard let name = content["name"]?.stringValue else { break }
      var parameters: [ValueType] = []
      for parameter in (content["parameter_types"] ?? content["parameterTypes"])?.listValue ?? [] {
        parameters.append(try decoded(parameter, depth: depth + 1))
      }
      if name == "optional_type", let wrapped = parameters.first { return .optional(wrapped) }
      return .abstract(name, parameters)
    default: break
    }
    throw malformed(json)
  }

  private static let primitives: [String: ValueType] = [
    "BOOL": .bool, "INT64": .int, "UINT64": .uint, "DOUBLE": .double, "STRING": .string, "BYTES": .bytes,
  ]

  private static let messages: [String: ValueType] = [
    "google.protobuf.Timestamp": .timestamp, "google.protobuf.Duration": .duration,
    "google.protobuf.Any": .dynamic, "google.protobuf.Value": .dynamic,
    "google.protobuf.Struct": .map(.string, .dynamic), "google.protobuf.ListValue": .list(.dynamic),
  ]

  private static func malformed(_ json: Value) -> ExpressionError {
    let shown = String(json.jsonString.prefix(60))
    return ExpressionError(
      .json,
      LocalizedText("not a type in protobuf JSON form: \(shown)", de: "kein Typ in der Protobuf-JSON-Form: \(shown)"))
  }

  /// The type in the protobuf JSON form of `cel.expr.Type`; an object type is a map with string keys.
  public var protobufJSON: Value {
    switch self {
    case .dynamic: ["dyn": [:]]
    case .null: ["null": .null]
    case .bool: ["primitive": "BOOL"]
    case .int: ["primitive": "INT64"]
    case .uint: ["primitive": "UINT64"]
    case .double: ["primitive": "DOUBLE"]
    case .string: ["primitive": "STRING"]
    case .bytes: ["primitive": "BYTES"]
    case .timestamp: ["well_known": "TIMESTAMP"]
    case .duration: ["well_known": "DURATION"]
    case .list(let element): ["list_type": ["elem_type": element.protobufJSON]]
    case .map(let key, let value):
      ["map_type": ["key_type": key.protobufJSON, "value_type": value.protobufJSON]]
    case .object: ValueType.map(.string, .dynamic).protobufJSON
    case .optional(let wrapped):
      ["abstract_type": ["name": "optional_type", "parameter_types": [wrapped.protobufJSON]]]
    case .type(.dynamic): ["type": [:]]
    case .type(let type): ["type": type.protobufJSON]
    case .parameter(let name): ["type_param": .string(name)]
    case .abstract(let name, let parameters):
      parameters.isEmpty
        ? ["abstract_type": ["name": .string(name)]]
        : ["abstract_type": ["name": .string(name), "parameter_types": .list(parameters.map(\.protobufJSON))]]
    }
  }
}

extension Environment {
  /// Reads declarations in the protobuf JSON form of `cel.expr.Decl`, as conformance cases have them in `type_env`.
  ///
  /// - Throws: ``ExpressionError`` with the code `json` where the form is not kept.
  public init(protobufJSON declarations: Value, container: String = "", checksTypes: Bool = true)
    throws(ExpressionError)
  {
    self.init(container: container, checksTypes: checksTypes)
    for declaration in declarations.listValue ?? [] {
      guard let name = declaration["name"]?.stringValue else { continue }
      if let type = declaration["ident"]?["type"] {
        variables[name] = try ValueType(protobufJSON: type)
      }
      for overload in declaration["function"]?["overloads"]?.listValue ?? [] {
        var parameters: [ValueType] = []
        for parameter in overload["params"]?.listValue ?? [] {
          parameters.append(try ValueType(protobufJSON: parameter))
        }
        let result = overload["result_type"] ?? overload["resultType"]
        let isMethod = overload["is_instance_function"] ?? overload["isInstanceFunction"]
        functions.append(
          FunctionSignature(
            name, isMethod: isMethod?.boolValue ?? false, parameters: parameters,
            result: try result.map { value throws(ExpressionError) in try ValueType(protobufJSON: value) } ?? .dynamic))
      }
    }
  }
}
