/// Names of English, in lower case, that are not persons' names and say little about a person: days, peoples, languages,
/// countries, large cities, faiths, and products that everybody uses.
enum WellKnownNames {
  static let all = WordList(
    """
    january february march april june july august september october november december monday tuesday wednesday thursday friday saturday sunday
    mondays tuesdays wednesdays thursdays fridays saturdays sundays christmas easter pentecost whitsun halloween hanukkah passover ramadan diwali
    thanksgiving advent xmas
    africa america asia europe australia antarctica oceania arctic atlantic pacific mediterranean alps balkans scandinavia
    african american asian european australian arab arabic african-american
    afghanistan albania algeria andorra angola argentina armenia austria azerbaijan bahrain bangladesh belarus belgium bolivia bosnia brazil britain
    bulgaria cambodia cameroon canada chile china colombia croatia cuba cyprus czechia denmark ecuador egypt england eritrea estonia ethiopia finland
    france germany ghana greece guatemala hungary iceland india indonesia iran iraq ireland israel italy jamaica japan kazakhstan
    kenya korea kosovo kuwait latvia lebanon libya liechtenstein lithuania luxembourg macedonia malaysia malta mexico moldova monaco mongolia
    montenegro morocco mozambique namibia nepal netherlands nicaragua nigeria norway oman pakistan palestine panama paraguay peru philippines poland
    portugal qatar romania russia rwanda scotland senegal serbia singapore slovakia slovenia somalia spain sudan sweden switzerland syria taiwan
    tanzania thailand tunisia turkey uganda ukraine uruguay usa venezuela vietnam wales yemen zambia zimbabwe
    afghan albanian algerian argentinian armenian austrian bangladeshi belarusian belgian bolivian bosnian brazilian british briton bulgarian
    cambodian canadian chilean chinese colombian croatian cuban cypriot czech dane danish dutch ecuadorian egyptian english eritrean estonian
    ethiopian filipino finn finnish flemish french georgian german ghanaian greek hebrew hindi hungarian icelandic indian indonesian iranian iraqi
    irish israeli italian jamaican japanese jordanian kenyan korean kosovar kurdish latin latvian lebanese libyan lithuanian macedonian malaysian
    maltese mexican moldovan mongolian moroccan nepalese nigerian norwegian pakistani palestinian persian peruvian pole polish portuguese romanian
    russian saudi scot scots scottish serb serbian singaporean slovak slovenian somali spaniard spanish sudanese swede swedish swiss syrian taiwanese
    tamil thai tunisian turk turkish ugandan ukrainian urdu uruguayan venezuelan vietnamese welsh yemeni zimbabwean
    englishman englishwoman frenchman irishman scotsman welshman dutchman
    london paris berlin rome madrid lisbon vienna brussels amsterdam copenhagen stockholm oslo helsinki warsaw prague budapest athens dublin edinburgh
    glasgow cardiff belfast manchester birmingham leeds liverpool bristol sheffield munich hamburg cologne frankfurt zurich geneva basel bern milan
    barcelona moscow istanbul cairo dubai delhi mumbai bangkok beijing shanghai tokyo seoul sydney melbourne toronto montreal vancouver chicago boston
    seattle philadelphia washington texas california florida york
    christianity catholic catholicism protestant anglican lutheran orthodox jew jewish judaism muslim moslem islam islamic hindu hinduism
    buddhist buddhism sikh bible koran quran god lord
    euro euros dollar franc pound internet web wifi wi-fi bluetooth ethernet email linux unix windows mac android google microsoft apple amazon facebook
    twitter youtube whatsapp instagram linkedin netflix spotify paypal wikipedia excel powerpoint outlook gmail skype zoom photoshop java javascript
    python sql html http https json xml yaml oauth xcode pdf git github docker debian ubuntu firefox chrome safari samsung sony
    nazi marxist brexit covid covid-19 nato unesco unicef euratom tv ok
    """)
}
