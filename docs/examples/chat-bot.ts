// A chat bot whose agent asks: each line is a turn of one conversation; what the agent asks is
// shown, and the next line is the answer.
//
//   TOLLGATE_KEY=tg_… node chat-bot.ts
import { createInterface } from 'node:readline'
import { type api, Tollgate, TollgateError } from 'tollgate-client'

const tollgate = new Tollgate({ key: process.env.TOLLGATE_KEY ?? '', baseUrl: process.env.TOLLGATE_URL })
const say = (text: string) => console.log(text)

/** What a run asks, in words. */
function ask({ kind, question, plan, approval }: NonNullable<api.AgentJob['awaitingInput']>): void {
  if (kind === 'question') say(`? ${question}`)
  else if (kind === 'plan') say(`This is my plan. Say yes, or what to change.\n${plan}`)
  else say(`May I? Say yes, or why not.\n${approval?.summary}`)
}

const yes = /^(y|yes|ok|go)\b/i

let conversationId: string | undefined
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const nextLine = async (): Promise<string | null> => {
  const { value, done } = await lines.next()
  return done ? null : value.trim()
}

/** One turn: until the run has ended. Returns false where the input has ended first. */
async function turn(goal: string): Promise<boolean> {
  const { jobId } = await tollgate.startRun({ goal, mode: 'interactive', ...(conversationId && { conversationId }) })
  conversationId = jobId
  for (;;) {
    const job = await tollgate.waitForRun(jobId)
    if (job.status !== 'awaiting_input' || !job.awaitingInput) {
      say(job.result ?? job.status)
      return true
    }
    ask(job.awaitingInput)
    const answer = await nextLine()
    if (answer === null) return false
    const isQuestion = job.awaitingInput.kind === 'question'
    const approved = isQuestion || yes.test(answer)
    await tollgate.answer(jobId, { approved, ...((isQuestion || !approved) && { feedback: answer }) })
  }
}

for (let line = await nextLine(); line !== null; line = await nextLine()) {
  if (line === '') continue
  try {
    if (!(await turn(line))) break
  } catch (error) {
    if (!(error instanceof TollgateError)) throw error
    // Out of credits, or a limit: say so, and go on listening.
    say(`I cannot go on: ${error.message}`)
  }
}
