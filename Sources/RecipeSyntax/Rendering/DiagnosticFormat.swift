public import Expressions
public import Localization

/// Writes diagnostics for other programs.
public enum DiagnosticFormat {
  /// SARIF 2.1.0 (OASIS): one run with all results; columns count Unicode code points.
  ///
  /// - Parameters:
  ///   - diagnostics: What to write.
  ///   - version: The version of Sous.
  ///   - language: The language of the messages.
  public static func sarif(_ diagnostics: [Diagnostic], version: String, language: Language) -> Value {
    var codes: [String] = []
    for diagnostic in diagnostics where !codes.contains(diagnostic.code.rawValue) {
      codes.append(diagnostic.code.rawValue)
    }
    codes.sort()
    let results = diagnostics.map { diagnostic -> Value in
      var result: ValueMap = [
        "ruleId": .string(diagnostic.code.rawValue),
        "ruleIndex": .int(Int64(codes.firstIndex(of: diagnostic.code.rawValue) ?? 0)),
        "level": .string(diagnostic.severity.rawValue),
        "message": ["text": .string(diagnostic.message.string(in: language))],
        "locations": [location(diagnostic.path, diagnostic.range)],
      ]
      if !diagnostic.related.isEmpty {
        result["relatedLocations"] = .list(
          diagnostic.related.enumerated().map { position, related in
            guard case .map(var place) = location(related.path ?? diagnostic.path, related.range) else { return [:] }
            place["id"] = .int(Int64(position))
            place["message"] = ["text": .string(related.message.string(in: language))]
            return .map(place)
          })
      }
      if let range = diagnostic.range, let suggestion = diagnostic.suggestion {
        result["fixes"] = [
          [
            "artifactChanges": [
              [
                "artifactLocation": ["uri": .string(uri(diagnostic.path))],
                "replacements": [["deletedRegion": region(range), "insertedContent": ["text": .string(suggestion)]]],
              ]
            ]
          ]
        ]
      }
      return .map(result)
    }
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        [
          "tool": [
            "driver": [
              "name": "sous", "version": .string(version),
              "rules": .list(codes.map { ["id": .string($0), "name": .string(ruleName($0))] }),
            ]
          ],
          "columnKind": "unicodeCodePoints",
          "results": .list(results),
        ]
      ],
    ]
  }

  /// Workflow commands of GitHub Actions, a line for each diagnostic: `::error file=…,line=…,col=…::message`.
  ///
  /// The end is left out where it is on another line, since a column of that line would be meant for the first.
  public static func github(_ diagnostics: [Diagnostic], language: Language) -> String {
    diagnostics.map { diagnostic in
      var properties = ["file=" + escaped(diagnostic.path, isProperty: true)]
      if let range = diagnostic.range {
        properties += ["line=\(range.start.line)"]
        if range.end.line == range.start.line {
          properties += ["col=\(range.start.column)", "endColumn=\(range.end.column)"]
        } else {
          properties += ["endLine=\(range.end.line)", "col=\(range.start.column)"]
        }
      }
      properties.append("title=" + escaped(diagnostic.code.rawValue, isProperty: true))
      let message = escaped(diagnostic.message.string(in: language), isProperty: false)
      return "::\(diagnostic.severity.rawValue) \(properties.joined(separator: ","))::\(message)\n"
    }.joined()
  }

  private static func location(_ path: String, _ range: SourceRange?) -> Value {
    var place: ValueMap = ["artifactLocation": ["uri": .string(uri(path))]]
    if let range { place["region"] = region(range) }
    return ["physicalLocation": .map(place)]
  }

  private static func region(_ range: SourceRange) -> Value {
    [
      "startLine": .int(Int64(range.start.line)), "startColumn": .int(Int64(range.start.column)),
      "endLine": .int(Int64(range.end.line)), "endColumn": .int(Int64(range.end.column)),
      "byteOffset": .int(Int64(range.start.offset)), "byteLength": .int(Int64(range.end.offset - range.start.offset)),
    ]
  }

  /// `unknown_step` as `UnknownStep`.
  private static func ruleName(_ code: String) -> String {
    code.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// A path as a URI reference: RFC 3986, section 4.2.
  private static func uri(_ path: String) -> String {
    let escaped = path.utf8.map { byte -> String in
      if byte.isNameByte || "/-.~".utf8.contains(byte) { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
    return path.hasPrefix("/") ? "file://" + escaped : escaped
  }

  /// A text as workflow commands take it; properties end at commas and colons.
  private static func escaped(_ text: String, isProperty: Bool) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      case ":" where isProperty: "%3A"
      case "," where isProperty: "%2C"
      default: String(scalar)
      }
    }.joined()
  }
}
