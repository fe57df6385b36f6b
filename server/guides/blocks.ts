import { type FenceInfo, readFenceInfo } from './fence'
import type { GuideBlock } from './shape'

type Fence = FenceInfo & { kind: 'fence'; code: string }
type Piece = { kind: 'text'; markdown: string } | Fence

/** Prose and fences, in their order. An indented fence, as in a list, is part of the prose. */
function splitFences(body: string): Piece[] {
  const pieces: Piece[] = []
  let open: { marks: string; info: string } | null = null
  let lines: string[] = []
  for (const line of body.split('\n')) {
    const [, marks, info = ''] = /^(`{3,})(.*)$/.exec(line) ?? []
    if (!open && marks) {
      pieces.push({ kind: 'text', markdown: lines.join('\n').trim() })
      open = { marks, info }
      lines = []
    } else if (open && line === open.marks) {
      pieces.push({ kind: 'fence', ...readFenceInfo(open.info), code: lines.join('\n') })
      open = null
      lines = []
    } else lines.push(line)
  }
  if (open) throw new Error(`A fence of a guide is not closed: ${open.marks}${open.info}`)
  pieces.push({ kind: 'text', markdown: lines.join('\n').trim() })
  return pieces.filter((piece) => piece.kind === 'fence' || piece.markdown !== '')
}

/**
 * The blocks of a guide's body. Adjacent fences with a `tab` are one block, and a `response`
 * belongs to the block right above it. Throws where a mark is unknown or a response has nothing
 * above it.
 */
export function readGuideBlocks(body: string): GuideBlock[] {
  const blocks: GuideBlock[] = []
  for (const piece of splitFences(body)) {
    const last = blocks.at(-1)
    const above = last?.kind === 'code' && last.response === null ? last : null
    if (piece.kind === 'text') blocks.push(piece)
    else if (piece.isResponse) {
      if (!above) throw new Error('A response of a guide has no example right above it.')
      above.response = { language: piece.language, code: piece.code }
    } else {
      const { language, code, tab, run } = piece
      const example = { language, code, tab, run }
      if (tab !== null && above?.examples.every((one) => one.tab !== null)) above.examples.push(example)
      else blocks.push({ kind: 'code', examples: [example], response: null })
    }
  }
  return blocks
}
