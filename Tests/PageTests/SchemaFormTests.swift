import Access
import Expressions
import Localization
import Testing

@testable import Page

/// Forms made from JSON Schema.
struct SchemaFormTests {
  private func context(_ language: Language = .english) -> PageContext {
    PageContext(actor: nil, language: language, path: "/", csrfToken: nil, version: "1")
  }

  private func fields(_ schema: Value, required: [String] = []) -> String {
    SchemaForm(
      ["type": "object", "properties": ["x": schema], "required": .list(required.map { .string($0) })], prefix: "f",
      context()
    ).fields.markup
  }

  @Test(
    arguments: [
      (["type": "string"], "text", "<input type=\"text\""),
      (["type": "string", "format": "email"], "text", "<input type=\"email\""),
      (["type": "string", "format": "uri"], "text", "<input type=\"url\""),
      (["type": "string", "writeOnly": true], "text", "<input type=\"password\""),
      (["type": "string", "maxLength": 1000], "long", "<textarea"),
      (["type": "string", "default": "a\nb"], "long", "<textarea"), (["type": "integer"], "integer", "step=\"1\""),
      (["type": ["integer", "null"]], "integer", "step=\"1\""),
      (["type": "number", "minimum": 2], "number", "min=\"2\" step=\"any\""),
      (["type": "boolean", "default": true], "boolean", "checked"), (["enum": ["a", "b"]], "choice", "<select"),
      (["type": "integer", "enum": [1, 2]], "choice", "<option value=\"2\">2</option>"),
      (["type": "array", "items": ["enum": ["a", "b"]]], "choices", "<fieldset"),
      (["type": "array", "items": ["type": "string"]], "lines", "One entry per line."),
      (["type": "array", "items": ["type": "object"]], "json", "As JSON."), (["type": "object"], "json", "As JSON."),
      ([:], "json", "As JSON."),
      (["type": "string", "format": "date-time"], "time", "<input type=\"datetime-local\""),
      (["type": "string", "format": "date"], "date", "<input type=\"date\""),
      (["type": "string", "contentMediaType": "application/pdf"], "file", "<input type=\"file\""),
    ] as [(Value, String, String)])
  func eachSchemaHasItsField(schema: Value, kind: String, markup: String) {
    #expect(SchemaForm.kind(schema).rawValue == kind)
    let text = fields(schema)
    #expect(text.contains(markup) && text.contains("data-kind=\"\(kind)\""), "\(text)")
  }

  @Test func aFieldHasLabelHelpAndDefault() {
    let text = fields(
      ["type": "string", "title": "Name <b>", "description": "Help & more", "default": "\"><script>"], required: ["x"])
    #expect(text.contains("<label for=\"f-0\">Name &lt;b&gt;"))
    #expect(text.contains("aria-describedby=\"f-0-help\"") && text.contains("id=\"f-0-help\">Help &amp; more</p>"))
    #expect(text.contains("required") && text.contains("value=\"&quot;&gt;&lt;script&gt;\""))
  }

  @Test func theDefaultOfAChoiceIsSelected() {
    let text = fields(["enum": ["a", "b"], "default": "b"])
    #expect(text.contains("<option value=\"&quot;b&quot;\" selected>b</option>"))
    #expect(text.contains("<option value=\"\">–</option>"))
    #expect(!fields(["enum": ["a", "b"], "default": "b"], required: ["x"]).contains("<option value=\"\">"))
  }

  @Test func inputsOfARecipeBecomeASchema() {
    let schema = SchemaForm.schema(inputs: [
      ["name": "who", "schema": ["type": "string"], "required": true],
      ["name": "many", "schema": ["type": "integer"], "required": false],
    ])
    #expect(schema["required"] == ["who"] && schema["properties"]?["many"]?["type"] == "integer")
  }
}
