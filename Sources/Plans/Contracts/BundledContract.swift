import Contracts
public import Localization
import Synchronization

/// A contract as it is published with Sous: `Sources/Contracts/NAME.json`.
///
/// The document is read when something of it is first asked for, since most runs need one or two of the contracts;
/// ``ContractReader`` describes its form. A document that cannot be read is a mistake in Sous: the contract then has no
/// actions, and ``problem`` says why.
public struct BundledContract: Sendable {
  /// Every contract.
  public static let all = ContractFile.allCases.map(BundledContract.init)

  /// The contract's name: `mail.store`.
  public var name: String { reading.file.name }

  private let reading: Reading

  private init(_ file: ContractFile) { reading = Reading(file) }

  /// The contract of a claim such as `mail.store/2`; `nil` if none has that name and version.
  public static func claimed(_ claim: String) -> BundledContract? {
    all.first { claim.hasPrefix($0.name) && claim == $0.claim }
  }

  /// How a plugin claims the contract: `mail.store/2`.
  public var claim: String { "\(name)/\(version)" }

  /// The contract's version.
  public var version: Int { content.version }

  /// What the contract is about.
  public var summary: LocalizedText { content.summary }

  /// The JSON document that defines the contract, in UTF-8.
  package var document: [UInt8] { reading.file.bytes }

  /// The contract's actions.
  public var signatures: [ActionSignature] { content.signatures }

  /// The contract's triggers.
  public var triggers: [TriggerSignature] { content.triggers }

  /// Why the document cannot be read; `nil` for every contract of a sound build.
  package var problem: ContractProblem? {
    if case .failure(let problem) = reading.result { problem } else { nil }
  }

  private var content: ContractContent { (try? reading.result.get()) ?? ContractContent() }

  /// What reading the document gave, kept for all copies of the contract.
  private final class Reading: Sendable {
    let file: ContractFile
    private let known = Mutex<Result<ContractContent, ContractProblem>?>(nil)

    init(_ file: ContractFile) { self.file = file }

    var result: Result<ContractContent, ContractProblem> {
      known.withLock { known in
        if let known { return known }
        let result = Result { () throws(ContractProblem) in try ContractReader.read(file.bytes, of: file.name) }
        known = result
        return result
      }
    }
  }
}
