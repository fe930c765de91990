/** English and German questions: pairs that ask the same, and pairs of the same form that do not; written for these tests. */
import type { Pair } from './fact-pairs.js'

/** Pairs that ask the same, by the rule that matches them. */
export const ASKED_ALIKE: Readonly<Record<string, readonly Pair[]>> = {
  politeness: [
    ['Could you please tell me how tall the mast is?', 'How tall is the mast?'],
    ["I'd like to know whether the ferry is running", 'Is the ferry running?'],
    ['Kannst du mir bitte sagen, wo die Mensa ist?', 'Wo ist die Mensa?'],
    ['Ich wüsste gern, ob die Fähre fährt', 'Fährt die Fähre?']
  ],
  'ways to do it': [
    ['What are the steps to bleed a radiator?', 'How do I bleed a radiator?'],
    ['Is there a way to mute the thread?', 'How can I mute the thread?'],
    ['Gibt es eine Möglichkeit, den Chat zu archivieren?', 'Wie archiviere ich den Chat?'],
    ['Wie kann man den Filter wechseln?', 'Wie wechsle ich den Filter?']
  ],
  'amounts and measures': [
    ['What is the price of the pass?', 'How much does the pass cost?'],
    ['What is the height of the dam?', 'How tall is the dam?'],
    ['What does the anvil weigh?', 'How heavy is the anvil?'],
    ['How many people live in Malta?', 'What is the population of Malta?'],
    ['Wie teuer ist der Ausweis?', 'Was kostet der Ausweis?'],
    ['Welche Höhe hat der Damm?', 'Wie hoch ist der Damm?'],
    ['Wie viel wiegt der Amboss?', 'Wie schwer ist der Amboss?']
  ],
  'times and reasons': [
    ['Which year was the mill built?', 'When was the mill built?'],
    ['How come the mill stands still?', 'Why does the mill stand still?'],
    ['In welchem Jahr wurde die Mühle gebaut?', 'Wann wurde die Mühle gebaut?'],
    ['Aus welchem Grund steht die Mühle still?', 'Warum steht die Mühle still?']
  ],
  'may and can': [
    ['Is it possible to swap seats?', 'Can I swap seats?'],
    ['Do I need to sign the form?', 'Must I sign the form?'],
    ['Ist es möglich, den Platz zu tauschen?', 'Kann ich den Platz tauschen?'],
    ['Lässt sich das Heft drucken?', 'Kann ich das Heft drucken?']
  ],
  'contractions and spelling': [
    ['Why doesn’t the kettle boil?', "Why doesn't the kettle boil?"],
    ["My scooter won't charge", 'My scooter will not charge'],
    ["I'm unable to open the hatch", 'I can not open the hatch'],
    ['How do I organise a raffle?', 'How do I organize a raffle?']
  ],
  'done by whom': [
    ['Who is the author of Emma?', 'Who wrote Emma?'],
    ['By whom was Emma written?', 'Who wrote Emma?'],
    ['Where do they keep the boats?', 'Where are the boats kept?'],
    ['Wer ist der Erfinder der Schraube?', 'Wer hat die Schraube erfunden?'],
    ['Wer schrieb Emma?', 'Wer hat Emma geschrieben?'],
    ['Wie stellt man Seife her?', 'Wie wird Seife hergestellt?']
  ],
  'words that mean the same': [
    ['When did the ceremony commence?', 'When did the ceremony start?'],
    ['Where was the lorry repaired?', 'Where was the lorry mended?'],
    ['Who purchased the barn?', 'Who bought the barn?'],
    ['Wann fängt die Messe an?', 'Wann beginnt die Messe?'],
    ['Wie lade ich die App herunter?', 'Wie downloade ich die App?']
  ],
  'free order': [
    ['Den Hasen jagt der Fuchs', 'Der Fuchs jagt den Hasen'],
    ['Warum mahnt den Händler der Käufer?', 'Warum mahnt der Käufer den Händler?'],
    ['Wie tausche ich in Word eine Schrift aus?', 'Wie kann ich eine Schrift in Word austauschen?']
  ]
}

