/**
 * Words for days and weeks seen from today, in some sixty languages beside English and German: the Unicode locale data (CLDR 48) as
 * `Intl.RelativeTimeFormat` gives it with `numeric: 'auto'`. Kept as a table, since a runtime takes 200 ms to read it, and versions of
 * runtimes differ in it. In lower case. A line with a unit and a number of units heads the words that mean it; of two meanings of one word
 * the first one stands here.
 */
export const RELATIVE_WORDS = `
day 0
vandag|ዛሬ|اليوم|bu gün|сёння|днес|আজ|avui|dnes|heddiw|i dag|σήμερα|hoy|täna|gaur|امروز|tänään|ngayong araw|aujourd'hui
inniu|hoxe|આજે|yau|היום|आज|danas|ma|այսօր|hari ini|í dag|oggi|今日|დღეს|бүгін|ថ្ងៃនេះ|ಇಂದು|오늘|ມື້ນີ້|šiandien|šodien
денес|ഇന്ന്|өнөөдөр|ယနေ့|vandaag|ਅੱਜ|dzisiaj|نن|hoje|azi|сегодня|අද|danes|maanta|sot|данас|leo|இன்று|ఈ రోజు|วันนี้
bugün|сьогодні|آج|bugun|hôm nay|òní|今天|namhlanje
day -1
gister|ትናንት|أمس|dünən|учора|вчера|গতকাল|ahir|včera|ddoe|i går|χθες|ayer|eile|atzo|دیروز|eilen|kahapon|hier|inné|onte
ગઈકાલે|jiya|אתמול|कल|jučer|tegnap|երեկ|kemarin|í gær|ieri|昨日|გუშინ|кеше|ម្សិលមិញ|ನಿನ್ನೆ|어제|ມື້ວານ|vakar|ഇന്നലെ|өчигдөр
काल|semalam|မနေ့က|हिजो|gisteren|ਬੀਤਿਆ ਕੱਲ੍ਹ|wczoraj|پرون|ontem|ඊයේ|včeraj|shalay|dje|јуче|jana|நேற்று|నిన్న|เมื่อวาน
dün|گزشتہ کل|kecha|hôm qua|àná|昨天|izolo
day -2
eergister|ከትናንት ወዲያ|أول أمس|пазаўчора|онзи ден|গত পরশু|abans-d'ahir|předevčírem|echdoe|i forgårs|προχθές|anteayer
üleeile|herenegun|پریروز|toissa päivänä|araw bago ang kahapon|avant-hier|arú inné|antonte|ગયા પરમદિવસે|שלשום|परसों
prekjučer|tegnapelőtt|նախանցյալ օրը|kemarin dulu|í fyrradag|l'altro ieri|一昨日|გუშინწინ|алдыңгүні|ម្សិលម៉្ងៃ|ಮೊನ್ನೆ|그저께
ມື້ກ່ອນ|užvakar|aizvakar|завчера|മിനിഞ്ഞാന്ന്|уржигдар|kelmarin|တစ်နေ့က|अस्ति|eergisteren|przedwczoraj|anteontem
alaltăieri|позавчера|පෙරේදා|predvčerom|predvčerajšnjim|прекјуче|i förrgår|juzi|நேற்று முன்தினம்|మొన్న|เมื่อวานซืน
evvelsi gün|позавчора|گزشتہ پرسوں|hôm kia|íjẹta|前天|usuku olwandulela olwayizolo
day 1
môre|ነገ|غدًا|sabah|заўтра|утре|আগামীকাল|demà|zítra|yfory|i morgen|αύριο|mañana|homme|bihar|فردا|huomenna|bukas|demain
amárach|mañá|આવતીકાલે|gobe|מחר|sutra|holnap|վաղը|besok|á morgun|domani|明日|ხვალ|ертең|ថ្ងៃស្អែក|ನಾಳೆ|내일|ມື້ອື່ນ|rytoj
rīt|നാളെ|маргааш|उद्या|esok|မနက်ဖြန်|भोलि|morgen|ਭਲਕੇ|jutro|سبا|amanhã|mâine|завтра|හෙට|zajtra|jutri|berri|nesër|сутра
i morgon|kesho|நாளை|రేపు|พรุ่งนี้|yarın|آئندہ کل|ertaga|ngày mai|ọ̀la|明天|kusasa
day 2
oormôre|ከነገ ወዲያ|بعد الغد|паслязаўтра|вдругиден|আগামী পরশু|demà passat|pozítří|drennydd|i overmorgen|μεθαύριο
pasado mañana|ülehomme|etzi|پس‌فردا|ylihuomenna|samakalawa|après-demain|arú amárach|pasadomañá|પરમદિવસે|מחרתיים
prekosutra|holnapután|վաղը չէ մյուս օրը|lusa|eftir tvo daga|dopodomani|明後日|ზეგ|бүрсігүні|ខានស្អែក|ನಾಡಿದ್ದು|모레|ມື້ຮື
poryt|parīt|задутре|മറ്റന്നാൾ|нөгөөдөр|သန်ဘက်ခါ|पर्सि|overmorgen|pojutrze|depois de amanhã|poimâine|послезавтра|අනිද්දා
pozajtra|pojutrišnjem|прекосутра|i övermorgon|kesho kutwa|நாளை மறுநாள்|ఎల్లుండి|มะรืนนี้|öbür gün|післязавтра
آنے والا پرسوں|ngày kia|òtúùnla|后天|後天|usuku olulandela olwakusasa
week 0
hierdie week|በዚህ ሳምንት|هذا الأسبوع|bu həftə|на гэтым тыдні|тази седмица|এই সপ্তাহ|aquesta setmana|tento týden
yr wythnos hon|denne uge|τρέχουσα εβδομάδα|esta semana|käesolev nädal|aste honetan|این هفته|tällä viikolla
sa linggong ito|cette semaine|an tseachtain seo|આ અઠવાડિયે|wannan satin|השבוע|इस सप्ताह|ovaj tjedan|ez a hét|այս շաբաթ
minggu ini|í þessari viku|questa settimana|今週|ამ კვირაში|осы апта|សប្ដាហ៍នេះ|ಈ ವಾರ|이번 주|ອາທິດນີ້|šią savaitę
šajā nedēļā|оваа седмица|ഈ ആഴ്ച|энэ долоо хоног|हा आठवडा|ယခု သီတင်းပတ်|यो हप्ता|deze week|denne uken|ਇਹ ਹਫ਼ਤਾ
w tym tygodniu|دا اونۍ|săptămâna aceasta|на этой неделе|මෙම සතිය|tento týždeň|ta teden|usbuucan|këtë javë|ове недеље
denna vecka|wiki hii|இந்த வாரம்|ఈ వారం|สัปดาห์นี้|bu hafta|цього тижня|اس ہفتہ|shu hafta|tuần này|ọ̀sẹ̀ yìí|本周|本週
leli viki
week -1
verlede week|ያለፈው ሳምንት|الأسبوع الماضي|keçən həftə|на мінулым тыдні|предходната седмица|গত সপ্তাহ|la setmana passada
minulý týden|wythnos ddiwethaf|sidste uge|προηγούμενη εβδομάδα|la semana pasada|eelmine nädal|aurreko astean
هفتهٔ گذشته|viime viikolla|nakalipas na linggo|la semaine dernière|an tseachtain seo caite|a semana pasada|ગયા અઠવાડિયે
satin da ya gabata|השבוע שעבר|पिछला सप्ताह|prošli tjedan|előző hét|նախորդ շաբաթ|minggu lalu|í síðustu viku
settimana scorsa|先週|გასულ კვირაში|өткен апта|សប្ដាហ៍មុន|ಕಳೆದ ವಾರ|지난주|ອາທິດແລ້ວ|praėjusią savaitę|pagājušajā nedēļā
минатата седмица|കഴിഞ്ഞ ആഴ്‌ച|өнгөрсөн долоо хоног|मागील आठवडा|ပြီးခဲ့သည့် သီတင်းပတ်|गत हप्ता|vorige week|forrige uke
ਪਿਛਲਾ ਹਫ਼ਤਾ|w zeszłym tygodniu|تيره اونۍ|semana passada|săptămâna trecută|на прошлой неделе|පසුගිය සතිය|minulý týždeň
prejšnji teden|toddobaadkii hore|javën e kaluar|прошле недеље|förra veckan|wiki iliyopita|கடந்த வாரம்|గత వారం
สัปดาห์ที่แล้ว|geçen hafta|минулого тижня|گزشتہ ہفتے|o‘tgan hafta|tuần trước|ọ̀sẹ̀ tó kọjá|上周|上週|iviki eledlule
week 1
volgende week|የሚቀጥለው ሳምንት|الأسبوع القادم|gələn həftə|на наступным тыдні|следващата седмица|পরের সপ্তাহ
la setmana que ve|příští týden|wythnos nesaf|næste uge|επόμενη εβδομάδα|la próxima semana|järgmine nädal
hurrengo astean|هفتهٔ آینده|ensi viikolla|susunod na linggo|la semaine prochaine|an tseachtain seo chugainn
a próxima semana|આવતા અઠવાડિયે|sati na gaba|השבוע הבא|अगला सप्ताह|sljedeći tjedan|következő hét|հաջորդ շաբաթ
minggu depan|í næstu viku|settimana prossima|来週|მომავალ კვირაში|келесі апта|សប្ដាហ៍ក្រោយ|ಮುಂದಿನ ವಾರ|다음 주|ອາທິດຫນ້າ
kitą savaitę|nākamajā nedēļā|следната седмица|അടുത്ത ആഴ്ച|ирэх долоо хоног|पुढील आठवडा|လာမည့် သီတင်းပတ်|आगामी हप्ता
neste uke|ਅਗਲਾ ਹਫ਼ਤਾ|w przyszłym tygodniu|راتلونکې اونۍ|próxima semana|săptămâna viitoare|на следующей неделе|ඊළඟ සතිය
budúci týždeň|naslednji teden|toddobaadka danbe|javën e ardhshme|следеће недеље|nästa vecka|wiki ijayo|அடுத்த வாரம்
తదుపరి వారం|สัปดาห์หน้า|gelecek hafta|наступного тижня|اگلے ہفتے|keyingi hafta|tuần sau|ọ́sẹ̀ tó ń bọ̀|下周|下週
iviki elizayo
`
