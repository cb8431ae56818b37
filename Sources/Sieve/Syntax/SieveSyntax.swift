/// A string of a script with its place.
struct SieveString {
  var text: String
  /// The UTF-8 offsets in the script.
  var range: Range<Int>
}

/// An argument of a command or a test.
struct SieveArgument {
  /// The value of an argument.
  enum Kind {
    case tag(String)
    case number(Int64)
    /// One string, or a list of them.
    case strings([SieveString])
  }

  var kind: Kind
  var range: Range<Int>
}

/// A test: `header :is "subject" "x"`, `anyof (…)`.
struct SieveTest {
  var name: String
  /// The position of the name.
  var place: Range<Int>
  var arguments: [SieveArgument]
  /// The tests that it is made of.
  var tests: [SieveTest]
}

/// A command with its block, where it has one.
struct SieveCommand {
  var name: String
  /// The position of the name.
  var place: Range<Int>
  var arguments: [SieveArgument]
  var tests: [SieveTest]
  var block: [SieveCommand]?
  /// The name in a comment before it.
  var title: String?
}
