import { sentenceCase } from '../prose/capitals'
import { personOf } from '../prose/people'
import { topicOf } from '../prose/topic'
import { ITEM_CITIES, itemDay, itemPage, itemText, lastName, personName, type Trade } from './item'

/** Actors that collect what people write, offer and are. */
export const PEOPLE_TRADES: readonly Trade[] = [
  {
    name: 'reviews',
    words: ['review', 'reviews', 'rating', 'ratings', 'trustpilot', 'tripadvisor', 'yelp'],
    categories: ['ECOMMERCE', 'TRAVEL'],
    endings: ['reviews-scraper'],
    describe: (subject) => `Collects reviews of ${subject} with stars, text and date`,
    search: { field: 'searchQueries', title: 'What to find reviews of' },
    limit: 'maxReviews',
    item: (asked) => ({
      product: sentenceCase(asked.subject),
      author: personName(asked.seed),
      stars: asked.draw.int('stars', 2, 5),
      title: asked.draw.pick('title', [
        'Worth it',
        'Good, with one reservation',
        'As described',
        'Would buy again',
        'Not for everyone',
      ]),
      text: itemText(asked),
      isVerified: asked.draw.chance('verified') < 0.7,
      date: itemDay(asked.draw, 400),
      url: itemPage(asked, 'review'),
    }),
  },
  {
    name: 'jobs',
    words: ['job', 'jobs', 'vacancies', 'hiring', 'indeed', 'glassdoor', 'career', 'careers', 'salary', 'salaries'],
    categories: ['JOBS', 'BUSINESS'],
    endings: ['jobs-scraper', 'vacancies-api'],
    describe: (subject) => `Finds openings for ${subject} with company, place and salary`,
    search: { field: 'searchQueries', title: 'Positions' },
    limit: 'maxItems',
    place: 'location',
    item: ({ draw, ...asked }) => {
      const salary = draw.int('salary', 26, 92) * 1000
      return {
        title: `${draw.pick('level', ['', 'Senior ', 'Junior ', 'Lead '])}${asked.subject}`.replace(/^./, (c) =>
          c.toUpperCase(),
        ),
        company: `${lastName(asked.seed)} ${draw.pick('form', ['Group', 'Labs', 'Systems', '& Partners', 'Works'])}`,
        location: asked.place || draw.pick('city', ITEM_CITIES),
        contract: draw.pick('contract', ['full-time', 'full-time', 'part-time', 'temporary']),
        isRemote: draw.chance('remote') < 0.3,
        salaryMin: salary,
        salaryMax: Math.round((salary * (1.1 + draw.chance('more') / 3)) / 500) * 500,
        currency: 'EUR',
        postedAt: itemDay(draw, 45),
        url: itemPage(asked, 'reference', `${asked.subject} job`),
      }
    },
  },
  {
    name: 'posts',
    words: [
      'instagram',
      'tiktok',
      'facebook',
      'twitter',
      'x',
      'linkedin',
      'reddit',
      'youtube',
      'threads',
      'posts',
      'post',
      'hashtag',
      'hashtags',
      'social',
      'comments',
      'followers',
      'profile',
      'profiles',
      'influencers',
    ],
    categories: ['SOCIAL_MEDIA', 'MARKETING'],
    endings: ['posts-scraper', 'hashtag-scraper', 'profile-extractor'],
    describe: (subject) => `Collects public posts about ${subject} with author and numbers`,
    search: { field: 'searchQueries', title: 'Hashtags, profiles or words' },
    limit: 'resultsLimit',
    item: (asked) => {
      const { draw } = asked
      const { handle, name: fullName } = personOf(asked.seed)
      const likes = Math.floor(draw.chance('likes') ** 4 * 20_000)
      return {
        username: handle,
        fullName,
        text: itemText(asked),
        hashtags: topicOf(asked.subject)
          .words.map((word) => word.toLowerCase())
          .slice(0, 4),
        likes,
        comments: Math.floor(likes * (0.01 + draw.chance('comments') / 12)),
        shares: Math.floor(likes * (draw.chance('shares') / 20)),
        followers: Math.floor(120 + draw.chance('followers') ** 4 * 400_000),
        postedAt: itemDay(draw, 90),
        url: itemPage(asked, 'opinion'),
      }
    },
  },
  {
    name: 'leads',
    words: ['lead', 'leads', 'email', 'emails', 'contact', 'contacts', 'companies', 'company', 'startups', 'b2b'],
    categories: ['LEAD_GENERATION', 'BUSINESS'],
    endings: ['leads-finder', 'email-extractor'],
    describe: (subject) => `Finds companies for ${subject} with a contact each`,
    search: { field: 'searchQueries', title: 'Trades or words' },
    limit: 'maxItems',
    place: 'location',
    item: ({ draw, ...asked }) => {
      const company = `${lastName(asked.seed)} ${sentenceCase(asked.subject)}`
      const host = `${lastName(asked.seed).toLowerCase()}.example`
      const contact = personOf(`${asked.seed} contact`)
      return {
        company,
        contactName: contact.name,
        position: draw.pick('position', ['Owner', 'Managing director', 'Head of sales', 'Office manager']),
        email: `${contact.handle}@${host}`,
        city: asked.place || draw.pick('city', ITEM_CITIES),
        employees: draw.int('employees', 2, 180),
        website: itemPage(asked, 'reference', company),
      }
    },
  },
]
