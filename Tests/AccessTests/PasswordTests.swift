import Access
import Localization
import Testing

/// Passwords and their hashes.
struct PasswordTests {
  private static let cost = AccessLimits.quick.passwordCost

  @Test func aHashMatchesItsPasswordAlone() throws {
    let hash = try PasswordHash("Grüße aus Zürich", cost: Self.cost)
    let stored = hash.stored
    #expect(stored.wholeMatch(of: /\$scrypt\$ln=4,r=8,p=1\$[A-Za-z0-9+\/]{22}\$[A-Za-z0-9+\/]{43}/) != nil, "\(stored)")
    let read = try #require(PasswordHash(stored: stored))
    #expect(try read.matches("Grüße aus Zürich"))
    // The same letters as base letters and diacritics.
    #expect(try read.matches("Gru\u{308}ße aus Zu\u{308}rich"))
    #expect(try !read.matches("Grüße aus Zürich "))
    #expect(try !read.matches(""))
    #expect(try PasswordHash("Grüße aus Zürich", cost: Self.cost).stored != stored)
  }

  /// RFC 7914, section 12: N = 16384, r = 8, p = 1.
  @Test func hashesAreThoseOfTheStandard() throws {
    let stored =
      "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$"
      + "cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT8Pz2LUlwUkKpr55h6F3A1lHkDfzwF7RVdYhw"
    let hash = try #require(PasswordHash(stored: stored))
    #expect(try hash.matches("pleaseletmein") && !hash.matches("pleaseletmeout"))
    #expect(hash.stored == stored)
    #expect(hash.isOutdated() && !hash.isOutdated(Self.cost))
  }

  @Test(arguments: [
    "", "x", "$scrypt$", "$bcrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "$scrypt$ln=4,r=8$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "$scrypt$ln=99,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "$scrypt$ln=20,r=32,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "$scrypt$ln=-4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "$scrypt$r=8,ln=4,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "$scrypt$ln=4,r=8,p=1$$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA",
    "$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "$scrypt$ln=4,r=8,p=1$AAAA AAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA$",
  ])
  func malformedHashesAreRefused(text: String) { #expect(PasswordHash(stored: text) == nil) }

  @Test(
    arguments: [
      ("short", "anna"), ("ninechars", "anna"), ("Longusername", "longusername"),
      (String(repeating: "a", count: 1025), "anna"),
    ])
  func weakPasswordsAreRefused(password: String, user: String) {
    #expect(code { try PasswordRules.check(password, user: user) } == .weakPassword)
  }

  @Test(arguments: ["ten charac", "🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂", String(repeating: "a", count: 1024)])
  func lengthAloneCounts(password: String) throws { try PasswordRules.check(password, user: "anna") }

  @Test func noErrorContainsThePassword() throws {
    let access = try TemporaryAccess()
    try access.add("anna")
    for password in ["tiny!!", "wrong but long enough"] {
      do throws(AccessError) {
        try PasswordRules.check(password, user: "anna")
        _ = try access.signIn("anna", password)
      } catch {
        #expect(!"\(error) \(error.message.german)".contains(password))
      }
    }
  }
}
