// The floor: node:http answering a fixed JSON body. Its port is the first argument.
import { createServer } from 'node:http'

const body = JSON.stringify({ status: 'ok' })
createServer((_req, res) => {
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  res.end(body)
}).listen(Number(process.argv[2]), '127.0.0.1')
