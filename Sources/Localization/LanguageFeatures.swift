// SwiftPM passes an unknown upcoming-feature name on without a word. These lines turn a misspelling into an error.
#if !hasFeature(ExistentialAny)
  #error("the upcoming feature ExistentialAny is not active: check its spelling in Package.swift")
#endif
#if !hasFeature(MemberImportVisibility)
  #error("the upcoming feature MemberImportVisibility is not active: check its spelling in Package.swift")
#endif
#if !hasFeature(InternalImportsByDefault)
  #error("the upcoming feature InternalImportsByDefault is not active: check its spelling in Package.swift")
#endif
#if hasFeature(NonisolatedNonsendingByDefault)
  #error("the upcoming feature NonisolatedNonsendingByDefault is active: Package.swift says why it must not be")
#endif
