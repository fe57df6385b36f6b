import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { at } from './root.mjs'

const IGNORED = /(\.test\.tsx?|^\..*|^generated)$/

/** @param {string} file @returns {string[]} */
function filesIn(file) {
  const full = at(file)
  if (!existsSync(full)) return []
  if (!statSync(full).isDirectory()) return [file]
  const inside = readdirSync(full).filter((name) => !IGNORED.test(name))
  return inside.sort().flatMap((name) => filesIn(path.join(file, name)))
}

/** One hash over the names and contents of files and folders, tests left out. */
function fingerprint(/** @type {string[]} */ inputs) {
  const hash = createHash('sha256')
  for (const file of inputs.flatMap(filesIn))
    hash
      .update(`${file}\0`)
      .update(readFileSync(at(file)))
      .update('\0')
  return hash.digest('hex')
}

/**
 * Remembers in `stamp` that something was made from these inputs.
 * @param {string} stamp
 * @param {string[]} inputs
 */
export function isFresh(stamp, inputs) {
  return existsSync(at(stamp)) && readFileSync(at(stamp), 'utf8') === fingerprint(inputs)
}

/** @param {string} stamp @param {string[]} inputs */
export function remember(stamp, inputs) {
  mkdirSync(path.dirname(at(stamp)), { recursive: true })
  writeFileSync(at(stamp), fingerprint(inputs))
}
