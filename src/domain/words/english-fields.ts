/** English words by field; see `topical-fields.ts`. */
export const ENGLISH_FIELDS: Readonly<Record<string, string>> = {
  pets: `dog cat puppy kitten pet breed leash vet fish bird parrot hamster rabbit turtle bark paw tail fur litter aquarium reptile snake
    lizard animal horse pony goat chicken cow farm zoo shelter adopt poodle retriever bulldog beagle kitty pup feline canine stray collar
    cage goldfish spider bee duck goose sheep pig donkey elephant lion tiger monkey fox squirrel mouse wolf frog insect butterfly
    veterinarian groom species wildlife habitat terrier chihuahua husky meow`,
  family: `mom mother dad father parent brother sister sibling son daughter kid child baby wife husband spouse married wedding uncle aunt
    cousin nephew niece grandma grandpa grandmother grandfather grandparents family twins divorced fiance pregnant toddler mum stepmother
    stepfather inlaws household orphan motherhood fatherhood ancestor childhood diaper nanny babysitter daycare bride groom honeymoon`,
  dating: `dating boyfriend girlfriend relationship crush romance romantic partner couple lonely anniversary valentine bachelor flirt
    kiss hug marriage soulmate breakup jealous heartbreak tinder`,
  work: `job work career office boss company employee employer hire salary shift interview resume colleague coworker retire profession
    business customer client promotion unemployed professional occupation overtime freelance startup contract secretary deadline team
    workplace wage payroll vacancy recruiter applicant internship leadership entrepreneur industry schedule union mentor`,
  trades: `nurse doctor lawyer engineer mechanic plumber electrician carpenter firefighter police officer cop soldier army military navy
    teacher chef waitress waiter bartender cashier janitor librarian pilot farmer driver trucker welder factory warehouse salesman
    realtor architect scientist surgeon paramedic therapist barista butcher baker hairdresser barber stylist banker analyst technician
    supervisor electrical`,
  school: `school college university student study classes teacher professor grade graduate exam homework math science history lesson
    semester campus education tutor learn kindergarten preschool highschool essay thesis scholarship diploma phd classroom pupil
    principal schoolwork kindergartner textbook notebook lecture seminar sociology psychology philosophy dropout tuition`,
  books: `book read novel author library poem poetry writer write story fiction fantasy chapter magazine literature comic publish
    bestseller potter tolkien shakespeare blog journal literary paperback bookstore bookshop reader biography memoir thriller sequel
    narrator audiobook protagonist`,
  music: `music song sing singer band guitar piano drum violin concert album jazz rock pop rap metal opera instrument musician lyric
    melody orchestra choir karaoke dj radio festival flute bass tune rapper beatles swift spotify playlist guitarist drummer pianist
    bassist saxophone trumpet cello ukulele chord strings tempo rhythm vinyl soundtrack gospel blues punk indie techno acoustic harmony
    recital fingerpicking strum amp`,
  dance: `dance dancer ballet salsa tango ballroom choreography hiphop recital waltz choreographer`,
  films: `movie film cinema actor actress watch horror comedy drama tv television series episode netflix documentary anime cartoon disney
    theater director marvel superhero batman trailer sitcom binge hollywood streaming oscar subtitles thriller premiere avengers simpsons
    screenplay`,
  games: `game gamer video console xbox playstation nintendo chess card puzzle poker mario zelda minecraft fortnite pokemon rpg online
    multiplayer dungeon dice wizard boardgame scrabble monopoly crossword lego`,
  sports: `sport football soccer basketball baseball hockey tennis golf team coach player score league match tournament championship
    volleyball softball cheerleader athlete competition medal olympics swim swimmer surf ski snowboard skate wrestling martial karate
    cricket rugby bowling goalie quarterback racing marathon ball stadium goal referee playoffs nba nfl tackle pitcher batting racket
    gymnastics archery judo rower paddle skateboard skater jiujitsu jockey`,
  fitness: `gym workout exercise jog yoga muscle weights lift diet train cardio pilates treadmill sweat stretch squat pushups calories
    bike cycling trainer stamina endurance strength aerobics dumbbell barbell crunch crossfit marathon jogger weightlifting bodybuilding
    pullups heartrate`,
  outdoors: `hike camp tent mountain trail forest woods outdoors lake river fish hunt climb kayak canoe park wilderness campfire backpack
    bear deer waterfall scenery canyon rafting boat sail sunset sunrise valley picnic hiker camper hut summit cabin cave desert jungle
    volcano birdwatching hunter compass`,
  garden: `garden plant flower roses tulip tree seed soil lawn vegetable herb compost weed prune fertilizer greenhouse pot bulbs hedge
    harvest tomato blossom orchid lavender basil mint parsley rosemary lily daisy sunflower cactus succulent houseplant bush apple mower
    slug aphids mulch fertiliser shrub watering sunlight repot`,
  food: `food eat cook bake recipe kitchen meal dinner lunch breakfast restaurant pizza pasta burger cheese meat steak bacon chicken fish
    sushi taco mexican italian chinese salad soup sandwich bread rice vegetable vegetarian vegan fruit apple banana hungry taste
    delicious spicy sauce oven butter flour sugar salt dough grill bbq noodle chili fry potato egg cuisine snack garlic onion pan boil
    simmer turkey ham lamb beef pork shrimp seafood salmon tuna lobster crab sausage hamburger lasagna spaghetti curry stew broth roast
    carrot cabbage pepper spinach lettuce cucumber mushroom bean lentil tofu avocado lemon lime orange berries strawberry grape cereal
    oatmeal pancake waffles toast jam honey nut peanut yogurt cream buffet appetizer chopsticks microwave skillet oil vinegar sourdough
    yeast knead mayonnaise ketchup cinnamon ginger cumin paprika leftovers portion nutrition protein carbs gluten ingredients appetite
    freezer fridge`,
  sweets: `cake cookie chocolate dessert candy ice cream pie cupcake brownies donut sweet pastry bakery frosting caramel vanilla muffin
    fudge tart biscuit marshmallow dough`,
  drinks: `coffee tea beer wine drink juice soda water milk alcohol whiskey vodka cocktail pub starbucks brew latte espresso sober bottle
    smoothie lemonade cola pepsi coke rum gin champagne brewery winery cup mug beans roast decaf hangover thirsty`,
  travel: `travel trip vacation holiday flight fly plane airport hotel beach abroad tour tourist visit europe paris france italy spain
    germany london england japan china mexico canada hawaii australia africa india passport luggage cruise suitcase visa backpacking
    island ticket booking destination sightseeing journey itinerary hostel resort greece portugal brazil russia korea thailand vietnam
    egypt switzerland austria amsterdam rome barcelona madrid lisbon vienna prague berlin tokyo jetlag souvenir airbnb layover overseas`,
  cars: `car truck drive vehicle motorcycle bike tire mechanic garage ford toyota honda mustang corvette chevy tesla bmw license road
    traffic mileage brake gas jeep van suv vintage insurance parking highway auto automobile sedan wheel windshield clutch transmission
    battery oil carburetor spark motor steering bumper dealership nissan audi mercedes porsche ferrari accident driver`,
  transit: `bus train subway metro tram station commute ticket taxi uber bicycle platform railway timetable rail airline passenger route
    ferry bike scooter delay departure fare`,
  city: `city town village neighborhood neighbor york california texas florida chicago boston seattle ohio michigan georgia vegas angeles
    miami colorado oregon rural suburb downtown hometown manhattan brooklyn pennsylvania kentucky tennessee arizona nevada minnesota
    alabama carolina virginia maryland wisconsin portland denver dallas houston phoenix philadelphia nyc bridge`,
  home: `house home apartment flat room bedroom bathroom kitchen furniture sofa couch bed rent landlord tenant mortgage roof wall
    painting floor carpet lamp window door clean laundry dishes roommate renovate decorate basement attic heating boiler plumbing sink
    drill shelf shelves lease deposit kettle oven dishwasher washer dryer fridge vacuum broom curtains chair desk mattress wardrobe
    balcony ceiling tile mold mould leak pipe faucet valve radiator thermostat insulation fireplace staircase hallway porch neighbour
    homeowner condo tenancy tidy housework mop`,
  clothes: `clothes dress shirt shoes boots fashion wear outfit jeans jacket coat hats skirt style sneakers socks sweater jewelry
    necklace ring closet knit sew crochet fabric wool makeup cosmetics trousers pants gloves scarf blouse uniform sandals heels stain
    stitch yarn needle costume wardrobe lipstick perfume earrings bracelet purse handbag leather cotton`,
  appearance: `hair eyes blonde brunette tall height dye blue beard tattoo piercing skin curly glasses haircut redhead freckles nails
    nose ugly overweight chubby slim`,
  colors: `color colour blue green purple pink yellow orange black white favorite grey gray brown turquoise teal beige gold silver`,
  money: `money pay cash rich poor bank loan debt budget invest tax income cheap afford credit wealthy millionaire lottery pension refund
    invoice payment wallet coins currency finance financial reimbursement deposit mortgage retirement bonds etf inflation dividend earn
    wealth`,
  shopping: `shop store mall buy sell purchase sale amazon ebay discount bargain gift thrift coupon groceries supermarket checkout
    customer retail walmart target receipt sneakers voucher package delivery parcel`,
  health: `health healthy sick ill disease doctor hospital medicine pain surgery cancer diabetes allergy allergic asthma headache cold
    flu fever cough nurse therapy patient injury hurt knee dentist teeth blood pill medication vaccine symptom clinic disabled wheelchair
    blind deaf virus rash ache shoulder wrist ankle stomach chest lung kidney liver bone joint arthritis migraine vitamin prescription
    appointment physician specialist diagnosis recovery wound bandage itch swollen swelling sprain infection antibiotic immune covid
    pandemic pharmacy ambulance checkup crutches pregnancy ointment sunburn`,
  mood: `anxiety depression stress therapist therapy counseling meditation panic mental confidence grief psychologist trauma burnout
    overwhelmed journaling gratitude happiness loneliness coping`,
  sleep: `sleep tired nap bed dream insomnia awake asleep snore nightmare wake alarm pillow bedtime sleepy exhausted midnight blanket`,
  religion: `god church religion religious christian catholic bible pray prayer faith jesus muslim jewish buddhist spiritual atheist
    pastor mosque temple sunday worship baptist priest monk buddhism hindu islam ramadan synagogue rabbi heaven angel choir gospel`,
  politics: `politics president vote election government trump obama democrat republican senator congress party policy liberal
    conservative mayor campaign activist protest governor parliament minister council immigration citizen reform infrastructure veteran`,
  gender: `transgender gay lesbian lgbtq pride queer gender inclusive ally transitioning nonbinary lgbt homophobia`,
  weather: `weather rain snow sun sunny cold hot warm winter summer autumn storm cloud wind temperature forecast humid ice freezing
    hurricane tornado thunder cloudy rainy sunshine heat heatwave frost fog lightning windy blizzard drought flood`,
  sea: `ocean sea beach wave sand shore coast sharks whale dolphin diving scuba surf coral mermaid lighthouse seaside sailor snorkeling
    seashell shells fisherman tide lagoon jellyfish octopus harbor cruise ship`,
  arts: `artist painting painter draw sketch sculpture pottery ceramic canvas gallery museum exhibit photography photo photograph camera
    picture craft abstract portrait creative artwork watercolor acrylic brush easel clay aperture shutter exposure tripod origami
    scrapbook collage calligraphy sculptor`,
  tech: `computer laptop phone iphone android internet software app website code program programmer python javascript data server
    database bug debug error tech technology robot ai algorithm git commit sql query install linux windows mac browser html css json
    array loop variable compile exception hacker smartphone online download upload cloud login username deploy docker kubernetes merge
    repository thread async endpoint request regex integer boolean backend frontend react node npm pip pandas numpy dataframe schema
    migration cache unittest refactor chatbot`,
  devices: `printer router wifi keyboard monitor battery charger cable speaker headphones tablet camera bluetooth usb drive backup
    password email spreadsheet formula pdf document ssid modem phone inbox outlook folder pivot vlookup chart font slide powerpoint scan
    scanner toner ink cartridge ethernet hotspot firmware`,
  science: `science scientist physics chemistry biology space planet moon mars nasa astronomy telescope rocket universe lab research
    molecule atom energy gravity theory evolution dinosaur fossil astronaut galaxy comet orbit solar eclipse bacteria dna gene genetics
    species photosynthesis chemical carbon oxygen hydrogen climate earth ecosystem pollution recycling electricity voltage magnet
    laboratory microscope`,
  mathematics: `equation fraction percent percentage statistics algebra geometry calculus formula triangle average median integer decimal
    divide multiply sum angle radius circle logarithm exponent matrix vector variance deviation`,
  history: `history ancient roman rome greek empire king queen castle medieval century museum revolution soldier battle wwii pharaoh
    historical historian nazi hitler napoleon renaissance viking pyramid archaeology dynasty colony constitution`,
  language: `language spanish french german english italian japanese chinese translate grammar verb noun vocabulary accent fluent
    sentence phrase bilingual pronunciation pronounce duolingo conjugation idiom tense dialect spelling punctuation comma`,
  volunteer: `volunteer charity donate homeless shelter fundraiser foundation nonprofit adoption orphanage soup pantry orphans outreach`,
  party: `party birthday celebrate halloween christmas thanksgiving easter costume holiday fireworks guest invitation cake balloon
    decorations pumpkin santa reindeer ornament newyear anniversary bbq toast`,
  crime: `crime police jail prison murder killer steal thief gun judge lawyer lawsuit victim drug criminal robbery burglar burglary theft
    arrest investigation cops sheriff weapon attorney`,
  law: `contract clause landlord legal lawyer inheritance liability warranty deadline sue notary tax lease agreement legislation
    regulation copyright patent compensation liable complaint`,
  supernatural: `ghost alien vampire zombie magic wizard witch unicorn dragon superpower superhero haunted ufo werewolf fairy mermaid
    curse paranormal psychic bigfoot dinosaur`,
  age: `birthday teenager teen thirties senior retirement youngest oldest elderly adults childhood`,
  tools: `hammer drill saw wood screw glue sandpaper varnish primer brush woodworking carpentry repair hinge bolt wrench screwdriver
    plywood toolbox ladder wallplug lumber carpenter workshop sealant silicone`,
  writing: `letter email draft formal paragraph essay speech headline summary poem text sentence application resume memo phrasing rewrite
    proofread blog invitation condolence resignation`
}
