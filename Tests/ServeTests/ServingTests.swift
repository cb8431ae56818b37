import Builtins
import Engine
import Expressions
import Foundation
import Plans
import RecipePlanning
import RecipeSyntax
import RunStore
import Schemas
import TestWorkspace
import Testing

@testable import Serve
@testable import UseCases

/// The pure parts of the daemon.
@Suite struct ServingTests {
  // MARK: Files that come to rest

  private func stamp(_ size: Int64, _ seconds: Int = 0) -> FileStamp {
    FileStamp(size: size, seconds: seconds, nanoseconds: 0, inode: 1)
  }

  @Test func aFileCountsOnceItHasStayedAsItIs() {
    var files = StableFiles(settle: 2)
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
    var files = StableFiles(settle: 1)
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
    var files = StableFiles(settle: 1)
    _ = files.look(["b": stamp(1)], at: 0)
    _ = files.look(["b": stamp(1), "a": stamp(1)], at: 0.5)
    #expect(files.look(["b": stamp(1), "a": stamp(1)], at: 3).ready == ["b", "a"])
  }

  // MARK: What is due

  private func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: seconds) }

  @Test func whatIsDueComesInOrderAndOnce() {
    let wakes: [Int64] = [50, 10, 30, 20, 40, 10]
    var dueQueue = DueQueue(wakes.enumerated().map { ("/r#s\($0.offset)", at($0.element)) })
    #expect(dueQueue.count == 6 && dueQueue.nextWake == at(10))
    #expect(dueQueue.takeDue(at: at(9), limit: 10).isEmpty)
    #expect(Set(dueQueue.sources(before: at(30), limit: 10)) == ["/r#s1", "/r#s3", "/r#s5"])
    let due = dueQueue.takeDue(at: at(30), limit: 3)
    #expect(Set(due.prefix(2).map(\.source)) == ["/r#s1", "/r#s5"])
    #expect(due.map(\.source).last == "/r#s3")
    #expect(dueQueue.takeDue(at: at(30), limit: 10).map(\.source) == ["/r#s2"])
    for schedule in due { dueQueue.put(schedule, wake: at(35)) }
    for schedule in due where schedule.source == "/r#s1" { dueQueue.remove(schedule) }
    #expect(Set(dueQueue.takeDue(at: at(100), limit: 10).map(\.source)) == ["/r#s0", "/r#s3", "/r#s4", "/r#s5"])
    #expect(dueQueue.nextWake == nil && dueQueue.count == 5)
  }

  @Test func aTimeThatWasMovedCountsAlone() throws {
    var dueQueue = DueQueue([("/r#a", at(10)), ("/r#b", at(12))])
    let due = try #require(dueQueue.takeDue(at: at(10), limit: 1).first)
    dueQueue.put(due, wake: at(20))
    dueQueue.put(due, wake: at(15))
    #expect(dueQueue.takeDue(at: at(17), limit: 10).map(\.source) == ["/r#b", "/r#a"])
    #expect(dueQueue.takeDue(at: at(30), limit: 10).isEmpty)
  }

  @Test func theSchedulesOfARecipeTakeThePlaceOfThoseItHad() throws {
    var dueQueue = DueQueue([("/r/a#1", at(10)), ("/r/b#1", at(5)), ("/r/a#2", nil)])
    let before = try #require(dueQueue.takeDue(at: at(5), limit: 1).first)
    dueQueue.replace(of: ["/r/a", "/r/new"], with: [("/r/a#3", at(7)), ("/r/new#1", nil)])
    #expect(dueQueue.count == 3)
    #expect(dueQueue.takeDue(at: at(100), limit: 10).map(\.source) == ["/r/a#3"])
    // What was taken out before must not fall on another one's place.
    dueQueue.put(before, wake: at(8))
    #expect(dueQueue.takeDue(at: at(100), limit: 10).map(\.source) == ["/r/b#1"])
  }

  // MARK: Sleep

  /// Recipes that only the clock starts are not read again as long as their files stay as they are.
  @Test func aRecipeSleepsUntilItIsDueOrItsFileChanges() throws {
    let place = try Place()
    try FileManager.default.createDirectory(atPath: place.folder + "/recipes", withIntermediateDirectories: true)
    let project = try Project(place.workspace)
    try place.write("recipes/a.yaml", Self.clock("a"))
    try place.write("recipes/b.yaml", Self.clock("b"))
    try place.write(
      "recipes/hook.yaml", "name: hook\non: { recipe: a }\nsteps: [{ uses: template, with: { text: x } }]\n")
    var first = ServedRecipes(of: project)
    #expect(first.update(project, at: at(0), monotonic: 0).count == 3)
    let known = first.paths.compactMap(first.sleeper)
    #expect(known.map(\.name) == ["a", "b"] && known.map(\.schedules) == [1, 1])

    var servedRecipes = ServedRecipes(of: project)
    let look = servedRecipes.look(at: 0, known: known)
    #expect(look.gone.isEmpty && look.wanted.map(\.path) == first.paths.filter { $0.hasSuffix("hook.yaml") })
    #expect(known.allSatisfy { servedRecipes.isAsleep($0.path) } && servedRecipes.recipes.isEmpty)
    let (a, b) = (known[0].path, known[1].path)
    #expect(servedRecipes.wakeUp([a], project, at: at(0), monotonic: 0).isEmpty)
    #expect(servedRecipes.recipe(a)?.schedules.count == 1 && servedRecipes.isAsleep(b))
    try place.write("recipes/b.yaml", Self.clock("b") + "# changed\n")
    #expect(servedRecipes.wakeUp([b], project, at: at(0), monotonic: 0) == [b])
    #expect(servedRecipes.isAsleep(b) && servedRecipes.look(at: 1).wanted.map(\.path).contains(b))
    try FileManager.default.removeItem(atPath: a)
    #expect(servedRecipes.look(at: 2).gone == [a] && servedRecipes.recipe(a) == nil)
  }

  @Test func aRecipeWhoseNameIsNotUTF8IsAProblem() throws {
    let place = try Place()
    try FileManager.default.createDirectory(atPath: place.folder + "/recipes", withIntermediateDirectories: true)
    let project = try Project(place.workspace)
    try place.write("recipes/a.yaml", Self.clock("a"))
    for (name, ending) in [("caf", ".yaml"), ("caf", ".txt")] {
      let path = Array("\(place.folder)/recipes/\(name)".utf8) + [0xE9] + Array(ending.utf8) + [0]
      let file = open(path.map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
      #expect(file >= 0)
      close(file)
    }
    var servedRecipes = ServedRecipes(of: project)
    #expect(servedRecipes.update(project, at: at(0), monotonic: 0).count == 1)
    #expect(servedRecipes.problems().map { ($0.path as NSString).lastPathComponent } == ["caf\\xE9.yaml"])
  }

  /// The same file under another name, or the recipe in the only file that is new.
  @Test func aRenamedFileIsFoundByItsMarkOrItsName() throws {
    let place = try Place()
    try FileManager.default.createDirectory(atPath: place.folder + "/recipes", withIntermediateDirectories: true)
    let project = try Project(place.workspace)
    for name in ["a", "b", "c", "d"] { try place.write("recipes/\(name).yaml", Self.clock(name)) }
    var servedRecipes = ServedRecipes(of: project)
    let paths = servedRecipes.update(project, at: at(0), monotonic: 0).sorted()
    for path in paths { #expect(servedRecipes.takeFormer(of: path) == nil) }
    func path(_ name: String) -> String { paths[0].replacing("/a.yaml", with: "/\(name).yaml") }
    func move(_ name: String, to other: String) throws {
      try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
    }
    try move("a", to: "a2")
    _ = servedRecipes.update(project, at: at(1), monotonic: 1)
    #expect(servedRecipes.takeFormer(of: path("a2")) == path("a"))
    #expect(servedRecipes.takeFormer(of: path("a2")) == nil)
    // Written anew, and not seen in between.
    try FileManager.default.removeItem(atPath: path("b"))
    _ = servedRecipes.update(project, at: at(2), monotonic: 2)
    try place.write("recipes/b2.yaml", Self.clock("b") + "# more\n")
    _ = servedRecipes.update(project, at: at(3), monotonic: 3)
    #expect(servedRecipes.takeFormer(of: path("b2")) == path("b"))
    // Two that are called the same: nobody knows which it is.
    try FileManager.default.removeItem(atPath: path("c"))
    for name in ["c2", "c3"] { try place.write("recipes/\(name).yaml", Self.clock("c") + "# \(name)\n") }
    _ = servedRecipes.update(project, at: at(4), monotonic: 4)
    #expect(servedRecipes.takeFormer(of: path("c2")) == nil && servedRecipes.takeFormer(of: path("c3")) == nil)
    // Back after a long time, it is another one.
    try FileManager.default.removeItem(atPath: path("d"))
    _ = servedRecipes.update(project, at: at(5), monotonic: 5)
    _ = servedRecipes.update(project, at: at(500), monotonic: 500)
    try place.write("recipes/d2.yaml", Self.clock("d"))
    _ = servedRecipes.update(project, at: at(501), monotonic: 501)
    #expect(servedRecipes.takeFormer(of: path("d2")) == nil)
  }

  private static func clock(_ name: String) -> String {
    "name: \(name)\non: { schedule: { cron: \"0 3 1 1 *\" } }\nsteps: [{ uses: template, with: { text: x } }]\n"
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
