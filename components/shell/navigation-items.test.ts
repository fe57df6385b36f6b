import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROLE_LEVELS } from '@/server/accounts/shape'
import { SOURCE_ROOT } from '../../tests/support/source-imports'
import { navigationItems } from './navigation-items'

/** Whether a folder of `app/` has a page, perhaps in a group such as `(list)`. */
function hasPage(folder: string): boolean {
  if (!existsSync(folder)) return false
  return readdirSync(folder).some(
    (name) => name === 'page.tsx' || (name.startsWith('(') && existsSync(path.join(folder, name, 'page.tsx'))),
  )
}

test.each(navigationItems({ isAdmin: true, may: ROLE_LEVELS }))('$label leads to a page', ({ href }) => {
  const folders = ['(dashboard)', '(public)'].map((group) => path.join(SOURCE_ROOT, 'app', group, href))
  expect(folders.some(hasPage)).toBe(true)
})
