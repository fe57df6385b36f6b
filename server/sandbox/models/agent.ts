import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'
import { messageText, type ScriptStep, withoutNotes } from './script'

/**
 * What the sandbox model calls first when it plays an agent: the first of these that is offered and
 * fits the goal.
 */
const FIRST_CALLS: readonly { name: string; fits: RegExp; arguments: (goal: string) => UnknownRecord }[] = [
  {
    name: 'crypto_get_prices',
    fits: /crypto|bitcoin|btc|ethereum|coin/i,
    arguments: () => ({ coinIds: ['bitcoin', 'ethereum'] }),
  },
  { name: 'forum_search', fits: /forum|reddit|communit|people say/i, arguments: (goal) => ({ query: goal }) },
  { name: 'web_search', fits: /./, arguments: (goal) => ({ query: goal }) },
  { name: 'dataset_list', fits: /./, arguments: () => ({}) },
]

/** What a run offers before its plan is approved. */
const WITHOUT_PLAN = new Set(['ask_user', 'present_plan', 'result_read'])

/** The plan for a goal: the call that it makes, and the answer. */
const planFor = (goal: string, call: string | undefined, feedback: string | null) => ({
  summary: `This is the sandbox model: it makes one call, with made-up results, and sums up what was found for: ${goal}`,
  steps: [
    { title: 'Look into it', tools: call ? [call] : [], credits: call === 'crypto_get_prices' ? 3 : 1 },
    { title: 'Sum up what was found', tools: [], credits: 0 },
  ],
  ...(feedback && { answers: `The sandbox model cannot change its plan, but it has read: ${feedback}` }),
})

/** What the person wanted changed, in the result of the last plan. */
function feedbackIn(result: UnknownRecord | undefined): string | null {
  const text = result ? messageText(result) : ''
  const answer: unknown = text.startsWith('{') ? JSON.parse(text) : null
  return isRecord(answer) && typeof answer.feedback === 'string' ? answer.feedback : null
}

/**
 * How the sandbox model plays an agent that was given no script, so that a run can be watched
 * without one: it shows a plan where one is due, makes one call that fits the goal, and reports
 * what came back. Null: nobody is playing.
 */
export function simulateAgentStep(body: UnknownRecord): ScriptStep | null {
  const messages = withoutNotes(recordsIn(body.messages))
  const system = messages.find(({ role }) => role === 'system')
  if (!system || !/^You are the [a-z- ]+ agent\b/.test(messageText(system))) return null
  const from = messages.findLastIndex(({ role }) => role === 'user')
  const goal = messageText(messages[from] ?? {})
    .trim()
    .slice(0, 200)
  const offered = new Set(
    recordsIn(body.tools).map((tool) => (isRecord(tool.function) ? String(tool.function.name) : '')),
  )
  const results = messages.slice(from + 1).filter(({ role }) => role === 'tool')
  const isPlanDue = offered.has('present_plan') && [...offered].every((name) => WITHOUT_PLAN.has(name))
  if (isPlanDue) {
    const tool = FIRST_CALLS.find(({ name, fits }) => messageText(system).includes(`- ${name} (`) && fits.test(goal))
    const plan = planFor(goal, tool?.name, feedbackIn(results.at(-1)))
    return { toolCalls: [{ name: 'present_plan', arguments: plan }] }
  }
  const called = messages
    .slice(from + 1)
    .some(({ tool_calls: calls }) =>
      recordsIn(calls).some(({ function: f }) => FIRST_CALLS.some(({ name }) => isRecord(f) && f.name === name)),
    )
  const call = called ? undefined : FIRST_CALLS.find(({ name, fits }) => offered.has(name) && fits.test(goal))
  if (call) return { toolCalls: [{ name: call.name, arguments: call.arguments(goal) }] }
  const brought = messageText(results.at(-1) ?? {}).slice(0, 600)
  const found = brought ? `This is what came back:\n\n\`\`\`json\n${brought}\n\`\`\`` : 'No call was needed.'
  return { text: `**${goal || 'Nothing'}**\n\n${found}\n\nThe sandbox model made this answer up from one call.` }
}
