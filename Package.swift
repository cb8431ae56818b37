// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Settings every Swift target of the package is built with.
///
/// SwiftPM ignores a misspelt upcoming feature without a word; `Sources/Localization/LanguageFeatures.swift` fails the
/// build when one of these is not active.
///
/// `NonisolatedNonsendingByDefault` is left out: with it, optimised code of Swift 6.3.1 returns from an asynchronous function, or
/// throws from it, outside of the actor that called it.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
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
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
/// The modules of recipes, the lowest first.
let recipes: [Target.Dependency] = ["RecipeSyntax", "Schemas", "Plans", "RecipeModel", "RecipePlanning"]
/// Most modules above the engine import these.
let engine: [Target.Dependency] = ["Localization", "Expressions", "Engine"] + recipes
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")

/// A module in Sources, or in another folder.
func module(_ name: String, _ uses: [Target.Dependency] = [], path: String? = nil, exclude: [String] = []) -> Target {
  .target(name: name, dependencies: uses, path: path, exclude: exclude, swiftSettings: strict)
}

/// A module of tests, in Tests/Support/NAME.
func support(_ name: String, _ uses: [Target.Dependency] = []) -> Target {
  module(name, uses, path: "Tests/Support/" + name)
}

/// The tests of a module, in Tests/NAMETests.
func tests(_ name: String, _ uses: [Target.Dependency]) -> Target {
  .testTarget(name: name + "Tests", dependencies: uses, swiftSettings: strict)
}

/// A library that Benchmarks and Tests/Fuzz use, which are packages of their own.
func library(_ name: String) -> Product { .library(name: name, targets: [name]) }

/// A plugin in plugins/NAME, the name in lower case: the module NAMEPlugin, the library that Sous loads, and tests.
struct Plugin {
  let name: String
  /// The imports of the module, without PluginKit.
  var uses: [Target.Dependency] = []
  /// The imports of the tests, without the module and PluginKit.
  var testsUse: [Target.Dependency] = []
  var settings: [SwiftSetting] = []

  var folder: String { name.lowercased() }
  var product: Product { .library(name: folder, type: .dynamic, targets: [name + "Library"]) }
  var targets: [Target] {
    let plugin = Target.Dependency.target(name: name + "Plugin")
    return [
      .target(
        name: name + "Plugin", dependencies: [pluginKit] + uses, path: "plugins/" + folder, exclude: ["Entry"],
        swiftSettings: strict + settings),
      // The exported entry function is apart: the test program links all plugins, and its symbol may occur only once.
      .target(
        name: name + "Library", dependencies: [pluginKit, plugin], path: "plugins/\(folder)/Entry",
        swiftSettings: strict,
        // Without a name, the linker would store the path of the build.
        linkerSettings: runtimePath("$ORIGIN/../runtime")
          + [.unsafeFlags(["-Xlinker", "-soname", "-Xlinker", "lib\(folder).so"])]),
      tests(name + "Plugin", [plugin, pluginKit, pluginKitTesting] + testsUse),
    ]
  }
}

let plugins = [
  Plugin(name: "Maildir", uses: ["MailWire", "Mail"], testsUse: ["TestSupport", "MailWire", "Mail"]),
  Plugin(
    name: "SMTP", uses: ["MailWire", "SASL", "Mail", "Localization"],
    testsUse: ["TestSupport", "SASL", "Mail", "LoopbackPorts"]),
  Plugin(
    name: "IMAP", uses: ["MailWire", "Mail", "SASL", "Localization", "CZlib"],
    testsUse: ["TestSupport", "LoopbackPorts", "MailWire", "Mail"]),
  Plugin(name: "Extractive"),
  Plugin(name: "OpenAI", uses: ["ModelWire"]),
  Plugin(name: "Mistral", uses: ["ModelWire"]),
  Plugin(name: "Ollama", uses: ["ModelWire"]),
  // Speech as text, and text as speech, by servers of your own.
  Plugin(name: "Whisper", uses: ["ModelWire"]),
  Plugin(name: "Piper", uses: ["ModelWire"]),
  Plugin(name: "Ntfy"),
  Plugin(name: "Webhook", uses: ["COpenSSL"]),
  Plugin(name: "Readeck"),
  Plugin(name: "PDF", uses: ["CPango", "CMarkdown"], settings: pangoHeaders),
]

