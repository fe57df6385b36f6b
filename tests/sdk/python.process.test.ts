import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scriptedGoal } from '../support/agent'
import { withSandbox } from '../support/api'
import { makeChatter } from '../support/chat'
import { readOwnerMoney } from '../support/ledger'
import { sharedListener } from '../support/listener'
import { SOURCE_ROOT } from '../support/source-imports'
import { withWorker } from '../support/worker'
import { buildSdk, runToEndOf } from './build'

withSandbox()
withWorker()

let folder: string
let url: string
beforeAll(async () => {
  folder = await buildSdk()
  url = (await sharedListener()).url
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true }))

/** 3.11 or newer, which the package asks for. */
const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0

const python = (code: string, key: string) =>
  runToEndOf('python3', ['-W', 'error', '-c', code], {
    env: {
      PYTHONPATH: path.join(folder, 'sdk/python'),
      PYTHONDONTWRITEBYTECODE: '1',
      TOLLGATE_KEY: key,
      TOLLGATE_URL: url,
    },
  })

/** Debian's package `mypy`. */
const hasMypy = spawnSync('mypy', ['--version']).status === 0
if (!hasMypy) process.stdout.write('mypy is not installed: the Python client is not type-checked here\n')

describe.runIf(hasMypy)('types of the Python client, as mypy checks them', () => {
  const checked = (name: string, code: string) => {
    const file = path.join(folder, name)
    writeFileSync(file, code)
    const cache = path.join(folder, 'mypy')
    return runToEndOf('mypy', ['--strict', '--no-error-summary', '--cache-dir', cache, file], {
      env: { MYPYPATH: path.join(folder, 'sdk/python') },
    })
  }
  const HEAD = 'from tollgate import Tollgate\nt = Tollgate()\n'

  it('a right call has the type of its tool, and the package has no error', async () => {
    const rag = readFileSync(path.join(SOURCE_ROOT, 'docs/examples/rag.py'), 'utf8')
    expect(await checked('rag.py', rag)).toMatchObject({ exitCode: 0, output: '' })
    const right = `${HEAD}rows = t.query("web_search", {"query": "x"})["rows"]\ntitle: str = rows[0]["title"]\n`
    expect(await checked('right.py', right)).toMatchObject({ exitCode: 0, output: '' })
  })

  it('answers, receipts and events have the types of the API', async () => {
    const right = `from tollgate import verify_webhook
from tollgate.api import AgentJob, Receipt
t.answer("x", approved=True, scope="run", toolCallId="y", edit={"a": 1}, without=["b"])
receipts: list[Receipt] = list(t.receipts(keyId=3, status="ok", from_="2026-01-01", limit=10))
job: AgentJob = t.wait_for_run(t.start_run("x", maxCredits=5, permissions={"hosts": ["a"]})["jobId"])
event = verify_webhook("whsec_", {}, "")
if event["type"] == "notice.limit":
    print(event["data"]["percent"] + event["data"]["limit"]["cap"])
elif event["type"] == "agent.awaiting_input":
    print(event["data"]["awaitingInput"].get("approval", {}).get("summary"))
elif event["type"] == "task.failed":
    print(event["data"]["creditsCharged"] + 1)
`
    expect(await checked('api.py', `${HEAD}${right}`)).toMatchObject({ exitCode: 0, output: '' })
  })

  it.each([
    ['an unknown scope', 't.answer("x", approved=True, scope="always")'],
    ['a key id that is a text', 't.receipts(keyId="3")'],
    ['a field that no run starts with', 't.start_run("x", maxCredit=5)'],
    ['a wrong tool', 't.query("web_serach", {"query": "x"})'],
    ['a wrong parameter', 't.query("web_search", {"qurey": "x"})'],
    ['a wrong field', 't.query("web_search", {"query": "x"})["segments"]'],
  ])('%s is an error', async (_what, line) => {
    const { exitCode, output } = await checked('wrong.py', `${HEAD}${line}\n`)
    expect([exitCode, output]).toEqual([1, expect.stringMatching(/wrong\.py:3: error/)])
  })
})

