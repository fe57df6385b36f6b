import type { UnknownRecord } from '../../kit/record'
import { freeStep, type PlannedStep, type PlayerPart } from './ask'
import { savePlan } from './dataset'
import { sitePlan } from './site'
import { hasTool, type PlayerView, saidByPerson } from './view'
import { isRefused, type Wish } from './wish'
import tables from './words.json'

const MAX_TITLE = 480

/** The steps of parts and of what is made from them, with the tools that the run has. */
function stepsOf(parts: readonly PlayerPart[], wish: Wish, view: PlayerView): PlannedStep[] {
  const has = (tool: string) => hasTool(view, tool)
  const steps = [...parts.flatMap((part) => part.plan(wish, view)), ...savePlan(wish, has), ...sitePlan(wish)]
  return steps
    .map((step) => ({ ...step, title: step.title.slice(0, MAX_TITLE), tools: step.tools.filter(has) }))
    .filter(({ tools }) => tools.length > 0)
}

/** How a plan answers what was said about the ones before. */
function answersTo(feedback: readonly string[], wish: Wish): string | null {
  const last = feedback.at(-1)
  if (last === undefined) return null
  const changes = [
    wish.isCheap && 'fewer pages are read, fewer rows fetched and only what the goal needs is searched',
    wish.refused && `what you do not want is left out (${wish.refused.trim().slice(0, 200)})`,
  ].filter(Boolean)
  return `You said: “${last.slice(0, 400)}”. So ${changes.join(', and ') || 'what you added is part of the plan'}.`
}

/** The arguments of `present_plan`. */
export function planArguments(parts: readonly PlayerPart[], wish: Wish, view: PlayerView): UnknownRecord {
  const steps = stepsOf(parts, wish, view)
  const answers = answersTo(saidByPerson(view).feedback, wish)
  const noTool = 'No tool is needed for this: I answer at once.'
  const look = 'I look up what the goal needs, then write half a page with links to where it comes from.'
  const wantsSite = steps.some(({ tools }) => tools.includes('site_publish'))
  const summary = [
    steps.length > 0 ? look : noTool,
    wantsSite && 'The site is public as soon as it is published.',
    isRefused(wish, /./) && 'What you did not want is left out.',
    'I am the sandbox’s script and no language model: I follow fixed rules.',
  ]
  return {
    summary: summary.filter(Boolean).join(' '),
    steps: [...steps, freeStep('Write the answer')],
    ...(answers && { answers }),
  }
}

/** What the player says to itself before calls, by the first tool among them. */
const THOUGHTS = Object.entries(tables.thoughts).map(([names, thought]) => ({ names: names.split(' '), thought }))

/** A short thought about the next calls. */
export function thoughtAbout(tools: readonly string[]): string {
  const isAbout = (name: string) => tools.some((tool) => tool.startsWith(name))
  const thought = THOUGHTS.find(({ names }) => names.some(isAbout))?.thought ?? 'The next step needs a tool.'
  const more = ` ${tools.length} calls do not depend on each other, so they go together.`
  return tools.length > 1 ? `${thought}${more}` : thought
}
