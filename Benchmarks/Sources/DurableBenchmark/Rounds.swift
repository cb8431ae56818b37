/// What was measured on one disk: the single commits of SQLite, and between them runs of steps, several times.
struct Rounds {
  /// A kind of steps, and what it has to reach.
  struct Kind {
    let name: String
    let title: String
    let workload: Workload
    /// How many runs there are in a round.
    let runs: Int
    /// How many of them are worked on at once.
    let parallel: Int
    /// Whether the best round counts, as for what does not hang on the disk of the hour: foreign load alone slows it down.
    var isBest = false
    /// What it has to reach, in words.
    let bound: String
    /// Steps in a second that it has to reach where so many single commits, and so many rows in one commit, are possible.
    let least: (_ commits: Double, _ rows: Double) -> Double
  }

  let disk: Disk
  private var raw: RawCommits
  private var commits: [Double] = []
  private var figures: [String: [(figure: Double, around: Double)]] = [:]

  init(_ disk: Disk) throws {
    self.disk = disk
    disk.use()
    raw = try RawCommits(folder: disk.place("raw"))
  }

  /// Single commits in a second.
  var commitRate: Double { median(commits) }

  /// Measures everything once; rates of steps are compared to the single commits just before and after.
  mutating func measure(_ kinds: [Kind], round: Int) async throws {
    for kind in kinds {
      let place = "\(kind.name)\(round)"
      let figure = try await measure(kind.workload, runs: kind.runs, parallel: kind.parallel, in: place).stepsPerSecond
      let around = (commits[commits.count - 1] + commits[commits.count - 2]) / 2
      figures[kind.name, default: []].append((figure, around))
    }
  }

  /// Measures runs, and single commits before and after.
  mutating func measure(_ workload: Workload, runs: Int, parallel: Int, in place: String) async throws -> Measurement {
    disk.use()
    commits.append(try raw.singleCommits(for: 0.4))
    let measurement = try await workload.measure(runs, parallel: parallel, in: disk.place(place))
    commits.append(try raw.singleCommits(for: 0.4))
    return measurement
  }

  /// Puts what was measured into the table.
  mutating func close(_ kinds: [Kind], into table: inout Table) throws {
    disk.use()
    let rows = try raw.rows(200_000)
    raw.close()
    table.add(title: disk.name)
    table.add(
      .init(name: "SQLite, one row a commit, synchronous=FULL", figure: commitRate, unit: "commits/s", ratio: 1))
    table.add(.init(name: "SQLite, all rows in one commit", figure: rows, unit: "rows/s"))
    for kind in kinds {
      let rounds = figures[kind.name] ?? []
      let choice = kind.isBest ? { $0.max() ?? 0 } : median
      table.add(
        .init(
          name: kind.title, figure: choice(rounds.map(\.figure)), unit: "steps/s",
          ratio: choice(rounds.map { $0.figure / $0.around }), bound: kind.bound,
          isMet: choice(rounds.map { $0.figure / kind.least($0.around, rows) }) >= 1))
    }
  }
}
