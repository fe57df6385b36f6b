import type { KeyState } from '@/server/keys/shape'
import { Badge, type Tone } from '../ui/badge'

const LOOKS: Record<KeyState, { tone: Tone; word: string }> = {
  active: { tone: 'accent', word: 'Active' },
  spent: { tone: 'warn', word: 'Used up' },
  expired: { tone: 'plain', word: 'Expired' },
  revoked: { tone: 'plain', word: 'Revoked' },
}

/** The states of keys, for a filter. */
export const KEY_STATES = Object.entries(LOOKS).map(([id, { word }]) => ({ id, word }))

export const KeyStateBadge = ({ state }: { state: KeyState }) => (
  <Badge tone={LOOKS[state].tone}>{LOOKS[state].word.toLowerCase()}</Badge>
)
