import { describe, expect, it } from 'vitest'
import { HOME, type PodEntry, type PodFiles } from './driver'
import { checkWritable, fileAt, followLinks, podPath } from './path'

const file: PodEntry = { kind: 'file', bytes: Buffer.from('x'), mode: 0o644, mtimeMs: 0 }
const files: PodFiles = new Map<string, PodEntry>([
  [`${HOME}/a`, file],
  [`${HOME}/d`, { kind: 'folder', mode: 0o755 }],
  [`${HOME}/d/b`, file],
  [`${HOME}/to-a`, { kind: 'link', to: 'a' }],
  [`${HOME}/to-d`, { kind: 'link', to: `${HOME}/d` }],
  [`${HOME}/loop`, { kind: 'link', to: 'loop' }],
  [`${HOME}/out`, { kind: 'link', to: '/bin/ls' }],
])

it.each([
  ['a', `${HOME}/a`],
  ['./d/../a', `${HOME}/a`],
  ['../../../../etc/passwd', '/etc/passwd'],
  ['/tmp/x', '/tmp/x'],
  ['~', HOME],
  ['~/a', `${HOME}/a`],
])('%s is %s', (given, path) => expect(podPath(HOME, given)).toBe(path))

describe('links', () => {
  it('are followed, also in the middle of a path', () => {
    expect(followLinks(files, `${HOME}/to-a`)).toBe(`${HOME}/a`)
    expect(followLinks(files, `${HOME}/to-d/b`)).toBe(`${HOME}/d/b`)
    expect(fileAt(files, `${HOME}/to-d/b`)).toBe(file)
  })
  it('that lead in a circle are refused', () => {
    expect(() => followLinks(files, `${HOME}/loop`)).toThrow('leads to itself')
  })
})

it.each([
  ['/', 'folder'],
  [HOME, 'folder'],
  [`${HOME}/d`, 'folder'],
  [`${HOME}/a/below`, 'is a file'],
  ['/bin/ls', 'system'],
  ['/etc/passwd', 'system'],
  ['/dev/null', 'system'],
])('nothing can be written at %s', (path, why) => expect(() => checkWritable(files, path)).toThrow(why))

it.each([`${HOME}/a`, `${HOME}/new/deep/x`, '/tmp/x', '/srv/x'])('%s can be written', (path) => {
  expect(() => checkWritable(files, path)).not.toThrow()
})
