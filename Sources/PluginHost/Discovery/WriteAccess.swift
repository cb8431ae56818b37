import Foundation
public import Localization
import OperatingSystem

/// Checks whether other users may change a file that Sous runs or reads its configuration from, as `ssh` and `sudo` do.
///
/// Only file modes count, not access control lists.
public enum WriteAccess {
  /// Why a file is not safe to use: another user owns it, or others may write to it, its folder or a folder above.
  ///
  /// A group counts as the user's own if it has the user's name and no other member. A folder with the sticky bit, such as
  /// `/tmp`, protects what is in it.
  ///
  /// - Parameter path: The file, absolute or from the current folder; links are followed.
  /// - Returns: The reason with the remedy; `nil` if only the user and root may change the file, or if it does not exist.
  public static func objection(to path: String) -> LocalizedText? {
    guard var place = SystemPath.resolved(path) else { return nil }
    var depth = 0
    while !place.isEmpty {
      var facts = stat()
      guard lstat(place, &facts) == 0 else { return nil }
      // Above the folder of the file the owner does not count: the root of a container may belong to any user.
      if depth < 2, facts.st_uid != geteuid(), facts.st_uid != 0 {
        return LocalizedText(
          "'\(place)' belongs to another user (uid \(facts.st_uid)); only files of yours or of root are used",
          de:
            "'\(place)' gehört einem anderen Benutzer (uid \(facts.st_uid)); nur eigene Dateien und die von root werden "
            + "verwendet")
      }
      let isShared = depth > 0 && facts.st_mode & S_ISVTX != 0
      if !isShared, let who = writers(facts) {
        return LocalizedText(
          "'\(place)' is writable by other users; run: chmod \(who)-w '\(place)'",
          de: "'\(place)' ist für andere Benutzer schreibbar; ausführen: chmod \(who)-w '\(place)'")
      }
      guard place != "/", let slash = place.lastIndex(of: "/") else { return nil }
      place = slash == place.startIndex ? "/" : String(place[..<slash])
      depth += 1
    }
    return nil
  }

  /// Who besides owner and root may write, as `chmod` names them: `go`, `g`, or `nil`.
  private static func writers(_ facts: stat) -> String? {
    if facts.st_mode & S_IWOTH != 0 { return "go" }
    return facts.st_mode & S_IWGRP != 0 && !isOwn(group: facts.st_gid) ? "g" : nil
  }

  /// Whether a group is the private group of the user, as Debian and others create it; umask 002 is harmless then.
  private static func isOwn(group id: gid_t) -> Bool {
    var (userBytes, groupBytes) = ([CChar](repeating: 0, count: 16 << 10), [CChar](repeating: 0, count: 64 << 10))
    var (user, group) = (passwd(), Glibc.group())
    var (foundUser, foundGroup): (UnsafeMutablePointer<passwd>?, UnsafeMutablePointer<Glibc.group>?) = (nil, nil)
    guard getpwuid_r(geteuid(), &user, &userBytes, userBytes.count, &foundUser) == 0, foundUser != nil,
      getgrgid_r(id, &group, &groupBytes, groupBytes.count, &foundGroup) == 0, foundGroup != nil,
      let userName = user.pw_name, let groupName = group.gr_name, strcmp(userName, groupName) == 0
    else { return false }
    guard var member = group.gr_mem else { return true }
    while let name = member.pointee {
      if strcmp(name, userName) != 0 { return false }
      member += 1
    }
    return true
  }
}
