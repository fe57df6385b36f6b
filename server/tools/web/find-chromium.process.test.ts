import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findChromiumPath } from './find-chromium'

const home = mkdtempSync(path.join(tmpdir(), 'tollgate-home-'))
afterAll(() => rmSync(home, { recursive: true }))

function put(file: string): string {
  const at = path.join(home, file)
  mkdirSync(path.dirname(at), { recursive: true })
  writeFileSync(at, '')
  return at
}

const downloaded = (name: string) => path.join('.cache', 'ms-playwright', name)

it('finds the one that is set and no other, else the usual ones in their order, else the newest download', () => {
  const old = put(downloaded('chromium_headless_shell-9/chrome-headless-shell-linux64/chrome-headless-shell'))
  expect(findChromiumPath(undefined, { usual: [], home })).toBe(old)
  const whole = put(downloaded('chromium-10/chrome-linux64/chrome'))
  expect(findChromiumPath(undefined, { usual: [], home })).toBe(whole)
  const shell = put(downloaded('chromium_headless_shell-10/chrome-headless-shell-linux-arm64/chrome-headless-shell'))
  expect(findChromiumPath(undefined, { usual: [], home })).toBe(shell)
  const [first, second] = [put('first'), put('second')]
  expect(findChromiumPath('', { usual: ['/none', first, second], home })).toBe(first)
  expect(findChromiumPath(second, { usual: [first], home })).toBe(second)
  expect(findChromiumPath('/none', { usual: [first], home })).toBeNull()
  expect(findChromiumPath(undefined, { usual: [], home: '/none' })).toBeNull()
})
