// The cheapest upstream there is: a fixed completion, or a stream of 100 chunks 10 ms apart. Its
// port is the argument; with files of a certificate and its key it has TLS, and speaks HTTP/2 and
// HTTP/1.1.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'

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

const [port, cert, key] = process.argv.slice(2)

function answer(req, res) {
  const read = []
  req.on('data', (data) => read.push(data))
  req.on('end', () => {
    if (Buffer.concat(read).includes('"stream":true')) return stream(res)
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(whole) })
    res.end(whole)
  })
}

const server = cert
  ? createSecureServer({ cert: readFileSync(cert), key: readFileSync(key), allowHTTP1: true }, answer)
  : createServer(answer)
server.listen(Number(port), '127.0.0.1')
