export type TemperamentName = 'careful' | 'hasty' | 'verbose' | 'weak'

/** How a scripted model behaves, whatever the goal. */
export type Temperament = {
  name: TemperamentName
  /** Calls that it makes in one step at most; some models make more than a run takes. */
  callsPerStep: number
  /** Reads on where a result was cut. A model that does not answers from what it sees. */
  readsOn: boolean
  /** Asks again for calls of a group that have no result, although nothing said so. */
  checks: boolean
  /** Where its API keeps the thoughts that must come back with the next request. */
  thoughts: 'reasoning_details' | 'thought_signature' | 'reasoning_content'
  /** What it writes beside its calls. */
  remark: string | null
  /** What it puts before an answer. */
  preface: string
}

const THOROUGH =
  'I have now gone through everything that the tools returned, step by step, and compared it with what was asked. Before I come to the point, here is how I proceeded, so that every number below can be followed. '

export const TEMPERAMENTS: readonly Temperament[] = [
  {
    name: 'careful',
    callsPerStep: 4,
    readsOn: true,
    checks: true,
    thoughts: 'reasoning_details',
    remark: null,
    preface: '',
  },
  {
    name: 'hasty',
    callsPerStep: 40,
    readsOn: false,
    checks: false,
    thoughts: 'thought_signature',
    remark: null,
    preface: '',
  },
  {
    name: 'verbose',
    callsPerStep: 1,
    readsOn: true,
    checks: true,
    thoughts: 'reasoning_content',
    remark: 'Let me look into this properly. I will call the tool that fits best and explain what I find afterwards.',
    preface: `${THOROUGH.repeat(4)}\n\n`,
  },
  {
    name: 'weak',
    callsPerStep: 40,
    readsOn: false,
    checks: false,
    thoughts: 'reasoning_content',
    remark: null,
    preface: '',
  },
]
