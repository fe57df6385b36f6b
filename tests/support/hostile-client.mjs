// A client in a process of its own, so that the server's thread does nothing but serve: it gets
// a request, sends it when asked to, and reports the answer. It also is every provider.
import http from 'node:http'

const COMPLETION = JSON.stringify({
  id: 'x',
  object: 'chat.completion',
  created: 0,
  model: 'x',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})

const provider = http.createServer((req, res) => {
  req.resume()
  req.on('end', () => res.writeHead(200, { 'content-type': 'application/json' }).end(COMPLETION))
})
provider.listen(0, '127.0.0.1', () => process.send({ kind: 'ready', port: provider.address().port }))

let given
process.on('message', (message) => {
  if (message.kind === 'send') return send(given)
  given = { ...message, body: Buffer.from(message.body) }
  process.send({ kind: 'loaded' })
})

function send({ url, method, headers, body }) {
  let isAnswered = false
  const answer = (status, text) => {
    if (isAnswered) return
    isAnswered = true
    process.send({ kind: 'answered', status, text: text.slice(0, 2_000), length: text.length })
  }
  const req = http.request(url, { method, headers: { ...headers, 'content-length': body.length }, agent: false })
  req.on('response', (res) => {
    const chunks = []
    res.on('data', (chunk) => chunks.push(chunk))
    res.on('end', () => answer(res.statusCode, Buffer.concat(chunks).toString()))
    res.on('error', (error) => answer(0, String(error)))
  })
  // Also where the answer came before the whole body was sent.
  req.on('error', (error) => setTimeout(answer, 500, 0, String(error)))
  req.end(body)
}
