import { describe, expect, it } from 'vitest'
import { checkWritablePath, followLinks, podFileAt, resolvePodPath } from './path'
import { POD_HOME, type PodEntry, type PodFiles } from './pod-files'

const file: PodEntry = { kind: 'file', bytes: Buffer.from('x'), mode: 0o644, mtimeMs: 0 }
const files: PodFiles = new Map<string, PodEntry>([
  [`${POD_HOME}/a`, file],
  [`${POD_HOME}/d`, { kind: 'folder', mode: 0o755 }],
  [`${POD_HOME}/d/b`, file],
  [`${POD_HOME}/to-a`, { kind: 'link', to: 'a' }],
  [`${POD_HOME}/to-d`, { kind: 'link', to: `${POD_HOME}/d` }],
  [`${POD_HOME}/loop`, { kind: 'link', to: 'loop' }],
  [`${POD_HOME}/out`, { kind: 'link', to: '/bin/ls' }],
])

it.each([
  ['a', `${POD_HOME}/a`],
  ['./d/../a', `${POD_HOME}/a`],
  ['../../../../etc/passwd', '/etc/passwd'],
  ['/tmp/x', '/tmp/x'],
  ['~', POD_HOME],
  ['~/a', `${POD_HOME}/a`],
])('%s is %s', (given, path) => expect(resolvePodPath(POD_HOME, given)).toBe(path))

describe('links', () => {
  it('are followed, also in the middle of a path', () => {
    expect(followLinks(files, `${POD_HOME}/to-a`)).toBe(`${POD_HOME}/a`)
    expect(followLinks(files, `${POD_HOME}/to-d/b`)).toBe(`${POD_HOME}/d/b`)
    expect(podFileAt(files, `${POD_HOME}/to-d/b`)).toBe(file)
  })
  it('that form a loop are refused', () => {
    expect(() => followLinks(files, `${POD_HOME}/loop`)).toThrow('leads to itself')
  })
})

it.each([
  ['/', 'folder'],
  [POD_HOME, 'folder'],
  [`${POD_HOME}/d`, 'folder'],
  [`${POD_HOME}/a/below`, 'is a file'],
  ['/bin/ls', 'system'],
  ['/etc/passwd', 'system'],
  ['/dev/null', 'system'],
])('nothing can be written at %s', (path, why) => expect(() => checkWritablePath(files, path)).toThrow(why))

it.each([`${POD_HOME}/a`, `${POD_HOME}/new/deep/x`, '/tmp/x', '/srv/x'])('%s can be written', (path) => {
  expect(() => checkWritablePath(files, path)).not.toThrow()
})
