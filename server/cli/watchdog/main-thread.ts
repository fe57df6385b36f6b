import { type Debugger, Session } from 'node:inspector/promises'

// On a busy machine the debugger needs seconds to stop a thread, and a process that is killed
// instead reports no stack.
const PAUSE_MS = 20_000
const MAX_FRAMES = 15

type Paused = { session: Session; frames: Debugger.CallFrame[]; urls: ReadonlyMap<string, string> }

let paused: Promise<Paused | null> | undefined

/**
 * Stops the main thread where it is; null where it runs no JavaScript that could be interrupted.
 * Only from a worker.
 */
function pause(): Promise<Paused | null> {
  paused ??= new Promise((resolve) => {
    const session = new Session()
    session.connectToMainThread()
    const urls = new Map<string, string>()
    session.on('Debugger.scriptParsed', ({ params }) => void urls.set(params.scriptId, params.url))
    session.once('Debugger.paused', ({ params }) => resolve({ session, frames: params.callFrames, urls }))
    setTimeout(() => resolve(null), PAUSE_MS)
    session
      .post('Debugger.enable')
      .then(() => session.post('Debugger.pause'))
      .catch(() => resolve(null))
  })
  return paused
}

/** Where the main thread is, a line per frame, innermost first; empty where that cannot be seen. */
export async function mainThreadStack(): Promise<string[]> {
  const { frames = [], urls } = (await pause()) ?? {}
  return frames.slice(0, MAX_FRAMES).map(({ functionName, location }) => {
    return `${functionName || '(anonymous)'} ${urls?.get(location.scriptId) ?? ''}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1}`
  })
}

/**
 * Ends the process with an exit code from inside its main thread. Returns when that did not work.
 */
export async function exitMainThread(code: number): Promise<void> {
  const [frame] = (await pause())?.frames ?? []
  const { session } = (await pause()) ?? {}
  if (!frame || !session) return
  const expression = `globalThis.process.reallyExit(${code})`
  const asked = session.post('Debugger.evaluateOnCallFrame', { callFrameId: frame.callFrameId, expression })
  await Promise.race([asked.catch(() => {}), new Promise((resolve) => setTimeout(resolve, PAUSE_MS))])
}
