import Engine
import Expressions
import Localization
import Plans

extension BuiltinAction {
  /// `http.get`, `http.request` and `http.idempotent`. The effect of a request depends on its method and on the server, so the
  /// action's name says it.
  static let httpActions = [
    http(
      "http.get", .init("Asks a server for something", de: "Fragt einen Server ab"), effect: .read,
      method: ["type": "string", "enum": ["GET", "HEAD"], "default": "GET", "description": "The method."]),
    http(
      "http.request",
      .init("Sends a request to a server, once", de: "Schickt einem Server eine Anfrage, einmal"), effect: .once,
      method: ["type": "string", "pattern": "^[A-Z][A-Z-]{0,19}$", "description": "The method: POST, PATCH …"]),
    http(
      "http.idempotent",
      .init(
        "Sends a request that a server may get twice", de: "Schickt eine Anfrage, die zweimal ankommen darf"),
      effect: .idempotent,
      method: [
        "type": "string", "enum": ["PUT", "DELETE", "POST", "PATCH"],
        "description": "The method; POST and PATCH need 'idempotency_key_header'.",
      ]),
  ]

  private static let scalarList: Value = ["type": "array", "items": ["type": ["string", "number", "boolean"]]]

  /// The forms of a value that may also be a secret.
  private static func secret(_ forms: Value...) -> Value {
    .list(forms + (BuiltinCall.secretText["anyOf"]?.listValue ?? []).suffix(1))
  }

  private static func http(
    _ name: String, _ summary: LocalizedText, effect: Effect, method: Value
  ) -> BuiltinAction {
    var input: ValueMap = [
      "url": [
        "anyOf": secret(["type": "string", "minLength": 1]),
        "description": "The URL, http or https; its host must be one of 'http: { hosts: … }' in sous.yaml.",
      ],
      "method": method,
      "query": [
        "type": "object",
        "additionalProperties": ["anyOf": secret(["type": ["string", "number", "boolean"]], scalarList)],
        "description": "Parameters that are added to the URL's query; a list repeats the parameter.",
      ],
      "headers": [
        "type": "object", "additionalProperties": BuiltinCall.secretText,
        "description": "Header fields. Secrets: { secret: NAME }, or 'http: { credentials: … }' in sous.yaml.",
      ],
    ]
    if effect != .read {
      input["body"] = ["anyOf": secret(["type": "string"]), "description": "The body, as text."]
      input["json"] = ["description": "The body, as JSON of any value."]
      input["form"] = [
        "type": "object",
        "additionalProperties": ["anyOf": secret(["type": ["string", "number", "boolean"]], scalarList)],
        "description": "The body, as the fields of a form; a list repeats the field.",
      ]
      input["idempotency_key_header"] = [
        "type": "string", "minLength": 1,
        "description": "The header with the key of this request, the same for each attempt.",
      ]
    }
    input["expect"] = [
      "type": "array", "minItems": 1, "default": ["2xx"],
      "items": [
        "anyOf": [["type": "integer", "minimum": 100, "maximum": 599], ["type": "string", "pattern": "^[1-5]xx$"]]
      ],
      "description": "The statuses that are a success: 200, '2xx' …",
    ]
    input["parse"] = [
      "type": "string", "enum": ["text", "json", "bytes"], "default": "text",
      "description": "The form of the response's body: a text, the value of its JSON, Base64.",
    ]
    input["max_bytes"] = [
      "type": "integer", "minimum": 0, "maximum": 67_108_864,
      "description": "The largest body of a response; default: `engine.limits.text` of `sous.yaml`, else 16 MiB.",
    ]
    input["credentials"] = [
      "type": "boolean", "default": true,
      "description": "Whether the credential goes along that sous.yaml names for the host.",
    ]
    if effect == .read {
      input["redirects"] = [
        "type": "boolean", "default": true, "description": "Whether redirects are followed, up to five.",
      ]
    }
    return BuiltinAction(
      name, summary, effect: effect, required: effect == .read ? ["url"] : ["url", "method"], input: input,
      output: [
        "status": ["type": "integer", "description": "The status."],
        "headers": [
          "type": "object", "additionalProperties": ["type": "string"],
          "description": "The header fields by their names in lower case.",
        ],
        "body": ["description": "The body in the form of 'parse'; null for JSON if there is none."],
        "size": ["type": "integer", "description": "The size of the body in bytes."],
      ],
      // No server can be asked what it made of a request.
      verification: { _ in .unknown }
    ) { call in
      let request = try await HTTPCall(call, effect: effect)
      return try request.output(of: try await request.send())
    }
  }
}
