import Foundation
import Mail

// Usage: MailBenchmark speed ROUNDS PYTHON SCRIPT FOLDER...
//        MailBenchmark memory SIZE_IN_MB LIMIT_IN_MB
//
// `speed` reads all messages of some folders, in turns with Python's email package and GMime called from Python, the same
// work in the same run. `parse` takes messages apart: header fields and parts. `read` asks for what a mailbox shows as well:
// addresses, subject, date, identifiers, every text decoded, every file's bytes. The first round warms up. Ends with status 1
// where Sous is slower than it has to be.
//
// `memory` writes a message with a large file in pieces and reads it again in pieces, and ends with status 1 where the process
// has held more than it may.

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "speed" where arguments.count >= 6:
  guard let rounds = Int(arguments[2]), rounds > 0 else { fallthrough }
  let corpus = Corpus(folders: Array(arguments[5...]))
  exit(try SpeedTable(corpus: corpus, rounds: rounds, python: arguments[3], script: arguments[4]).print() ? 0 : 1)
case "memory" where arguments.count == 4:
  guard let size = Int(arguments[2]), let limit = Int(arguments[3]) else { fallthrough }
  exit(try StreamedMessage(size: size << 20).measure(limit: limit) ? 0 : 1)
default:
  print("usage: MailBenchmark speed ROUNDS PYTHON SCRIPT FOLDER... | memory SIZE_IN_MB LIMIT_IN_MB")
  exit(2)
}
