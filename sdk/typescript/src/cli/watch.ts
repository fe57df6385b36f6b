import { createInterface } from 'node:readline'
import type * as api from '../api.js'
import type { Invoked } from './commands.js'

/** `1 credit`, `2 credits`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** What a run asks, as a person reads it. */
function questionOf({ kind, question, plan, approval }: NonNullable<api.AgentJob['awaitingInput']>): string {
  if (kind === 'question') return `${question}\n> `
  const what =
    kind === 'plan' ? plan : [approval?.summary, approval?.command ?? approval?.sql].filter(Boolean).join('\n')
  return `${what}\nApprove? Enter y, or what to do instead: `
}

/** Starts a run. With --watch it is followed to its end, and what it asks is answered here. */
export async function watchRun({ tollgate, words, values }: Invoked): Promise<void> {
  const goal = words.join(' ')
  if (goal === '') throw new Error('Give a goal. tollgate --help shows how.')
  const mode = values.interactive ? 'interactive' : 'autonomous'
  const { jobId } = await tollgate.startRun({ goal, mode, ...(values.model !== undefined && { model: values.model }) })
  process.stderr.write(`Run ${jobId}\n`)
  if (!values.watch && !values.interactive) {
    process.stdout.write(`${jobId}\n`)
    return
  }
  const terminal = createInterface({ input: process.stdin })
  // Its lines are kept until they are asked for, so that answers may be piped in.
  const lines = terminal[Symbol.asyncIterator]()
  for (;;) {
    let steps = 0
    const job = await tollgate.waitForRun(jobId, {
      onChange: ({ usage, creditsSpent }) => {
        if (usage.steps === steps) return
        steps = usage.steps
        process.stderr.write(`${countOf(steps, 'step')}, ${countOf(creditsSpent, 'credit')}\n`)
      },
    })
    if (job.status !== 'awaiting_input' || !job.awaitingInput) {
      terminal.close()
      process.stdout.write(`${job.result ?? ''}\n`)
      process.stderr.write(`${job.status}, ${countOf(job.creditsSpent, 'credit')}\n`)
      if (job.status !== 'completed') process.exitCode = 1
      return
    }
    process.stderr.write(questionOf(job.awaitingInput))
    const { value, done } = await lines.next()
    if (done) throw new Error(`The run waits for an answer: POST /api/v1/agent/${jobId}/answer`)
    const said = value.trim()
    const isQuestion = job.awaitingInput.kind === 'question'
    const approved = isQuestion || /^y(es)?$/i.test(said)
    await tollgate.answer(jobId, { approved, ...(isQuestion || !approved ? { feedback: said } : {}) })
  }
}