/** Pairs that ask something else, by what keeps them apart. */
export const ASKED_APART: Readonly<Record<string, readonly Pair[]>> = {
  'the time of a German verb': [
    ['Wo wohnt Goethe?', 'Wo wohnte Goethe?'],
    ['Wer leitet den Chor?', 'Wer leitete den Chor?'],
    ['Was kostet ein Ei?', 'Was kostete ein Ei?'],
    ['Wem gehört die Mühle?', 'Wem gehörte die Mühle?'],
    ['Er kommt zu spät', 'Er kam zu spät'],
    ['Sie hat Holz gekauft', 'Sie kauft Holz']
  ],
  'who does it, in German': [
    ['Warum verklagt der Käufer den Händler?', 'Warum verklagt den Käufer der Händler?'],
    ['Warum verklagt der Mieter die Firma?', 'Warum verklagt die Firma den Mieter?'],
    ['Hat Mia Jonas eingeladen?', 'Hat Jonas Mia eingeladen?'],
    ['Hilft der Bruder der Schwester?', 'Hilft die Schwester dem Bruder?'],
    ['Kann mein Chef mir kündigen?', 'Kann ich meinem Chef kündigen?'],
    ['Wen hat sie gefragt?', 'Wem hat sie gefragt?'],
    ['Wird er bezahlt?', 'Bezahlt er?']
  ],
  'German cases and articles': [
    ['Gehst du in die Schule?', 'Gehst du in der Schule?'],
    ['Läuft der Hund in den Garten?', 'Läuft der Hund im Garten?'],
    ['Ist der See tief?', 'Ist die See tief?'],
    ['Gibt es am Bahnhof eine Bank?', 'Gibt es im Bahnhof eine Bank?'],
    ['Gießt man die Säure ins Wasser?', 'Gießt man das Wasser in die Säure?']
  ],
  'a letter that is no boundary of words': [
    ['Wie heißt der Tee?', 'Wie heiß ist der Tee?'],
    ['Wie groß ist er?', 'Wie großzügig ist er?']
  ],
  'what is asked': [
    ['What year did it sink?', 'What day did it sink?'],
    ['What is the height of the oak?', 'What is the age of the oak?'],
    ['Woher fährt der Laster?', 'Wohin fährt der Laster?'],
    ['Wofür bezahlt ihr den Koch?', 'Womit bezahlt ihr den Koch?'],
    ['An welchem Tag beginnt der Kurs?', 'Um wie viel Uhr beginnt der Kurs?']
  ],
  'how sure, allowed or wanted it is': [
    ['Can I leave my bag?', 'Must I leave my bag?'],
    ['Must I answer the letter?', 'Should I answer the letter?'],
    ['She could teach the class', 'She would teach the class'],
    ['Do snakes swim?', 'Can snakes swim?'],
    ['Maybe he comes', 'He comes'],
    ['Muss ich den Brief beantworten?', 'Soll ich den Brief beantworten?'],
    ['Er will das Boot verkaufen', 'Er muss das Boot verkaufen']
  ],
  degree: [
    ['Is my dog fat?', 'Is my dog too fat?'],
    ['What is a high fever?', 'What is a very high fever?'],
    ['Ist mein Hund dick?', 'Ist mein Hund zu dick?']
  ],
  'the small words': [
    ['Can I sleep in the car?', 'Can I sleep on the car?'],
    ['Did he work at the hospital?', 'Did he work for the hospital?'],
    ['Is he the winner?', 'Is he a winner?'],
    ['Is it still there?', 'Is it there?'],
    ['Ist er schon da?', 'Ist er noch da?']
  ],
  'who it is, in English': [
    ['Can my boss fire me?', 'Can I fire my boss?'],
    ['Who directed Alien?', 'Who directed Aliens?'],
    ['Is a square a rectangle?', 'Is a rectangle a square?'],
    ['Do I sign and then pay?', 'Do I pay and then sign?'],
    ['Are you asking to help?', 'Are you asked to help?']
  ]
}
