import Engine

/// The record of a move, so that files can be identified after a crash: the mark (inode number and time of birth) of the file
/// that is moved, and of its copy if it is copied.
struct FileMoveNotes {
  private let state: (any RecipeState)?
  private let key: String
  private let recipe: String

  /// Creates the notes of a call; without a run log nothing is noted, as nothing is resumed either.
  init(_ call: BuiltinCall) {
    state = call.surroundings.state
    key = call.request.key
    recipe = call.request.recipe
  }

  /// The mark of the file that is moved; `nil` if nothing was moved yet.
  var source: Int64? { get throws(StorageFailure) { try note(of: key) } }
  /// The mark of its copy; `nil` if there is none yet.
  var copy: Int64? { get throws(StorageFailure) { try note(of: copyKey) } }

  /// Notes which file is about to be moved; on disk when it returns.
  func note(source mark: Int64) throws(StorageFailure) { try note(mark, of: key) }
  /// Notes which file is the copy; on disk when it returns.
  func note(copy mark: Int64) throws(StorageFailure) { try note(mark, of: copyKey) }

  private var copyKey: String { key + ".copy" }

  private func note(of key: String) throws(StorageFailure) -> Int64? {
    try state?.note(ofCall: key, in: recipe)
  }

  private func note(_ number: Int64, of key: String) throws(StorageFailure) {
    try state?.setNote(number, ofCall: key, in: recipe)
  }
}
