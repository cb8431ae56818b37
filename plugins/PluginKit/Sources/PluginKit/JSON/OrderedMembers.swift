/// Values by name, in the order in which the names were added. A few are searched, more are hashed.
struct OrderedMembers<Value> {
  struct Member {
    let name: String
    var value: Value
  }

  /// Up to this many members, comparing names one by one is faster than hashing.
  static var searchedCount: Int { 32 }

  private(set) var members: [Member] = []
  /// The position of each name; empty while there are few.
  private var positions: [String: Int] = [:]

  init() {}

  /// Takes members; of equal names the last counts, in the place of the first.
  init(_ members: [Member]) {
    reserveCapacity(members.count)
    for member in members { self[member.name] = member.value }
  }

  /// Makes room for members.
  mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

  /// The value of a name. A new name is appended; `nil` removes it.
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
          positions[name] = members.count - 1
        }
      case (nil, nil): break
      }
    }
  }

  private func position(of name: String) -> Int? {
    members.count > Self.searchedCount ? positions[name] : members.firstIndex { $0.name == name }
  }

  /// Notes the position of each name.
  private mutating func index() {
    positions.removeAll()
    guard members.count > Self.searchedCount else { return }
    for (position, member) in members.enumerated() { positions[member.name] = position }
  }
}

extension OrderedMembers: Sendable where Value: Sendable {}
extension OrderedMembers.Member: Sendable where Value: Sendable {}
