import { agentGroups } from '../agent-tools/registry'
import type { AnyTool, ToolGroup } from '../tools/define'

/** A field of work: the tool groups that name it, and how to go about it. */
type Agent = {
  id: string
  /** What the prompt says of its tools: what they read or make, and how they are used well. */
  guidance: string
  /** Tools without one of which that is not said. */
  guides?: readonly string[]
}

const AGENTS = [
  {
    id: 'research',
    guidance: 'Search, then read the pages that matter before relying on them. Say where sources disagree.',
  },
  {
    id: 'social',
    guidance:
      'Reddit (forum), X (microblog), YouTube (videosite). Open posts rather than trusting titles; name source and time.',
  },
  {
    id: 'crypto',
    guidance: 'Take every number from a call of this run, with currency and time. No investment advice.',
  },
  {
    id: 'real_estate',
    guidance:
      'Homes, offices and land in Spain, Portugal and Italy. Find the location id, then search once with the filters of the goal.',
  },
  {
    id: 'media',
    guidance: 'Making costs real money: one, unless the goal asks for more. Give the URL of what was made.',
    guides: ['image_generate', 'video_generate'],
  },
  {
    id: 'data',
    guidance:
      'Scrapers, datasets with SQL, a shell. Look at columns and a few rows first; sums and counts by SQL or shell, never in your head.',
  },
  { id: 'general', guidance: 'Sites at a public URL.' },
] as const satisfies readonly Agent[]

/** The agent of goals and tools that belong to no field. */
const GENERAL = 'general'

export const agentIds: readonly string[] = AGENTS.map(({ id }) => id)

/** The tools of a run by the agent whose field they belong to, in the order of the prompt. */
export function toolsByAgent(tools: readonly AnyTool[]): { agent: Agent; tools: AnyTool[] }[] {
  const allowed = new Set(tools)
  return AGENTS.map((agent) => ({
    agent,
    tools: agentGroups()
      .filter((group) => group.agent === agent.id)
      .flatMap((group) => group.tools.filter((tool) => allowed.has(tool))),
  })).filter((field) => field.tools.length > 0)
}

const groupOf = (toolId: string): ToolGroup | undefined =>
  agentGroups().find(({ tools }) => tools.some(({ id }) => id === toolId))

/** The agent whose field a tool belongs to; null for a function that every run has. */
export const agentOfTool = (toolId: string): string | null => groupOf(toolId)?.agent ?? null

const wordsIn = (text: string): string =>
  ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}.]+|\.(?![\p{L}\p{N}])/gu, ' ')} `
const MAX_CHARS = 4_000

/**
 * The groups that a goal names by a proper name or an international term, which people of every
 * language write the same way. Everything else is the model's to find.
 */
const groupsNamedIn = (goal: string): ToolGroup[] => {
  const text = wordsIn(goal.slice(0, MAX_CHARS))
  return agentGroups().filter(({ names = [] }) => names.some((name) => text.includes(` ${name} `)))
}

/** The tools of a run that a goal names, without those that few such goals need. */
export const toolsNamedIn = (goal: string, tools: readonly AnyTool[]): AnyTool[] => {
  const allowed = new Set(tools)
  return groupsNamedIn(goal).flatMap((group) => group.tools.filter((tool) => allowed.has(tool) && !tool.isRare))
}

/** The agent that a goal begins with: the only one that it names, else the general one. */
export function routeGoal(goal: string, tools: readonly AnyTool[]): string {
  const named = new Set(toolsNamedIn(goal, tools).map(({ id }) => agentOfTool(id)))
  const [only] = named
  return named.size === 1 && only ? only : GENERAL
}
