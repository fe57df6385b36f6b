import { describe, expect, it } from 'vitest'
import { everyTool } from '../../../tests/support/flow-run'
import { directCall } from './direct-calls'

const run = { tools: everyTool }
const search = { name: 'web_search', arguments: '{"query":"tolls"}' }
const through = (given: unknown) => directCall(run, { name: 'tools_call', arguments: JSON.stringify(given) })

describe('a call through tools_call', () => {
  it.each([
    ['as a text', { name: 'web_search', input: '{"query":"tolls"}' }],
    ['as an object', { name: ' web_search', input: { query: 'tolls' } }],
    ['under another name', { name: 'web_search', arguments: { query: 'tolls' } }],
    ['beside the name', { name: 'web_search', query: 'tolls' }],
    ['for a name that is nearly right', { name: 'search_web', input: '{"query":"tolls"}' }],
  ])('is one of its tool, with the input %s', (_how, given) => {
    expect(through(given)).toEqual(search)
  })

  it('stays what it is where it names no tool, or its arguments are broken', () => {
    expect(through({ input: '{}' })).toMatchObject({ name: 'tools_call' })
    expect(directCall(run, { name: 'tools_call', arguments: '{"name":' })).toMatchObject({ name: 'tools_call' })
  })

  it('keeps broken input, which its step is refused for', () => {
    expect(through({ name: 'web_search', input: '{"query":' })).toEqual({ name: 'web_search', arguments: '{"query":' })
  })
})

describe('a name that does not exist', () => {
  it('is that of the tool that it nearly is, which only reads and takes the parameters', () => {
    const made = { name: 'get_crypto_prices', arguments: '{"coinIds":["solana"]}' }
    expect(directCall(run, made)).toEqual({ ...made, name: 'crypto_get_prices' })
  })

  it('stays where the parameters do not fit, or the tool changes something', () => {
    for (const made of [
      { name: 'get_crypto_prices', arguments: '{"coins":["solana"]}' },
      { name: 'delete_dataset', arguments: '{"name":"orders"}' },
      { name: 'something_else', arguments: '{"query":"tolls"}' },
    ])
      expect(directCall(run, made)).toBe(made)
  })
})