describe.runIf(hasPython)('the Python client', () => {
  it('calls, pages, batches, waits and reads', async () => {
    const { owner, key } = await makeChatter(100_000, { agent: true })
    const goal = JSON.stringify(scriptedGoal({ text: 'Done.' }))
    const { output, errors } = await python(
      `
import json
from tollgate import Tollgate
t = Tollgate()
price = t.query("crypto_get_prices", {"coinIds": ["bitcoin"]})["rows"][0]["prices"]["usd"]["price"]
rows = list(t.rows("web_search", {"query": "toll roads"}))
batch = t.batch([{"tool": "crypto_search", "params": {"query": "sol"}}, {"tool": "none"}])
task = t.wait_for_task(t.start_task("crypto_get_market_data", {})["taskId"])
job = t.run(${goal})
charged = sum(row["credits"]["charged"] for row in t.receipts())
of_job = sum(row["credits"]["charged"] for row in t.receipts(jobId=job["jobId"], from_="2026-01-01", limit=1))
print(json.dumps({"price": price, "rows": len(rows), "statuses": [r["status"] for r in batch["results"]],
  "task": task["status"], "job": job["result"], "charged": charged,
  "spent": [job["creditsSpent"], of_job], "key": t.key_status()["rpm"]}))
`,
      key.key,
    )
    expect(errors).toBe('')
    const seen = JSON.parse(output)
    expect(seen).toMatchObject({ price: 104_250, statuses: [200, 400], task: 'completed', job: 'Done.' })
    expect(seen.rows).toBeGreaterThan(20)
    expect(seen).toMatchObject({ spent: [seen.spent[1], seen.spent[0]], key: 10_000 })
    expect((await readOwnerMoney(owner)).charged).toBe(seen.charged)
  })

  it('has types of every tool that resolve, typed errors, and repeats that are not charged twice', async () => {
    const { owner, key } = await makeChatter(1_000)
    const { output, errors } = await python(
      `
import json, typing, tollgate.tools as tools
from tollgate import Tollgate, TollgateError
names = [n for n in dir(tools) if typing.is_typeddict(getattr(tools, n))]
for name in names: typing.get_type_hints(getattr(tools, name))
class Flaky(Tollgate):
    asked = 0
    def _send(self, *given):
        answer = super()._send(*given)
        self.asked += 1
        if self.asked < 2: raise TollgateError(0, {}, None, 0.0)
        return answer
flaky = Flaky()
flaky.query("crypto_get_prices", {"coinIds": ["bitcoin"]})
seen = []
for coins in (["sandbox-500"], []):
    try: Tollgate(attempts=1).query("crypto_get_prices", {"coinIds": coins})
    except TollgateError as e: seen.append([e.status, e.reason, e.retryable, e.charged])
print(json.dumps({"names": len(names), "asked": flaky.asked, "seen": seen}))
`,
      key.key,
    )
    expect(errors).toBe('')
    const { names, ...seen } = JSON.parse(output)
    expect(names).toBeGreaterThan(60)
    expect(seen).toEqual({
      asked: 2,
      seen: [
        [502, 'provider_error', true, 3],
        [400, 'invalid_input', false, null],
      ],
    })
    expect(await readOwnerMoney(owner)).toMatchObject({ charged: 6, receipts: 2 })
  })

  it('answers what a run asks, with the fields of the API', async () => {
    const { key } = await makeChatter(100_000, { agent: true })
    const ask = { name: 'ask_user', arguments: { question: 'Which city?' } }
    const goal = JSON.stringify(scriptedGoal({ turns: [{ toolCalls: [ask] }, { text: 'Thank you.' }] }))
    const { output, errors } = await python(
      `
from tollgate import Tollgate, TollgateError
t = Tollgate()
job = t.run(${goal}, mode="interactive", metadata={"a": "b"})
asked = job["awaitingInput"]
try: t.answer(job["jobId"], approved=True, feedback="Olbia", toolCallId="another")
except TollgateError as e: print(e.status)
t.answer(job["jobId"], approved=True, feedback="Olbia", toolCallId=asked["toolCallId"])
print(asked["question"], t.wait_for_run(job["jobId"])["result"], job["metadata"]["a"])
`,
      key.key,
    )
    expect(errors).toBe('')
    expect(output).toMatch(/^4\d\d\nWhich city\? Thank you\. b\n$/)
  })

  it('verifies webhooks, and refuses others', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const at = new Date()
    const body = JSON.stringify({ type: 'task.completed' })
    const headers = {
      'Webhook-Id': 'm',
      'Webhook-Timestamp': String(Math.floor(at.getTime() / 1_000)),
      'Webhook-Signature': new Webhook(secret).sign('m', at, body),
    }
    const { output } = await python(
      `
import json
from tollgate import verify_webhook, WebhookError
headers, body = json.loads(${JSON.stringify(JSON.stringify(headers))}), ${JSON.stringify(body)}
print(verify_webhook("${secret}", headers, body)["type"])
for changed in (body + " ", body.replace("task", "agent")):
    try: verify_webhook("${secret}", headers, changed)
    except WebhookError as e: print(e)
try: verify_webhook("${secret}", {**headers, "Webhook-Timestamp": "1"}, body)
except WebhookError as e: print(e)
`,
      'x',
    )
    expect(output.trim().split('\n')).toEqual([
      'task.completed',
      'The signature is not of this secret.',
      'The signature is not of this secret.',
      'The webhook is too old.',
    ])
  })
})
