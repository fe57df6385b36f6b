import { AnsweredJob, AnswerRequest, JobSummary, JobView, StartedJob, StartRequest, StepView } from '../agent/shape'
import { agentTools } from '../agent-tools/registry'
import { CAPABILITIES } from '../tools/define'
import { capabilityLabel } from '../tools/registry'
import type { Catalog } from './describe'
import { curlBlock, tableBlock, typeBlock } from './markdown-blocks'
import { declareInput, declareOutput } from './result-types'

/** The groups that a run can be restricted to, with the tools of each. */
function capabilityTable(): string {
  const byCapability = Map.groupBy(agentTools(), ({ capability }) => capability)
  const rows = CAPABILITIES.map((capability) => [
    `\`${capability}\``,
    capabilityLabel(capability),
    (byCapability.get(capability) ?? []).map(({ id }) => id).join(', '),
  ])
  return [
    'A key, and a run of it in `capabilities`, can be restricted to groups of tools; null is all of them. Datasets, sites and the shell are tools that only agents have; they cost nothing.',
    tableBlock(
      ['Capability', 'Covers', 'Tools'],
      rows.filter(([, , tools]) => tools),
    ),
  ].join('\n\n')
}

/** Agent runs: how to start, poll and answer one. */
export function agentSection({ agent }: Catalog, base: string): string {
  const request = { goal: 'Compare what three forums say about toll roads', idempotencyKey: 'report-2026-01' }
  return [
    '## Agent runs',
    `\`POST /agent\` (scope \`${agent.requiresScope}\`) takes an \`AgentStart\` and answers 202 with a \`StartedJob\`; poll \`GET /agent/{jobId}\`, which returns a \`Job\`, until \`status\` is \`completed\`, \`failed\` or \`cancelled\`. With \`wait: true\` the answer is 200 with the \`Job\` when the run has finished or needs input. The same \`idempotencyKey\` always answers the same run. A run survives the death of any process; each step is charged exactly once.`,
    curlBlock(`${base}/agent`, request),
    typeBlock(
      declareInput('AgentStart', StartRequest),
      declareOutput('StartedJob', StartedJob),
      declareOutput('Job', JobView),
    ),
    capabilityTable(),
    'Results of tools are kept whole with their steps. The model is shown its share of a large one, which grows with its context, and reads on for free; rows go to a dataset, and so to SQL, without passing through the model. A model with a small context is offered fewer tools; one whose context cannot hold a few tools and the goal is refused with 400, which names the context that the run needs.',
    'A job that is `awaiting_input` says in `awaitingInput` what it waits for: a `question`, a `plan`, or an `approval` with exactly what would run. `POST /agent/{jobId}/answer` takes an `Answer`: `{"approved": true}`, or `{"approved": false, "feedback": "…"}`; a question is answered in `feedback`. It is 409 where the job waits for nothing, or for something else. `POST /agent/{jobId}/cancel` ends a run.',
    typeBlock(declareInput('Answer', AnswerRequest), declareOutput('AnsweredJob', AnsweredJob)),
    'An `approval` is asked for in both modes: before a call destroys something that the run did not make itself, and once for each host, site, actor or exported dataset before a run that has read untrusted text (pages, posts, transcripts, listings, results of actors) and private data (datasets of other conversations, the connected database, a secret in the goal) sends something there. A URL that is verbatim in a goal, an answer or the rows of `web_search` is not asked about, nor are a few links of an opened page to its own host, nor searches and other calls that only reach the provider of their tool. What looks like a password or key always waits for approval. In the settings the owner chooses to be asked after untrusted text alone, or never.',
    'A run can be watched: `GET /agent/{jobId}/events` sends a `step` (a `Step`) when one has ended and a `status` (a `Job`) for each change, as server-sent events. With `?deltas=true` it also sends the step in progress: `step.started` (`index`, `kind`, `name`, `startedAt`), `step.delta` (`index`, `kind`: `text`, `reasoning` or `tool_call`, `text`), and `tool.progress` about once a second (`index`, `elapsedMs`). A `step` is whole and ends what was sent about its index. These events have no id: who reconnects with the `Last-Event-ID` of a step gets the step in progress from its beginning, with another `step.started`; so does everyone when another worker takes a run over.',
    'With `outputSchema` (drafts 7 to 2020-12; 32,768 characters, references within it only) the model is asked for one JSON value. It is checked, and asked for once more with what is wrong; then the run is `failed` with the reason. `result` stays the text, `output` in the poll body is the value. A run that a limit ended has `output: null`. Each turn has its own schema or none.',
    '`POST /agent/{jobId}/rerun` (`idempotencyKey`, and `fromStep`, `goal`, `model`, `checks` where they change) starts a job that takes over a finished one up to a step, which is not paid again: `rerunOf` names the other.',
    'With `checks` (at most 10) the result is tested before the run is completed: `equals` a value, `contains` a text, `sql` over the datasets, or a `judge`: a chat model that is asked yes or no, which is charged to the run, within its limits. `checks` of the job and its webhook say what came of each; a list has `{passed, failed, errors, untested}`.',
    'Among `artifacts`, a dataset is downloaded with the key: `GET /datasets/{name}?format=csv` or `format=xlsx`; a text that a spreadsheet would run as a formula begins with an apostrophe in CSV, and is marked as text in a workbook. `GET /datasets`, `GET /sites` and `GET /agent/files` list what all runs made; `PATCH` and `DELETE` of a dataset, `POST /sites/{slug}/rollback` and `/take-down` change it.',
    '`GET /agent/jobs` returns `{ jobs: JobSummary[]; nextCursor: string | null }` of all keys of the owner, newest first; `GET /agent/{jobId}/steps` returns `{ steps: Step[]; nextCursor: string | null }`. Both take `limit` and `cursor`. In a step, `input` is what the tool got, with defaults; a call that a person rejected keeps it. `requestId` is the receipt of the step’s charge.',
    typeBlock(declareOutput('JobSummary', JobSummary), declareOutput('Step', StepView)),
    `\`creditsSpent\` is what the whole conversation has spent: read it instead of adding up polls. ${agent.creditCeiling} A run that reaches it says what was done and what remains, and is \`completed\` with \`budget.reached\`; the next turn is then 402 with \`creditsSpent\` and \`ceilingCredits\`. A run that balance or key budget stopped says so too, and its conversation can be continued when there are credits again.`,
  ].join('\n\n')
}
