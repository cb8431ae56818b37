/// Companies, insurers, banks and offices that letters name without a legal form. Written for this project.
enum KnownOrganisations {
  /// In lower case; the first letter in the text is a capital.
  static let names =
    """
    helsana|swica|concordia|sanitas|assura|visana|sympany|atupri|kpt|ökk|groupe mutuel|egk|css versicherung|css krankenkasse|aquilana
    die mobiliar|axa|axa winterthur|allianz|allianz suisse|baloise|helvetia versicherung|generali|vaudoise|swiss life|zurich insurance|suva
    ubs|credit suisse|raiffeisen|raiffeisenbank|postfinance|zkb|zürcher kantonalbank|valiant|migros bank|bank cler|neon bank|yuh|swissquote|vontobel
    migros|coop|denner|digitec|galaxus|swisscom|salt mobile|sbb|postauto|rolex|nestlé|novartis|roche|lonza|abb|logitech
    serafe|billag|billiger.de|energie 360|bkw|ckw|ewz|axpo|alpiq|swisslos|tcs|rega|pro senectute|pro infirmis|caritas|swissmedic|srf
    aok|barmer|techniker krankenkasse|dak|dak gesundheit|ikk classic|knappschaft|bkk|huk coburg|huk|devk|debeka|signal iduna|gothaer|r+v|wüstenrot
    deutsche bank|commerzbank|postbank|ing diba|ing|dkb|comdirect|consorsbank|targobank|hypovereinsbank|santander|n26|klarna|schufa
    deutsche post|dhl|hermes versand|dpd|ups|fedex|deutsche bahn|lufthansa|eurowings|telekom|deutsche telekom|vodafone|o2|1&1|congstar|vattenfall|eon
    rwe|enbw|stadtwerke|edeka|rewe|aldi|lidl|kaufland|rossmann|ikea|mediamarkt|zalando|otto versand|siemens|bosch gmbh|basf|bayer ag|volkswagen
    vw|bmw|audi|porsche|mercedes-benz|opel|sap|adidas|henkel|thyssenkrupp|agentur für arbeit|arbeitsagentur|bundesagentur für arbeit
    deutsche rentenversicherung|rentenversicherung bund|adac|erste bank|bawag|raiffeisen|uniqa|wiener städtische|ögk|a1 telekom|öbb|billa
    hsbc|barclays|lloyds|lloyds bank|natwest|santander uk|monzo|revolut|tsb|royal bank of scotland|aviva|bupa|legal & general
    direct line|royal mail|british gas|octopus energy|thames water|edf energy|virgin media|talktalk|tesco|sainsbury's|asda|waitrose
    marks & spencer|john lewis|hmrc|dvla|nhs|citizens advice|deloitte|kpmg|pwc|mckinsey|accenture|equinor|rolls-royce|unilever
    bank of america|wells fargo|jpmorgan|chase bank|citibank|capital one|american express|goldman sachs|morgan stanley|blue cross|aetna|cigna|kaiser permanente
    unitedhealthcare|geico|progressive insurance|state farm|allstate|medicare|medicaid|walmart|target stores|costco|walgreens|cvs|verizon
    at&t|t-mobile|comcast|usps|irs|paypal|ebay|netflix|spotify|airbnb|uber|booking.com|easyjet|ryanair|swiss air
    meta platforms|samsung|huawei|ibm|oracle|cisco|dell|lenovo|tesla|boeing|airbus
    """.split(whereSeparator: { $0 == "|" || $0 == "\n" }).map(String.init)
}
