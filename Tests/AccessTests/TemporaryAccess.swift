import Access
import Expressions
import Localization
import TestSupport

/// A folder with a file of users, removed at the end.
final class TemporaryAccess: Sendable {
  static let password = "correct horse battery"
  static let source = AuditSource(actor: "root", origin: "command")

  private let temporary: TemporaryFolder
  let store: AccessStore

  var folder: String { temporary.path }
  var path: String { temporary("access.db") }

  init(_ limits: AccessLimits = .quick) throws {
    temporary = try TemporaryFolder()
    store = try AccessStore.opened(temporary("access.db"), limits: limits)
  }

  deinit { store.close() }

  /// Adds a user with the usual password.
  @discardableResult
  func add(
    _ name: String, roles: Set<String> = [], groups: Set<String> = [], password: String? = TemporaryAccess.password
  ) throws -> AccessUser {
    try store.addUser(
      UserDraft(name: name, password: password, groups: groups, roles: roles), by: Self.source, now: .start)
  }

  /// Signs in with the usual password.
  func signIn(
    _ name: String, _ password: String = TemporaryAccess.password, address: String? = "192.0.2.1",
    former: String? = nil, at now: Timestamp = .start
  ) throws(AccessError) -> SignedIn {
    try store.signIn(user: name, password: password, address: address, former: former, now: now)
  }
}

extension AccessLimits {
  /// The usual times, with passwords that cost little.
  static let quick: AccessLimits = {
    var limits = AccessLimits.standard
    if let cost = PasswordCost(logarithm: 4, blockSize: 8, parallelism: 1) { limits.passwordCost = cost }
    return limits
  }()
}

extension Timestamp {
  /// 2026-11-24 09:00 UTC.
  static let start = Timestamp(seconds: 1_795_510_800)

  func after(_ seconds: Double) -> Timestamp { adding(seconds: seconds) }
}

/// The code of the error that a call throws; `nil` if it throws none.
func code(_ body: () throws -> some Any) -> AccessError.Code? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? AccessError)?.code
  }
}
