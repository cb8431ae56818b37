public import Localization

extension FunctionSignature {
  /// A sentence about the function; `nil` for an operator.
  public var summary: LocalizedText? { Self.summary(of: name) }

  /// A sentence about a function or macro.
  ///
  /// Editors show it beside the signatures; `docs/expressions.md` has examples.
  ///
  /// - Parameter name: The name with its namespace: `contains`, `math.abs`, `exists`.
  /// - Returns: `nil` for an operator, and for a name that is not a function's.
  public static func summary(of name: String) -> LocalizedText? { summaries[name] }

  private static let summaries: [String: LocalizedText] = [macros, texts, collections, optionals, numbers, times]
    .reduce(into: conversions) { all, more in all.merge(more) { first, _ in first } }

  /// The functions that take any number of arguments, which no signature in ``standard`` can say; editors offer them
  /// beside those.
  public static let variadic = ["math.greatest", "math.least"].map { name in
    FunctionSignature(name, parameters: [.dynamic, .dynamic], result: .dynamic)
  }

  private static let macros: [String: LocalizedText] = [
    "has": .init("Whether there is such a field.", de: "Ob es ein solches Feld gibt."),
    "cel.bind": .init(
      "A name for a value that is used more than once.", de: "Ein Name für einen Wert, der mehrmals gebraucht wird."),
    "all": .init("Whether the test holds for every element.", de: "Ob der Test für jedes Element gilt."),
    "exists": .init("Whether the test holds for any element.", de: "Ob der Test für irgendein Element gilt."),
    "exists_one": .init(
      "Whether the test holds for exactly one element.", de: "Ob der Test für genau ein Element gilt."),
    "existsOne": .init(
      "Whether the test holds for exactly one element.", de: "Ob der Test für genau ein Element gilt."),
    "filter": .init(
      "The elements, or the keys of a map, that pass the test.",
      de: "Die Elemente, oder die Schlüssel einer Map, die den Test bestehen."),
    "map": .init(
      "A list of what the last part gives; with a test in between, of the elements that pass it.",
      de: "Eine Liste dessen, was der letzte Teil gibt; mit einem Test dazwischen für die, die ihn bestehen."),
    "sortBy": .init(
      "The elements in the order of a key; equal ones keep their order.",
      de: "Die Elemente in der Reihenfolge eines Schlüssels; gleiche behalten die ihre."),
    "groupBy": .init(
      "A map from each key to the elements that have it.",
      de: "Eine Map von jedem Schlüssel auf die Elemente, die ihn haben."),
    "transformList": .init(
      "A list of what the last part gives for each position and element.",
      de: "Eine Liste dessen, was der letzte Teil für jede Stelle und jedes Element gibt."),
    "transformMap": .init(
      "A map with the same keys and what the last part gives for each.",
      de: "Eine Map mit denselben Schlüsseln und dem, was der letzte Teil für jeden gibt."),
    "transformMapEntry": .init(
      "A map of the entries that the last part gives.", de: "Eine Map aus den Einträgen, die der letzte Teil gibt."),
    "optMap": .init(
      "The result of the last part for the value, if there is one.",
      de: "Was der letzte Teil für den Wert gibt, falls es einen gibt."),
    "optFlatMap": .init(
      "The optional that the last part gives for the value, if there is one.",
      de: "Das Optional, das der letzte Teil für den Wert gibt, falls es einen gibt."),
  ]

