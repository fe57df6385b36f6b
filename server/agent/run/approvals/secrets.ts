import { memoize } from '../../../kit/memoize'
import { trimEnd } from '../../../kit/trim-end'
import type { RunStep } from '../state'

/** What nothing but a secret looks like, wherever it stands. */
const FORMATS =
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----|\b(?:sk|rk)[-_][\w-]{16,}|\btgm?_[0-9A-Za-z]{36}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abeprs]-[\w-]{10,}|\bA(?:KIA|SIA)[0-9A-Z]{16}|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bnpm_\w{30,}|\bhf_\w{30,}|\bSG\.[\w-]{20,}|\beyJ[\w-]{16,}|:\/\/[^\s/:@]{1,100}:[^\s/@]{1,200}@/g

/** Words that say that a secret follows, those for a password first, and what follows. */
const LABELLED =
  /(?:(pass(?:word|wd|phrase|wort|code)|kennwort|contraseña|mot de passe)|secret(?:[ _-]?access)?(?:[ _-]?key)?|(?:api|access|private|auth|signing|encryption|master)[ _-]?(?:key|token|code)|token|bearer|credentials?|\bpin(?: code)?)["'`\\]{0,4}\s{0,2}(is\b|[:=]|->|→|[ _-])\s{0,2}["'`\\]{0,4}([^\s"'`\\,;<>&]{4,200})/giu

const MIN_CHARS = 4
/** Shorter ones are searched for as whole words. */
const MIN_PART_CHARS = 8
const MAX_TEXT_CHARS = 2_000_000
const MAX_SECRETS = 300
const TRAILING = '.,;:!?)]}'

const hasDigit = (text: string): boolean => /\d/.test(text)

/** What follows a label, if it is a secret and not the next word of a sentence. */
function labelledValue([, password, separator = '', found = '']: RegExpMatchArray): string[] {
  const value = trimEnd(found, TRAILING)
  if (value.length < MIN_CHARS || /^https?:/i.test(value) || isPublicName(value)) return []
  const isAssigned = separator === ':' || separator === '='
  return hasDigit(value) || (password !== undefined && isAssigned) ? [value] : []
}

/** Addresses of accounts and contracts, and names of commits, are long and random but public. */
const isPublicName = (word: string): boolean =>
  /^(0x[0-9a-f]{40}|[13][1-9A-HJ-NP-Za-km-z]{25,34}|[0-9a-f]{40})$/i.test(word)

/** Long words of random characters. */
function isRandom(word: string): boolean {
  if (word.length < 20 || word.length > 128 || !hasDigit(word) || isPublicName(word)) return false
  if (/^[0-9a-f]{32,}$/i.test(word)) return /[a-f]/i.test(word)
  const count = (of: RegExp) => word.match(of)?.length ?? 0
  return count(/\d/g) > 2 && count(/[a-z]/g) > 2 && count(/[A-Z]/g) > 2
}

/** Random words outside of addresses, which are full of them. */
const randomWords = (text: string): string[] =>
  text
    .split(/[\s"'`<>]+/)
    .filter((word) => !word.includes('://'))
    .flatMap((word) => word.split(/[^A-Za-z0-9_+=~-]+/))
    .filter(isRandom)

/** What looks like a secret in a text of the owner's. */
export function secretsIn(whole: string): string[] {
  const text = whole.slice(0, MAX_TEXT_CHARS)
  const found = [
    ...formattedSecrets(text),
    ...[...text.matchAll(LABELLED)].flatMap(labelledValue),
    ...randomWords(text),
  ]
  return [...new Set(found)].slice(0, MAX_SECRETS)
}

/** What cannot be anything but a secret, in a text from wherever. */
export const formattedSecrets = (text: string): string[] => text.match(FORMATS) ?? []

/** What looks like a secret in the result or the error of a step that has read the owner's data. */
export const secretsOfStep = memoize(({ output, error }: RunStep): string[] =>
  secretsIn(JSON.stringify(error ?? output ?? '')),
)

const isWordChar = (char: string | undefined): boolean => char !== undefined && /[A-Za-z0-9]/.test(char)

/** Whether a text contains a secret; a short one as a word of its own. */
export function containsSecret(text: string, secret: string): boolean {
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    if (secret.length >= MIN_PART_CHARS) return true
    if (!isWordChar(text[at - 1]) && !isWordChar(text[at + secret.length])) return true
  }
  return false
}
