const CHANNEL = 'tollgate-signed-in-again'

/** Lets the other tabs know that whoever is signed in has signed in at their provider again. */
export function announceSignIn(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(true)
  channel.close()
}

/** Calls back once another tab announces it. Returns how to stop listening. */
export function onSignedInAgain(done: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', done)
  return () => channel.close()
}
