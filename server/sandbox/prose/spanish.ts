import type { Phrasebook } from './phrasebook'

/** Spanish texts: a shorter book than the English one. */
export const spanish: Phrasebook = {
  titles: {
    guide: ['{Head}: guía práctica', '{Head}: lo primero que hay que saber'],
    news: ['{Head}: el interés crece un {growth} %', '{Head}: novedades'],
    history: ['{Head}: breve historia', '{Head} desde {since}'],
    prices: ['{Head}: precios de {year}', '{Head}: de {low} a {high}'],
    comparison: ['{Head}: {count} opciones comparadas', '{Head}: primero {best}, después {second}'],
    study: ['{Head}: lo que dicen {asked} personas', '{Head} en cifras, de {firstYear} a {lastYear}'],
    questions: ['{Head}: preguntas frecuentes', '{Head}: preguntas y respuestas'],
    opinion: ['{Head}: lo que casi todos entienden mal', '{Head} merece otra mirada'],
    review: ['{Head}: a prueba', '{Head}: {score} puntos para {best}'],
    reference: ['{Head}', '{Head}: visión general'],
  },
  leads: {
    guide: [
      'Quien empieza con el tema de {name} se hace tres preguntas: por dónde empezar, qué elegir y qué dejar de lado. Esta guía responde en ese orden.',
    ],
    news: [
      'El interés por el tema de {name} ha crecido un {growth} % en un año, según {body}, que contó {lastCount} publicaciones en {lastYear}.',
    ],
    history: [
      'La historia del tema de {name} comienza en {since}, con el primer relato escrito. Lo que siguió fue lento durante décadas y luego muy rápido.',
    ],
    prices: [
      'En el caso de {name} se paga de media {typical}. El precio más bajo fue {low} y el más alto {high}; la diferencia se explica mejor de lo que parece.',
    ],
    comparison: [
      'Con el tema de {name} no hay una única respuesta, pero sí un orden claro: primero {best} con {score} puntos, después {second}.',
    ],
    study: [
      '{body} preguntó en {surveyYear} a {asked} personas por el tema de {name}: el {interested} % lo sigue, el {uninterested} % no y el {undecided} % no tiene opinión.',
    ],
    questions: [
      'Por dónde empezar, cuánto se tarda y a quién creer: respuestas breves a las preguntas más frecuentes sobre el tema de {name}.',
    ],
    opinion: [
      'Casi todo lo que se dice sobre el tema de {name} es verdad a medias. La otra mitad es la interesante: {reason}.',
    ],
    review: [
      'Ocho semanas con el tema de {name} dejan pocas dudas: gana {best} con {score} de 10 puntos, por delante de {second}.',
    ],
    reference: [
      'Esta página resume las cifras de {body} sobre el tema de {name}. El primer relato es de {since}; el interés crece un {growth} % al año.',
    ],
  },
  sections: {
    background: {
      headings: ['De dónde viene'],
      texts: [
        'El primer relato sobre el tema de {name} es de {since}. Durante mucho tiempo fue cosa de pocos, hasta que algo lo hizo interesante para todos: {reason}. {body} publica cifras desde {firstYear}.',
      ],
    },
    numbers: {
      headings: ['Las cifras'],
      texts: [
        '{body} contó {lastCount} publicaciones sobre el tema de {name} en {lastYear}, tras {firstCount} en {firstYear}. De {asked} personas, el {interested} % lo sigue.',
      ],
    },
    experts: {
      headings: ['Lo que dicen los expertos'],
      texts: [
        '«Los hechos son mejores que la fama», dice {expert}, de {body}. {critic} no está de acuerdo y señala sobre todo una cosa: {concern}.',
      ],
    },
    reasons: {
      headings: ['A favor'],
      texts: ['Tres cosas aparecen en cada conversación sobre el tema de {name}: {reason}, {reason2} y {reason3}.'],
    },
    concerns: {
      headings: ['A qué prestar atención'],
      texts: [
        'En el tema de {name} se citan dos inconvenientes: {concern} y {concern2}. Solo cuestan tiempo cuando llegan por sorpresa.',
      ],
    },
    options: {
      headings: ['La comparación'],
      texts: [
        'La tabla compara {count} opciones para el tema de {name}. La mejor nota, {score}, es para {best}; le sigue {second}.',
      ],
    },
    costs: {
      headings: ['Cuánto cuesta'],
      texts: [
        'En el caso de {name} la mayoría paga unos {typical}. Las ofertas empiezan en {low}; cerca de {high} se paga sobre todo el nombre.',
      ],
    },
    steps: {
      headings: ['Paso a paso'],
      texts: [
        'Primero, escribir qué se busca con el tema de {name}. Después, leer dos fuentes que se contradicen. A los {wait} días es hora de sacar conclusiones.',
      ],
    },
    outlook: {
      headings: ['Qué viene ahora'],
      texts: [
        'Si el crecimiento del {growth} % anual continúa, en {doubling} años se publicará el doble sobre el tema de {name}. {expert} lo considera probable; {critic}, no.',
      ],
    },
    dispute: {
      headings: ['En qué no coinciden las fuentes'],
      texts: [
        'Sobre el tema de {name} se discute el plazo: {wait} días según {body}, {otherWait} según {critic}. Ambos tienen razón en casos distintos.',
      ],
    },
  },
  reasons: ['reglas claras', 'mejores datos', 'costes cada vez menores', 'larga experiencia', 'más oferta que antes'],
  concerns: [
    'grandes diferencias entre regiones',
    'costes difíciles de comparar',
    'consejos anticuados',
    'largas esperas en primavera',
  ],
  labels: {
    option: 'Opción',
    score: 'Nota (de 10)',
    since: 'Desde',
    cost: 'Precio',
    year: 'Año',
    count: 'Publicaciones',
    by: 'Por',
    related: 'Relacionado',
  },
}
