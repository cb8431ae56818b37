// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Settings every Swift target of the package is built with.
///
/// SwiftPM ignores a misspelt upcoming feature without a word; `Sources/Localization/LanguageFeatures.swift` fails the
/// build when one of these is not active.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Where an installed program and its plugins find the Swift runtime that `make install` puts beside them.
func runtimePath(_ path: String) -> [LinkerSetting] {
  [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", path])]
}

/// Whether the archive of RE2 can stand alone: later versions than that of Debian 12 and Ubuntu 22.04 need parts of Abseil,
/// and are loaded as a library.
let hasWholeRE2 = ["x86_64", "aarch64"].contains {
  FileManager.default.fileExists(atPath: "/usr/lib/\($0)-linux-gnu/libre2.so.9")
}

/// A release of the program carries the Swift runtime, and with RE2 that of C++: loading the libraries would take longer than
/// a small recipe. Plugins share the libraries.
///
/// The objects name the libraries that they would load; the others are what those consist of. ld.lld comes with the toolchain
/// and stores relocations in little room.
let ownRuntime: [LinkerSetting] = [
  .unsafeFlags(
    (hasWholeRE2 ? ["-L\(Context.packageDirectory)/Scripts/linking"] : []) + [
      "-static-stdlib", "-use-ld=lld", "-lCoreFoundation", "-lFoundationInternationalization", "-lFoundationEssentials",
      "-l_FoundationICU", "-l_FoundationCShims", "-l_FoundationCollections", "-lswift_RegexParser", "-Xlinker", "-z",
      "-Xlinker", "pack-relative-relocs", "-Xlinker", "--gc-sections", "-Xlinker", "--no-export-dynamic",
    ], .when(configuration: .release))
]

/// Where Debian has the headers of Pango and Cairo. Their pkg-config files name `-pthread`, which SwiftPM warns of at each
/// build; what depends on the machine comes with gobject-2.0.
let pangoHeaders: [SwiftSetting] = [
  .unsafeFlags(["pango-1.0", "cairo", "harfbuzz", "fribidi"].flatMap { ["-Xcc", "-I/usr/include/\($0)"] })
]

let pluginKit = Target.Dependency.product(name: "PluginKit", package: "PluginKit")
let pluginKitTesting = Target.Dependency.product(name: "PluginKitTesting", package: "PluginKit")
let jsonSyntax = Target.Dependency.product(name: "JSONSyntax", package: "PluginKit")
let pluginABI = Target.Dependency.product(name: "CPluginABI", package: "PluginKit")

let package = Package(
  name: "sous",
  products: [
    .executable(name: "sous", targets: ["sous"]),
    .library(name: "maildir", type: .dynamic, targets: ["MaildirLibrary"]),
    .library(name: "smtp", type: .dynamic, targets: ["SMTPLibrary"]),
    .library(name: "imap", type: .dynamic, targets: ["IMAPLibrary"]),
    .library(name: "extractive", type: .dynamic, targets: ["ExtractiveLibrary"]),
    .library(name: "openai", type: .dynamic, targets: ["OpenAILibrary"]),
    .library(name: "mistral", type: .dynamic, targets: ["MistralLibrary"]),
    .library(name: "ollama", type: .dynamic, targets: ["OllamaLibrary"]),
    .library(name: "whisper", type: .dynamic, targets: ["WhisperLibrary"]),
    .library(name: "piper", type: .dynamic, targets: ["PiperLibrary"]),
    .library(name: "ntfy", type: .dynamic, targets: ["NtfyLibrary"]),
    .library(name: "readeck", type: .dynamic, targets: ["ReadeckLibrary"]),
    .library(name: "webhook", type: .dynamic, targets: ["WebhookLibrary"]),
    .library(name: "pdf", type: .dynamic, targets: ["PDFLibrary"]),
    // For Benchmarks and Tests/Fuzz, which are packages of their own.
    .library(name: "Localization", targets: ["Localization"]),
    .library(name: "Expressions", targets: ["Expressions"]),
    .library(name: "Recipes", targets: ["Recipes"]),
    .library(name: "Engine", targets: ["Engine"]),
    .library(name: "RunStore", targets: ["RunStore"]),
    .library(name: "PluginHost", targets: ["PluginHost"]),
    .library(name: "SMTPPlugin", targets: ["SMTPPlugin"]),
    .library(name: "IMAPPlugin", targets: ["IMAPPlugin"]),
    .library(name: "Mail", targets: ["Mail"]),
    .library(name: "Sieve", targets: ["Sieve"]),
  ],
  dependencies: [
    .package(path: "plugins/PluginKit"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
  ],
  targets: [
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // Pages of text: Pango and Cairo; Markdown: cmark-gfm.
    .systemLibrary(name: "CPango", pkgConfig: "gobject-2.0", providers: [.apt(["libpango1.0-dev", "libcairo2-dev"])]),
    .systemLibrary(
      name: "CMarkdown", pkgConfig: "libcmark-gfm",
      providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"])]),

    // Starting a program and waiting for its end, in C.
    .target(name: "CProcess"),
    // SHA-256 of contents.
    .target(name: "Hashing", dependencies: ["COpenSSL"], swiftSettings: strict),

    // How much memory the process has allocated, as glibc counts it.
    .systemLibrary(name: "CMalloc"),

    .target(name: "Localization", swiftSettings: strict),
    // RE2 (libre2-dev) behind a C header; a release carries it where that can be.
    .target(
      name: "CRE2",
      linkerSettings: hasWholeRE2
        ? [
          .linkedLibrary("re2", .when(configuration: .debug)),
          .unsafeFlags(["-l:libre2.a"], .when(configuration: .release)),
        ] : [.linkedLibrary("re2")]),
    .target(name: "Expressions", dependencies: ["Localization", "CRE2", jsonSyntax], swiftSettings: strict),
    // When something is due: cron, recurrence rules, sun, phrases; pure.
    .target(name: "Schedules", dependencies: ["Localization"], swiftSettings: strict),
    .target(
      name: "Recipes", dependencies: ["Localization", "Expressions", "Schedules", "CYAML"], swiftSettings: strict),
    .target(name: "Engine", dependencies: ["Localization", "Expressions", "Recipes"], swiftSettings: strict),
    // What worker processes give up: the system calls behind it, which Swift cannot make.
    .target(name: "CIsolation"),
    .target(
      name: "PluginHost",
      dependencies: [
        "Localization", "Expressions", "Recipes", "Engine", "Network", "CIsolation", "CMalloc", "CProcess",
        "Hashing", pluginABI,
      ],
      swiftSettings: strict),
    // What the host does on the network for plugins: HTTP, byte streams, the egress policy.
    .target(
      name: "Network",
      dependencies: [
        "Localization",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOTLS", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: strict),
    // Where secrets come from, and the vault.
    .target(name: "CSecrets"),
    .target(
      name: "Secrets", dependencies: ["Localization", "COpenSSL", "CProcess", "CSecrets", "Hashing"],
      swiftSettings: strict),
    // Signing in to accounts by OAuth 2.0, and keeping their tokens fresh.
    .target(
      name: "OAuth", dependencies: ["Localization", "Expressions", "Network", "Secrets", "Hashing"],
      swiftSettings: strict),
    .target(
      name: "RunStore",
      dependencies: [
        "Localization", "Expressions", "Recipes", "Engine", "Hashing", jsonSyntax,
        .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    // Notes in a file of their own, their import and export, differences of words.
    .target(
      name: "Notes",
      dependencies: [
        "Localization", "Expressions", "Schedules", "Hashing", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .target(name: "Mail", dependencies: ["Localization"], swiftSettings: strict),
    // Personal data out of texts, placeholders in its place; pure.
    .target(name: "Neutralisation", dependencies: ["Localization", "Mail", "CRE2"], swiftSettings: strict),
    // What the built-in actions need of the C library that Swift cannot call.
    .target(name: "CBuiltins"),
    .target(
      name: "Builtins",
      dependencies: [
        "Localization", "Expressions", "Recipes", "Engine", "Mail", "Network", "Schedules", "Neutralisation",
        "CBuiltins", "CProcess",
      ],
      swiftSettings: strict),
    .target(
      name: "RecipeTesting", dependencies: ["Localization", "Expressions", "Recipes", "Engine"], swiftSettings: strict),
    .target(
      name: "LanguageServer", dependencies: ["Localization", "Expressions", "Recipes"], swiftSettings: strict),
    // The checks that every plugin should pass; 'sous plugins check' runs them.
    .target(
      name: "PluginConformance",
      dependencies: ["Localization", "Expressions", "Recipes", "Engine", "PluginHost"],
      swiftSettings: strict),
    // Sieve scripts as mail filters, and mail filters as Sieve scripts.
    .target(name: "Sieve", dependencies: ["Localization", "Expressions", "Recipes"], swiftSettings: strict),
    // The prompt catalog as files: changes, the JSON form of other programs.
    .target(
      name: "Catalog", dependencies: ["Localization", "Expressions", "Recipes", "Hashing", "CBuiltins"],
      swiftSettings: strict),
    // What can be done with runs, recipes, providers, secrets and plugins; the commands are one of its callers.
    .target(
      name: "UseCases",
      dependencies: [
        "Localization", "Expressions", "Recipes", "Engine", "PluginHost", "RunStore", "Builtins", "RecipeTesting",
        "Hashing", "Schedules", "Notes", "Catalog",
        "PluginConformance", "Secrets", "Network", "OAuth", "Neutralisation", "Mail",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "sous",
      dependencies: [
        "UseCases", "Localization", "Expressions", "Recipes", "Engine", "PluginHost", "RunStore", "Builtins", "Mail",
        "RecipeTesting", "Schedules", "Notes", "Catalog",
        "LanguageServer", "PluginConformance", "Secrets", "Network", "OAuth", "Sieve", "Neutralisation",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict, linkerSettings: runtimePath("$ORIGIN/../lib/sous/runtime") + ownRuntime),

    // What the plugins for mail share: messages as JSON, queries, special folders, outgoing messages.
    .target(
      name: "MailWire", dependencies: [pluginKit, "Mail", "Localization"], path: "plugins/shared/MailWire",
      swiftSettings: strict),
    .target(
      name: "MaildirPlugin", dependencies: [pluginKit, "MailWire", "Mail"], path: "plugins/maildir",
      exclude: ["Entry"], swiftSettings: strict),
    .target(
      name: "SMTPPlugin", dependencies: [pluginKit, "MailWire", "SASL", "Mail", "Localization"], path: "plugins/smtp",
      exclude: ["Entry"], swiftSettings: strict),
    .target(
      name: "IMAPPlugin", dependencies: [pluginKit, "MailWire", "Mail", "SASL", "Localization", "CZlib"],
      path: "plugins/imap", exclude: ["Entry"], swiftSettings: strict),
    .target(
      name: "ExtractivePlugin", dependencies: [pluginKit], path: "plugins/extractive", exclude: ["Entry"],
      swiftSettings: strict),
    // What the plugins for language models share: requests, streams, failures, checks of answers.
    .target(name: "ModelWire", dependencies: [pluginKit], path: "plugins/shared/ModelWire", swiftSettings: strict),
    // Signing in to mail servers: mechanisms, and which of them to use.
    .target(
      name: "SASL", dependencies: ["Localization", "COpenSSL"], path: "plugins/shared/SASL", swiftSettings: strict),
    .target(
      name: "OpenAIPlugin", dependencies: [pluginKit, "ModelWire"], path: "plugins/openai", exclude: ["Entry"],
      swiftSettings: strict),
    .target(
      name: "MistralPlugin", dependencies: [pluginKit, "ModelWire"], path: "plugins/mistral", exclude: ["Entry"],
      swiftSettings: strict),
    .target(
      name: "OllamaPlugin", dependencies: [pluginKit, "ModelWire"], path: "plugins/ollama", exclude: ["Entry"],
      swiftSettings: strict),
    // Speech as text, and text as speech, by servers of your own.
    .target(
      name: "WhisperPlugin", dependencies: [pluginKit, "ModelWire"], path: "plugins/whisper", exclude: ["Entry"],
      swiftSettings: strict),
    .target(
      name: "PiperPlugin", dependencies: [pluginKit, "ModelWire"], path: "plugins/piper", exclude: ["Entry"],
      swiftSettings: strict),
    .target(
      name: "NtfyPlugin", dependencies: [pluginKit], path: "plugins/ntfy", exclude: ["Entry"], swiftSettings: strict),
    .target(
      name: "WebhookPlugin", dependencies: [pluginKit, "COpenSSL"], path: "plugins/webhook", exclude: ["Entry"],
      swiftSettings: strict),
    .target(
      name: "ReadeckPlugin", dependencies: [pluginKit], path: "plugins/readeck", exclude: ["Entry"],
      swiftSettings: strict),
    .target(
      name: "PDFPlugin", dependencies: [pluginKit, "CPango", "CMarkdown"], path: "plugins/pdf", exclude: ["Entry"],
      swiftSettings: strict + pangoHeaders),
    // The exported entry function stands apart: the test program links all plugins, and its symbol may occur only once.
    .target(
      name: "MaildirLibrary", dependencies: [pluginKit, "MaildirPlugin"], path: "plugins/maildir/Entry",
      swiftSettings: strict, linkerSettings: runtimePath("$ORIGIN/../runtime")),
    .target(
      name: "SMTPLibrary", dependencies: [pluginKit, "SMTPPlugin"], path: "plugins/smtp/Entry",
      swiftSettings: strict, linkerSettings: runtimePath("$ORIGIN/../runtime")),
    .target(
      name: "IMAPLibrary", dependencies: [pluginKit, "IMAPPlugin"], path: "plugins/imap/Entry",
      swiftSettings: strict, linkerSettings: runtimePath("$ORIGIN/../runtime")),
    .target(
      name: "ExtractiveLibrary", dependencies: [pluginKit, "ExtractivePlugin"], path: "plugins/extractive/Entry",
      swiftSettings: strict, linkerSettings: runtimePath("$ORIGIN/../runtime")),
    .target(
      name: "OpenAILibrary", dependencies: [pluginKit, "OpenAIPlugin"], path: "plugins/openai/Entry",
      swiftSettings: strict, linkerSettings: runtimePath("$ORIGIN/../runtime")),
    .target(
      name: "MistralLibrary", dependencies: [pluginKit, "MistralPlugin"], path: "plugins/mistral/Entry",
      swiftSettings: strict, linkerSettings: runtimePath("$ORIGIN/../runtime")),
    .target(
      name: "OllamaLibrary", dependencies: [pluginKit, "OllamaPlugin"], path: "plugins/ollama/Entry",
      swiftSettings: strict, linkerSettings: runtimePath("$ORIGIN/../runtime")),
    .target(
      name: "WhisperLibrary", dependencies: [pluginKit, "WhisperPlugin"], path: "plugins/whisper/Entry",
      swiftSettings: strict, linkerSettings: runtimePath("$ORIGIN/../runtime")),
    .target(
      name: "PiperLibrary", dependencies: [pluginKit, "PiperPlugin"], path: "plugins/piper/Entry",
      swiftSettings: strict, linkerSettings: runtimePath("$ORIGIN/../runtime")),
    .target(
      name: "NtfyLibrary", dependencies: [pluginKit, "NtfyPlugin"], path: "plugins/ntfy/Entry",
      swiftSettings: strict, linkerSettings: runtimePath("$ORIGIN/../runtime")),
    .target(
      name: "ReadeckLibrary", dependencies: [pluginKit, "ReadeckPlugin"], path: "plugins/readeck/Entry",
      swiftSettings: strict, linkerSettings: runtimePath("$ORIGIN/../runtime")),
    .target(
      name: "WebhookLibrary", dependencies: [pluginKit, "WebhookPlugin"], path: "plugins/webhook/Entry",
      swiftSettings: strict, linkerSettings: runtimePath("$ORIGIN/../runtime")),
    .target(
      name: "PDFLibrary", dependencies: [pluginKit, "PDFPlugin"], path: "plugins/pdf/Entry",
      swiftSettings: strict, linkerSettings: runtimePath("$ORIGIN/../runtime")),

    // Engine and run log with faults that a seed decides; 'make simulate'.
    .executableTarget(
      name: "Simulation", dependencies: ["Localization", "Expressions", "Recipes", "Engine", "RunStore"],
      path: "Tests/Simulation", swiftSettings: strict,
      // It sees what SQLite syncs by functions in the place of the C library's.
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=fdatasync", "-Xlinker", "--export-dynamic-symbol=fsync"])
      ]),
    .testTarget(name: "SimulationTests", dependencies: ["Simulation"], swiftSettings: strict),

    .target(
      name: "FixturePlugins", path: "Tests/Support", exclude: ["Loopback", "Random", "Letters"],
      swiftSettings: strict),
    .target(name: "LoopbackPorts", path: "Tests/Support/Loopback", swiftSettings: strict),
    .target(name: "SeededRandom", path: "Tests/Support/Random", swiftSettings: strict),
    // Letters with planted personal data.
    .target(
      name: "PlantedLetters", dependencies: ["SeededRandom"], path: "Tests/Support/Letters", swiftSettings: strict),
    .testTarget(name: "LocalizationTests", dependencies: ["Localization"], swiftSettings: strict),
    .testTarget(name: "ExpressionsTests", dependencies: ["Expressions", "Localization"], swiftSettings: strict),
    .testTarget(
      name: "SchedulesTests", dependencies: ["Schedules", "SeededRandom", "Localization"], swiftSettings: strict),
    .testTarget(
      name: "RecipesTests", dependencies: ["Recipes", "SeededRandom", "Schedules", "Expressions", "Localization"],
      swiftSettings: strict),
    .testTarget(
      name: "EngineTests", dependencies: ["Engine", "Recipes", "Expressions", "Localization"], swiftSettings: strict),
    .testTarget(
      name: "PluginHostTests",
      dependencies: [
        "PluginHost", "FixturePlugins", "LoopbackPorts", "RunStore", "Network", "Engine", "Recipes", "Expressions",
        "Localization", pluginABI,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "NetworkTests",
      dependencies: ["Network", "LoopbackPorts", "Localization", .product(name: "NIOCore", package: "swift-nio")],
      swiftSettings: strict),
    .testTarget(name: "SecretsTests", dependencies: ["Secrets", "Localization"], swiftSettings: strict),
    .testTarget(
      name: "OAuthTests", dependencies: ["OAuth", "Secrets", "Network", "Expressions", "Localization"],
      swiftSettings: strict),
    .testTarget(
      name: "PluginConformanceTests",
      dependencies: [
        "PluginConformance", "PluginHost", "FixturePlugins", "Engine", "Recipes", "Expressions", "Localization",
      ],
      swiftSettings: strict),
    .testTarget(name: "PluginKitTests", dependencies: [pluginKit, pluginKitTesting, pluginABI], swiftSettings: strict),
    .testTarget(
      name: "RunStoreTests",
      dependencies: [
        "RunStore", "SeededRandom", "Hashing", "Engine", "Recipes", "Expressions", "Localization",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "NotesTests", dependencies: ["Notes", "SeededRandom", "Schedules", "Expressions", "Localization"],
      swiftSettings: strict),
    .testTarget(name: "MailTests", dependencies: ["Mail", "SeededRandom", "Localization"], swiftSettings: strict),
    .testTarget(
      name: "NeutralisationTests", dependencies: ["Neutralisation", "PlantedLetters", "Localization"],
      swiftSettings: strict),
    .testTarget(
      name: "BuiltinsTests",
      dependencies: ["Builtins", "Engine", "Recipes", "Expressions", "Localization", "Neutralisation"],
      swiftSettings: strict),
    .testTarget(
      name: "SieveTests",
      dependencies: [
        "Sieve", "Builtins", "Engine", "Recipes", "Expressions", "Localization", "MailWire", "Mail", pluginKit,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CatalogTests", dependencies: ["Catalog", "Recipes", "Expressions", "Localization"], swiftSettings: strict),
    .testTarget(
      name: "RecipeTestingTests",
      dependencies: ["RecipeTesting", "Builtins", "Engine", "Recipes", "Expressions", "Localization"],
      swiftSettings: strict),
    .testTarget(
      name: "LanguageServerTests", dependencies: ["LanguageServer", "Recipes", "Expressions", "Localization"],
      swiftSettings: strict),
    .testTarget(
      name: "MailWireTests", dependencies: ["MailWire", "Mail", pluginKit, pluginKitTesting], swiftSettings: strict),
    .testTarget(
      name: "MaildirPluginTests", dependencies: ["MaildirPlugin", "MailWire", "Mail", pluginKit, pluginKitTesting],
      swiftSettings: strict),
    .testTarget(
      name: "SMTPPluginTests",
      dependencies: ["SMTPPlugin", "SASL", "Mail", "LoopbackPorts", pluginKit, pluginKitTesting],
      swiftSettings: strict),
    .testTarget(
      name: "IMAPPluginTests",
      dependencies: ["IMAPPlugin", "LoopbackPorts", "MailWire", "Mail", pluginKit, pluginKitTesting],
      swiftSettings: strict),
    .testTarget(
      name: "ExtractivePluginTests", dependencies: ["ExtractivePlugin", pluginKit, pluginKitTesting],
      swiftSettings: strict),
    .testTarget(
      name: "ModelWireTests", dependencies: ["ModelWire", pluginKit, pluginKitTesting], swiftSettings: strict),
    .testTarget(name: "SASLTests", dependencies: ["SASL", "Localization"], swiftSettings: strict),
    .testTarget(
      name: "WhisperPluginTests", dependencies: ["WhisperPlugin", pluginKit, pluginKitTesting], swiftSettings: strict),
    .testTarget(
      name: "PiperPluginTests", dependencies: ["PiperPlugin", pluginKit, pluginKitTesting], swiftSettings: strict),
    .testTarget(
      name: "OpenAIPluginTests", dependencies: ["OpenAIPlugin", pluginKit, pluginKitTesting], swiftSettings: strict),
    .testTarget(
      name: "MistralPluginTests", dependencies: ["MistralPlugin", pluginKit, pluginKitTesting], swiftSettings: strict),
    .testTarget(
      name: "OllamaPluginTests", dependencies: ["OllamaPlugin", pluginKit, pluginKitTesting], swiftSettings: strict),
    .testTarget(
      name: "NtfyPluginTests", dependencies: ["NtfyPlugin", pluginKit, pluginKitTesting], swiftSettings: strict),
    .testTarget(
      name: "ReadeckPluginTests", dependencies: ["ReadeckPlugin", pluginKit, pluginKitTesting], swiftSettings: strict),
    .testTarget(
      name: "WebhookPluginTests", dependencies: ["WebhookPlugin", pluginKit, pluginKitTesting],
      swiftSettings: strict),
    .testTarget(
      name: "PDFPluginTests", dependencies: ["PDFPlugin", pluginKit, pluginKitTesting], swiftSettings: strict),
    .testTarget(
      name: "UseCasesTests",
      dependencies: [
        "UseCases", "Builtins", "Network", "RunStore", "Engine", "Recipes", "Schedules", "Expressions", "Localization",
        "Hashing", "Notes",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SousTests",
      dependencies: [
        "sous", "UseCases", "FixturePlugins", "LoopbackPorts", "PlantedLetters", "OAuth", "Secrets", "RunStore",
        "Engine", "Recipes", "Localization", "Expressions",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
  ]
)
