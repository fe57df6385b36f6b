import type { IncomingMessage, ServerResponse } from 'node:http'

/** Pages are read, and forms of theirs are posted. */
const METHODS = ['GET', 'HEAD', 'POST']

/** A path that cannot be decoded is nobody's; Next would answer 500. */
function isDecodable(target: string): boolean {
  try {
    decodeURIComponent(target.split('?', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}

/** Answers what no page can: a method that none serves (405), an address that is not text (400). True when it did. */
export function refusePage(req: IncomingMessage, res: ServerResponse): boolean {
  const allowed = METHODS.includes(req.method ?? '')
  if (allowed && isDecodable(req.url ?? '/')) return false
  const [status, error, code] = allowed
    ? [400, 'The address is not valid.', 'invalid_request']
    : [405, `Use ${METHODS.join(', ')}.`, 'method_not_allowed']
  res.writeHead(Number(status), { 'content-type': 'application/json', ...(!allowed && { allow: METHODS.join(', ') }) })
  res.end(JSON.stringify({ error, code }))
  return true
}
