// Loaded into a client before its own code: only this machine can be reached. What would leave it
// finds nobody.
import net from 'node:net'

const HERE = new Set(['127.0.0.1', 'localhost', '::1'])
const NOWHERE = { host: '127.0.0.1', port: 9 }
const connect = net.Socket.prototype.connect

net.Socket.prototype.connect = function fenced(...args) {
  const [first, host] = args.flat()
  if (typeof first === 'object' && first !== null) {
    if (!first.path && first.host && !HERE.has(first.host)) Object.assign(first, NOWHERE)
  } else if (typeof host === 'string' && !HERE.has(host)) return connect.call(this, NOWHERE)
  return connect.apply(this, args)
}
