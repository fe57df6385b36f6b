import type { NewKey } from '../../server/keys/shape'
import type { UnknownRecord } from '../../server/kit/record'
import type { TestOwner } from '../support/owners'
import type { Solution } from './models/serve'

/** Where the servers of an evaluation are. */
export type Places = { pages: string; sandbox: string }

export type EvalStep = {
  index: number
  kind: string
  name: string
  creditsCharged: number
  input: UnknownRecord | null
  output: UnknownRecord | null
  error: { code: string; message: string } | null
}

/** What a run asked a person. */
export type AskedPerson = { kind: string; question?: string; plan?: string; approval?: UnknownRecord }

/** A finished run, as its owner can see it over the API. */
export type Outcome = {
  places: Places
  owner: TestOwner
  status: string
  result: string
  /** The body of its poll. */
  job: UnknownRecord
  steps: EvalStep[]
  asked: AskedPerson[]
  /** GET of a URL that the run gave, through the service where that is its host. */
  fetch: (url: string) => Promise<{ status: number; type: string; text: string }>
}

type PersonAnswer = { approved: boolean; feedback?: string }

/** A goal with a checkable outcome. */
export type Goal = Solution & {
  id: string
  /** The agent whose field it is about. */
  agent: string
  text: (places: Places) => string
  /** Further fields of the request that starts it. */
  start?: UnknownRecord
  /** Sizes of the scripted model; the usual one has 200,000 tokens. */
  isSmallContext?: boolean
  key?: Partial<NewKey>
  /** A turn before, in the same conversation. */
  earlier?: Solution & { text: (places: Places) => string }
  prepare?: (owner: TestOwner) => Promise<void>
  /** What the person answers; by default everything is approved. */
  person?: (asked: AskedPerson, nth: number) => PersonAnswer
  /** Statuses that are right; by default `completed`. */
  ends?: readonly string[]
  /** What it is about happens at the provider of the scripted models alone. */
  isScriptedOnly?: boolean
  /** It is about a habit of weak models, and given to the weak one alone. */
  isHabit?: boolean
  /** What the whole run may cost to be worth it. */
  maxCredits: number
  /** What is wrong with the outcome: nothing, when it was met. */
  check: (outcome: Outcome) => Promise<string[]> | string[]
}
