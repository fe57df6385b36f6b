import type { Phrasebook } from './phrasebook'

/** French texts: a shorter book than the English one. */
export const french: Phrasebook = {
  titles: {
    guide: ['{Head} : le guide pratique', '{Head} : ce qu’il faut savoir d’abord'],
    news: ['{Head} : l’intérêt en hausse de {growth} %', '{Head} : les nouveautés'],
    history: ['{Head} : une brève histoire', '{Head} depuis {since}'],
    prices: ['{Head} : les prix en {year}', '{Head} : de {low} à {high}'],
    comparison: ['{Head} : {count} offres comparées', '{Head} : {best} devant {second}'],
    study: ['{Head} : l’avis de {asked} personnes', '{Head} en chiffres, de {firstYear} à {lastYear}'],
    questions: ['{Head} : questions fréquentes', '{Head} : questions et réponses'],
    opinion: ['{Head} : ce que presque tous comprennent mal', '{Head} mérite un second regard'],
    review: ['{Head} : le test', '{Head} : {score} points pour {best}'],
    reference: ['{Head}', '{Head} : vue d’ensemble'],
  },
  leads: {
    guide: [
      'Qui aborde le sujet « {name} » se pose trois questions : par où commencer, que choisir et que laisser de côté. Ce guide y répond dans cet ordre.',
    ],
    news: [
      'L’intérêt pour le sujet « {name} » a augmenté de {growth} % en un an, selon {body}, qui a compté {lastCount} publications en {lastYear}.',
    ],
    history: [
      'L’histoire du sujet « {name} » commence en {since}, avec le premier récit écrit. La suite fut lente pendant des décennies, puis très rapide.',
    ],
    prices: [
      'Pour « {name} », on paie en moyenne {typical}. Le prix le plus bas était de {low}, le plus élevé de {high}, et l’écart s’explique mieux qu’il n’y paraît.',
    ],
    comparison: [
      'Pour « {name} », il n’y a pas de réponse unique, mais un ordre clair : d’abord {best} avec {score} points, puis {second}.',
    ],
    study: [
      '{body} a interrogé {asked} personnes en {surveyYear} au sujet de « {name} » : {interested} % suivent le sujet, {uninterested} % non, {undecided} % sont sans avis.',
    ],
    questions: [
      'Par où commencer, combien de temps prévoir et qui croire : des réponses courtes aux questions les plus fréquentes sur « {name} ».',
    ],
    opinion: [
      'Presque tout ce qui se dit sur « {name} » est vrai à moitié. L’autre moitié est la plus intéressante : {reason}.',
    ],
    review: [
      'Huit semaines avec « {name} » laissent peu de doutes : {best} l’emporte avec {score} points sur 10, devant {second}.',
    ],
    reference: [
      'Cette page résume les chiffres de {body} sur le sujet « {name} ». Le premier récit date de {since} ; l’intérêt croît de {growth} % par an.',
    ],
  },
  sections: {
    background: {
      headings: ['D’où cela vient'],
      texts: [
        'Le premier récit au sujet de « {name} » date de {since}. Longtemps l’affaire de quelques-uns, le sujet intéresse tout le monde depuis peu, pour une raison : {reason}. {body} publie des chiffres depuis {firstYear}.',
      ],
    },
    numbers: {
      headings: ['Les chiffres'],
      texts: [
        '{body} a compté {lastCount} publications au sujet de « {name} » en {lastYear}, après {firstCount} en {firstYear}. Sur {asked} personnes, {interested} % suivent le sujet.',
      ],
    },
    experts: {
      headings: ['L’avis des spécialistes'],
      texts: [
        '« Les faits valent mieux que la réputation », dit {expert}, de {body}. {critic} n’est pas d’accord et cite avant tout ceci : {concern}.',
      ],
    },
    reasons: {
      headings: ['Les atouts'],
      texts: ['Trois choses reviennent dans chaque discussion sur « {name} » : {reason}, {reason2} et {reason3}.'],
    },
    concerns: {
      headings: ['Les points à surveiller'],
      texts: [
        'Deux inconvénients sont cités pour « {name} » : {concern} et {concern2}. Ils ne coûtent du temps que s’ils surprennent.',
      ],
    },
    options: {
      headings: ['La comparaison'],
      texts: [
        'Le tableau compare {count} offres pour « {name} ». La meilleure note, {score}, revient à {best} ; {second} suit.',
      ],
    },
    costs: {
      headings: ['Combien cela coûte'],
      texts: [
        'Pour « {name} », la plupart paient environ {typical}. Les offres commencent à {low} ; près de {high}, on paie surtout le nom.',
      ],
    },
    steps: {
      headings: ['Pas à pas'],
      texts: [
        'D’abord, écrire ce que l’on attend de « {name} ». Ensuite, lire deux sources qui se contredisent. Après {wait} jours, il est temps de conclure.',
      ],
    },
    outlook: {
      headings: ['Et ensuite'],
      texts: [
        'Si la croissance de {growth} % par an continue, on publiera deux fois plus sur « {name} » dans {doubling} ans. {expert} le juge probable, {critic} non.',
      ],
    },
    dispute: {
      headings: ['Ce qui fait débat'],
      texts: [
        'Un délai fait débat au sujet de « {name} » : {wait} jours selon {body}, {otherWait} selon {critic}. Les deux ont raison, pour des cas différents.',
      ],
    },
  },
  reasons: [
    'des règles claires',
    'de meilleures données',
    'des coûts en baisse',
    'une longue expérience',
    'plus de choix qu’avant',
  ],
  concerns: [
    'de grands écarts entre régions',
    'des coûts difficiles à comparer',
    'des conseils dépassés',
    'de longues attentes au printemps',
  ],
  labels: {
    option: 'Offre',
    score: 'Note (sur 10)',
    since: 'Depuis',
    cost: 'Prix',
    year: 'Année',
    count: 'Publications',
    by: 'Par',
    related: 'À lire aussi',
  },
}
