import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { at } from './root.mjs'

const IGNORED = /(\.test\.tsx?|^\..*|^generated)$/

/** @param {string} file @returns {string[]} */
function filesIn(file) {
  if (!existsSync(at(file))) return []
  return statSync(at(file)).isDirectory() ? filesBelow(file) : [file]
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  const inside = readdirSync(at(folder), { withFileTypes: true }).filter(({ name }) => !IGNORED.test(name))
  return inside
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesBelow(file) : [file]
    })
}

/** One hash over the names of files and what is said of each. */
function hashOf(/** @type {string[]} */ files, /** @type {(file: string) => string | Buffer} */ say) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(say(file)).update('\0')
  return hash.digest('hex')
}

const hashOfContents = (/** @type {string[]} */ files) => hashOf(files, (file) => readFileSync(at(file)))

/** Changes with every write to one of the files, and takes a tenth of the time of reading them. */
const hashOfTimes = (/** @type {string[]} */ files) =>
  hashOf(files, (file) => {
    const { size, mtimeMs, ctimeMs } = statSync(at(file))
    return `${size} ${mtimeMs} ${ctimeMs}`
  })

/**
 * Whether something was made from what these files and folders, tests left out, contain now, as
 * `remember` has written it to `stamp`. Files are read only where one was touched since.
 * @param {string} stamp
 * @param {string[]} inputs
 */
export function isFresh(stamp, inputs) {
  if (!existsSync(at(stamp))) return false
  const [contents, times] = readFileSync(at(stamp), 'utf8').split('\n')
  const files = inputs.flatMap(filesIn)
  const now = hashOfTimes(files)
  if (now === times) return true
  if (hashOfContents(files) !== contents) return false
  try {
    writeFileSync(at(stamp), `${contents}\n${now}`)
  } catch {
    // Somebody else's installation: it is read again next time.
  }
  return true
}

/**
 * Remembers in `stamp` what these files and folders contain.
 * @param {string} stamp
 * @param {string[]} inputs
 */
export function remember(stamp, inputs) {
  const files = inputs.flatMap(filesIn)
  // Before the contents: a write in between makes the contents count.
  const times = hashOfTimes(files)
  mkdirSync(path.dirname(at(stamp)), { recursive: true })
  writeFileSync(at(stamp), `${hashOfContents(files)}\n${times}`)
}
