import { describe, expect, it } from 'vitest'
import { mayAs, ROLE_LEVELS, type Role } from '@/server/accounts/shape'
import { commandGroups, optionAfter, pageCommands } from './commands'
import { withRecent } from './recent'

const pages = pageCommands({ isAdmin: false, may: ROLE_LEVELS })
const of = (kind: string, label: string) => ({ kind, label, note: '', href: `/${kind}/${label}` })

describe('the search', () => {
  it('begins with what was opened last, then all pages', () => {
    const groups = commandGroups({ typed: '', pages, recent: [of('key', 'night')], found: [] })
    expect(groups.map(({ title }) => title)).toEqual(['Recent', 'Pages'])
    expect(groups[1]?.items).toHaveLength(pages.length)
  })

  it('shows pages with all words, and results by kind', () => {
    const found = [of('model', 'gale'), of('key', 'create nothing'), of('job', 'create')]
    const groups = commandGroups({ typed: 'key Create', pages, recent: [of('key', 'night')], found })
    expect(groups.map(({ title, items }) => [title, items.map(({ label }) => label)])).toEqual([
      ['Pages', ['Create key']],
      ['Jobs', ['create']],
      ['Keys', ['create nothing']],
      ['Models', ['gale']],
      ['Lists', ['Jobs with “key Create”', 'Keys with “key Create”']],
    ])
  })

  it('has the page of operators only for them', () => {
    const hrefs = (isAdmin: boolean) => pageCommands({ isAdmin, may: ROLE_LEVELS }).map(({ href }) => href)
    expect(hrefs(true)).toContain('/operators')
    expect(hrefs(false)).not.toContain('/operators')
  })

  it('has only the pages that a role may open', () => {
    const hrefs = (role: Role) =>
      pageCommands({ isAdmin: false, may: ROLE_LEVELS.filter((least) => mayAs(role, least)) }).map(({ href }) => href)
    expect(hrefs('billing')).toContain('/credits')
    expect(hrefs('billing').filter((href) => /^\/(overview|keys|jobs|playground)/.test(href))).toEqual([])
    expect(hrefs('developer')).toContain('/keys/new')
    expect(hrefs('developer')).not.toContain('/credits')
    expect(hrefs('viewer')).not.toContain('/keys/new')
  })

  it('remembers six things, the last opened first, each once', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'b']
    const list = names.reduce<ReturnType<typeof withRecent>>((kept, name) => withRecent(kept, of('key', name)), [])
    expect(list.map(({ label }) => label)).toEqual(['b', 'g', 'f', 'e', 'd', 'c'])
  })

  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 9, 0],
    ['ArrowUp', 0, 9],
    ['PageDown', 5, 9],
    ['PageUp', 5, 0],
    ['a', 5, null],
  ])('moves with %s from %i to %s of ten', (key, at, to) => {
    expect(optionAfter(key, at, 10)).toBe(to)
  })
})
