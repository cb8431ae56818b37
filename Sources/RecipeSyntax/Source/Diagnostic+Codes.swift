extension Diagnostic.Code {
  // MARK: Files

  /// The file cannot be read.
  public static let fileUnreadable = Self(rawValue: "file_unreadable")
  /// The file is larger than the limit.
  public static let fileTooLarge = Self(rawValue: "file_too_large")
  /// The file is not UTF-8, or holds control characters.
  public static let fileEncoding = Self(rawValue: "file_encoding")
  /// The file holds no value.
  public static let fileEmpty = Self(rawValue: "file_empty")

  // MARK: YAML

  /// The text is no YAML.
  public static let yamlSyntax = Self(rawValue: "yaml_syntax")
  /// A tab where YAML wants spaces.
  public static let yamlTab = Self(rawValue: "yaml_tab")
  /// `{{ … }}` without quotes around it.
  public static let unquotedTemplate = Self(rawValue: "unquoted_template")
  /// A key that its map has already.
  public static let duplicateKey = Self(rawValue: "duplicate_key")
  /// A key that is a list or a map.
  public static let yamlKey = Self(rawValue: "yaml_key")
  /// An alias without its anchor.
  public static let unknownAnchor = Self(rawValue: "unknown_anchor")
  /// A merge key whose value is no map.
  public static let yamlMerge = Self(rawValue: "yaml_merge")
  /// A tag that is not supported, or does not fit its value.
  public static let yamlTag = Self(rawValue: "yaml_tag")
  /// Collections nested too deeply.
  public static let yamlDepth = Self(rawValue: "yaml_depth")
  /// Aliases that stand for too much.
  public static let yamlAliasLimit = Self(rawValue: "yaml_alias_limit")
  /// A second document in the file.
  public static let yamlMultipleDocuments = Self(rawValue: "yaml_multiple_documents")

  // MARK: Recipes and configurations

  /// A key that is not known at its place.
  public static let unknownKey = Self(rawValue: "unknown_key")
  /// A key that must be there is missing.
  public static let missingKey = Self(rawValue: "missing_key")
  /// A value of the wrong type.
  public static let wrongType = Self(rawValue: "wrong_type")
  /// A value that is not allowed at its place.
  public static let invalidValue = Self(rawValue: "invalid_value")
  /// A name that breaks the rules of names.
  public static let invalidName = Self(rawValue: "invalid_name")
  /// A text that is no duration.
  public static let invalidDuration = Self(rawValue: "invalid_duration")
  /// A trigger that is written wrongly.
  public static let invalidTrigger = Self(rawValue: "invalid_trigger")
  /// A JSON Schema that is wrong itself.
  public static let invalidSchema = Self(rawValue: "invalid_schema")
  /// A kind of recipe that does not exist.
  public static let unknownKind = Self(rawValue: "unknown_kind")
  /// Something that this version does not do yet.
  public static let notSupported = Self(rawValue: "not_supported")
  /// Too many of something.
  public static let tooMany = Self(rawValue: "too_many")
  /// Two rules of a mail filter with the same name.
  public static let duplicateRule = Self(rawValue: "duplicate_rule")
  /// Keys that exclude or need each other.
  public static let conflictingKeys = Self(rawValue: "conflicting_keys")

  // MARK: Plans

  /// A step id used twice.
  public static let duplicateStep = Self(rawValue: "duplicate_step")
  /// A contract that is part of the program cannot be read: a mistake in Sous, not in the recipe.
  public static let contractUnreadable = Self(rawValue: "contract_unreadable")
  /// An action that nothing offers.
  public static let unknownAction = Self(rawValue: "unknown_action")
  /// A step that does not exist.
  public static let unknownStep = Self(rawValue: "unknown_step")
  /// A reference to a step that cannot have run yet.
  public static let stepNotReached = Self(rawValue: "step_not_reached")
  /// Steps that wait for each other.
  public static let dependencyCycle = Self(rawValue: "dependency_cycle")
  /// An input that is not declared.
  public static let unknownInput = Self(rawValue: "unknown_input")
  /// A keyword that nothing defines.
  public static let unknownKeyword = Self(rawValue: "unknown_keyword")
  /// A provider that is not configured.
  public static let unknownProvider = Self(rawValue: "unknown_provider")
  /// A provider that does not offer what the step needs.
  public static let unsuitableProvider = Self(rawValue: "unsuitable_provider")
  /// Of a list of providers one gets neutral texts only, and another one outside gets them as they are.
  public static let mixedPrivacy = Self(rawValue: "mixed_privacy")
  /// Several providers offer the contract and none is chosen.
  public static let ambiguousProvider = Self(rawValue: "ambiguous_provider")
  /// A contract that nothing provides.
  public static let unknownContract = Self(rawValue: "unknown_contract")
  /// A recipe that does not exist.
  public static let unknownRecipe = Self(rawValue: "unknown_recipe")
  /// Recipes that call each other in a circle.
  public static let recipeCycle = Self(rawValue: "recipe_cycle")
  /// Mail filters that sort the same folder, or that may move a message in a circle.
  public static let sharedFolder = Self(rawValue: "shared_folder")
  /// Recipes of one concurrency group that differ in `max`.
  public static let groupsDiffer = Self(rawValue: "groups_differ")
  /// A URL that the project's settings do not let the run reach.
  public static let urlRefused = Self(rawValue: "url_refused")
  /// A path that the project's settings do not let the run use.
  public static let pathRefused = Self(rawValue: "path_refused")
  /// A text that looks like an expression but is none.
  public static let bareExpression = Self(rawValue: "bare_expression")
  /// An expression inside the text of a program, so that its value becomes code.
  public static let programText = Self(rawValue: "program_text")
  /// A variable that a program is to inherit, which the environment of Sous does not have.
  public static let missingVariable = Self(rawValue: "missing_variable")
  /// A step that needs more than the recipe's `permissions` allow.
  public static let permissionMissing = Self(rawValue: "permission_missing")
  /// A prompt that the catalog does not have.
  public static let unknownPrompt = Self(rawValue: "unknown_prompt")
}
