/**
 * Words that ids hold as numbers (`text-code.ts`): what people ask about, and parts of the names of
 * communities and accounts. Any other word is spelled, which takes more of an id.
 */
const SMALL = 'in of the for to with and on a from without under at my how is vs best cheap euro what do i you _'

const GROUPS = [
  'near it your new old good top better worth dollar euros dollars eur usd',
  // Parts of names.
  '_ ada adrian aisha alba amara anders beatriz bruno camille carla clara dario elena elif emil esther farah felix greta hana henrik',
  'ines iris ivan jana jonas julia kai laila leon lucia luka maeve marco marta mateo nadia nils nora olga omar pablo petra priya',
  'rafael ravi rosa samuel sara selma sofia stefan tariq tessa tomas vera viktor wanda yara yusuf zoe bakker barros bergholt',
  'brandt calder cordeiro dahlin drummond eriksen falk ferrand fontes galvan haddad hartwig ibarra kallio karimi kessler kovar',
  'lombard maddox mendes moreau nakata novik okafor olander ostrow paredes quint rahman rinaldi sorensen stahl tavares thorne',
  'ueda valcourt vasquez wexler winther yilmaz zamora ask daily official hq today world news life club fan lab notes central',
  '.com .org .net .io .co .uk .de .es .fr .it .eu .gov .edu .dev .ai commission official news obama barack elon musk ny bbc github',
  '2024 2025 2026 2027 100 200 300 500 1000 2000 5000 10000 20000',
  // Home and buying.
  'home house apartment flat rent mortgage kitchen bathroom bedroom garden balcony window roof floor furniture sofa bed mattress',
  'desk chair lamp light heat heating pump boiler insulation solar panel battery energy electric gas water price cost budget deal',
  'sale buy buying sell selling review compare guide tips beginner advanced setup repair clean cleaning washing machine vacuum',
  'robot fridge oven stove pan knife knives air purifier humidifier fan conditioner moving renovation plumbing paint wall tile wood',
  'wooden steel plastic glass tool tools drill saw neighbor noise lease agent market estate property investment tax taxes loan',
  // Food.
  'food cook cooking recipe recipes bread sourdough starter rye flour pizza pasta rice soup salad cheese milk yogurt egg eggs meat',
  'beef chicken pork fish vegan vegetarian vegetables tomato tomatoes potato onion garlic pepper olive oil butter sugar salt honey',
  'chocolate cake cookies baking grill bbq coffee espresso grinder beans tea beer wine whisky cocktail juice restaurant restaurants',
  'breakfast lunch dinner meal prep spicy sauce ramen sushi tacos curry keto diet protein calories weight loss fasting kombucha',
  // Body and mind.
  'health fitness gym workout training running run marathon cycling bike bikes yoga swimming swim climbing hiking walking sleep',
  'stress anxiety therapy doctor dentist hospital medicine vitamin skin hair care makeup beauty back pain knee shoulder injury',
  'strength muscle heart blood sugar allergy vaccine cold flu habit meditation mindfulness mental baby pregnancy parenting kids',
  'children family toddler school teacher relationship dating marriage wedding friends advice',
  // Travel and places.
  'travel trip travelling hotel hotels hostel flight flights airline airport train trains night bus car cars ferry cruise camping',
  'tent backpack luggage visa passport beach island islands mountain mountains lake river coast sea ocean city cities town village',
  'tour museum festival holiday weekend summer winter spring autumn snow ski skiing surf surfing sailing boat toll tolls road roads',
  'europe asia africa america usa canada mexico brazil argentina spain portugal france italy germany austria switzerland netherlands',
  'belgium england ireland scotland norway sweden denmark finland poland czech greece turkey croatia india china japan korea',
  'thailand vietnam indonesia bali australia zealand morocco egypt madrid barcelona valencia seville lisbon porto paris london rome',
  'milan naples florence berlin munich vienna zurich amsterdam dublin prague budapest athens istanbul tokyo york california texas',
  'alps nordic living abroad digital nomad nomads expat remote',
  // Things that run on electricity.
  'phone phones android iphone laptop laptops computer pc mac apple google microsoft amazon samsung sony tablet monitor keyboard',
  'keyboards mechanical mouse headphones earbuds speaker speakers audio camera cameras lens photo photography video editing drone',
  'tv smart watch router wifi internet network networking server homelab raspberry pi nas storage ssd cpu gpu graphics card gaming',
  'game games console playstation xbox nintendo steam switch vr printer printing scanner usb cable charger charging ev tesla hybrid',
  'diesel engine motorcycle tires insurance license driving driver range self autonomous',
  // Software.
  'software app apps web website websites site hosting cloud aws azure docker kubernetes linux ubuntu windows macos ios python',
  'javascript typescript react vue angular svelte node java kotlin swift rust go php ruby rails django flask spring sql postgres',
  'postgresql mysql sqlite mongodb redis database databases api apis rest graphql json html css git github code coding programming',
  'programmer developer developers development engineering engineer frontend backend design designer ux ui test testing security',
  'privacy password passwords vpn hacking malware encryption data science scientist analytics engineer spreadsheet excel machine',
  'learning deep ai llm llms model models gpt chatgpt claude openai gemini agents agent prompt prompts neural vision language speech',
  'image images generation open source free tutorial course courses framework library performance speed memory bug error browser',
  'chrome firefox extension email newsletter seo marketing startup startups saas product productivity obsidian notion automation',
  // Money and work.
  'money finance personal financial investing invest stock stocks etf etfs fund funds bond bonds index dividend options trading',
  'trader crypto bitcoin ethereum solana coin coins blockchain defi wallet bank banking savings interest rate rates inflation',
  'economy economics recession gold silver oil pension retirement income salary job jobs career careers work working interview',
  'resume office manager management leadership team remote freelance freelancing contract business small company companies',
  'entrepreneur ecommerce shop store online shipping customer customers support service services sales brand advertising budget',
  'debt credit cards frugal insurance accounting audit legal court rights',
  // The world.
  'politics election elections government policy war peace ukraine russia israel eu un nato union minister president parliament',
  'climate change warming carbon emissions renewable wind nuclear power hydrogen grid pollution recycling waste plastic forest',
  'trees tree plants plant gardening indoor seeds soil compost insects bees birds bird dog dogs cat cats puppy horse animals wildlife',
  'farm farming agriculture history medieval ancient roman science physics chemistry biology math mathematics statistics space',
  'nasa rocket moon mars planet planets astronomy telescope stars universe quantum university college student students exam study',
  'studying education english spanish french german italian portuguese japanese chinese books book reading writing writer poetry',
  'novel fantasy fiction story stories art artist drawing painting design architecture fashion shoes clothes style vintage watches',
  'music guitar piano drums bass singing song songs album band concert vinyl jazz classical metal movie movies series show anime',
  'manga comics theatre dance podcast football soccer basketball baseball tennis golf hockey rugby cricket formula racing olympics',
  'league cup team player players chess poker board cards puzzle lego minecraft fortnite pokemon zelda mario dungeons dragons knitting',
  'sewing crochet woodworking diy craft fishing hunting knots radio',
  // Words of questions.
  'time year years month months week day days hour hours morning first last next big large little long short light heavy fast slow easy hard',
  'simple quick safe safety quality public private local global national international real fake true people women men human woman man',
  'problem problems question questions answer answers idea ideas experience story review reviews opinion help need want use using',
  'make making build building fix find start started learn way ways thing things part parts list alternative alternatives difference',
  'reddit community group forum meta random funny memes pics gifs todayilearned explain like five unpopular mildly interesting facts',
]

const TWO_DIGITS = Array.from({ length: 90 }, (_, i) => String(i + 10))

/** The most frequent ones, which take the fewest bits. */
export const SMALL_WORDS: readonly string[] = SMALL.split(' ')
/** Each word once, the small ones first. */
export const ID_WORDS: readonly string[] = [...new Set([...SMALL_WORDS, ...GROUPS.join(' ').split(' '), ...TWO_DIGITS])]
