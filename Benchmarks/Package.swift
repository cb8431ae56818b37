// swift-tools-version: 6.2
import PackageDescription

/// Measurements against public peers; a package of its own so that the product resolves and builds without it.
let package = Package(
  name: "Benchmarks",
  products: [.library(name: "echo", type: .dynamic, targets: ["EchoPlugin"])],
  dependencies: [
    .package(name: "sous", path: ".."), .package(path: "../plugins/PluginKit"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
  ],
  targets: [
    .executableTarget(name: "ProcessBenchmark", swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "ExpressionBenchmark", dependencies: [.product(name: "Expressions", package: "sous"), "PythonPeer"],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "JSONBenchmark",
      dependencies: [
        .product(name: "Expressions", package: "sous"), .product(name: "PluginKit", package: "PluginKit"), "PythonPeer",
      ], swiftSettings: [.swiftLanguageMode(.v6)]),
    .target(
      name: "PythonPeer", dependencies: [.product(name: "Expressions", package: "sous")], exclude: ["peer.py"],
      swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("InternalImportsByDefault")]),
    // What start-up is compared to.
    .executableTarget(name: "DateProgram", swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "PluginBenchmark",
      dependencies: [
        .product(name: "PluginHost", package: "sous"), .product(name: "Engine", package: "sous"),
        .product(name: "Expressions", package: "sous"), "CMemory",
      ], swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "NetworkBenchmark",
      dependencies: [
        .product(name: "PluginHost", package: "sous"), .product(name: "Engine", package: "sous"),
        .product(name: "Expressions", package: "sous"),
      ], exclude: ["first_token.py"], swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "DurableBenchmark",
      dependencies: [
        .product(name: "Engine", package: "sous"), .product(name: "Expressions", package: "sous"),
        .product(name: "Localization", package: "sous"), .product(name: "RecipeSyntax", package: "sous"),
        .product(name: "Schemas", package: "sous"), .product(name: "Plans", package: "sous"),
        .product(name: "RecipeModel", package: "sous"), .product(name: "RecipePlanning", package: "sous"),
        .product(name: "RunStore", package: "sous"), .product(name: "GRDBSQLite", package: "GRDB.swift"), "CSyncCost",
      ], swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "RetentionBenchmark",
      dependencies: [
        .product(name: "Engine", package: "sous"), .product(name: "Expressions", package: "sous"),
        .product(name: "RecipeSyntax", package: "sous"), .product(name: "Schemas", package: "sous"),
        .product(name: "Plans", package: "sous"), .product(name: "RecipeModel", package: "sous"),
        .product(name: "RecipePlanning", package: "sous"), .product(name: "RunStore", package: "sous"),
      ], swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "MailBenchmark", dependencies: [.product(name: "Mail", package: "sous")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "SMTPBenchmark",
      dependencies: [
        .product(name: "SMTPPlugin", package: "sous"), .product(name: "PluginKit", package: "PluginKit"),
        .product(name: "PluginKitTesting", package: "PluginKit"),
      ], swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "IMAPBenchmark",
      dependencies: [
        .product(name: "IMAPPlugin", package: "sous"), .product(name: "PluginKit", package: "PluginKit"),
        .product(name: "PluginKitTesting", package: "PluginKit"),
      ], swiftSettings: [.swiftLanguageMode(.v6)]),
    // The bare route with which list requests are compared.
    .executableTarget(
      name: "HTTPBenchmark", dependencies: [.product(name: "Hummingbird", package: "hummingbird")],
      exclude: ["list.py"], swiftSettings: [.swiftLanguageMode(.v6)]),
    .target(name: "CMemory"),
    // A disk of a stated speed.
    .target(name: "CSyncCost"),
    .target(
      name: "EchoPlugin", dependencies: [.product(name: "PluginKit", package: "PluginKit")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
