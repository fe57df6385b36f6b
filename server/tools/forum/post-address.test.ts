import { expect, test } from 'vitest'
import { readPostAddress } from './post-address'

const post = (commentId: string | null = null) => ({ postId: '1abc2', commentId })

test.each([
  ['1abc2', post()],
  ['1ABC2', post()],
  ['t3_1abc2', post()],
  ['https://www.reddit.com/r/bread/comments/1abc2/a_title/', post()],
  ['https://www.reddit.com/r/bread/comments/1abc2/', post()],
  ['https://www.reddit.com/r/bread/comments/1abc2?sort=new#top', post()],
  ['https://www.reddit.com/comments/1abc2', post()],
  ['https://www.reddit.com/user/ada/comments/1abc2/a_title/', post()],
  ['https://www.reddit.com/u/ada/comments/1abc2', post()],
  ['http://old.reddit.com/r/bread/comments/1abc2/a_title/', post()],
  ['https://np.reddit.com/r/bread/comments/1abc2/a_title/', post()],
  ['https://new.reddit.com/r/bread/comments/1abc2/a_title.json', post()],
  ['reddit.com/r/bread/comments/1abc2/a_title', post()],
  ['https://www.reddit.com/r/bread/comments/1abc2/a_title/k9z8y/', post('k9z8y')],
  ['https://www.reddit.com/r/bread/comments/1abc2/comment/k9z8y/?context=3', post('k9z8y')],
  ['https://www.reddit.com/gallery/1abc2', post()],
  ['https://www.reddit.com/tb/1abc2', post()],
  ['https://redd.it/1abc2', post()],
  ['redd.it/1abc2', post()],
  ['https://www.reddit.com/r/bread/s/aBcDeF123', { sharePath: '/r/bread/s/aBcDeF123' }],
  ['https://reddit.com/u/ada/s/aBcDeF123/?x=1', { sharePath: '/u/ada/s/aBcDeF123' }],
])('%s is read', (text, address) => {
  expect(readPostAddress(text)).toEqual(address)
})

test.each([
  '',
  'not a post',
  'https://www.reddit.com/',
  'https://www.reddit.com/r/bread/',
  'https://www.reddit.com/r/bread/comments/',
  'https://www.reddit.com/r/bread/comments/../../api/v1/me',
  'https://www.reddit.com/r/bread/s/',
  'https://www.reddit.com/r/../s/aBc',
  'https://notreddit.com/r/bread/comments/1abc2/',
  'https://reddit.com.example.org/r/bread/comments/1abc2/',
  'https://example.org/r/bread/s/aBc',
  'https://reddit.com@example.org/r/bread/comments/1abc2/',
  'https://i.redd.it/picture.jpg',
  'https://redd.it/',
  'file:///comments/1abc2',
])('%s is refused', (text) => {
  expect(readPostAddress(text)).toBeNull()
})
