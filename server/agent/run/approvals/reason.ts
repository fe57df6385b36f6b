import type { Known } from './origins'

const MAX_SOURCES = 8

function listSources(all: readonly string[]): string {
  const sources = [...new Set(all)]
  const rest = sources.length - MAX_SOURCES
  return sources.slice(0, MAX_SOURCES).join('; ') + (rest > 0 ? `; and ${rest} more` : '')
}

/** A secret as a person recognizes it. */
const hint = (secret: string): string => `${secret.slice(0, Math.min(4, secret.length / 2))}…`

/** Why a person is asked: what looks like a secret, and what the run has read. */
export function reasonFor({
  isTainted,
  secrets,
  known,
}: {
  isTainted: boolean
  secrets: readonly string[]
  known: Known
}) {
  const { foreign, private: own } = known
  return [
    ...(secrets.length > 0 ? [`It contains what looks like a secret: ${listSources(secrets.map(hint))}.`] : []),
    ...(isTainted ? ['Text by strangers can make an agent give away what it knows.'] : []),
    ...(foreign.length > 0 ? [`Text by strangers it has read: ${listSources(foreign)}.`] : []),
    own.length > 0 ? `Private data it has read: ${listSources(own)}.` : 'It has read no private data.',
  ].join(' ')
}
