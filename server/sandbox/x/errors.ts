import { provokedFailure } from '../kit/failures'

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
export async function xFailure(wanted: string | undefined, name: string): Promise<Response | null> {
  if (wanted === '404') return errorsOnly('Not Found Error', `Could not find [${name}].`, 'resource-not-found')
  if (wanted === 'suspended')
    return errorsOnly('Forbidden', `User has been suspended: [${name}].`, 'resource-not-found')
  const failure = await provokedFailure('x', wanted)
  if (wanted === '429') failure?.headers.set('x-rate-limit-reset', String(Math.ceil(Date.now() / 1000) + 60))
  return failure
}
