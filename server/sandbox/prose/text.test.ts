import { describe, expect, it } from 'vitest'
import { factsOf } from './facts'
import { KINDS_OF, type TextKind } from './phrasebook'
import { articleAbout, sentencesAbout } from './text'
import { topicOf } from './topic'

const QUERIES = [
  'toll roads in the alps',
  'how to make bread',
  'Rust vs Go',
  'best laptops 2026',
  'climate change',
  'latest news about Lisbon',
]
const KINDS = [...new Set(Object.values(KINDS_OF).flat())] as TextKind[]
const everyText = (query: string) =>
  KINDS_OF[topicOf(query).intent].flatMap((kind) =>
    ['a', 'b', 'c'].map((seed) => articleAbout(topicOf(query), kind, { seed })),
  )

describe('texts', () => {
  it.each(QUERIES)('about %j have its words in their titles and no open slot', (query) => {
    for (const { title, summary, sections } of everyText(query)) {
      for (const word of topicOf(topicOf(query).head).words) expect(title.toLowerCase()).toContain(word.toLowerCase())
      expect(sections.length).toBeGreaterThan(1)
      const whole = [title, summary, ...sections.map(({ text }) => text)].join(' ')
      expect(whole).not.toMatch(/[{}]|undefined|NaN/)
      expect(summary.length).toBeGreaterThan(80)
    }
  })

  it('are the same each time, and others for another seed', () => {
    const topic = topicOf('night trains')
    expect(articleAbout(topic, 'guide', { seed: 'a' })).toEqual(articleAbout(topic, 'guide', { seed: 'a' }))
    const texts = ['a', 'b', 'c', 'd'].map((seed) => JSON.stringify(articleAbout(topic, 'study', { seed })))
    expect(new Set(texts).size).toBeGreaterThan(1)
  })

  it('agree about the facts of their topic', () => {
    const { survey } = factsOf(topicOf('the best night trains'))
    const shares = everyText('night trains')
      .flatMap(({ summary, sections }) => [summary, ...sections.map(({ text }) => text)])
      .flatMap((text) => [...text.matchAll(/(\d+) percent follow the subject/g)].map(([, share]) => Number(share)))
    expect(new Set(shares)).toEqual(new Set([survey.interested]))
    expect(survey.interested + survey.uninterested + survey.undecided).toBe(100)
  })

  it('have prices only where one would ask for them', () => {
    expect(factsOf(topicOf('climate change')).cost).toBeNull()
    expect(JSON.stringify(everyText('climate change'))).not.toMatch(/€/)
    const { cost } = factsOf(topicOf('laptop prices'))
    expect(cost?.low).toBeLessThan(cost?.typical ?? 0)
    expect(KINDS).toContain('prices')
  })

  it('come as sentences too', () => {
    const sentences = sentencesAbout(topicOf('night trains'), { seed: 'x', count: 4 })
    expect(sentences).toHaveLength(4)
    for (const sentence of sentences) expect(sentence).toMatch(/^[“A-Z0-9].*[.!?”]$/)
  })
})
