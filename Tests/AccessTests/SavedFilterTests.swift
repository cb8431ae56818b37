import Access
import Expressions
import Foundation
import GRDB
import TestSupport
import Testing

/// Filters of the list of runs that users save.
struct SavedFilterTests {
  private func code<Answer>(_ body: () throws -> Answer) -> AccessError.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? AccessError)?.code
    }
  }

  @Test func filtersBelongToTheirUser() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    try access.add("otto")
    let store = access.store
    try store.saveFilter(SavedFilter(name: "failed", query: ["status": "failed", "search": "", "x": "y"]), of: "anna")
    try store.saveFilter(SavedFilter(name: "äöü", query: ["recipe": "digest"]), of: "anna")
    #expect(try store.savedFilters(of: "anna").map(\.name) == ["failed", "äöü"])
    #expect(try store.savedFilters(of: "otto").isEmpty && store.savedFilters(of: "nobody").isEmpty)
    #expect(
      try store.savedFilters(of: "anna").first?.json
        == ["name": "failed", "status": "failed", "recipe": .null, "search": .null])
    // The same name replaces it.
    try store.saveFilter(SavedFilter(name: "failed", query: ["status": "cancelled"]), of: "anna")
    #expect(try store.savedFilters(of: "anna").first?.query == ["status": "cancelled"])
    #expect(try store.removeFilter("failed", of: "anna") && !store.removeFilter("failed", of: "anna"))
  }

  @Test func filtersThatShowAllOrHaveNoNameAreRefused() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    for name in ["", "a\nb", String(repeating: "x", count: 61)] {
      #expect(
        code { try access.store.saveFilter(SavedFilter(name: name, query: ["status": "failed"]), of: "anna") }
          == .invalidInput, "\(name)")
    }
    #expect(code { try access.store.saveFilter(SavedFilter(name: "all", query: [:]), of: "anna") } == .invalidInput)
    let filter = SavedFilter(name: "x", query: ["status": "failed"])
    #expect(code { try access.store.saveFilter(filter, of: "nobody") } == .unknownUser)
    for number in 0..<AccessStore.mostFilters {
      try access.store.saveFilter(SavedFilter(name: "\(number)", query: ["search": "x"]), of: "anna")
    }
    #expect(code { try access.store.saveFilter(filter, of: "anna") } == .invalidInput)
    #expect(try access.store.savedFilters(of: "anna").count == AccessStore.mostFilters)
  }

  @Test func filtersAreExportedAndErasedWithTheirUser() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    try access.add("otto")
    try access.store.saveFilter(SavedFilter(name: "private words", query: ["search": "kidney"]), of: "otto")
    let exported = try access.store.export(user: "otto")
    #expect(exported["saved_filters"]?.listValue?.first?["search"] == "kidney")
    try access.store.erase(user: "otto", by: TemporaryAccess.source, now: .start)
    access.store.close()
    let file = try DatabaseQueue(path: access.path)
    #expect(try file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM saved_filters") } == 0)
  }

  /// A file of the version without saved filters.
  @Test func anOlderFileGetsTheTable() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    access.store.close()
    let older = try DatabaseQueue(path: access.path)
    try older.write { try $0.execute(sql: "DROP TABLE saved_filters; PRAGMA user_version = 2") }
    try older.close()
    let store = try AccessStore.opened(access.path)
    defer { store.close() }
    try store.saveFilter(SavedFilter(name: "x", query: ["search": "x"]), of: "anna")
    #expect(try store.savedFilters(of: "anna").count == 1 && store.users().map(\.name) == ["anna"])
  }
}
