import Localization
public import RecipeSyntax

extension Diagnostic.Code {
  /// The script is not a Sieve.
  public static let sieveSyntax = Diagnostic.Code(rawValue: "sieve_syntax")
  /// A part of a script or of a recipe cannot be said in the other language.
  public static let sieveUnsupported = Diagnostic.Code(rawValue: "sieve_unsupported")
  /// The translation decides differently for some rare messages.
  public static let sieveDifference = Diagnostic.Code(rawValue: "sieve_difference")
}

/// Marks a part of a script that cannot be translated; it has been reported.
struct UnsupportedByFilter: Error {}

/// Collects what is to be said about a script.
final class Problems {
  private let source: SourceText
  private(set) var diagnostics: [Diagnostic] = []
  private var notes: Set<String> = []

  init(_ source: SourceText) { self.source = source }

  /// Whether anything could not be translated.
  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// Reports a part that cannot be translated.
  func refuse(_ message: LocalizedText, at range: Range<Int>) -> UnsupportedByFilter {
    let place = source.range(range)
    let known = diagnostics.contains { $0.range == place && $0.severity == .error }
    if !known { diagnostics.append(Diagnostic(.sieveUnsupported, message, path: source.path, range: place)) }
    return UnsupportedByFilter()
  }

  /// Reports that the script cannot be read.
  func report(_ error: SieveSyntaxError) {
    diagnostics.append(Diagnostic(.sieveSyntax, error.message, path: source.path, range: source.range(error.range)))
  }

  /// Says once in what the recipe differs from the script.
  func note(_ key: String, _ message: LocalizedText, at range: Range<Int>) {
    guard notes.insert(key).inserted else { return }
    diagnostics.append(
      Diagnostic(.sieveDifference, message, path: source.path, range: source.range(range), severity: .warning))
  }
}
