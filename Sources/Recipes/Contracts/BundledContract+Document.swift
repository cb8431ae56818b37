extension BundledContract {
  /// `document`: texts as pages.
  static let document = BundledContract(
    name: "document", document: documentDocument, decoded: { documentDecoded })

  private static let documentDecoded = decode("document", documentDocument)

  private static let documentDocument = #"""
    {
      "contract": "document",
      "version": 1,
      "summary": { "en": "Texts as pages", "de": "Texte als Seiten" },
      "actions": {
        "document.render": {
          "summary": { "en": "Makes a PDF of Markdown", "de": "Macht aus Markdown ein PDF" },
          "effect": "idempotent",
          "costly": false,
          "input": {
            "type": "object",
            "required": ["markdown"],
            "additionalProperties": false,
            "properties": {
              "markdown": { "type": "string", "description": "GitHub Flavored Markdown" },
              "format": { "type": "string", "enum": ["pdf"], "default": "pdf" },
              "title": { "type": "string", "description": "The document's title, which viewers show" },
              "author": { "type": "string" },
              "language": { "type": "string", "description": "A tag such as de or en-GB; absent: the system's" },
              "page": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                  "width": { "type": "number", "minimum": 72, "maximum": 5000, "default": 595 },
                  "height": { "type": "number", "minimum": 72, "maximum": 5000, "default": 842 },
                  "margin": { "type": "number", "minimum": 0, "maximum": 1000, "default": 40 }
                },
                "description": "In points of 1/72 inch; absent: A4 with margins of 40"
              },
              "font": { "type": "string", "minLength": 1, "description": "The family; absent: sans-serif" },
              "size": {
                "type": "number", "minimum": 4, "maximum": 100, "default": 11,
                "description": "The size of text in points"
              },
              "line_breaks": {
                "type": "boolean",
                "default": false,
                "description": "Whether line breaks within a paragraph are kept"
              },
              "headings": {
                "type": "array", "minItems": 1, "maxItems": 6,
                "items": { "type": "number", "minimum": 4, "maximum": 200 },
                "description": "The sizes of headings in points, of the first level first; the last is for all further levels"
              }
            }
          },
          "output": {
            "type": "object",
            "required": ["blob", "type", "pages", "size"],
            "additionalProperties": false,
            "properties": {
              "blob": { "type": "string", "pattern": "^blob:sha256:[0-9a-f]{64}$" },
              "type": { "type": "string", "description": "Media type: application/pdf" },
              "pages": { "type": "integer", "minimum": 1 },
              "size": { "type": "integer", "minimum": 1, "description": "Bytes" }
            }
          }
        }
      }
    }
    """#
}
