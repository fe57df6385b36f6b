import { MAX_LOGGED_BYTES } from './bounded-json'
import { isLogOffered, logCall } from './record'

type Piece = { lane: string; text: string }

/** Puts together what a model writes, for the request log. */
export type ModelLog = {
  /** Adds the texts of a chunk or an answer; pieces of one lane are one text. */
  addTexts: (pieces: readonly Piece[]) => void
  /** The call has ended; `more` is what the response has beside the texts. */
  end: (more: Record<string, unknown>) => void
}

type OpenCall = { id: string; ownerId: number; request: unknown }

/** The log of a call of a model; null while no request is kept here. */
export function openModelLog(call: OpenCall): ModelLog | null {
  if (!isLogOffered()) return null
  const lanes = new Map<string, string[]>()
  let size = 0
  return {
    addTexts: (pieces) => {
      for (const { lane, text } of pieces) {
        // A little more than what is kept shows that it was cut.
        if (size > MAX_LOGGED_BYTES) return
        const kept = text.slice(0, MAX_LOGGED_BYTES + 1)
        size += kept.length
        const known = lanes.get(lane)
        if (known) known.push(kept)
        else lanes.set(lane, [kept])
      }
    },
    end: (more) => {
      const output = [...lanes].map(([part, texts]) => ({ part, text: texts.join('') }))
      logCall({ ...call, response: { ...(output.length > 0 && { output }), ...more } })
    },
  }
}
