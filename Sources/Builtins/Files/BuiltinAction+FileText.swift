import Engine
import Expressions
import Localization
import Plans

extension BuiltinAction {
  /// `file.text`: the text of a file, whatever its type.
  static let fileText = BuiltinAction(
    "file.text", .init("Reads the text of a file, by its type", de: "Liest den Text einer Datei, je nach ihrem Typ"),
    effect: .read, required: ["path"],
    input: [
      "path": [
        "type": "string", "minLength": 1,
        "description":
          "The file: text, Markdown, HTML, a message (.eml), a PDF, or a picture, which becomes a data: URL.",
      ]
    ],
    output: [
      "path": ["type": "string", "description": "The absolute path."],
      "text": ["type": "string", "description": "The text; of a PDF as `pdftotext` of poppler-utils gives it."],
    ]
  ) { call in
    let (path, bytes) = try await call.files { files in
      let place = try files.place(of: call.text("path"))
      let file = try OpenFile(reading: place)
      try files.checkContent(of: file, at: place)
      guard file.size <= DocumentText.maximumBytes else {
        throw ActionFailure(
          .invalidInput, .init("'\(place.path)' is too large", de: "'\(place.path)' ist zu groß"))
      }
      return (place.path, try file.read(limit: DocumentText.maximumBytes))
    }
    let reader = DocumentText(environment: call.surroundings.environment)
    let text = try await reader.text(
      of: bytes, name: path, folder: call.surroundings.path(""), reporter: call.reporter)
    return ["path": .string(path), "text": .string(text)]
  }
}
