import Builtins
import Engine
import Expressions
import Recipes
import Testing

@testable import UseCases

/// The pure parts of the daemon.
@Suite struct ServingTests {
  // MARK: Files that come to rest

  private func stamp(_ size: Int64, _ seconds: Int = 0) -> FileStamp {
    FileStamp(size: size, seconds: seconds, nanoseconds: 0, inode: 1)
  }

  @Test func aFileCountsOnceItHasStayedAsItIs() {
    var files = SettlingFiles(settle: 2)
    #expect(files.look(["a": stamp(1)], at: 10).ready.isEmpty)
    let growing = files.look(["a": stamp(2)], at: 11)
    #expect(growing.ready.isEmpty && growing.wait == 2)
    #expect(files.look(["a": stamp(2)], at: 12.5).wait == 0.5)
    #expect(files.look(["a": stamp(2)], at: 13).ready == ["a"])
    // Gone and back, it begins anew.
    #expect(files.look([:], at: 14).ready.isEmpty)
    #expect(files.look(["a": stamp(2)], at: 15).ready.isEmpty)
  }

  @Test func aFileThatIsStillOpenDoesNotCount() {
    var files = SettlingFiles(settle: 1)
    _ = files.look(["a": stamp(1), "b": stamp(1)], at: 0)
    files.write("a")
    #expect(files.look(["a": stamp(1), "b": stamp(1)], at: 5).ready == ["b"])
    files.close("a")
    #expect(files.look(["a": stamp(1)], at: 6).ready == ["a"])
    files.write("a")
    files.forgetWriting()
    #expect(files.look(["a": stamp(1)], at: 7).ready == ["a"])
  }

  @Test func filesComeInTheOrderInWhichTheyCameToRest() {
    var files = SettlingFiles(settle: 1)
    _ = files.look(["b": stamp(1)], at: 0)
    _ = files.look(["b": stamp(1), "a": stamp(1)], at: 0.5)
    #expect(files.look(["b": stamp(1), "a": stamp(1)], at: 3).ready == ["b", "a"])
  }

  // MARK: What is due

  private func kept(_ source: String) -> ScheduleBoard.Kept {
    let record = ScheduleRecord(source: source, recipe: "r", digest: "", cursor: Timestamp(seconds: 0))
    return ScheduleBoard.Kept(record, path: "/r", position: 0)
  }

  private func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: seconds) }

  @Test func whatIsDueComesInOrderAndOnce() {
    let wakes: [Int64] = [50, 10, 30, 20, 40, 10]
    var board = ScheduleBoard(wakes.enumerated().map { (kept("s\($0.offset)"), at($0.element)) })
    #expect(board.count == 6 && board.nextWake == at(10))
    #expect(board.takeDue(at: at(9), limit: 10).isEmpty)
    let due = board.takeDue(at: at(30), limit: 3)
    #expect(Set(due.prefix(2).map(\.record.source)) == ["s1", "s5"])
    #expect(due.map(\.record.source).last == "s3")
    #expect(board.takeDue(at: at(30), limit: 10).map(\.record.source) == ["s2"])
    for schedule in due { board.put(schedule, wake: at(35)) }
    board.put(kept("unknown"), wake: at(1))
    board.remove("s1")
    #expect(Set(board.takeDue(at: at(100), limit: 10).map(\.record.source)) == ["s0", "s3", "s4", "s5"])
    #expect(board.nextWake == nil && board["s1"] == nil && board["s0"] != nil)
  }

  @Test func aTimeThatWasMovedCountsAlone() {
    var board = ScheduleBoard([(kept("a"), at(10))])
    board.put(kept("a"), wake: at(5))
    #expect(board.takeDue(at: at(7), limit: 10).count == 1)
    #expect(board.takeDue(at: at(20), limit: 10).isEmpty)
  }

  // MARK: Circles

  private func recipe(_ name: String, after others: String...) throws -> ServedRecipe {
    let triggers = others.map { "{ recipe: \($0) }" }.joined(separator: ", ")
    let text = "name: \(name)\non: [\(triggers)]\nsteps: [{ uses: template, with: { text: x } }]\n"
    let planning = Planner(
      catalog: ActionCatalog(BuiltinActions().signatures, contracts: BundledContract.all)
    ).plan(
      SourceText(path: "/\(name).yaml", text: text))
    return try ServedRecipe(
      path: "/\(name).yaml", plan: try #require(planning.plan, "\(planning.diagnostics)"),
      TriggerProviders { _ in [] }, now: at(0))
  }

  @Test func recipesThatStartOneAnotherAreFound() throws {
    let recipes = try [
      recipe("a", after: "c", "free"), recipe("b", after: "a"), recipe("c", after: "b"), recipe("d", after: "c"),
      recipe("free"),
    ]
    let circles = RecipeCircles(recipes)
    #expect(["a", "b", "c"].allSatisfy(circles.contains))
    #expect(!["d", "free", "unknown"].contains(where: circles.contains))
  }

  // MARK: Templates

  @Test(arguments: RecipeTemplate.allCases)
  func aTemplateIsARecipe(_ template: RecipeTemplate) {
    let text = template.text.replacing("NAME", with: "mine")
    let planning = Planner(
      catalog: ActionCatalog(BuiltinActions().signatures, contracts: BundledContract.all)
    ).plan(
      SourceText(path: "/mine.yaml", text: text))
    let errors = planning.diagnostics.filter { $0.severity == .error && $0.code.rawValue != "unknown_action" }
    #expect(errors.isEmpty, "\(errors)")
  }
}
