import Glibc
import Testing

/// What a user without rights may do; permission bits do not bind root.
enum Privileges {
  /// Runs a body as somebody who owns nothing here.
  static func without(_ body: () throws -> Void) throws {
    guard geteuid() == 0 else { return try body() }
    // Changes this thread alone, see setfsuid(2); the module Glibc leaves the function out.
    typealias SetUser = @convention(c) (uid_t) -> Int32
    let setUser = unsafeBitCast(try #require(dlsym(nil, "setfsuid")), to: SetUser.self)
    let previous = setUser(65534)
    defer { _ = setUser(uid_t(previous)) }
    try body()
  }
}
