import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** What changed in each release, newest first, from the source tree and from `dist/` alike. */
export async function readChangelog(): Promise<string> {
  const here = import.meta.dirname
  const places = ['..', '../..'].map((up) => path.join(here, up, 'CHANGELOG.md'))
  return readFile(places.find((place) => existsSync(place)) ?? path.resolve('CHANGELOG.md'), 'utf8')
}
