import { z } from 'zod'
import type { ModelEntry } from '../../server/models/shape'

/** The variable with the key of the real model. */
const KEY_VARIABLE = 'EVAL_MODEL_KEY'

/** A model of a provider that the goals are given to as well. */
export type RealModel = { id: string; entry: z.input<typeof ModelEntry> }

/** Where a real model is: none of these is needed for the scripted ones. */
const Settings = z.object({
  EVAL_MODEL_URL: z.url({ protocol: /^https?$/ }).optional(),
  EVAL_MODEL: z.string().min(1).optional(),
  EVAL_MODEL_API: z.enum(['chat', 'responses', 'messages']).default('chat'),
  EVAL_MODEL_CONTEXT: z.coerce.number().int().min(1).default(128_000),
  EVAL_MODEL_OUTPUT: z.coerce.number().int().min(1).default(16_000),
  EVAL_MODEL_INPUT_USD: z.coerce.number().min(0).default(1),
  EVAL_MODEL_OUTPUT_USD: z.coerce.number().min(0).default(4),
})

/** The real model that the environment names; null without one. Throws for half a description. */
export function readRealModel(environment: Readonly<Record<string, string | undefined>>): RealModel | null {
  const given = Settings.parse(environment)
  const { EVAL_MODEL_URL: baseUrl, EVAL_MODEL: model } = given
  if (baseUrl === undefined && model === undefined) return null
  if (baseUrl === undefined || model === undefined)
    throw new Error('A real model needs both EVAL_MODEL_URL and EVAL_MODEL.')
  const id = 'eval/real'
  const entry = {
    id,
    name: model,
    provider: 'Real',
    kind: 'chat' as const,
    vision: false,
    contextSize: given.EVAL_MODEL_CONTEXT,
    maxOutput: given.EVAL_MODEL_OUTPUT,
    usdPer1mInput: given.EVAL_MODEL_INPUT_USD,
    usdPer1mOutput: given.EVAL_MODEL_OUTPUT_USD,
    upstreams: [
      { api: given.EVAL_MODEL_API, baseUrl, apiKeyEnv: environment[KEY_VARIABLE] ? KEY_VARIABLE : null, model },
    ],
  }
  return { id, entry }
}
