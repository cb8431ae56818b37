internal import Builtins
public import Engine
public import Expressions
public import Localization
public import Neutralisation
public import RecipeModel
import Secrets

/// Texts that were neutralised together.
public struct NeutralTextSet: Sendable {
  /// The neutral texts, in the order of what was given.
  public let texts: [Neutraliser.Neutral]
  /// The mapping, sealed.
  public let mapping: String
  /// How many different values of each kind the mapping has.
  public let counts: [PersonalDataKind: Int]
  /// Why rare names may stay in the texts; `nil` where dictionaries are installed.
  public let warning: LocalizedText?
}

extension Project {
  /// Neutralises texts that belong together, as `neutralise` in `sous.yaml` and what is given beside it say.
  ///
  /// - Parameters:
  ///   - texts: The texts.
  ///   - format: How they are written.
  ///   - settings: What holds beside the configuration.
  ///   - earlier: A sealed mapping to go on with.
  /// - Throws: ``UseCaseError``: `wrong_input` for a pattern or a mapping that is none, and where there is too much.
  public func neutralise(
    _ texts: [String], format: TextFormat, _ settings: ConfiguredNeutralisation, continuing earlier: String? = nil
  ) throws(UseCaseError) -> NeutralTextSet {
    do {
      let options = Neutraliser.Options(configuration.neutralise.adding(settings))
      let neutraliser = try Neutraliser(options)
      var mapping = PlaceholderMapping()
      if let earlier { mapping = try PlaceholderMapping(bytes: try secrets.seal.open(earlier)) }
      let neutral = try neutraliser.neutralise(texts, format: format, into: &mapping)
      return NeutralTextSet(
        texts: neutral, mapping: try secrets.seal.seal(mapping.bytes), counts: mapping.counts,
        warning: options.lacksDictionaries
          ? LocalizedText("rare names may stay: ", de: "seltene Namen bleiben vielleicht stehen: ")
            + Neutraliser.Options.missingDictionaries : nil)
    } catch let error as NeutralisationError {
      throw UseCaseError(.wrongInput, error.message, cause: error)
    } catch {
      throw UseCaseError(error)
    }
  }

  /// Whether a text looks like a mapping that ``neutralise(_:format:_:continuing:)`` has sealed.
  public static func isSealed(_ mapping: String) -> Bool { VaultSeal.isSealed(mapping) }

  /// Puts originals back.
  ///
  /// - Parameter mapping: The sealed mapping of ``neutralise(_:format:_:continuing:)``.
  /// - Throws: ``UseCaseError`` where it cannot be opened.
  public func resolve(
    _ texts: [String], format: TextFormat, mapping: String
  ) throws(UseCaseError) -> [PlaceholderMapping.Resolved] {
    do {
      let mapping = try PlaceholderMapping(bytes: try secrets.seal.open(mapping))
      return texts.map { mapping.resolve($0, escaping: format == .html ? .html : .none) }
    } catch let error as NeutralisationError {
      throw UseCaseError(.wrongInput, error.message, cause: error)
    } catch {
      throw UseCaseError(error)
    }
  }

  /// What a private run was given and gives, as it was before it was sealed; anything else stays as it is.
  ///
  /// - Throws: ``UseCaseError`` where it cannot be opened.
  public func unsealed(_ value: Value) throws(UseCaseError) -> Value {
    try mapErrors { try SealedValue.open(value, secrets.seal) }
  }

  /// A run with its inputs and outputs as they were before they were sealed.
  ///
  /// - Throws: ``UseCaseError`` where they cannot be opened.
  public func unsealed(_ record: RunRecord) throws(UseCaseError) -> RunRecord {
    var record = record
    record.inputs = try unsealed(record.inputs)
    record.outputs = try unsealed(record.outputs)
    record.summary.failure = try unsealed(record.summary.failure)
    for step in record.steps.indices {
      record.steps[step].output = try record.steps[step].output.map { (value) throws(UseCaseError) in
        try unsealed(value)
      }
      record.steps[step].failure = try unsealed(record.steps[step].failure)
      for attempt in record.steps[step].attempts.indices {
        record.steps[step].attempts[attempt].failure = try unsealed(record.steps[step].attempts[attempt].failure)
      }
      for item in record.steps[step].items.indices {
        record.steps[step].items[item].output = try unsealed(record.steps[step].items[item].output)
      }
    }
    return record
  }

  private func unsealed(_ failure: ActionFailure?) throws(UseCaseError) -> ActionFailure? {
    guard var failure, let output = failure.output else { return failure }
    failure.output = try unsealed(output)
    return failure
  }

  /// Makes sure that what is sealed from now on can be opened when this process has ended.
  ///
  /// - Returns: The key file of the vault that was made for it; `nil` where there was one.
  /// - Throws: ``UseCaseError`` where the vault cannot be opened, or made.
  public func makeSealsLast() throws(UseCaseError) -> String? {
    try mapErrors {
      guard !secrets.vault.exists else {
        try secrets.openedVault.open()
        return nil
      }
      try secrets.openedVault.create(try secrets.newKey(.keyFile))
      return secrets.keyFile.path
    }
  }
}
