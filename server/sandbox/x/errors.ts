/** https://docs.x.com/x-api/fundamentals/rate-limits: the state of the window is in headers. */
export const xJson = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers: { 'x-rate-limit-limit': '450', 'x-rate-limit-remaining': '449', ...headers } })
/** Errors and their types: https://docs.x.com/x-api/fundamentals/response-codes-and-errors */
export const xProblem = (status: number, title: string, detail: string, type: string, more: object = {}): Response =>
  xJson(
    { title, detail, type: type === 'about:blank' ? type : `https://api.twitter.com/2/problems/${type}`, ...more },
    status,
  )
/** A parameter that is refused, by the provider's name for it. */
export const invalidXRequest = (
  name: string,
  value: string,
  message = `The \`${name}\` query parameter value [${value}] is not valid`,
) =>
  xProblem(400, 'Invalid Request', 'One or more parameters to your request was invalid.', 'invalid-request', {
    errors: [{ parameters: { [name]: [value] }, message }],
  })
/** Single things that are not shown: status 200, no data. */
const errorsOnly = (title: string, detail: string, type: string): Response =>
  xJson({ errors: [{ title, detail, type: `https://api.twitter.com/2/problems/${type}` }] })

/** The failure a word asks for, if it does. */
export function xFailure(wanted: string, name: string): Response | undefined {
  const inAMinute = String(Math.ceil(Date.now() / 1000) + 60)
  const limited = { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': inAMinute }
  if (wanted === '429')
    return xJson(
      { title: 'Too Many Requests', detail: 'Too Many Requests', type: 'about:blank', status: 429 },
      429,
      limited,
    )
  if (wanted === 'cap') {
    return xProblem(429, 'UsageCapExceeded', 'Usage cap exceeded: Monthly product cap', 'usage-capped', {
      period: 'Monthly',
    })
  }
  if (wanted === '402')
    return xProblem(402, 'CreditsDepleted', 'Your enrolled account [1] does not have any credits.', 'credits')
  if (wanted === '403') return xProblem(403, 'Client Forbidden', 'The App is not in a Project.', 'client-forbidden')
  if (wanted === '500') return xProblem(500, 'Internal Error', 'Internal Error', 'about:blank', { status: 500 })
  if (wanted === '404') return errorsOnly('Not Found Error', `Could not find [${name}].`, 'resource-not-found')
  if (wanted === 'suspended')
    return errorsOnly('Forbidden', `User has been suspended: [${name}].`, 'resource-not-found')
  if (wanted === 'protected')
    return errorsOnly('Authorization Error', 'Sorry, you are not authorized to see it.', 'not-authorized-for-resource')
  if (wanted === 'html')
    return new Response('<!doctype html><title>X</title>', { headers: { 'content-type': 'text/html' } })
  return undefined
}
