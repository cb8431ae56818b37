import RecipeModel
import Testing

@testable import RecipeHistory
@testable import UseCases

struct RecipeSyncPlanTests {
  struct Case: Sendable {
    /// The digests in the repository, after the last sync, and here.
    var wanted: String?
    var synced: String?
    var local: String?
    var action: RecipeSyncPlan.Action?
    var conflict: RecipeSyncPlan.Conflict?
  }

  /// Every combination of the three states of a file.
  static let cases: [Case] = [
    Case(wanted: "a", synced: nil, local: nil, action: .add), Case(wanted: "a", synced: nil, local: "a"),
    Case(wanted: "a", synced: nil, local: "b", action: .update, conflict: .foreign),
    Case(wanted: "a", synced: "a", local: nil, action: .add, conflict: .deleted),
    Case(wanted: "a", synced: "a", local: "a"),
    Case(wanted: "a", synced: "a", local: "b", action: .update, conflict: .changed),
    Case(wanted: "a", synced: "b", local: nil, action: .add, conflict: .deleted),
    Case(wanted: "a", synced: "b", local: "a"), Case(wanted: "a", synced: "b", local: "b", action: .update),
    Case(wanted: "a", synced: "b", local: "c", action: .update, conflict: .changed),
    Case(wanted: nil, synced: "a", local: nil), Case(wanted: nil, synced: "a", local: "a", action: .delete),
    Case(wanted: nil, synced: "a", local: "b", action: .delete, conflict: .changed),
  ]

  @Test(arguments: cases) func aFileIsComparedWithBothSides(_ example: Case) {
    func map(_ digest: String?) -> [String: String] { digest.map { ["r.yaml": $0] } ?? [:] }
    let plan = RecipeSyncPlan(
      wanted: map(example.wanted), synced: map(example.synced), local: map(example.local))
    #expect(plan.changes.first?.action == example.action && plan.changes.first?.conflict == example.conflict)
    #expect(plan.changes.count <= 1)
  }

  @Test(arguments: [
    ("https://git.example/r.git", true), ("ssh://git@git.example/r", true), ("git@git.example:r.git", true),
    ("../clone", true), ("/srv/git/r.git", true), ("file:///srv/r.git", true), ("http://127.0.0.1:8080/r.git", true),
    ("http://git.example/r.git", false), ("git://git.example/r.git", false), ("ext::sh -c 'touch /tmp/x'", false),
    ("--upload-pack=touch x", false), ("ftp://git.example/r", false), ("", false), ("a\nb", false),
    ("https://anna:secret@git.example/r.git", false), ("https://anna@git.example/r.git", true),
  ])
  func onlySafeAddressesAreTaken(url: String, isTaken: Bool) {
    #expect(((try? RecipeSyncOrder(ConfiguredRecipeSync(url: url)).check()) != nil) == isTaken)
  }

  @Test(arguments: [
    ("recipes", true), ("a/b/", true), ("", true), ("../x", false), ("/etc", false), ("a/../..", false),
  ])
  func aFolderStaysInTheRepository(folder: String, isTaken: Bool) {
    var settings = ConfiguredRecipeSync(url: "/srv/r.git")
    settings.folder = folder
    #expect(((try? RecipeSyncOrder(settings).check()) != nil) == isTaken)
  }

  @Test(arguments: [("main", true), ("a/b", true), ("-x", false), ("a:b", false), ("", false)])
  func aBranchIsAName(branch: String, isTaken: Bool) {
    var settings = ConfiguredRecipeSync(url: "/srv/r.git")
    settings.branch = branch
    #expect(((try? RecipeSyncOrder(settings).check()) != nil) == isTaken)
  }
}