let cLibraries: [Target] = [
  .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
  .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
  .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
  // Normal forms of Unicode. Foundation has them too, with 50 MB of ICU that plugins need for nothing else.
  .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
  // Pages of text: Pango and Cairo; Markdown: cmark-gfm.
  .systemLibrary(name: "CPango", pkgConfig: "gobject-2.0", providers: [.apt(["libpango1.0-dev", "libcairo2-dev"])]),
  .systemLibrary(
    name: "CMarkdown", pkgConfig: "libcmark-gfm",
    providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"])]),
  // How much memory the process has allocated, as glibc counts it.
  .systemLibrary(name: "CMalloc"),
  // RE2 (libre2-dev) behind a C header; a release carries it where that can be.
  .target(
    name: "CRE2",
    linkerSettings: hasWholeRE2
      ? [
        .linkedLibrary("re2", .when(configuration: .debug)),
        .unsafeFlags(["-l:libre2.a"], .when(configuration: .release)),
      ] : [.linkedLibrary("re2")]),
  // Starting a program and waiting for its end.
  .target(name: "CProcess"),
  // System calls, which Swift cannot make, by which worker processes give up rights.
  .target(name: "CIsolation"),
  .target(name: "CSecrets"),
  // Functions of the C library that Swift cannot call.
  .target(name: "CSystemCalls"),
]

let modules: [Target] = [
  // Descriptors, files on the disk, locks, threads, clock. Not named System: swift-nio imports a module of that name if one
  // exists, and means the one of Darwin.
  module("OperatingSystem", ["CSystemCalls"]),
  module("Localization"),
  // SHA-256 of contents.
  module("Hashing", ["COpenSSL"]),
  module("Expressions", ["Localization", "Hashing", "CRE2", jsonSyntax]),
  // Content lines of iCalendar.
  module("ICalendar"),
  // When something is due: cron, recurrence rules, sun, phrases; pure.
  module("Schedules", ["Localization", "ICalendar"]),
  // The contracts that plugins can claim: the JSON documents, embedded into the program.
  .target(
    name: "Contracts",
    resources: [
      "chat", "document", "embed", "mail.store", "mail.transport", "notes", "notify", "speak", "transcribe",
    ].map { .embedInCode($0 + ".json") }, swiftSettings: strict),
  // Texts of YAML with positions, and diagnostics.
  module("RecipeSyntax", ["Localization", "OperatingSystem", "Expressions", "CYAML"]),
  // JSON Schema: remarks on schemas, checks of values, types of expressions.
  module("Schemas", ["Localization", "Expressions", "RecipeSyntax"]),
  // Plans, which runs carry out; actions, contracts and triggers.
  module(
    "Plans", ["Localization", "Hashing", "Expressions", "Schedules", "Contracts", "RecipeSyntax", "Schemas"]),
  // The model of files that people write: recipes of every kind, configurations, prompts.
  module(
    "RecipeModel",
    ["Localization", "Expressions", "Schedules", "RecipeSyntax", "Schemas", "Plans"]),
  // Recipes checked and lowered to plans; plans explained.
  module(
    "RecipePlanning",
    [
      "Localization", "Hashing", "Expressions", "Schedules", "Mail", "RecipeSyntax", "Schemas", "Plans", "RecipeModel",
    ]),
  module("Engine", recipes + ["Localization", "Expressions", "Hashing"]),
  // Between host and plugin: the C side of a plugin, and the messages between the host and worker processes.
  module("PluginBoundary", engine + ["OperatingSystem", "CMalloc", "CProcess", pluginABI]),
  // The inside of a worker process.
  module("PluginWorker", ["Localization", "Engine", "OperatingSystem", "PluginBoundary", "CIsolation", pluginABI]),
  module(
    "PluginHost",
    engine + ["OperatingSystem", "PluginBoundary", "Networking", "CIsolation", "CProcess", "Hashing", pluginABI]),
  // The network for plugins: HTTP, byte streams, the egress policy. Not named Network: other packages import a module of that
  // name if one exists, and mean the one of Darwin.
  module(
    "Networking",
    [
      "Localization", nioCore,
      .product(name: "NIOPosix", package: "swift-nio"),
      .product(name: "NIOTLS", package: "swift-nio"),
      .product(name: "NIOHTTP1", package: "swift-nio"),
      .product(name: "NIOHTTP2", package: "swift-nio-http2"),
      .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
      .product(name: "NIOSSL", package: "swift-nio-ssl"),
    ]),
  // Where secrets come from, and the vault.
  module("Secrets", ["Localization", "OperatingSystem", "COpenSSL", "CProcess", "CSecrets", "Hashing"]),
  // Plugins from files, URLs and indexes: signatures, archives, sous.lock.
  module(
    "PluginStore",
    [
      "Localization", "OperatingSystem", "Expressions", "Schemas", "Plans", "Hashing", "Networking", "PluginBoundary",
      "PluginHost",
      "COpenSSL", "CProcess",
    ]),
  // Signing in to accounts by OAuth 2.0, and keeping their tokens fresh.
  module("OAuth", ["Localization", "OperatingSystem", "Expressions", "Networking", "Secrets", "Hashing", "COpenSSL"]),
  // Spans of OpenTelemetry and their JSON form; pure.
  module("OpenTelemetry", ["Localization", "Expressions", "Engine"]),
  // The tables of the run log and the steps from one version to the next.
  module("RunLogSchema", [grdb]),
  module(
    "RunStore", engine + ["OperatingSystem", "Hashing", "RunLogSchema", "OpenTelemetry", jsonSyntax, grdb, sqlite]),
  // SQLite files of the workspace's state beside the run log.
  module("StoreFile", [grdb, sqlite]),
  // Notes in a file of their own, their import and export, differences of words.
  module("Notes", ["Localization", "Expressions", "Schedules", "Hashing", "StoreFile", grdb, sqlite]),
  // Users, roles, sessions, tokens and the audit log, in a file of their own.
  module("Access", ["Localization", "Expressions", "Hashing", "StoreFile", "COpenSSL", grdb, sqlite]),
  module("Mail", ["Localization", "ICalendar", "COpenSSL"]),
  // Personal data out of texts, placeholders in its place; pure.
  module("Neutralisation", ["Localization", "Mail", "CRE2"]),
  module(
    "Builtins",
    engine + ["OperatingSystem", "Mail", "Networking", "Schedules", "Neutralisation", "CSystemCalls", "CProcess"]),
  // The calls of providers: checked, counted, neutralised; one provider after the other.
  module(
    "Providers",
    engine + ["PluginHost", "PluginBoundary", "RunStore", "Builtins", "Networking", "Neutralisation"]),
  module("RecipeTesting", engine + ["RunStore", "Builtins", "Providers"]),
  module("LanguageServer", recipes + ["Localization", "Expressions"]),
  // The checks that every plugin should pass; 'sous plugins check' runs them.
  module("PluginConformance", engine + ["PluginHost", "PluginBoundary"]),
  // Sieve scripts as mail filters, and mail filters as Sieve scripts.
  module("Sieve", recipes + ["Localization", "Expressions", "Mail"]),
  // The prompt catalog as files: changes, the JSON form of other programs.
  module("Catalog", recipes + ["Localization", "OperatingSystem", "Expressions", "Hashing", "CSystemCalls"]),
  // Use cases with runs, recipes, providers, secrets and plugins; the commands are one of their callers.
  module(
    "UseCases",
    engine + [
      "OperatingSystem", "PluginHost", "PluginBoundary", "PluginStore", "RunStore", "Builtins", "Providers",
      "RecipeTesting",
      "Hashing",
      "Schedules", "Notes",
      "Catalog", "PluginConformance", "Secrets", "Networking", "OAuth", "Neutralisation", "Mail",
    ]),
  // The versions of recipes: differences, roll back, recipes that come from Git.
  module(
    "RecipeHistory",
    engine + ["OperatingSystem", "PluginStore", "RunStore", "Hashing", "UseCases"]),
  // Signing in to accounts.
  module("AccountSignIn", engine + ["Networking", "OAuth", "Secrets", "UseCases"]),
  // JSON forms of records, for '--json' and the API.
  module(
    "RecordJSON",
    engine + [
      "RunStore", "Notes", "Catalog", "Providers", "PluginHost", "PluginBoundary", "PluginStore", "Secrets", "UseCases",
      "RecipeHistory", "Hashing",
    ]),
  // Copying the messages of one provider to another.
  module("MailTransfer", engine + ["OperatingSystem", "PluginHost", "Providers", "Hashing", "Secrets", "UseCases"]),
  // Articles of a bookmark server, kept for reading offline.
  module(
    "Bookmarks", engine + ["OperatingSystem", "PluginHost", "Providers", "RunStore", "Hashing", "Mail", "UseCases"]),
  // Questions to language models and their answers, as conversations keep them.
  module("Conversations", engine + ["Providers", "RunStore", "UseCases"]),
  // Messages that are sent once, now or later.
  module(
    "Upkeep",
    engine + ["OperatingSystem", "PluginHost", "Providers", "RunStore", "Builtins", "Schedules", "Secrets", "UseCases"]),
  module("Outbox", engine + ["OperatingSystem", "RunStore", "Builtins", "Hashing", "Schedules", "UseCases"]),
  // The daemon: schedules, triggers, webhooks.
  module(
    "Serve",
    engine + [
      "UseCases", "RecipeHistory", "Bookmarks", "Providers", "OperatingSystem", "PluginHost", "RunStore", "Builtins",
      "Hashing",
      "Schedules",
      "Networking", "OpenTelemetry",
    ]),
  // The pages of the server as HTML, their style sheet and scripts: pure, made from the JSON of the API.
  .target(
    name: "Page",
    dependencies: [
      "Localization", "Expressions", "Engine", "Plans", "RecipePlanning", "Access", "Hashing", "Schedules",
    ],
    resources: [
      "icon.svg", "page.css", "theme.js", "zone.js", "page.js", "live.js", "run.js", "editor.js", "suggest.js",
      "chat.js",
    ].map {
      .embedInCode("Assets/" + $0)
    }, swiftSettings: strict),
  // The Model Context Protocol: messages, sessions, tools, resources and tasks over the operations of the API.
  module("MCP", ["Localization", "Expressions", "Hashing", "Schemas"]),
  // The HTTP side of the daemon: webhooks, the API, its description, pages.
  module(
    "Server",
    engine + [
      "UseCases", "RecordJSON", "RecipeHistory", "Conversations", "Serve", "Access", "Page", "MCP", "OAuth",
      "OperatingSystem", "RunStore", "Builtins",
      "Hashing",
      "Schedules",
      "Networking", "Secrets", "Outbox", "Upkeep", "Notes", "Catalog", "Providers", "PluginHost", "PluginBoundary",
      "PluginStore", "LanguageServer", nioCore,
      .product(name: "NIOPosix", package: "swift-nio"),
      .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
      .product(name: "NIOSSL", package: "swift-nio-ssl"),
      .product(name: "Hummingbird", package: "hummingbird"),
      .product(name: "HummingbirdCore", package: "hummingbird"),
      .product(name: "HummingbirdHTTP2", package: "hummingbird"),
      .product(name: "HummingbirdTLS", package: "hummingbird"),
      .product(name: "HTTPTypes", package: "swift-http-types"),
      .product(name: "Logging", package: "swift-log"),
      .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
    ]),
  .executableTarget(
    name: "sous",
    dependencies: engine + [
      "UseCases", "RecordJSON", "RecipeHistory", "AccountSignIn", "Conversations", "Server", "MailTransfer",
      "Bookmarks", "Outbox", "Upkeep", "Serve",
      "OperatingSystem",
      "PluginHost",
      "PluginBoundary", "PluginStore",
      "PluginWorker", "RunStore", "Builtins",
      "Providers", "Mail",
      "RecipeTesting", "Schedules",
      "Notes", "Catalog", "LanguageServer", "PluginConformance", "Secrets", "Networking", "OAuth", "Sieve",
      "Neutralisation", "Access", "MCP", argumentParser,
    ],
    swiftSettings: strict, linkerSettings: runtimePath("$ORIGIN/../lib/sous/runtime") + ownRuntime),
  // Shared code of the plugins for mail: messages as JSON, queries, special folders, outgoing messages.
  module("MailWire", [pluginKit, "Mail", "Localization"], path: "plugins/shared/MailWire"),
  // Shared code of the plugins for language models: requests, streams, failures, checks of answers.
  module("ModelWire", [pluginKit], path: "plugins/shared/ModelWire"),
  // Signing in to mail servers: mechanisms, and which of them to use.
  module("SASL", ["Localization", "COpenSSL", "CGLib"], path: "plugins/shared/SASL"),
]

let testModules: [Target] = [
  // Engine and run log with faults that a seed decides; 'make simulate'.
  .executableTarget(
    name: "Simulation", dependencies: engine + ["RunStore"],
    path: "Tests/Simulation", swiftSettings: strict,
    // It sees what SQLite syncs by functions in the place of the C library's.
    linkerSettings: [
      .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=fdatasync", "-Xlinker", "--export-dynamic-symbol=fsync"])
    ]),
  // Shared parts of tests: clocks, a temporary folder, a bounded wait.
  support("TestSupport", ["Engine", "Expressions"]),
  support("FixturePlugins"),
  support("LoopbackPorts"),
  support("SeededRandom"),
  // Letters with planted personal data.
  support("PlantedLetters", ["SeededRandom"]),
  // A workspace in a folder of its own.
  support("TestWorkspace", engine + ["UseCases", "RunStore"]),
  tests("Simulation", ["Simulation"]),
  tests("OperatingSystem", ["TestSupport", "OperatingSystem"]),
  tests("Hashing", ["Hashing"]),
  tests("Localization", ["Localization"]),
  tests("Expressions", ["Expressions", "Localization"]),
  tests("Schedules", ["Schedules", "SeededRandom", "Localization"]),
  tests("Recipes", recipes + ["TestSupport", "SeededRandom", "Schedules", "Expressions", "Localization"]),
  tests("Engine", engine + ["TestSupport", "RunStore", grdb]),
  tests(
    "PluginHost",
    engine + [
      "PluginHost", "PluginBoundary", "OperatingSystem", "FixturePlugins", "LoopbackPorts", "RunStore", "Networking",
      pluginABI,
    ]),
  tests(
    "PluginStore",
    [
      "TestSupport", "PluginStore", "PluginHost", "PluginBoundary", "FixturePlugins", "Networking", "Expressions",
      "Localization",
    ]),
  tests("Networking", ["TestSupport", "Networking", "LoopbackPorts", "Localization", nioCore]),
  tests("Secrets", ["TestSupport", "Secrets", "Localization"]),
  tests("OAuth", ["TestSupport", "OAuth", "Secrets", "Networking", "Expressions", "Localization", "COpenSSL"]),
  tests(
    "PluginConformance",
    engine + ["PluginConformance", "PluginHost", "PluginBoundary", "FixturePlugins"]),
  tests("PluginKit", [pluginKit, pluginKitTesting, pluginABI]),
  tests(
    "RunStore",
    recipes + [
      "TestSupport", "RunStore", "RunLogSchema", "OpenTelemetry", "SeededRandom", "Hashing", "OperatingSystem",
      "Engine", "Expressions",
      "Localization", grdb,
    ]),
  tests("Notes", ["TestSupport", "Notes", "SeededRandom", "Schedules", "Expressions", "Localization"]),
  tests("Access", ["TestSupport", "Access", "Expressions", "Localization", grdb]),
  tests("Mail", ["Mail", "SeededRandom", "Localization"]),
  tests("Neutralisation", ["Neutralisation", "PlantedLetters", "Localization"]),
  tests("Builtins", engine + ["TestSupport", "Builtins", "Neutralisation"]),
  tests(
    "Sieve",
    recipes + ["Sieve", "Builtins", "Engine", "Expressions", "Localization", "MailWire", "Mail", pluginKit]),
  tests("Catalog", recipes + ["TestSupport", "Catalog", "Expressions", "Localization"]),
  tests("Providers", engine + ["Providers"]),
  tests("RecipeTesting", engine + ["RecipeTesting", "Builtins"]),
  tests("LanguageServer", recipes + ["LanguageServer", "Expressions", "Localization"]),
  tests("MailWire", ["MailWire", "Mail", pluginKit, pluginKitTesting]),
  tests("ModelWire", ["ModelWire", pluginKit, pluginKitTesting]),
  tests("SASL", ["SASL", "Localization"]),
  tests(
    "UseCases",
    engine + [
      "TestSupport", "TestWorkspace", "UseCases", "RecipeHistory", "Providers", "Builtins", "Networking", "RunStore",
      "Schedules",
      "Hashing",
      "Notes",
    ]),
  tests("MailTransfer", ["MailTransfer", "UseCases", "Engine", "RunStore"]),
  tests("Outbox", recipes + ["Outbox", "UseCases"]),
  tests("Bookmarks", engine + ["TestSupport", "Bookmarks", "UseCases"]),
  tests("MCP", ["TestSupport", "MCP", "Expressions", "Localization"]),
  tests("Page", ["Page", "Access", "Expressions", "Localization", "RecipePlanning", "Schedules"]),
  tests(
    "Server",
    engine + [
      "TestSupport", "TestWorkspace", "LoopbackPorts", "Server", "Page", "MCP", "Serve", "Access", "UseCases",
      "RecipeHistory", "RecordJSON",
      "OperatingSystem",
      "RunStore", "Schedules",
    ]),
  tests(
    "Serve",
    engine + [
      "TestSupport", "TestWorkspace", "Serve", "UseCases", "Builtins", "Networking", "RunStore", "Schedules", "Hashing",
    ]),
  tests(
    "Sous",
    engine + [
      "TestSupport",
      "sous", "UseCases", "OperatingSystem", "FixturePlugins", "LoopbackPorts", "PlantedLetters", "OAuth", "Secrets",
      "Hashing", "RunStore", "Upkeep", argumentParser,
    ]),
]

let program = Product.executable(name: "sous", targets: ["sous"])
let libraries: [Product] = [
  "Localization", "Expressions", "RecipeSyntax", "Schemas", "Plans", "RecipeModel", "RecipePlanning", "Engine",
  "RunStore", "PluginHost", "SMTPPlugin", "IMAPPlugin", "Mail",
  "Sieve",
].map(library)

let package = Package(
  name: "sous",
  products: [program] + plugins.map(\.product) + libraries,
  dependencies: [
    .package(path: "plugins/PluginKit"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    // Without its own configuration files and all of Foundation.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: cLibraries + modules + plugins.flatMap(\.targets) + testModules
)
