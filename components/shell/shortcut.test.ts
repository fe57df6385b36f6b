import { describe, expect, it } from 'vitest'
import { ROLE_LEVELS } from '@/server/accounts/shape'
import { navigationItems } from './navigation-items'
import { shortcutOf } from './shortcut'

const press = (key: string, more = {}) => ({
  key,
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  isTyping: false,
  ...more,
})

describe('the shortcuts of a page', () => {
  it('are off in fields, and with the browser’s own modifiers', () => {
    for (const key of ['?', 'g', 'o']) expect(shortcutOf(press(key, { isTyping: true }), true)).toBeNull()
    expect(shortcutOf(press('g', { ctrlKey: true }), false)).toBeNull()
  })

  it('go to a page with g and its letter, and no two pages have the same letter', () => {
    expect(shortcutOf(press('g'), false)).toEqual({ kind: 'wait' })
    expect(shortcutOf(press('u'), true)).toEqual({ kind: 'go', key: 'u' })
    expect(shortcutOf(press('u'), false)).toBeNull()
    const letters = navigationItems({ isAdmin: true, may: ROLE_LEVELS }).map(({ go }) => go)
    expect(new Set(letters).size).toBe(letters.length)
  })

  it('list themselves with a question mark', () => {
    expect(shortcutOf(press('?'), false)).toEqual({ kind: 'help' })
  })
})
