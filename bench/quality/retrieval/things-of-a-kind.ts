/**
 * Two things of one kind, each with its own fact, written for this measurement: the first, the other one mentioned a month later, and a
 * question about the first. English and German.
 */
export type ThingsOfAKind = readonly [asked: string, other: string, question: string]

export const THINGS_OF_A_KIND: readonly ThingsOfAKind[] = [
  ['The red team meets in the attic.', 'The green team meets in the cellar.', 'Where does the red team meet?'],
  ['My uncle plays the cello.', 'My aunt plays the trombone.', 'What does my uncle play?'],
  ['In Lisbon we stayed at Casa Azul.', 'In Madrid we stayed at Hotel Sol.', 'Where did we stay in Lisbon?'],
  ['The morning shift is led by Petra.', 'The evening shift is led by Olaf.', 'Who leads the morning shift?'],
  ['The kitchen was painted yellow.', 'The bathroom was painted grey.', 'What colour was the kitchen painted?'],
  ['Project Falcon is due in June.', 'Project Heron is due in August.', 'When is project Falcon due?'],
  ['The staging database runs on port 5433.', 'The production database runs on port 5432.', 'On which port does the staging database run?'],
  ['Chapter two deals with tides.', 'Chapter nine deals with moons.', 'What does chapter two deal with?'],
  ['The cat is called Momo.', 'The dog is called Rex.', 'What is the cat called?'],
  ['Last summer we hiked in Norway.', 'Last winter we hiked in Spain.', 'Where did we hike last summer?'],
  ['My old laptop was a Dell.', 'My new laptop is a Framework.', 'What was my old laptop?'],
  ['The adult ticket costs 18 euros.', 'The child ticket costs 9 euros.', 'How much is an adult ticket?'],
  ['Der alte Drucker steht im Keller.', 'Der neue Drucker steht im Flur.', 'Wo steht der alte Drucker?'],
  ['Onkel Willi wohnt in Jever.', 'Tante Hanne wohnt in Husum.', 'Wo wohnt Onkel Willi?'],
  ['Die Frühschicht leitet Petra.', 'Die Spätschicht leitet Olaf.', 'Wer leitet die Frühschicht?'],
  ['Kapitel zwei handelt von Ebbe.', 'Kapitel neun handelt vom Mond.', 'Wovon handelt Kapitel zwei?'],
  ['Im März waren wir in Graz.', 'Im Mai waren wir in Linz.', 'Wo waren wir im März?'],
  ['Der Erwachsene zahlt 18 Euro.', 'Das Kind zahlt 9 Euro.', 'Was zahlt der Erwachsene?'],
  ['Das Handbuch für Lehrer liegt oben.', 'Das Handbuch für Schüler liegt unten.', 'Wo liegt das Handbuch für Lehrer?'],
  ['Unsere Filiale in Mainz schließt um 18 Uhr.', 'Unsere Filiale in Worms schließt um 20 Uhr.', 'Wann schließt die Filiale in Mainz?']
]
