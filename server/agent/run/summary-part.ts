import { countTokensCached } from '../../models/tokens'
import { estimatePrompt } from '../../models/wires/prompt'
import { replyText } from './reply-finish'
import { type AgentRun, stepsOfRun } from './state'
import { type HistorySummary, isCurrentGoal, isSummarized, latestSummary } from './summarized'
import { type TranscriptBlock, type TranscriptMessage, transcriptBlocks } from './transcript'

/** Part of a model's context that the newest blocks may fill: they stay unsummarized. */
const KEPT_SHARE = 0.3
/** Part of a model's context that the prompt of a summary may fill. */
const PROMPT_SHARE = 0.75

/** The part of a conversation that is summarized next. */
export type SummaryPart = {
  record: string
  earlier: HistorySummary | null
  /** What the new summary covers. */
  covers: Pick<HistorySummary, 'turn' | 'upTo' | 'readChars'>
}

/** Summaries of this run that came to nothing since its last other step. */
export function failedSummaries(run: AgentRun): number {
  const steps = stepsOfRun(run)
  const last = steps.findLastIndex(({ kind, error }) => kind !== 'summary' || !error)
  return steps.length - 1 - last
}

/**
 * The blocks that no summary covers yet, without the newest ones that are small together. The
 * newest of several is never among them: the model has not seen its results.
 */
async function blocksToSummarize(run: AgentRun, earlier: HistorySummary | null): Promise<TranscriptBlock[]> {
  const blocks = transcriptBlocks(run).filter(
    (block) => !isCurrentGoal(run, block) && !(earlier && isSummarized(earlier, block)),
  )
  const sizes = await Promise.all(blocks.map(({ messages }) => estimatePrompt({ messages }, run.model)))
  let firstKept = blocks.length
  let left = run.model.contextSize * KEPT_SHARE
  while (firstKept > 0 && (sizes[firstKept - 1] ?? 0) <= left) left -= sizes[--firstKept] ?? 0
  const isEnough = firstKept > 0 && firstKept < blocks.length
  return blocks.slice(0, isEnough ? firstKept : Math.max(1, blocks.length - 1))
}

/**
 * What to summarize next: the oldest blocks, as many as fit the model with what is sent besides
 * (`otherTokens`), or the beginning of a block that does not fit alone. Nothing is left out: what
 * does not fit is in the next part. Null: there is nothing to summarize.
 */
export async function nextSummaryPart(run: AgentRun, otherTokens: number): Promise<SummaryPart | null> {
  const earlier = latestSummary(run)
  const blocks = await blocksToSummarize(run, earlier)
  const earlierTokens = earlier ? await countTokensCached(earlier.text) : 0
  const maxTokens = (run.model.contextSize * PROMPT_SHARE - earlierTokens - otherTokens) / 2 ** failedSummaries(run)
  const taken: string[] = []
  let covers: SummaryPart['covers'] | null = null
  let tokens = 0
  for (const [i, block] of blocks.entries()) {
    const whole = blockText(block)
    const read = i === 0 && earlier && earlier.readChars < whole.length ? earlier.readChars : 0
    const text = read > 0 ? `(the message goes on)\n${whole.slice(read)}` : whole
    const size = await countTokensCached(text)
    if (tokens + size > maxTokens) {
      if (i > 0) break
      const begin = await beginOf(text, maxTokens, size)
      const readChars = read + begin.length - (text.length - (whole.length - read))
      const before = earlier ?? { turn: block.turn, upTo: Number.MIN_SAFE_INTEGER }
      return { record: begin, earlier, covers: { turn: before.turn, upTo: before.upTo, readChars } }
    }
    tokens += size
    taken.push(text)
    covers = { turn: block.turn, upTo: block.upTo, readChars: 0 }
  }
  return covers && { record: taken.join('\n\n'), earlier, covers }
}

const blockText = ({ messages }: TranscriptBlock): string => messages.map(messageText).join('\n')

function messageText(message: TranscriptMessage): string {
  const { role, tool_calls: calls } = message
  return [`${role}: ${replyText(message)}`, ...(Array.isArray(calls) ? [JSON.stringify(calls)] : [])].join('\n')
}

/**
 * The beginning of a text that has no more than so many tokens, up to the end of a line or word.
 */
async function beginOf(text: string, maxTokens: number, tokens: number): Promise<string> {
  let end = Math.floor(text.length * Math.max(0.01, (maxTokens / tokens) * 0.95))
  while (end > MIN_CHARS && (await countTokensCached(text.slice(0, end))) > maxTokens) end = Math.floor(end * 0.9)
  end = Math.max(end, Math.min(MIN_CHARS, text.length))
  const breaks = [text.lastIndexOf('\n', end), text.lastIndexOf(' ', end), text.lastIndexOf(',', end)]
  const at = breaks.find((place) => place > end * 0.8) ?? end - 1
  const isPair = /[\uD800-\uDBFF]/.test(text[at] ?? '')
  return text.slice(0, at + (isPair ? 2 : 1))
}

/** A part is never smaller, so that a summary always covers something more. */
const MIN_CHARS = 1_000
