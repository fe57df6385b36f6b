import { describe, expect, test } from 'vitest'
import { readGuideBlocks } from './blocks'
import { readFenceInfo } from './fence'
import { readFrontMatter } from './front-matter'

const fence = (info: string, code = 'x') => `\`\`\`${info}\n${code}\n\`\`\``

describe('the blocks of a guide', () => {
  test('are prose and code, with adjacent tabs and the response in one block', () => {
    const body = ['Hello', fence('sh tab="curl" run'), fence('py tab="Python"'), fence('json response', '{}'), 'Bye']
    const blocks = readGuideBlocks(body.join('\n\n'))
    expect(blocks.map(({ kind }) => kind)).toEqual(['text', 'code', 'text'])
    expect(blocks[1]).toMatchObject({
      examples: [
        { language: 'sh', tab: 'curl' },
        { language: 'py', tab: 'Python', run: null },
      ],
      response: { language: 'json', code: '{}' },
    })
  })

  test('of code without tabs stay apart', () => {
    expect(readGuideBlocks(`${fence('sh')}\n\n${fence('sh')}`)).toHaveLength(2)
    expect(readGuideBlocks(`${fence('sh tab="A"')}\n\nor\n\n${fence('sh tab="B"')}`)).toHaveLength(3)
  })

  test('leave longer fences and those in lists as they are written', () => {
    const body = `\`\`\`\`md\n${fence('sh')}\n\`\`\`\`\n\n- one\n  \`\`\`sh\n  two\n  \`\`\``
    const [first, second] = readGuideBlocks(body)
    expect(first).toMatchObject({ kind: 'code', examples: [{ code: fence('sh') }] })
    expect(second).toMatchObject({ kind: 'text' })
  })

  test.each([
    ['a response without an example', `Text\n\n${fence('json response')}`, /right above/],
    ['a fence that is not closed', '```sh\ncurl', /not closed/],
    ['an unknown mark', fence('sh runs'), /unknown mark/],
    ['a mark of run without run', fence('sh status=402'), /without run/],
    ['half a pair', fence('sh run save="JOB"'), /should read/],
  ])('refuse %s', (_what, body, message) => {
    expect(() => readGuideBlocks(body)).toThrow(message)
  })
})

test('a fence can name a status, a value to save and one to wait for', () => {
  expect(readFenceInfo('sh tab="with curl" run status=202 save="JOB=jobId" until="status=completed"')).toEqual({
    language: 'sh',
    tab: 'with curl',
    isResponse: false,
    run: {
      status: 202,
      save: { variable: 'JOB', field: 'jobId' },
      until: { field: 'status', value: 'completed' },
    },
  })
  expect(readFenceInfo('')).toEqual({ language: '', tab: null, isResponse: false, run: null })
})

describe('front matter', () => {
  const file = (head: string) => `---\n${head}\n---\n\nText`
  const whole = 'title: A: b\nsummary: One sentence.\ngroup: Start\norder: 10'

  test('is read in any order, with colons in values', () => {
    const facts = { slug: 'a', title: 'A: b', summary: 'One sentence.', group: 'Start', order: 10, body: 'Text' }
    expect(readFrontMatter('a', file(whole))).toEqual(facts)
    expect(readFrontMatter('a', file(whole.split('\n').reverse().join('\n')))).toEqual(facts)
  })

  test.each([
    ['is missing', 'Text', /does not begin/],
    ['lacks a field', file('title: A\ngroup: B\norder: 1'), /needs a title/],
    ['has a word as its order', file(whole.replace('10', 'ten')), /an order/],
    ['has an unknown field', file(`${whole}\nauthor: me`), /unknown field "author"/],
  ])('is refused where it %s', (_what, text, message) => {
    expect(() => readFrontMatter('a', text)).toThrow(message)
  })
})
