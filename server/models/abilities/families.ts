import type { Effort } from '../shape'
import type { Abilities } from './shape'

type Known = Partial<Abilities>
type Family = { names: RegExp; abilities: Known }

const OPENAI_LIMITS = { maxTemperature: 2 }
const REASONING: Effort[] = ['low', 'medium', 'high']
/** Settings of how tokens are chosen, which models that reason do not take. */
export const NO_SAMPLING = 'temperature top_p presence_penalty frequency_penalty'.split(' ')
const NO_CHOICE_OF_TOKENS = ['stop', 'logprobs', 'top_logprobs', 'logit_bias']

const without = (...fields: string[]): Abilities['parameters'] =>
  Object.fromEntries(fields.map((field) => [field, false]))

/** OpenAI's models that reason: what would steer the choice of tokens is not taken. */
const reasoner = (efforts: Effort[], more: Known = {}): Known => ({
  parameters: without(...NO_CHOICE_OF_TOKENS),
  limits: OPENAI_LIMITS,
  schemaDialect: 'openai',
  efforts,
  sampling: 'none',
  limitField: 'max_completion_tokens',
  ...more,
})

const openai = (more: Known = {}): Known => ({
  parameters: without('verbosity'),
  limits: { ...OPENAI_LIMITS, maxStop: 4 },
  schemaDialect: 'openai',
  efforts: [],
  ...more,
})

const claude = (thinking: Abilities['thinking'], more: Known = {}): Known => ({
  limits: { maxTemperature: 1 },
  schemaDialect: 'anthropic',
  efforts: [],
  thinking,
  ...more,
})

/**
 * What the models of known families take, as their providers document it:
 * platform.openai.com/docs (guides/reasoning, guides/latest-model, api-reference),
 * docs.anthropic.com (extended-thinking, adaptive-thinking, effort, structured-outputs,
 * api/messages, about-claude/models), docs.x.ai (guides/reasoning),
 * ai.google.dev/gemini-api/docs/openai. By name without its provider, in lower case, dots as
 * hyphens. The first match counts.
 */
const FAMILIES: readonly Family[] = [
  { names: /^(gpt-5[\w-]*-chat|chatgpt-)/, abilities: openai() },
  { names: /^gpt-5(-\d)?-pro/, abilities: reasoner(['high']) },
  { names: /^gpt-5-codex/, abilities: reasoner(REASONING) },
  { names: /^gpt-5-1-codex/, abilities: reasoner(['low', 'medium', 'high', 'xhigh']) },
  { names: /^gpt-5-1/, abilities: reasoner(['none', ...REASONING], { sampling: 'unless off' }) },
  { names: /^gpt-5-[2-9]/, abilities: reasoner(['none', ...REASONING, 'xhigh'], { sampling: 'unless off' }) },
  { names: /^gpt-5/, abilities: reasoner(['minimal', ...REASONING]) },
  {
    names: /^o[1-9](-|$)/,
    abilities: reasoner(REASONING, { parameters: without(...NO_CHOICE_OF_TOKENS, 'verbosity') }),
  },
  { names: /^gpt-oss/, abilities: { efforts: REASONING } },
  { names: /^gpt-(3-5|4-(?!1|5)|4$)/, abilities: openai({ schemaDialect: 'none' }) },
  { names: /^gpt-4/, abilities: openai() },
  {
    names: /claude-(instant|2|3-[05]|3-(opus|sonnet|haiku)|(opus|sonnet|haiku)-3)/,
    abilities: claude('none', { schemaDialect: 'none' }),
  },
  { names: /claude-3-7/, abilities: claude('budget', { schemaDialect: 'none' }) },
  { names: /claude-opus-4-1/, abilities: claude('budget', { sampling: 'one' }) },
  { names: /claude-opus-4-5/, abilities: claude('budget', { sampling: 'one', efforts: REASONING }) },
  { names: /claude-[a-z]+-4-5/, abilities: claude('budget', { sampling: 'one' }) },
  { names: /claude-[a-z]+-4-6(\D|$)/, abilities: claude('both', { sampling: 'one', efforts: [...REASONING, 'max'] }) },
  {
    names: /claude-([a-z]+-)?(4-[7-9](\D|$)|[5-9](\D|$))/,
    abilities: claude('adaptive', { sampling: 'none', efforts: [...REASONING, 'xhigh', 'max'] }),
  },
  { names: /claude-([a-z]+-)?4/, abilities: claude('budget', { schemaDialect: 'none' }) },
  {
    names: /^grok-3-mini/,
    abilities: { efforts: ['low', 'high'], parameters: without('presence_penalty', 'frequency_penalty', 'stop') },
  },
  {
    names: /^grok-([4-9]|code)/,
    abilities: { efforts: [], parameters: without('presence_penalty', 'frequency_penalty', 'stop') },
  },
  { names: /^gemini-2-5-flash/, abilities: { efforts: ['none', ...REASONING] } },
  { names: /^gemini-2-5/, abilities: { efforts: REASONING } },
]

/** A model's name as the table has it: the last part of its id, dots in versions as hyphens. */
const plainName = (name: string): string =>
  name
    .slice(name.lastIndexOf('/') + 1)
    .toLowerCase()
    .replaceAll('.', '-')

export const familyOf = (name: string): Known | undefined =>
  FAMILIES.find(({ names }) => names.test(plainName(name)))?.abilities

/** OpenAI's own models under its own names: routers put the provider before the name. */
export const isOpenAiName = (name: string): boolean =>
  !name.includes('/') && /^(gpt-[345]|o[1-9](-|$)|chatgpt-)/.test(plainName(name))