  private static let texts: [String: LocalizedText] = [
    "contains": .init("Whether the text holds another one.", de: "Ob der Text einen anderen enthält."),
    "startsWith": .init("Whether the text begins with another one.", de: "Ob der Text mit einem anderen beginnt."),
    "endsWith": .init("Whether the text ends with another one.", de: "Ob der Text mit einem anderen endet."),
    "matches": .init(
      "Whether a regular expression (RE2) is found anywhere; `^` and `$` tie it to the ends.",
      de: "Ob ein regulärer Ausdruck (RE2) irgendwo vorkommt; `^` und `$` binden ihn an die Enden."),
    "charAt": .init("The character at a position, from 0.", de: "Das Zeichen an einer Stelle, ab 0."),
    "indexOf": .init(
      "The first position of another text, from 0; -1 if it does not occur.",
      de: "Wo ein anderer Text zuerst steht, ab 0; -1, wo er fehlt."),
    "lastIndexOf": .init(
      "The last position of another text, from 0; -1 if it does not occur.",
      de: "Wo ein anderer Text zuletzt steht, ab 0; -1, wo er fehlt."),
    "lower": .init("The text in lower case, umlauts included.", de: "Der Text in Kleinbuchstaben, auch Umlaute."),
    "upper": .init("The text in upper case, umlauts included.", de: "Der Text in Großbuchstaben, auch Umlaute."),
    "regex.extract": .init(
      "The first match of a pattern, or what its only group holds.",
      de: "Die erste Fundstelle eines Musters, oder der Inhalt seiner einzigen Gruppe."),
    "regex.extractAll": .init(
      "All matches of a pattern, or what its only group holds.",
      de: "Alle Fundstellen eines Musters, oder der Inhalt seiner einzigen Gruppe."),
    "regex.replace": .init(
      "The text with the matches of a pattern replaced; `\\1` is the first group; a number limits how many.",
      de: "Der Text mit ersetzten Fundstellen eines Musters; `\\1` ist die erste Gruppe; eine Zahl begrenzt, wie viele."
    ),
    "lowerAscii": .init("The text with A to Z in lower case.", de: "Der Text mit A bis Z klein geschrieben."),
    "upperAscii": .init("The text with a to z in upper case.", de: "Der Text mit a bis z groß geschrieben."),
    "replace": .init(
      "The text with another in the place of a part; a number limits how often.",
      de: "Der Text mit einem anderen anstelle eines Teils; eine Zahl begrenzt, wie oft."),
    "split": .init(
      "The parts between a separator; a number limits how many.",
      de: "Die Teile zwischen einem Trennzeichen; eine Zahl begrenzt, wie viele."),
    "substring": .init(
      "The part from a position up to, but without, another.", de: "Der Teil von einer Stelle bis vor eine andere."),
    "trim": .init("The text without blanks at its ends.", de: "Der Text ohne Leerraum an den Enden."),
    "join": .init(
      "The texts of a list in a row, with a separator if wanted.",
      de: "Die Texte einer Liste aneinander, auf Wunsch mit Trennzeichen."),
    "strings.quote": .init(
      "The text in double quotes, with escapes.", de: "Der Text in doppelten Anführungszeichen, mit Maskierungen."),
    "format": .init(
      "A text filled with a list (`%s %d %f`), a time by a pattern (`%Y-%m-%d`), a number with so many digits.",
      de: "Ein Text gefüllt aus einer Liste (`%s %d %f`), eine Zeit nach Muster (`%Y-%m-%d`), eine Zahl mit Stellen."),
  ]

  private static let collections: [String: LocalizedText] = [
    "size": .init(
      "How many elements, entries, characters (code points) or bytes there are.",
      de: "Wie viele Elemente, Einträge, Zeichen (Codepunkte) oder Bytes es sind."),
    "slice": .init(
      "The elements from a position up to, but without, another.",
      de: "Die Elemente von einer Stelle bis vor eine andere."),
    "flatten": .init(
      "The elements with those of inner lists in their place; a number says how deep.",
      de: "Die Elemente, die innerer Listen an deren Stelle; eine Zahl sagt, wie tief."),
    "sort": .init("The elements from least to greatest.", de: "Die Elemente vom kleinsten zum grössten."),
    "distinct": .init("Each element once.", de: "Jedes Element einmal."),
    "reverse": .init("The same from back to front.", de: "Dasselbe von hinten nach vorn."),
    "sum": .init("The sum of numbers or durations; 0 for none.", de: "Die Summe von Zahlen oder Dauern; 0 für keine."),
    "average": .init("The mean of the numbers.", de: "Der Mittelwert der Zahlen."),
    "min": .init("The least element.", de: "Das kleinste Element."),
    "max": .init("The greatest element.", de: "Das größte Element."),
    "take": .init(
      "The first elements or characters, at most so many.", de: "Die ersten Elemente oder Zeichen, höchstens so viele."),
    "drop": .init(
      "The list or text without its first elements or characters.",
      de: "Die Liste oder der Text ohne die ersten Elemente oder Zeichen."),
    "sets.contains": .init(
      "Whether the first list has all elements of the second.", de: "Ob die erste Liste alle Elemente der zweiten hat."),
    "sets.equivalent": .init(
      "Whether both lists have the same elements.", de: "Ob beide Listen dieselben Elemente haben."),
    "sets.intersects": .init(
      "Whether both lists share an element.", de: "Ob beide Listen ein Element gemeinsam haben."),
    "keys": .init("The keys of the map.", de: "Die Schlüssel der Map."),
    "values": .init("The values of the map.", de: "Die Werte der Map."),
    "merge": .init(
      "The map with the entries of another; the other one wins.",
      de: "Die Map mit den Einträgen einer anderen; die andere gewinnt."),
    "lists.range": .init("The numbers from 0 up to, but without, one.", de: "Die Zahlen von 0 bis vor eine."),
    "first": .init("The first element, if there is one.", de: "Das erste Element, falls es eines gibt."),
    "last": .init("The last element, if there is one.", de: "Das letzte Element, falls es eines gibt."),
  ]

