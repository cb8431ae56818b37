/// A type that has its own JSON Schema, if it cannot be derived or says too little.
public protocol SchemaProviding: Decodable {
  /// The shape of the type's JSON.
  static var jsonSchema: JSONSchema { get }
}

extension Blob: SchemaProviding {
  /// A string that names a blob.
  public static var jsonSchema: JSONSchema {
    JSONSchema(trusted: #"{"type":"string","pattern":"^blob:sha256:[0-9a-f]{64}$"}"#)
  }
}

extension JSONObject: SchemaProviding {
  /// Any object.
  public static var jsonSchema: JSONSchema { JSONSchema(trusted: #"{"type":"object"}"#) }
}
