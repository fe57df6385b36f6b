import { expect, test } from 'vitest'
import type { PodEntry, PodFiles } from '../pod-files'
import { lostPaths } from './lost-paths'

const file = (text: string): PodEntry => ({ kind: 'file', bytes: Buffer.from(text), mode: 0o644, mtimeMs: 0 })
const of = (entries: Record<string, PodEntry | string>): PodFiles =>
  new Map(Object.entries(entries).map(([path, e]) => [path, typeof e === 'string' ? file(e) : e]))
const folder: PodEntry = { kind: 'folder', mode: 0o755 }

test.each([
  ['nothing changed', { '/a': 'x' }, { '/a': 'x' }, []],
  ['something new', {}, { '/a': 'x' }, []],
  ['appended', { '/a': 'x' }, { '/a': 'xy' }, []],
  ['removed', { '/a': 'x' }, {}, ['/a']],
  ['removed, empty', { '/a': '' }, {}, ['/a']],
  ['overwritten', { '/a': 'x' }, { '/a': 'y' }, ['/a']],
  ['emptied', { '/a': 'x' }, { '/a': '' }, ['/a']],
  ['moved', { '/a': 'x' }, { '/b': 'x' }, []],
  ['moved and appended to', { '/a': 'x' }, { '/b': 'xy' }, []],
  ['overwritten after a copy was made', { '/a': 'x' }, { '/a': 'y', '/b': 'x' }, []],
  ['removed while another has the same content', { '/a': 'x', '/b': 'x' }, { '/b': 'x' }, ['/a']],
  ['moved over another', { '/a': 'x', '/b': 'y' }, { '/b': 'x' }, ['/b']],
  ['a folder gone', { '/d': folder }, {}, []],
  ['a file turned folder', { '/a': 'x' }, { '/a': folder }, ['/a']],
  ['a link gone', { '/l': { kind: 'link', to: 'x' } }, {}, ['/l']],
  ['a link moved', { '/l': { kind: 'link', to: 'x' } }, { '/m': { kind: 'link', to: 'x' } }, []],
  ['a link led elsewhere', { '/l': { kind: 'link', to: 'x' } }, { '/l': { kind: 'link', to: 'y' } }, ['/l']],
] as [string, Record<string, PodEntry | string>, Record<string, PodEntry | string>, string[]][])(
  '%s',
  (_what, before, after, lost) => expect(lostPaths(of(before), of(after))).toEqual(lost),
)