  private static let optionals: [String: LocalizedText] = [
    "optional.none": .init("No value.", de: "Kein Wert."),
    "optional.of": .init("A value that is there.", de: "Ein Wert, den es gibt."),
    "optional.ofNonZeroValue": .init(
      "The value, unless it is empty, zero or false.", de: "Der Wert, außer er ist leer, null oder falsch."),
    "hasValue": .init("Whether there is a value.", de: "Ob es einen Wert gibt."),
    "value": .init("The value; an error if there is none.", de: "Der Wert; ein Fehler, wo es keinen gibt."),
    "or": .init("This optional, or another where it has no value.", de: "Dieses Optional, oder ohne Wert ein anderes."),
    "orValue": .init(
      "The value, or another if there is none.", de: "Der Wert, oder ein anderer, wo es keinen gibt."),
    "optional.unwrap": .init("The values that are there.", de: "Die Werte, die es gibt."),
    "unwrapOpt": .init("The values that are there.", de: "Die Werte, die es gibt."),
  ]

  private static let numbers: [String: LocalizedText] = [
    "math.greatest": .init("The greatest of the numbers.", de: "Die grösste der Zahlen."),
    "math.least": .init("The least of the numbers.", de: "Die kleinste der Zahlen."),
    "math.abs": .init("The number without its sign.", de: "Die Zahl ohne Vorzeichen."),
    "math.sign": .init("-1, 0 or 1, as the number's sign is.", de: "-1, 0 oder 1, je nach Vorzeichen."),
    "math.ceil": .init("The next whole number above.", de: "Die nächste ganze Zahl darüber."),
    "math.floor": .init("The next whole number below.", de: "Die nächste ganze Zahl darunter."),
    "math.round": .init(
      "The nearest whole number; a half goes away from zero.", de: "Die nächste ganze Zahl; ein halbes weg von null."),
    "math.trunc": .init("The number without its fraction.", de: "Die Zahl ohne Nachkommastellen."),
    "math.sqrt": .init("The square root.", de: "Die Quadratwurzel."),
    "math.isNaN": .init("Whether it is not a number.", de: "Ob es keine Zahl ist."),
    "math.isInf": .init("Whether it is infinite.", de: "Ob sie unendlich ist."),
    "math.isFinite": .init("Whether it is a number and finite.", de: "Ob es eine Zahl und sie endlich ist."),
    "math.bitAnd": .init("The bits that both have.", de: "Die Bits, die beide haben."),
    "math.bitOr": .init("The bits that either has.", de: "Die Bits, die eine von beiden hat."),
    "math.bitXor": .init("The bits that exactly one has.", de: "Die Bits, die genau eine hat."),
    "math.bitNot": .init("The bits it does not have.", de: "Die Bits, die sie nicht hat."),
    "math.bitShiftLeft": .init("The bits moved up.", de: "Die Bits nach oben geschoben."),
    "math.bitShiftRight": .init("The bits moved down.", de: "Die Bits nach unten geschoben."),
  ]

