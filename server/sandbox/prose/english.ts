import type { Phrasebook } from './phrasebook'

/** English texts. No verb agrees with the name of the topic, which may be singular or plural. */
export const english: Phrasebook = {
  titles: {
    guide: ['{Head}: A Practical Guide', '{Head}: What to Know First', '{Head}, Explained in Ten Minutes'],
    news: [
      '{Head}: Interest Up {growth} Percent in a Year',
      '{Head}: What Is New',
      '{Head}: {body} Publishes New Figures',
    ],
    history: ['{Head}: A Short History', '{Head} Since {since}: How It Began', '{Head}: From {since} to Today'],
    prices: ['{Head}: Prices in {year}', '{Head}: What People Really Pay', '{Head}: From {low} to {high}'],
    comparison: ['{Head}: {count} Options Compared', '{Head}: {best} First, {second} Second', '{Head}, Side by Side'],
    study: [
      '{Head}: What {asked} People Said',
      '{Head}: A Study in Figures',
      '{Head} in Numbers, {firstYear} to {lastYear}',
    ],
    questions: [
      '{Head}: Frequent Questions, Short Answers',
      '{Head}: Questions That Readers Ask',
      '{Head}: The Questions Answered',
    ],
    opinion: [
      '{Head}: What Most People Get Wrong',
      '{Head}: It Is About {ReasonHead}',
      '{Head} Deserves a Second Look',
    ],
    review: [
      '{Head}: Tested and Rated',
      '{Head}: Our Review After Eight Weeks',
      '{Head}, Reviewed: {score} Points for {best}',
    ],
    reference: ['{Head}', '{Head}: Overview', '{Head}: Facts and Figures'],
  },
  leads: {
    guide: [
      'Anyone who is new to {name} meets the same three questions: where to begin, what to choose, and what to leave alone. This guide answers them in that order.',
      'This guide to {name} is for people who want to decide this week, not this year. It gives the figures first, and advice after them.',
    ],
    news: [
      'Interest in {name} grew by {growth} percent in a year, according to figures that the {body} published this week. It counted {lastCount} publications in {lastYear}.',
      'A new survey by the {body} has asked {asked} people about {name}: {interested} percent follow the subject, {uninterested} percent do not.',
    ],
    history: [
      'The story of {name} begins in {since}, with the first written account in the archive of the {body}. What followed was slow for decades, and then very quick.',
      'When people speak of {name} today, they seldom mean what was meant in {since}. Here is what changed, and why.',
    ],
    prices: [
      'Expect to pay about {typical} when it comes to {name}. The lowest price that we found was {low}, the highest {high}, and the difference is easier to explain than it looks.',
      'For {name}, prices range from {low} to {high}. Half of all buyers pay less than {typical}, as our comparison shows.',
    ],
    comparison: [
      'We compared {count} options for {name}. First comes {best} with {score} of 10 points; the lowest price is that of {cheapest}.',
      'With {name} there is no single right answer, but there is a clear order: first {best} with {score} points, then {second}.',
    ],
    study: [
      'The {body} asked {asked} people about {name} in {surveyYear}. {interested} percent follow the subject, {uninterested} percent do not, and {undecided} percent had no opinion.',
      'How much is published about {name}? The {body} has counted since {firstYear}: {firstCount} publications then, {lastCount} in {lastYear}.',
    ],
    questions: [
      'Readers ask us about {name} every week. We put the questions that come up most often to {expert} of the {body}.',
      'Where to begin with {name}, how long it takes, and whom to believe: short answers to the questions that people ask most.',
    ],
    opinion: [
      'Almost everything that is said about {name} is half true. The half that is left out is the interesting one: {reason}.',
      'I used to think that {name} was a matter of taste. After a year with the figures of the {body}, I think that it is a matter of {reason}.',
    ],
    review: [
      'We spent eight weeks with {name} and rated {count} candidates. We would choose {best} again, with {score} of 10 points.',
      'Two months with {name} leave little doubt: {best} wins with {score} of 10 points, before {second}.',
      'Our test of {name} has a clear winner: {best}. The lowest price, {cheapestCost} for {cheapest}, is worth a look as well.',
    ],
    reference: [
      'Accounts of {name} go back to {since}. This page collects what is known: figures from {firstYear} to {lastYear}, the people who work on it, and what sources disagree about.',
      'This overview of {name} summarises the figures of the {body} and names its sources. The first account is from {since}; interest has grown by {growth} percent a year lately.',
    ],
  },
  sections: {
    background: {
      headings: ['Where it comes from', 'Background'],
      texts: [
        'The first account of {name} is from {since}. For a long time it remained a matter for a few, until {reason} made it interesting for everybody else. The {body} has kept figures since {firstYear}.',
        'Much of what is known about {name} was written down in {since} and copied ever since. New is {reason}: in {firstYear} alone there were {firstCount} publications.',
      ],
    },
    numbers: {
      headings: ['The figures', 'In numbers'],
      texts: [
        'The {body} counted {lastCount} publications about {name} in {lastYear}, after {firstCount} in {firstYear}. That is a growth of about {growth} percent a year. In a survey of {asked} people, {interested} percent said that they follow the subject.',
        'Between {firstYear} and {lastYear} the number of publications about {name} rose from {firstCount} to {lastCount}, by some {growth} percent a year. {undecided} percent of the {asked} people asked in {surveyYear} had no opinion.',
      ],
    },
    experts: {
      headings: ['What experts say', 'Two opinions'],
      texts: [
        '“The facts are better than the reputation,” says {expert}, who works on {name} at the {body}. {critic} disagrees: “We still have {concern}, and nobody has an answer to that.”',
        '{expert} of the {body} expects the interest to grow, because of {reason}. {critic}, who has written about {name} for years, warns of {concern}.',
      ],
    },
    reasons: {
      headings: ['What speaks for it', 'The advantages'],
      texts: [
        'Three things come up in every discussion of {name}: {reason}, {reason2} and {reason3}. The first matters most: {interested} percent of those asked named it without help.',
        'Whoever has spent more than a year on {name} mentions {reason} first and {reason2} second. {expert} adds {reason3}.',
      ],
    },
    concerns: {
      headings: ['What to watch out for', 'The drawbacks'],
      texts: [
        'There are two drawbacks: {concern}, and {concern2}. Neither is a reason to give up on {name}, but both cost time when they come as a surprise.',
        'The most frequent complaint about {name} is {concern}. The second is {concern2}. {critic} advises to ask about both before paying for anything.',
      ],
    },
    options: {
      headings: ['The options compared', 'At a glance'],
      texts: [
        'First in the table is {best} with {score} of 10 points, known since {bestSince}. Close behind: {second}. If the price decides, take {cheapest} at {cheapestCost}.',
        'The table compares {count} options for {name}. The highest rating, {score}, goes to {best}, known since {bestSince}; {second} comes second, and the gap is small.',
        'The table lists {count} options for {name}. The highest rating, {score}, goes to {best}; the lowest price, {cheapestCost}, is that of {cheapest}.',
      ],
    },
    costs: {
      headings: ['What it costs', 'Prices'],
      texts: [
        'For {name} most people pay about {typical}. Offers start at {low}; near {high} the price buys a name and little else.',
        'For {name} we found prices between {low} and {high}, with {typical} in the middle. Prices have risen by about {growth} percent in a year.',
      ],
    },
    steps: {
      headings: ['How to go about it', 'Step by step'],
      texts: [
        'First, write down what you want to know about {name}, or to achieve. Second, read two sources that disagree. Third, allow {wait} days before you draw a conclusion.',
        'Begin small: one attempt, with a limit on time and money. Then look at {concern}, which is where most attempts end. After {wait} days you will know whether there is more in {name} for you.',
      ],
    },
    outlook: {
      headings: ['What comes next', 'Outlook'],
      texts: [
        'If the growth of {growth} percent a year goes on, twice as much will be published about {name} in {doubling} years. {expert} considers that likely, {critic} does not.',
        'The {body} will publish its next figures on {name} in spring. {expert} expects no surprises: “{Reason}: that is not going away.”',
      ],
    },
    dispute: {
      headings: ['What sources disagree about', 'Open questions'],
      texts: [
        'Sources disagree about the time it takes to understand {name}. Most, the {body} among them, say {wait} days; {critic} says {otherWait}. The difference comes from what is counted as the beginning.',
        'One figure about {name} is disputed: {wait} days until the first results according to the {body}, {otherWait} according to {critic}. Both are right about different cases.',
      ],
    },
  },
  reasons: [
    'clear rules',
    'better data',
    'lower costs over time',
    'local support',
    'long experience',
    'simple upkeep',
    'more choice than before',
    'results that can be checked',
  ],
  concerns: [
    'large differences between regions',
    'costs that are hard to compare',
    'a shortage of trained people',
    'rules that change from country to country',
    'claims that nobody has checked',
    'long waiting times in spring',
    'advice that is years old',
  ],
  labels: {
    option: 'Option',
    score: 'Rating (of 10)',
    since: 'Since',
    cost: 'Price',
    year: 'Year',
    count: 'Publications',
    by: 'By',
    related: 'Related',
  },
}
