import Localization

/// libyaml's words for a syntax error, put so that the author of a file knows what to change.
struct YAMLSyntaxExplanation {
  var code = Diagnostic.Code.yamlSyntax
  var message: LocalizedText
  /// What stands at the place where libyaml began to read what then failed.
  var contextNote: LocalizedText?

  init(_ problem: YAMLSyntaxProblem, byte: UInt8?) {
    contextNote = Self.contextNotes.first { problem.context?.contains($0.fragment) ?? false }?.note
    if byte == UInt8(ascii: "\t"), problem.problem.contains("cannot start") || problem.problem.contains("tab") {
      code = .yamlTab
      message = LocalizedText(
        "a tab cannot indent; use spaces", de: "ein Tabulator kann nicht einrücken; Leerzeichen nehmen")
      return
    }
    if problem.problem.contains("cannot start any token"), let byte {
      let character = String(decoding: [byte], as: UTF8.self)
      message = LocalizedText(
        "a text cannot begin with '\(character)'; put it in quotes",
        de: "ein Text kann nicht mit '\(character)' beginnen; in Anführungszeichen setzen")
      return
    }
    if problem.problem.contains("unexpected end of stream"), problem.context?.contains("quoted scalar") ?? false {
      message = LocalizedText(
        "the file ends inside a quoted text; its closing quote is missing",
        de: "die Datei endet in einem Text in Anführungszeichen; das schließende fehlt")
      contextNote = LocalizedText("the text begins here", de: "der Text beginnt hier")
      return
    }
    if let known = Self.messages.first(where: { problem.problem.contains($0.fragment) }) {
      message = known.message
    } else {
      message = LocalizedText("this is not YAML: \(problem.problem)", de: "das ist kein YAML: \(problem.problem)")
    }
  }

  private static let contextNotes: [(fragment: String, note: LocalizedText)] = [
    ("block mapping", LocalizedText("the map begins here", de: "die Map beginnt hier")),
    ("block collection", LocalizedText("the list begins here", de: "die Liste beginnt hier")),
    ("flow mapping", LocalizedText("the map is opened here", de: "die Map wird hier geöffnet")),
    ("flow sequence", LocalizedText("the list is opened here", de: "die Liste wird hier geöffnet")),
    ("simple key", LocalizedText("the key begins here", de: "der Schlüssel beginnt hier")),
    ("quoted scalar", LocalizedText("the text begins here", de: "der Text beginnt hier")),
  ]

  private static let messages: [(fragment: String, message: LocalizedText)] = [
    (
      "mapping values are not allowed",
      LocalizedText(
        "unexpected ':' — check the indentation, or put a text that contains ': ' in quotes",
        de: "unerwartetes ':' — die Einrückung prüfen oder einen Text mit ': ' in Anführungszeichen setzen")
    ),
    (
      "could not find expected ':'",
      LocalizedText("a ':' is missing after this key", de: "nach diesem Schlüssel fehlt ein ':'")
    ),
    (
      "did not find expected key",
      LocalizedText(
        "a key is expected here — check the indentation, and quotes around a text that starts with a quote",
        de: "hier wird ein Schlüssel erwartet — die Einrückung und die Anführungszeichen davor prüfen")
    ),
    (
      "did not find expected '-' indicator",
      LocalizedText(
        "a '-' is expected here — check the indentation of the list",
        de: "hier wird ein '-' erwartet — die Einrückung der Liste prüfen")
    ),
    (
      "did not find expected ',' or '}'",
      LocalizedText(
        "a ',' or '}' is expected here", de: "hier wird ein ',' oder '}' erwartet")
    ),
    (
      "did not find expected ',' or ']'",
      LocalizedText(
        "a ',' or ']' is expected here", de: "hier wird ein ',' oder ']' erwartet")
    ),
    (
      "did not find expected node content",
      LocalizedText("a value is expected here", de: "hier wird ein Wert erwartet")
    ),
    (
      "did not find expected <document start>",
      LocalizedText(
        "the value of the file has ended before this — check the indentation",
        de: "der Wert der Datei endet vor dieser Stelle — die Einrückung prüfen")
    ),
    (
      "block sequence entries are not allowed",
      LocalizedText(
        "a list cannot begin here; put it on a line of its own",
        de: "hier kann keine Liste beginnen; sie gehört auf eine eigene Zeile")
    ),
    (
      "mapping keys are not allowed",
      LocalizedText("a key cannot stand here", de: "hier kann kein Schlüssel stehen")
    ),
    (
      "unknown escape character",
      LocalizedText(
        "unknown escape in double quotes; write '\\\\' for a backslash, or use single quotes",
        de: "unbekanntes Escape in doppelten Anführungszeichen; ein Backslash ist '\\\\'; oder einfache nehmen")
    ),
    (
      "hexdecimal number",
      LocalizedText(
        "hexadecimal digits are missing in this escape", de: "in diesem Escape fehlen hexadezimale Ziffern")
    ),
    (
      "invalid Unicode character escape code",
      LocalizedText("this escape is no Unicode character", de: "dieses Escape ist kein Unicode-Zeichen")
    ),
    (
      "unexpected document indicator",
      LocalizedText(
        "a document ends inside a quoted text; its closing quote is missing",
        de: "ein Dokument endet in einem Text in Anführungszeichen; das schließende fehlt")
    ),
    (
      "undefined tag handle",
      LocalizedText("tags of one's own are not supported", de: "eigene Tags werden nicht unterstützt")
    ),
    (
      "did not find expected comment or line break",
      LocalizedText(
        "after '|' or '>' the text begins on the next line",
        de: "nach '|' oder '>' beginnt der Text in der nächsten Zeile")
    ),
    (
      "alphabetic or numeric character",
      LocalizedText(
        "a text that begins with '&' or '*' needs quotes",
        de: "ein Text, der mit '&' oder '*' beginnt, braucht Anführungszeichen")
    ),
    (
      "incompatible YAML document",
      LocalizedText("this YAML version is not supported", de: "diese YAML-Version wird nicht unterstützt")
    ),
  ]
}
