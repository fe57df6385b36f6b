import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { at } from './root.mjs'

/** What was built, beside the processes: `{ commit, build }`, read by version.ts. */
export const BUILD_RECORD = 'dist/build.json'

/** A text file, or nothing where it cannot be read. */
function textOf(/** @type {string} */ file) {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}

/**
 * The commit of a checkout from its folder `.git`, for a machine without git, such as the one that
 * builds an image. Empty: not there.
 * @param {string} folder
 */
export function commitInFolder(folder) {
  const head = textOf(path.join(folder, 'HEAD'))
  if (!head.startsWith('ref: ')) return head
  const ref = head.slice('ref: '.length)
  const packed = textOf(path.join(folder, 'packed-refs')).split('\n')
  return textOf(path.join(folder, ref)) || (packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0] ?? '')
}

/** As the caller says, else as git does, with `-dirty` where files were changed since. */
export function headCommit() {
  const git = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'], {
    cwd: at(),
    encoding: 'utf8',
  })
  const known = process.env.COMMIT_SHA || (git.status === 0 ? git.stdout.trim() : '') || commitInFolder(at('.git'))
  return known || null
}

/**
 * Writes down the commit, and an id of what was built: the same for the same sources, whatever
 * machine builds them.
 * @param {string[]} stamps What was remembered of the sources of each part.
 */
export function recordBuild(stamps) {
  const hash = createHash('sha256')
  for (const stamp of stamps.filter((file) => existsSync(at(file))))
    hash.update(`${textOf(at(stamp)).split('\n')[0]}\0`)
  const record = { commit: headCommit(), build: hash.digest('hex').slice(0, 8) }
  writeFileSync(at(BUILD_RECORD), `${JSON.stringify(record)}\n`)
}
