import type { UnknownRecord } from '../../kit/record'
import type { ScriptStep } from '../script/script'
import type { SimulatedCompletion } from './completion'
import type { StreamMove } from './reply'

/** What a stream needs to know. `gone` aborts when the caller has left. */
export type StreamAsk = { asked: UnknownRecord; gone: AbortSignal }

/** A wire that the sandbox's models answer in. `asked` is the request's body as it came. */
export type SandboxWire = {
  /** The request in the form of a chat completion, which is what the scripts are read from. */
  toChatForm: (asked: UnknownRecord) => UnknownRecord
  errorBody: (step: ScriptStep, status: number) => UnknownRecord
  answerBody: (made: SimulatedCompletion, step: ScriptStep, asked: UnknownRecord) => UnknownRecord
  /**
   * The answer as a stream of moves, with the script's pauses and accidents. Ends early when `gone`
   * aborts.
   */
  streamMoves: (made: SimulatedCompletion, step: ScriptStep, ask: StreamAsk) => AsyncGenerator<StreamMove>
}
