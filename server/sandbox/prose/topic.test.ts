import { describe, expect, it } from 'vitest'
import { topicOf } from './topic'

describe('a topic', () => {
  it.each([
    ['toll roads in the alps', 'toll roads in the Alps', 'toll roads in the Alps', 'buy'],
    ['how do I make sourdough bread?', 'how to make sourdough bread', 'making sourdough bread', 'howto'],
    ['Rust vs Go', 'Rust vs Go', 'the choice between Rust and Go', 'compare'],
    ['best laptops 2026', 'best laptops 2026', 'laptops', 'buy'],
    ['who is Ada Lovelace', 'Ada Lovelace', 'Ada Lovelace', 'general'],
    [
      'Please search the web for the latest news about climate change',
      'the latest news about climate change',
      'climate change',
      'news',
    ],
    ['"tide tables" harbour -moon site:x.example OR', 'tide tables harbour', 'tide tables harbour', 'general'],
    ['C++ e-bikes', 'C++ e-bikes', 'C++ e-bikes', 'general'],
    ['天气 东京', '天气 东京', '天气 东京', 'general'],
    ['!! ?', 'everyday life', 'everyday life', 'general'],
  ])('of %j', (asked, head, name, intent) => {
    expect(topicOf(asked)).toMatchObject({ head, name, intent })
  })

  it.each([
    ['cafés in Lyon', 'Lyon cafe'],
    ['night trains', 'the best night train'],
    ['laptop prices', 'best laptops 2026'],
  ])('is the same of %j and of %j', (one, other) => {
    expect(topicOf(one).key).toBe(topicOf(other).key)
  })

  it.each([
    'toll roads in the Alps',
    'how to fix a flat tyre',
    'What is the price of Bitcoin?',
    `${'word '.repeat(80)}`,
  ])('can be derived again from its text: %j', (asked) => {
    const topic = topicOf(asked)
    expect(topicOf(topic.text)).toEqual(topic)
    expect(topic.text.length).toBeLessThan(120)
  })
})
