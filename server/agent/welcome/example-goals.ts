import { createHash } from 'node:crypto'
import { z } from 'zod'
import { getAgentSettings } from '../../accounts/agent-settings'
import { allowedAgentTools } from '../../agent-tools/registry'
import { env, isSimulated } from '../../env'
import { MODELS_PROVIDER } from '../../env/providers'
import { chatModels } from '../../models/registry'
import { RunMode } from '../shape'

/** Most credits that the conversation of an example may spend: the spend limit of their key. */
export const EXAMPLE_LIMIT_CREDITS = 400

export const ExampleGoal = z.object({
  id: z.string(),
  title: z.string(),
  shows: z.string().describe('What it is an example of'),
  goal: z.string(),
  mode: RunMode,
  usualCredits: z.int().nullable().describe('What it costs in the sandbox; null: providers are real, so nobody knows'),
  maxCredits: z.int().describe('The spend limit of its run'),
})
export type ExampleGoal = z.infer<typeof ExampleGoal>

type Example = Omit<ExampleGoal, 'maxCredits' | 'usualCredits'> & {
  /** Measured with the sandbox's model. */
  usualCredits: number
  /** The tools without which it would show nothing. */
  tools: readonly string[]
}

/** Stands for letters of the run's own: the name of a site belongs to one owner. */
const OWN = '{own}'

const EXAMPLES: readonly Example[] = [
  {
    id: 'research',
    title: 'Research with sources',
    shows: 'Searches the web and forums at the same time, reads pages, and links each claim to its source.',
    goal: 'Research night trains in Europe: which routes run, what a bed costs, and what travellers say about them in forums. Compare the sources and report in half a page, with links.',
    mode: 'autonomous',
    usualCredits: 20,
    tools: ['web_search', 'web_read_url'],
  },
  {
    id: 'homes',
    title: 'Homes in a city, as a chart',
    shows: 'Collects listings into a dataset, works out prices with SQL, and draws them.',
    goal: 'Find apartments for sale in Lisbon, Portugal. Keep the listings as a dataset, compute the average price per square metre by district with SQL, show it as a chart, and name the three cheapest homes per square metre.',
    mode: 'autonomous',
    usualCredits: 290,
    tools: ['property_search', 'dataset_create', 'dataset_query'],
  },
  {
    id: 'site',
    title: 'A site that asks before it is replaced',
    shows: 'Shows a plan first, publishes a web page, and waits for your approval before it replaces that page.',
    goal: `Publish a one-page site about the lighthouses of Portugal under the name lighthouses-${OWN}. Then replace it with a second version that has a table of their heights.`,
    mode: 'interactive',
    usualCredits: 20,
    tools: ['site_publish'],
  },
  {
    id: 'image',
    title: 'An image',
    shows: 'Makes an image from a description, which stays with the run under an address of its own.',
    goal: 'Draw an image of a lighthouse on a rocky coast at sunset, in the style of a travel poster, in portrait format.',
    mode: 'autonomous',
    usualCredits: 100,
    tools: ['image_generate'],
  },
]

/** The examples that can be started here with the owner's settings. */
export async function listExamples(ownerId: number): Promise<ExampleGoal[]> {
  if (chatModels().length === 0) return []
  const { disabledTools } = await getAgentSettings(ownerId)
  const offered = new Set(allowedAgentTools({ capabilities: null, disabledTools }).map(({ id }) => id))
  return EXAMPLES.filter(({ tools }) => tools.every((id) => offered.has(id))).map(({ tools: _tools, ...example }) => ({
    ...example,
    goal: example.goal.replace(`-${OWN}`, ''),
    usualCredits: env().mode === 'sandbox' ? example.usualCredits : null,
    maxCredits: EXAMPLE_LIMIT_CREDITS,
  }))
}

/** Smallest context that takes an agent's tools and some pages. */
const MIN_CONTEXT = 100_000

/**
 * The model of examples: where models are simulated the cheapest, as all of them are one script.
 * Undefined: the owner's default.
 */
function exampleModel(): string | undefined {
  if (!isSimulated(MODELS_PROVIDER)) return undefined
  const [cheapest] = chatModels()
    .filter(({ contextSize }) => contextSize >= MIN_CONTEXT)
    .sort((a, b) => a.usdPer1mInput - b.usdPer1mInput)
  return cheapest?.id
}

/**
 * What a run of an example is to do; undefined for an unknown one. The same start has the same
 * text.
 */
export function exampleRequest(
  id: string,
  start: { ownerId: number; idempotencyKey: string },
): (Pick<ExampleGoal, 'goal' | 'mode'> & { model?: string }) | undefined {
  const example = EXAMPLES.find((one) => one.id === id)
  if (!example) return undefined
  const own = createHash('sha256').update(`${start.ownerId} ${start.idempotencyKey}`).digest('hex').slice(0, 6)
  return { goal: example.goal.replace(OWN, own), mode: example.mode, model: exampleModel() }
}
