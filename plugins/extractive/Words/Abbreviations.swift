/// Words whose full stop does not end a sentence.
enum Abbreviations {
  /// Never the last word of a sentence in practice: a name, a number or an example follows.
  static let inside: Set<String> = StopWords.words(
    """
    abb abs abschn abt allg anm aufl bd best-nr betr bsp bspw bzgl bzw ca dipl-ing dr ebd eigtl einschl entspr evtl
    fa fr geb gegr ggf ggfs hl hr hrsg inkl insb jh jhd kap kath kfm lt mio mr mrs ms mdl mrd nr nrn nos od phil
    prof rd red rer ref sog st std str tel tgl ü u.a u.u ugs urspr v vgl vs vol z z.b z.zt zzgl d.h i.d.r m.e o.ä
    s.o s.u z.t dept eds eg ie e.g i.e ext figs gov hon lt mt messrs op pp rev sgt tel viz capt col jr
    """)

  /// End a sentence only where the next word looks like the beginning of one.
  static let final: Set<String> = StopWords.words(
    """
    no art max fig rep ed est gen sen med pos min mind rel usw etc etc. u.s.w p.m a.m pm am inc ltd co corp gmbh ag
    jan feb mär mrz apr jun jul aug sep sept okt oct nov dez dec mo di mi do fr sa so mon tue wed thu fri sat sun
    uhr sr u.s u.k ph.d m.sc b.sc et al std kg km
    """)
}
