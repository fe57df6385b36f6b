/** How a receiver verifies a request, without a package. A test runs it. */
const VERIFY = `import { createHmac, timingSafeEqual } from 'node:crypto'

const TOLERANCE_S = 300

/** The event of a request; null where its time or signature is wrong. \`body\` is the raw text. */
export function readWebhook(body, headers, secret) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= TOLERANCE_S)) return null
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(\`\${id}.\${time}.\${body}\`).digest()
  const isSigned = signatures.split(' ').some((part) => {
    const [version, text = ''] = part.split(',')
    const given = Buffer.from(text, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
  return isSigned ? JSON.parse(body) : null
}`

const EVENT = {
  type: 'agent.completed',
  timestamp: '2026-01-31T12:00:00.000Z',
  data: {
    jobId: '…',
    runId: '…',
    conversationId: '…',
    status: 'completed',
    result: 'Three forums agree that …',
    creditsSpent: 412,
    poll: '/api/v1/agent/…',
  },
}

const wait = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`

const retries = (waits: readonly number[]): string =>
  waits.length === 0
    ? 'After anything else it has failed.'
    : `After anything else there is another attempt, about ${waits.map(wait).join(', ')} later, and no sooner than \`Retry-After\` says; 410 ends the attempts.`

type Limits = { timeoutS: number; retriesS: readonly number[] }

/** Callback URLs of agent runs: what is sent, how it is verified, and when it is sent again. */
export const webhookSection = ({ timeoutS, retriesS }: Limits): string =>
  [
    '## Webhooks',
    'Name a `callbackUrl` when you start a run, and that URL gets a `POST` when the run has completed or failed, or needs input (`agent.completed`, `agent.failed`, `agent.awaiting_input`). It is free. Each turn of a conversation names its own. The URL must be on the public internet, http or https; use https, because the body has the result.',
    `\`\`\`json\n${JSON.stringify(EVENT, null, 2)}\n\`\`\``,
    'With `agent.awaiting_input`, `data.awaitingInput` is what the poll body has. Poll the job for everything else.',
    'Requests are signed as [Standard Webhooks](https://www.standardwebhooks.com) specifies, so any of its libraries verifies them with your signing secret, which Settings shows. `webhook-id` is the same for every attempt of one event: process an id once. `webhook-timestamp` is when this attempt was made. `webhook-signature` has one signature, or two while a rotated secret still signs. Without a library, in Node.js:',
    `\`\`\`js\n${VERIFY}\n\`\`\``,
    `Any 2xx status within ${timeoutS} s is a delivery. ${retries(retriesS)} Redirects are not followed. An event can arrive twice, and two events in another order than they happened. A receiver that is slow or down delays no run.`,
    '`GET /agent/{jobId}/deliveries` lists what was sent, newest first, with `status` (`pending`, `delivered` or `failed`), `attempts`, and the last answer. `POST /agent/{jobId}/deliveries/{deliveryId}/send` sends one again, with all attempts before it; the page of the job does the same.',
  ].join('\n\n')
