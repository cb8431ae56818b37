internal import JSONSyntax

/// What stands under names, in the order in which the names came. A few are searched, more are hashed.
struct OrderedMembers<Value> {
  struct Member {
    let name: String
    var value: Value
  }

  /// Up to this many members, comparing names one by one is faster than hashing.
  static var searchedCount: Int { 32 }

  private(set) var members: [Member] = []
  /// Where each name stands; empty while there are few.
  private var positions = JSONNameIndex()

  init() {}

  /// Takes members; of equal names the last counts, in the place of the first.
  ///
  /// - Parameter areUnique: Whether no two names are equal, as far as there are few.
  init(_ members: [Member], areUnique: Bool) {
    self.members = members
    if areUnique, members.count <= Self.searchedCount { return }
    if members.count > Self.searchedCount, index() { return }
    self.members = []
    self.members.reserveCapacity(members.count)
    for member in members { self[member.name] = member.value }
  }

  /// Takes members whose names are those, in that order, of the members that the index is of.
  init(_ members: [Member], index: JSONNameIndex) {
    self.members = members
    positions = index
  }

  /// Where each name stands; empty while there are few.
  var nameIndex: JSONNameIndex { positions }

  /// Makes room for members.
  mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

  /// What stands under a name. A new one comes to the end; `nil` takes it out.
  subscript(name: String) -> Value? {
    get { position(of: name).map { members[$0].value } }
    set {
      switch (position(of: name), newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil):
        members.remove(at: position)
        index()
      case (nil, let value?):
        members.append(Member(name: name, value: value))
        if members.count == Self.searchedCount + 1 {
          index()
        } else if members.count > Self.searchedCount {
          _ = positions.add(members.count - 1, hash: Self.hash(name)) { _ in false }
        }
      case (nil, nil): break
      }
    }
  }

  private func position(of name: String) -> Int? {
    members.count > Self.searchedCount
      ? positions.position(of: Self.hash(name)) { members[$0].name == name } : members.firstIndex { $0.name == name }
  }

  /// Notes where each name stands.
  ///
  /// - Returns: Whether no two are equal.
  @discardableResult
  private mutating func index() -> Bool {
    guard members.count > Self.searchedCount else {
      positions = JSONNameIndex()
      return true
    }
    var positions = JSONNameIndex(capacity: members.count)
    let hashing = JSONNameIndex.Hashing.shared
    do {
      let members = members.span
      for index in members.indices {
        let hash = Self.hash(members[index].name, hashing)
        if positions.add(index, hash: hash, where: { members[$0].name == members[index].name }) != nil { return false }
      }
    }
    self.positions = positions
    return true
  }

  /// The hash of a name; equal for names that are equal in spite of different bytes.
  private static func hash(_ name: String, _ hashing: JSONNameIndex.Hashing = .shared) -> UInt64 {
    let (hash, isASCII) = hashing.hash(name)
    if isASCII { return hash }
    // Three characters are other ways of writing one that is ASCII.
    let scalars = name.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar {
      case "\u{212A}": "K"
      case "\u{37E}": ";"
      case "\u{1FEF}": "`"
      default: scalar
      }
    }
    if scalars.allSatisfy(\.isASCII) { return hashing.hash(String(String.UnicodeScalarView(scalars))).hash }
    return hashing.hash(UInt64(bitPattern: Int64(name.hashValue)))
  }
}

extension OrderedMembers: Sendable where Value: Sendable {}
extension OrderedMembers.Member: Sendable where Value: Sendable {}
