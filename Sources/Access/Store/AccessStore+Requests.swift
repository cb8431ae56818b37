public import Expressions
internal import Foundation
internal import GRDB
internal import Hashing

/// A request with a key that was begun before.
public struct RecordedRequest: Sendable, Hashable {
  /// The id of the run that it has begun, or was about to begin.
  public let run: String
  /// The HTTP status of its answer; `nil` if it was not answered yet.
  public let status: Int?
  /// The content type of its answer.
  public let type: String?
  /// The body of its answer.
  public let body: [UInt8]?
  /// When it was begun.
  public let created: Timestamp
}

/// How a request with a key relates to earlier ones.
public enum RequestStart: Sendable, Hashable {
  /// A new one, whose run gets this id.
  case new(run: String)
  /// The same one once more.
  case repeats(RecordedRequest)
  /// Another one with the same key.
  case conflict
}

extension AccessStore {
  /// The most bytes of an answer that is kept for repetitions.
  public static let answerLimit = 1 << 20

  /// The digest of a request, by which repetitions are recognised.
  public static func digest(method: String, path: String, body: [UInt8]) -> String {
    let hash = RunningHash()
    // Lengths, so that no other division of the same bytes is the same request.
    for part in [Array(method.utf8), Array(path.utf8), body] {
      hash.update(Array("\(part.count)\n".utf8))
      hash.update(part)
    }
    return hash.finish()
  }

  /// Begins a request with a key (`Idempotency-Key`), or recognises one of the last 24 hours.
  ///
  /// - Parameters:
  ///   - actor: The user name; each user has keys of its own.
  ///   - key: The key of the client: 1 to 255 bytes.
  ///   - digest: See ``digest(method:path:body:)``.
  ///   - run: The id that the run of a new request gets.
  /// - Throws: ``AccessError``: `invalid_input`.
  public func begin(
    actor: String, key: String, digest: String, run: String, now: Timestamp
  ) throws(AccessError) -> RequestStart {
    guard (1...255).contains(key.utf8.count) else {
      throw AccessError(
        .invalidInput, "an idempotency key has 1 to 255 bytes", de: "ein Idempotenzschlüssel hat 1 bis 255 Bytes")
    }
    return try write { database in
      try database.execute(
        sql: "DELETE FROM requests WHERE created <= ?", arguments: [now.adding(seconds: -limits.requestAge).stored])
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM requests WHERE actor = ? AND key = ?", arguments: [actor, key])
      guard let row else {
        try database.execute(
          sql: "INSERT INTO requests (actor, key, digest, run, created) VALUES (?, ?, ?, ?, ?)",
          arguments: [actor, key, digest, run, now.stored])
        return .new(run: run)
      }
      guard row["digest"] == digest else { return .conflict }
      return .repeats(
        RecordedRequest(
          run: row["run"] ?? "", status: row["status"], type: row["type"], body: (row["body"] as Data?).map(Array.init),
          created: Timestamp(stored: row["created"] ?? 0)))
    }
  }

  /// Keeps the answer to a request for repetitions.
  ///
  /// - Parameter body: The bytes; `nil` for an answer that must not be stored. One above ``answerLimit`` is left out too.
  public func finish(
    actor: String, key: String, status: Int, body: [UInt8]?, type: String
  ) throws(AccessError) {
    try write { database in
      try database.execute(
        sql: "UPDATE requests SET status = ?, type = ?, body = ? WHERE actor = ? AND key = ?",
        arguments: [status, type, body.flatMap { $0.count <= Self.answerLimit ? Data($0) : nil }, actor, key])
    }
  }

  /// Forgets a request that had no effect, so that its key can be used again.
  public func abandon(actor: String, key: String) throws(AccessError) {
    try write { database in
      try database.execute(
        sql: "DELETE FROM requests WHERE actor = ? AND key = ? AND status IS NULL", arguments: [actor, key])
    }
  }
}
