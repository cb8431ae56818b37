// swift-tools-version: 6.2
import PackageDescription

/// Mutated input for everything that reads text from outside; a package of its own, built with `--sanitize fuzzer`.
let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "sous", path: "../.."), .package(path: "../../plugins/PluginKit")],
  targets: [
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        .product(name: "Expressions", package: "sous"), .product(name: "RecipeSyntax", package: "sous"),
        .product(name: "Schemas", package: "sous"), .product(name: "Plans", package: "sous"),
        .product(name: "RecipeModel", package: "sous"), .product(name: "RecipePlanning", package: "sous"),
        .product(name: "PluginHost", package: "sous"), .product(name: "PluginKit", package: "PluginKit"),
        .product(name: "Mail", package: "sous"), .product(name: "IMAPPlugin", package: "sous"),
        .product(name: "SMTPPlugin", package: "sous"),
        .product(name: "Sieve", package: "sous"),
        .product(name: "Localization", package: "sous"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
