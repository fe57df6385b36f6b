import type { Phrasebook } from './phrasebook'

/** German texts: a shorter book than the English one. */
export const german: Phrasebook = {
  titles: {
    guide: ['{Head}: der Ratgeber', '{Head}: Was man zuerst wissen sollte'],
    news: ['{Head}: Interesse wächst um {growth} Prozent', '{Head}: Was es Neues gibt'],
    history: ['{Head}: eine kurze Geschichte', '{Head} seit {since}'],
    prices: ['{Head}: Preise {year}', '{Head}: von {low} bis {high}'],
    comparison: ['{Head}: {count} Angebote im Vergleich', '{Head}: {best} vor {second}'],
    study: ['{Head}: Das sagen {asked} Befragte', '{Head} in Zahlen, {firstYear} bis {lastYear}'],
    questions: ['{Head}: häufige Fragen', '{Head}: Fragen und Antworten'],
    opinion: ['{Head}: Was die meisten falsch sehen', '{Head} verdient einen zweiten Blick'],
    review: ['{Head} im Test', '{Head}: {score} Punkte für {best}'],
    reference: ['{Head}', '{Head}: Überblick'],
  },
  leads: {
    guide: [
      'Wer sich zum ersten Mal mit dem Thema {name} befasst, hat drei Fragen: womit anfangen, was wählen, was lassen. Dieser Ratgeber beantwortet sie der Reihe nach.',
    ],
    news: [
      'Das Interesse am Thema {name} ist in einem Jahr um {growth} Prozent gewachsen, meldet das {body}. Es zählte {lastCount} Veröffentlichungen im Jahr {lastYear}.',
    ],
    history: [
      'Die Geschichte des Themas {name} beginnt {since} mit dem ersten schriftlichen Bericht. Was folgte, war lange langsam und dann sehr schnell.',
    ],
    prices: [
      'Für {name} zahlt man im Mittel {typical}. Der niedrigste Preis war {low}, der höchste {high}, und der Unterschied ist leichter zu erklären, als es scheint.',
    ],
    comparison: [
      'Beim Thema {name} gibt es keine einzig richtige Antwort, aber eine klare Reihenfolge: zuerst {best} mit {score} Punkten, dann {second}.',
    ],
    study: [
      'Das {body} hat {surveyYear} zum Thema {name} {asked} Menschen befragt: {interested} Prozent verfolgen es, {uninterested} Prozent nicht, {undecided} Prozent haben keine Meinung.',
    ],
    questions: [
      'Womit anfangen, wie lange es dauert und wem man glauben kann: kurze Antworten auf die häufigsten Fragen zum Thema {name}.',
    ],
    opinion: [
      'Fast alles, was über das Thema {name} gesagt wird, ist halb richtig. Interessant ist die andere Hälfte: {reason}.',
    ],
    review: [
      'Acht Wochen mit dem Thema {name} lassen wenig Zweifel: {best} gewinnt mit {score} von 10 Punkten vor {second}.',
    ],
    reference: [
      'Dieser Überblick zum Thema {name} fasst die Zahlen des {body} zusammen. Der erste Bericht ist von {since}; das Interesse wächst um {growth} Prozent im Jahr.',
    ],
  },
  sections: {
    background: {
      headings: ['Hintergrund'],
      texts: [
        'Der erste Bericht über das Thema {name} ist von {since}. Lange war es eine Sache weniger, bis ein Grund es für alle interessant machte: {reason}. Das {body} führt seit {firstYear} Zahlen.',
      ],
    },
    numbers: {
      headings: ['Die Zahlen'],
      texts: [
        'Das {body} zählte {lastCount} Veröffentlichungen zum Thema {name} im Jahr {lastYear}, nach {firstCount} im Jahr {firstYear}. Von {asked} Befragten verfolgen {interested} Prozent das Thema.',
      ],
    },
    experts: {
      headings: ['Was Fachleute sagen'],
      texts: [
        '„Die Tatsachen sind besser als der Ruf“, heißt es von {expert} am {body}. {critic} widerspricht und nennt vor allem eines: {concern}.',
      ],
    },
    reasons: {
      headings: ['Was dafür spricht'],
      texts: ['Drei Dinge kommen bei jedem Gespräch über das Thema {name} vor: {reason}, {reason2} und {reason3}.'],
    },
    concerns: {
      headings: ['Worauf man achten sollte'],
      texts: [
        'Zwei Nachteile werden beim Thema {name} genannt: {concern} und {concern2}. Beide kosten nur dann Zeit, wenn sie überraschen.',
      ],
    },
    options: {
      headings: ['Im Vergleich'],
      texts: [
        'Die Tabelle vergleicht {count} Angebote zum Thema {name}. Die höchste Wertung, {score}, hat {best}; dahinter folgt {second}.',
      ],
    },
    costs: {
      headings: ['Was es kostet'],
      texts: [
        'Für {name} zahlen die meisten etwa {typical}. Angebote beginnen bei {low}; nahe {high} zahlt man vor allem für den Namen.',
      ],
    },
    steps: {
      headings: ['Schritt für Schritt'],
      texts: [
        'Zuerst aufschreiben, was beim Thema {name} das Ziel ist. Dann zwei Quellen lesen, die sich widersprechen. Nach {wait} Tagen ist Zeit für ein Ergebnis.',
      ],
    },
    outlook: {
      headings: ['Ausblick'],
      texts: [
        'Geht das Wachstum von {growth} Prozent im Jahr weiter, erscheint in {doubling} Jahren doppelt so viel zum Thema {name}. {expert} hält das für wahrscheinlich, {critic} nicht.',
      ],
    },
    dispute: {
      headings: ['Was strittig ist'],
      texts: [
        'Strittig ist beim Thema {name} die Dauer: {wait} Tage sagt das {body}, {otherWait} sagt {critic}. Beide haben für verschiedene Fälle recht.',
      ],
    },
  },
  reasons: ['klare Regeln', 'bessere Daten', 'sinkende Kosten', 'lange Erfahrung', 'mehr Auswahl als früher'],
  concerns: [
    'große Unterschiede zwischen den Regionen',
    'schwer vergleichbare Kosten',
    'veraltete Ratschläge',
    'lange Wartezeiten im Frühjahr',
  ],
  labels: {
    option: 'Angebot',
    score: 'Wertung (von 10)',
    since: 'Seit',
    cost: 'Preis',
    year: 'Jahr',
    count: 'Veröffentlichungen',
    by: 'Von',
    related: 'Mehr dazu',
  },
}
