import { checkSandboxUrl } from '../env'
import { startSandboxServer } from './start'

const { port, hostname, protocol } = new URL(checkSandboxUrl())
if (protocol !== 'http:' || !['127.0.0.1', 'localhost'].includes(hostname)) {
  stopWith('Bad setting: SANDBOX_URL must be http://127.0.0.1:<port> where the sandbox itself is to run')
}

try {
  const { url, stop } = await startSandboxServer({ port: Number(port || 80), ownsProcess: true })
  process.stdout.write(`Simulated providers on ${url}\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().then(() => process.exit(0)))
} catch (error) {
  const code = (error as { code?: string }).code
  if (code === 'EADDRINUSE')
    stopWith(`Port ${port} is taken: stop what listens there, or set SANDBOX_URL to another port.`)
  if (code === 'EACCES')
    stopWith(`Port ${port || 80} may not be used by this user: set SANDBOX_URL to a port above 1023.`)
  throw error
}

function stopWith(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}
