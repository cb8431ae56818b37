import Testing

@testable import RecipePlanning

/// Which arguments of a command are the text of a program.
struct ProgramTextTests {
  @Test(
    arguments: [
      (["sh", "-c", "X"], [2]), (["/bin/sh", "-lc", "X"], [2]), (["bash", "-eu", "-o", "pipefail", "-c", "X"], [5]),
      (["bash", "-c", "-e", "X"], [3]), (["env", "A=1", "sh", "-c", "X"], [4]), (["env", "-S", "sh -c X"], [1, 2]),
      (["sudo", "-u", "me", "bash", "-c", "X"], [5]), (["timeout", "5", "zsh", "-c", "X"], [4]),
      (["python3.12", "-Ic", "X"], [2]), (["python", "-u", "-c", "X", "Y"], [3]), (["python", "-cX"], [1]),
      (["perl", "-ne", "X"], [2]), (["perl", "-eX"], [1]), (["perl", "-e", "X", "-e", "X"], [2, 4]),
      (["ruby", "-e", "X"], [2]), (["node", "-e", "X"], [2]), (["node", "--eval=X"], [1]), (["node", "-p", "X"], [2]),
      (["php", "-r", "X"], [2]), (["lua5.4", "-e", "X"], [2]), (["awk", "-F", ":", "X", "file"], [3]),
      (["busybox", "sh", "-c", "X"], [3]), (["find", ".", "-exec", "sh", "-c", "X", ";"], [5]),
      (["docker", "exec", "box", "sh", "-c", "X"], [5]), (["su", "me", "-c", "X"], [3]),
      (["fish", "--command=X"], [1]),
      (["{{ inputs.shell }}", "-c", "X"], [2]),
      // These arguments are data.
      (["echo", "X"], []), (["sh", "script.sh", "X"], []), (["python3", "tool.py", "-c", "X"], []),
      (["grep", "-c", "X"], []),
      (["echo", "sh", "-c", "X"], []), (["awk", "-f", "prog.awk", "X"], []), (["sh", "-c"], []), ([], []),
    ] as [([String], [Int])])
  func textsAreFound(command: [String], positions: [Int]) {
    #expect(ProgramText(command).texts.map(\.index) == positions)
  }

  @Test(
    arguments: [
      (["sh"], true), (["bash", "-s"], true), (["python3", "-"], true), (["sh", "script.sh"], false), (["cat"], false),
      (["sh", "-c", "cat"], false),
    ] as [([String], Bool)])
  func standardInputIsAProgramIfNoOtherIsGiven(command: [String], isProgram: Bool) {
    #expect(ProgramText(command).readsInput == isProgram)
  }
}
