/**
 * Facts that changed a month apart, written for this measurement: the old fact, the new one, and the question. English and German. The new
 * fact shares the question's words, fewer of them, or nothing with the old one but the subject.
 */
export type ChangedFact = readonly [older: string, newer: string, question: string]

export const CHANGED_FACTS: readonly ChangedFact[] = [
  ['My desk is on the third floor, next to the printer.', 'My desk is on the fifth floor now.', 'On which floor is my desk?'],
  [
    'The wifi password at the cabin is bluefox22.',
    'The wifi password at the cabin was changed to redowl31.',
    'What is the wifi password at the cabin?'
  ],
  [
    'I take two tablets of the iron supplement every morning.',
    'The doctor cut the iron supplement to one tablet.',
    'How many iron tablets do I take?'
  ],
  ['Our standup meeting is at nine thirty.', 'Our standup meeting has moved to ten.', 'When is our standup meeting?'],
  ['I drive a grey Skoda Octavia.', 'I sold the Skoda and drive a white Kia now.', 'Which car do I drive?'],
  ['Lena is the project lead of Harbour.', 'Tomas took over as project lead of Harbour.', 'Who is the project lead of Harbour?'],
  ['My landlord is called Mr Petrov.', 'My new landlord is called Mrs Oduya.', 'What is my landlord called?'],
  ['The staging server runs on port 8443.', 'The staging server runs on port 9443.', 'Which port does the staging server run on?'],
  ['My sister lives in Bristol with her two cats.', 'My sister lives in Leeds.', 'Where does my sister live?'],
  [
    'The budget for the kitchen is 12,000 pounds.',
    'We raised the budget for the kitchen to 15,500 pounds.',
    'What is the budget for the kitchen?'
  ],
  ['The invoices are approved by Karim.', 'Invoices are approved by Sofia from now on.', 'Who approves the invoices?'],
  [
    'My flight to Oslo leaves on Friday morning.',
    'My flight to Oslo leaves on Saturday evening instead.',
    'When does my flight to Oslo leave?'
  ],
  ['The dog eats lamb and rice food.', 'The dog eats salmon food, lamb made her itch.', 'What food does the dog eat?'],
  ['Our database is Postgres 13.', 'Our database was upgraded to Postgres 16.', 'Which Postgres version is our database?'],
  ['I pay 640 euros of rent.', 'I pay 705 euros of rent.', 'How much rent do I pay?'],
  ['The gym closes at ten in the evening.', 'The gym closes at eight in the evening.', 'When does the gym close?'],
  ['My favourite tea is Assam with milk.', 'My favourite tea is green Sencha.', 'What is my favourite tea?'],
  ['The choir rehearses in the town hall.', 'The choir rehearses in the school gym.', 'Where does the choir rehearse?'],
  ['The key for the shed hangs behind the door.', 'The key for the shed lies in the blue drawer.', 'Where is the key for the shed?'],
  ['My phone number ends in 4471.', 'I have a new phone number, it ends in 9023.', 'What does my phone number end in?'],
  ['Mein Büro ist im zweiten Stock.', 'Mein Büro ist jetzt im vierten Stock.', 'In welchem Stock ist mein Büro?'],
  ['Der Code für die Garage ist 1937.', 'Der Code für die Garage wurde auf 5208 geändert.', 'Wie ist der Code für die Garage?'],
  ['Ich arbeite bei einer Bank in Kassel.', 'Ich arbeite bei einem Verlag in Kassel.', 'Wo arbeite ich in Kassel?'],
  ['Unsere Katze heißt Minka und ist drei.', 'Unsere neue Katze heißt Tiger.', 'Wie heißt unsere Katze?'],
  ['Die Probe des Orchesters beginnt um 19 Uhr.', 'Die Probe des Orchesters beginnt um 20 Uhr.', 'Wann beginnt die Probe des Orchesters?'],
  ['Frau Kern leitet die Abteilung Einkauf.', 'Herr Yilmaz leitet die Abteilung Einkauf.', 'Wer leitet die Abteilung Einkauf?'],
  ['Mein Zahnarzt ist Dr. Brand in der Lindenstraße.', 'Mein Zahnarzt ist jetzt Dr. Weiss.', 'Wer ist mein Zahnarzt?'],
  ['Die Miete kostet 820 Euro.', 'Die Miete kostet 875 Euro.', 'Was kostet die Miete?'],
  ['Ich fahre mit dem Bus zur Arbeit.', 'Ich fahre mit dem Rad zur Arbeit.', 'Womit fahre ich zur Arbeit?'],
  ['Der Server läuft unter Debian 11.', 'Der Server läuft unter Debian 12.', 'Unter welchem Debian läuft der Server?'],
  ['Meine Tochter geht in die Grundschule am Park.', 'Meine Tochter geht aufs Gymnasium am Ring.', 'Wohin geht meine Tochter zur Schule?'],
  [
    'Der Vertrag mit dem Stromanbieter läuft bis März.',
    'Der Vertrag mit dem Stromanbieter läuft bis September.',
    'Bis wann läuft der Vertrag mit dem Stromanbieter?'
  ],
  ['Das Treffen ist im Café Mozart.', 'Das Treffen ist im Café Anker.', 'In welchem Café ist das Treffen?'],
  ['Ich nehme 50 Milligramm Metoprolol.', 'Ich nehme nur noch 25 Milligramm Metoprolol.', 'Wie viel Milligramm Metoprolol nehme ich?'],
  [
    'Der Schlüssel zum Keller liegt unter der Matte.',
    'Der Schlüssel zum Keller hängt am Brett in der Küche.',
    'Wo ist der Schlüssel zum Keller?'
  ],
  ['Mein Lieblingsverein ist der VfL.', 'Mein Lieblingsverein ist seit der Saison der SCF.', 'Was ist mein Lieblingsverein?'],
  ['Die Lieferung kommt am Dienstag.', 'Die Lieferung kommt erst am Freitag.', 'Wann kommt die Lieferung?'],
  ['Die Heizung ist auf 22 Grad gestellt.', 'Die Heizung ist auf 19 Grad gestellt.', 'Auf wie viel Grad ist die Heizung gestellt?'],
  ['Jonas ist für die Rechnungen zuständig.', 'Mira ist für die Rechnungen zuständig.', 'Wer ist für die Rechnungen zuständig?'],
  ['Das Passwort vom Tablet ist wolke7.', 'Das Passwort vom Tablet ist jetzt regen9.', 'Wie ist das Passwort vom Tablet?']
]
