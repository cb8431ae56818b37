public import Expressions

extension Plan {
  /// The permissions of a run of this plan: those of the recipe without those that were denied to the run.
  ///
  /// - Parameter keywords: The keywords of the run.
  /// - Returns: `nil` for all permissions.
  public func runPermissions(keywords: [String: Value]) -> Set<Permission>? {
    let denied = Permission.all(in: keywords[Permission.denialKey]?.stringValue ?? "")
    return denied.isEmpty ? permissions : (permissions ?? Set(Permission.allCases)).subtracting(denied)
  }
}
