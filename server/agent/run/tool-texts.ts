import { memoize } from '../../kit/memoize'
import { isRecord } from '../../kit/record'
import type { AnyTool } from '../../tools/define'
import { describeParams } from '../../tools/params'
import { toolsByAgent } from '../agents'
import { REMEMBER } from './builtin-tools'
import { TOOLS_CALL, TOOLS_FIND } from './loaded-tools'
import { hasFewTools } from './offered-tools'
import { mayRemember } from './remember'
import type { AgentRun } from './state'

/** What a call of a tool costs, in words. */
export function callPriceText({ pricing }: Pick<AnyTool, 'pricing'>): string {
  if (pricing.kind === 'metered') return 'real cost'
  if (pricing.credits === 0) return 'free'
  return pricing.credits === 1 ? '1 credit' : `${pricing.credits} credits`
}

function priceMark({ pricing }: AnyTool): string {
  if (pricing.kind === 'fixed') return String(pricing.credits)
  return pricing.isFree ? '0' : '~'
}

/** A call of a tool as people write one, with every parameter and its type. */
export function callSignature(tool: AnyTool): string {
  const params = describeParams(tool).map(({ name, type, required }) => `${name}${required ? '' : '?'}: ${type}`)
  return `${tool.id}({${params.join(', ')}})`
}

/** Parameters that a first call does not have. */
const FOR_LATER: ReadonlySet<string> = new Set(['cursor', 'after', 'boolean'])

/** A first call: values of its example, what else is needed by type, the rest by name. */
const inputMark = memoize((tool: AnyTool): string => {
  const example: Record<string, unknown> = isRecord(tool.example) ? tool.example : {}
  const params = describeParams(tool)
    .filter(({ name, type, required }) => required || !(FOR_LATER.has(name) || FOR_LATER.has(type)))
    .map(({ name, type, required }) => {
      if (example[name] !== undefined) return `${name}: ${JSON.stringify(example[name])}`
      return required ? `${name}: ${type}` : `${name}?`
    })
  return ` {${params.join(', ')}}`
})

/**
 * Every tool of a run by name and price, with what is to know of its field: it is the same at every
 * step of a conversation.
 */
export function toolList(run: AgentRun): string {
  const isWhole = hasFewTools(run)
  const lines = toolsByAgent(run.tools).map(({ agent, tools }) => {
    const named = tools.map(
      (tool) => `${tool.id} ${priceMark(tool)}${!isWhole && tool.isFirst === 'listed' ? inputMark(tool) : ''}`,
    )
    const isGuided = agent.guides?.some((id) => tools.some((tool) => tool.id === id)) ?? true
    return `- ${agent.id}: ${named.join(', ')}.${isGuided ? ` ${agent.guidance}` : ''}`
  })
  const rest = isWhole
    ? ''
    : ` Few are defined from the start. Call those that have parameters here at once, with ${TOOLS_CALL}; a call defines its tool and those that usually follow it, ${TOOLS_FIND} any others.${mayRemember(run) && run.scheduleId === null ? ` ${REMEMBER} {text} 0 keeps what the person wants remembered for later runs.` : ''}`
  return [`Tools of this run, each with the credits of one call, ~ for its real cost.${rest}`, ...lines].join('\n')
}
