/// How people know the operators.
enum OperatorName {
  static func display(_ function: String) -> String {
    switch function {
    case "@in": "in"
    case "-_": "-"
    case "!_": "!"
    case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "_+_", "_-_", "_*_", "_/_", "_%_":
      String(function.dropFirst().dropLast())
    default: function
    }
  }

  static func isOperator(_ function: String) -> Bool {
    function.hasPrefix("_") && function.hasSuffix("_") || function == "@in" || function == "-_" || function == "!_"
  }
}