  private static let times: [String: LocalizedText] = [
    "now": .init(
      "The time at which the step began to be worked out.", de: "Der Zeitpunkt, zu dem der Schritt berechnet wurde."),
    "days": .init("A duration of so many times 24 hours.", de: "Eine Dauer von so vielen mal 24 Stunden."),
    "addDays": .init(
      "The same time of day, so many days later, in UTC or a zone.",
      de: "Dieselbe Uhrzeit so viele Tage später, in UTC oder einer Zone."),
    "addMonths": .init(
      "The same day and time, so many months later, or the last day of a shorter month.",
      de: "Derselbe Tag und dieselbe Uhrzeit so viele Monate später, oder der letzte Tag eines kürzeren Monats."),
    "addYears": .init(
      "The same day and time, so many years later.", de: "Derselbe Tag und dieselbe Uhrzeit so viele Jahre später."),
    "startOf": .init(
      "The first moment of the hour, day, week, month, quarter or year.",
      de: "Der erste Moment der Stunde, des Tages, der Woche, des Monats, des Quartals oder des Jahres."),
    "daysUntil": .init(
      "How many calendar days lie between this time and another.",
      de: "Wie viele Kalendertage zwischen dieser Zeit und einer anderen liegen."),
    "getFullYear": .init("The year, in UTC or a zone.", de: "Das Jahr, in UTC oder einer Zone."),
    "getMonth": .init("The month, from 0.", de: "Der Monat, ab 0."),
    "getDate": .init("The day of the month, from 1.", de: "Der Tag im Monat, ab 1."),
    "getDayOfMonth": .init("The day of the month, from 0.", de: "Der Tag im Monat, ab 0."),
    "getDayOfYear": .init("The day of the year, from 0.", de: "Der Tag im Jahr, ab 0."),
    "getDayOfWeek": .init("The day of the week; Sunday is 0.", de: "Der Wochentag; Sonntag ist 0."),
    "getHours": .init(
      "The hour of a time, or all hours of a duration.", de: "Die Stunde einer Zeit, oder alle Stunden einer Dauer."),
    "getMinutes": .init(
      "The minute of a time, or all minutes of a duration.",
      de: "Die Minute einer Zeit, oder alle Minuten einer Dauer."),
    "getSeconds": .init(
      "The second of a time, or all seconds of a duration.",
      de: "Die Sekunde einer Zeit, oder alle Sekunden einer Dauer."),
    "getMilliseconds": .init(
      "The milliseconds within the second.", de: "Die Millisekunden innerhalb der Sekunde."),
  ]

  private static let conversions: [String: LocalizedText] = [
    "int": .init("As a whole number; fractions are cut off.", de: "Als ganze Zahl; Nachkommastellen fallen weg."),
    "uint": .init("As a whole number without sign.", de: "Als ganze Zahl ohne Vorzeichen."),
    "double": .init("As a floating point number.", de: "Als Gleitkommazahl."),
    "string": .init("As a text.", de: "Als Text."),
    "bytes": .init("As the bytes of its UTF-8 form.", de: "Als die Bytes seiner UTF-8-Form."),
    "bool": .init("As a truth value.", de: "Als Wahrheitswert."),
    "dyn": .init(
      "The value, its type left open until evaluation.", de: "Der Wert, sein Typ offen bis zur Auswertung."),
    "type": .init("The type of the value.", de: "Der Typ des Wertes."),
    "timestamp": .init(
      "A point in time, of RFC 3339 text, seconds since 1970, or text of a pattern (`%d.%m.%Y`) in a zone.",
      de: "Ein Zeitpunkt, aus RFC-3339-Text, Sekunden seit 1970 oder Text nach Muster (`%d.%m.%Y`) in einer Zone."),
    "duration": .init("A span of time: `1h30m`, `1.5s`.", de: "Eine Zeitspanne: `1h30m`, `1.5s`."),
    "base64.encode": .init("The bytes as base64.", de: "Die Bytes als Base64."),
    "base64.decode": .init("The bytes of a base64 text.", de: "Die Bytes eines Base64-Textes."),
    "json.encode": .init("The value as compact JSON.", de: "Der Wert als kompaktes JSON."),
    "json.decode": .init("The value of a JSON text.", de: "Der Wert eines JSON-Textes."),
    "url.encode": .init(
      "The text for a part of a URL, percent-encoded.", de: "Der Text für einen Teil einer URL, prozentkodiert."),
    "url.decode": .init("The text of a percent-encoded one.", de: "Der Text zu einem prozentkodierten."),
    "hash.sha256": .init(
      "The SHA-256 of a text or bytes, as 64 hexadecimal digits.",
      de: "Der SHA-256 eines Textes oder von Bytes, als 64 Hexadezimalziffern."),
  ]
}

extension Macro {
  /// A sentence about the macro.
  public var summary: LocalizedText? { FunctionSignature.summary(of: name) }
}
