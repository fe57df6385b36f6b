// The cheapest upstream there is: a fixed completion, or a stream of 100 chunks 10 ms apart. Its
// port is the argument.
import { createServer } from 'node:http'

const usage = { prompt_tokens: 12, completion_tokens: 100, total_tokens: 112 }
const head = { id: 'chatcmpl-bench', created: 1_767_312_000, model: 'bench' }
const message = { role: 'assistant', content: 'lorem '.repeat(100).trim() }
const whole = JSON.stringify({
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, message, finish_reason: 'stop' }],
  usage,
})
const event = (rest) => `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...rest })}\n\n`
const piece = event({ choices: [{ index: 0, delta: { content: 'lorem ' }, finish_reason: null }] })
const end =
  event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  event({ choices: [], usage }) +
  'data: [DONE]\n\n'

function stream(res) {
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  let sent = 0
  const send = () => {
    res.write(piece)
    if (++sent < 100) return
    clearInterval(timer)
    res.end(end)
  }
  const timer = setInterval(send, 10)
  res.on('close', () => clearInterval(timer))
  send()
}

createServer((req, res) => {
  const read = []
  req.on('data', (data) => read.push(data))
  req.on('end', () => {
    if (Buffer.concat(read).includes('"stream":true')) return stream(res)
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(whole) })
    res.end(whole)
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
