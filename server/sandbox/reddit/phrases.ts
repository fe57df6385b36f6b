/**
 * How people write in forums. `{Lead}` and `{lead}` are the topic with all of its words; `{name}`
 * is the topic in a sentence, and the other slots are those of `slotsOf`. What names prices or
 * options is only for topics that have them.
 */
export const QUESTIONS = [
  '{Lead}: where do I start?',
  '{Lead}: is it worth spending {typical}?',
  '{Lead}: what would you do differently?',
  '{Lead} – anyone here with real experience?',
  '{Lead}: {best} or {second}?',
  '{Lead}: how do you deal with {concern}?',
  'Beginner question: {lead}',
  '{Lead}: am I missing something?',
  '{Lead}: how much time do you put into it?',
] as const

export const STORIES = [
  '{Lead}: what I learned the hard way in two years',
  'I was wrong about {lead}',
  '{Lead}: my results after {wait} days',
  '{Lead}: finally happy, thanks to this sub',
  '{Lead}: my honest experience',
  '{Lead} – a long write-up with numbers',
  'PSA, {lead}: watch out for {concern}',
  'Unpopular opinion on {lead}: it is mostly about {reason}',
  '{Lead} on a budget: {low} to start, {typical} in the end',
] as const

export const LINKS = [
  '{Head}: Interest Up {growth} Percent in a Year',
  '{Head}: {interested} percent follow it, {uninterested} percent do not',
  '{Head}: What {asked} People Said in a Survey',
  '{Head}: “{Reason} is what matters,” says {expert}',
  '{Head} in Numbers, {firstYear} to {lastYear}',
  '{Head}: Critic Warns of {concern}',
] as const

export const IMAGES = [
  '{Lead}, as seen this morning',
  '{Lead}: my setup, roast it',
  '{Lead}: a chart since {firstYear}, made by me',
  '{Lead}: before and after',
] as const

export const QUESTION_BODIES = [
  'I have read the wiki and a dozen old threads about {name}, and half of them disagree. Some say it takes {wait} days, others {otherWait}. What was it for you?',
  'My budget for {name} is about {typical}. {best} gets recommended everywhere, {second} less so. Is the difference real, or is it just {reason}?',
  'So far everything I know about {name} comes from videos. What worries me is {concern}. How did you deal with that?',
  'Short version: I want to get into {name} this year and do not want to waste money. What do you wish somebody had said to you on day one?',
] as const

export const STORY_BODIES = [
  'I started with {name} because of {reason}. What I did not expect was {concern}. After {wait} days things got better, and today I would do it again.',
  'A few numbers, because I always miss them here. I paid {typical} in total; the cheapest offer was {low}, the most expensive {high}. Biggest surprise: {concern}.',
  'Most advice about {name} is copied from somewhere else. I kept notes for a year. What made a difference: {reason}, and after that {reason2}. What made none: everything that costs more than {high}.',
  '{expert} of the {body} said in an interview that {name} is about {reason}. I did not believe it. Now I do, with one exception: {concern}.',
] as const

export const CLOSINGS = [
  'Happy to answer questions.',
  'Thanks in advance!',
  'Edit: thanks for all the answers, I am reading every one.',
  'What am I missing?',
  'Notes & numbers in the comments.',
  'I love this sub <3',
  '',
] as const

export const COMMENTS = [
  'This matches what I have seen with {name}.',
  'For {name} I paid {typical}, and that was two years ago.',
  'Honestly, {reason} mattered more to me than anything else.',
  'Nobody mentions {concern}, and with {name} that is the whole story.',
  'I would start with {best} and look at {second} later.',
  'The {body} has numbers on this: {interested} percent follow it, {uninterested} percent do not.',
  '{wait} days is optimistic. For me it was closer to {otherWait}.',
  'Came here to say this. {Name} gets much easier after the first month.',
  'Hard disagree. {Name} was the best decision I made last year.',
  'If price matters: {cheapest}, {cheapestCost}. Not pretty, but it works.',
  'There was a long interview with {expert} about exactly this.',
  'Depends on where you live. {concern} is real.',
  'Do {name} slowly. Everyone I know who rushed it gave up.',
  'Saved this thread, thank you.',
  'I keep a spreadsheet about {name}. {low} at the low end, {high} at the high end.',
  '{critic} wrote the opposite last year, and I found that more convincing.',
  'Interest in {name} grew by {growth} percent a year, so expect more threads like this one.',
  'We tried this & it held. Two winters now.',
  'What helped me was {reason2}. Then {reason}.',
] as const

export const REPLIES = [
  'Can you say more about that?',
  'Where did you read that?',
  'Same here.',
  'Agreed, {reason} is underrated.',
  'That was not my experience at all.',
  'How long did it take you?',
  'About {wait} days, give or take.',
  'Good point, I had not thought of {concern}.',
  'This. So much this.',
  'Not where I live, sadly.',
  'Do you have numbers?',
  'I paid {typical}, receipts and all.',
  'Thanks, that settles it for me.',
  '{best} for me, no regrets.',
  'Underrated comment.',
] as const

export const FLAIRS = ['Question', 'Discussion', 'Guide', 'News', 'Help', 'Story'] as const
