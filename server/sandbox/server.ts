import { checkSandboxUrl, isProduction } from '../env'
import { printJsonLines, printLine } from '../kit/print-line'
import { startSandboxServer } from './start'

// Web and worker start it with this where nothing answers; both may do so at once.
const isIfFree = process.argv.includes('--if-free')
if (isProduction()) printJsonLines()

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
  if (code === 'EADDRINUSE' && isIfFree) process.exit(0)
  if (code === 'EADDRINUSE')
    stopWith(`Port ${port} is taken: stop what listens there, or set SANDBOX_URL to another port.`)
  if (code === 'EACCES')
    stopWith(`Port ${port || 80} may not be used by this user: set SANDBOX_URL to a port above 1023.`)
  throw error
}

function stopWith(line: string): never {
  printLine(line)
  process.exit(1)
}
