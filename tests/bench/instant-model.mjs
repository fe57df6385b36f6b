// A model of agent runs that takes no time and hardly any CPU: the n-th answer of a run makes two
// calls of a free tool, until ROUNDS were made, then it is a text. Arguments: its port, ROUNDS.
import { createServer } from 'node:http'

const [port, rounds] = process.argv.slice(2).map(Number)
// Two tools, because a run that goes on making one call is ended.
const TOOLS = ['dataset_list', 'site_list']
const head = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_767_312_000, model: 'bench' }
const usage = { prompt_tokens: 1_000, completion_tokens: 20, total_tokens: 1_020 }
const event = (rest) => `data: ${JSON.stringify({ ...head, ...rest })}\n\n`
const choice = (delta, finish_reason) => event({ choices: [{ index: 0, delta, finish_reason }] })
const streamOf = (delta, finish) =>
  Buffer.from(`${choice(delta, null)}${choice({}, finish)}${event({ choices: [], usage })}data: [DONE]\n\n`)

const callsOf = (name) =>
  [0, 1].map((index) => ({ index, id: `${name}-${index}`, type: 'function', function: { name, arguments: '{}' } }))
const answers = Array.from({ length: rounds }, (_, n) =>
  streamOf({ role: 'assistant', content: null, tool_calls: callsOf(TOOLS[n % TOOLS.length]) }, 'tool_calls'),
)
const done = streamOf({ role: 'assistant', content: 'Done.' }, 'stop')

/** How many answers a conversation has: its assistant messages, without parsing them. */
function answersIn(body) {
  const mark = '"role":"assistant"'
  let count = 0
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) count++
  return count
}

createServer((req, res) => {
  const read = []
  req.on('data', (data) => read.push(data))
  req.on('end', () => {
    const answer = answers[answersIn(Buffer.concat(read))] ?? done
    res.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': answer.length })
    res.end(answer)
  })
}).listen(port, '127.0.0.1')
