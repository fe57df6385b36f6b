/** How videos are called. `{Lead}` is the topic with all of its words; more in `slotsOf`. */
export const VIDEO_TITLES = [
  '{Head}: Everything You Need to Know',
  '{Head} Explained in 10 Minutes',
  '{Head}: My Honest Review',
  '{Head} – 5 Mistakes to Avoid',
  '{Head} for Beginners',
  'I Tried {Head} for {wait} Days',
  'The Truth About {Head}',
  '{Head}: {best} vs {second}',
  '{Head} & What Nobody Says About It',
  '{Head}: Why I Paid {typical}',
  '{Head} in {year}: Still Worth It?',
  '{Head} | A Quiet Day With Numbers',
] as const

/** The first line of the description is what the video is about; so is the first thing said. */
export const VIDEO_DESCRIPTIONS = [
  'In this video we look at {name}: what it is, what matters, and what to leave alone.',
  'Everything that I wish I had known about {name}, with numbers and without hurry.',
  '{Name}: {growth} percent more interest in a year. Why? And is it for you?',
] as const

export const VIDEO_OPENINGS = [
  'Hello and welcome back to {channel}.',
  'Hi everybody, this is {channel}.',
  'Welcome to {channel}, good to see you.',
] as const

/** What is said, in parts; between opening and end, in another order in each video. */
export const VIDEO_LINES = [
  'Let us begin with the numbers. The {body} asked {asked} people in {surveyYear}. {interested} percent said that they follow {name}, {uninterested} percent do not.',
  'The first written account is from {since}. For a long time nothing happened. Then came {reason}, and everything changed.',
  'Between {firstYear} and {lastYear} the number of publications about it went from {firstCount} to {lastCount}. That is about {growth} percent a year.',
  'I talked to {expert} about this. The answer was one word: {reason}. I think that is right, and I will show you why.',
  'Now to the part that people skip. {critic} warns of {concern}, and I have to say that I ran into that myself.',
  'How long does it take? Most sources say {wait} days. Some say {otherWait}. In my case it was somewhere between the two.',
  'If you only remember one thing from this video, let it be {reason}. After that comes {reason2}.',
  'The most frequent question under my last video was about {concern}. Here is the short answer: plan for it, and it will not hurt.',
  'What does it cost? Expect to pay about {typical}. I have seen offers from {low}, and I have seen people pay {high}.',
  'In my test {best} came first and {second} second. It was close, but it was not a coincidence.',
  'If the price decides, take {cheapest}. It is {cheapestCost}, and it does what it should.',
  'Start small. One attempt, a limit on time, a limit on money. Write down what happened, and only then do the second attempt.',
  'A word about sources. Half of what is written about {name} was copied from somewhere else. Look for dates and for names.',
] as const

export const VIDEO_ENDINGS = [
  'That is all about {name} for today. Leave your questions in the comments, and see you next week.',
  'So much for {name}. If this helped you, you know where the button is. Until next time.',
] as const

export const VIDEO_COMMENTS = [
  'Finally somebody explains {name} without shouting.',
  'The part about {concern} is exactly what happened to me.',
  '{wait} days? It took me {otherWait} <3',
  'I paid {typical} last year and would do it again.',
  'Where do the numbers of the {body} come from?',
  'Please make a part two about {name}!',
  'Watched this twice. {Reason} is the key.',
  '{expert} would agree, {critic} would not.',
  'Greetings from Lisbon, great video as always.',
  'I was about to give up on {name}. Not any more.',
  'Best {minutes} minutes of my evening.',
  'Respectfully disagree on {reason}, but well made.',
  'My grandfather did {name} all his life. He would have liked this.',
  'Timestamps, please?',
  'Thank you. Clear, calm, no music.',
  'Came for {name}, stayed for the voice.',
] as const

export const CATEGORIES = [
  'Howto & Style',
  'Education',
  'People & Blogs',
  'Science & Technology',
  'News & Politics',
] as const
