import { createTransport } from 'nodemailer'
import { type Env, secretFromEnv } from '../../env'
import { readModelEntries } from '../../models/registry'
import type { Upstream } from '../../models/shape'
import { toolGroups } from '../../tools/registry'
import { webSettings } from '../../tools/web/settings'
import { tracesUrl } from '../tracing/tracing'
import { CHECK_MS, type DoctorCheck, failure, look, reasonOf, warning, well } from './check'
import { clockCheck } from './check-database'

const get = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(CHECK_MS) })

/** Whether the service answers where PUBLIC_URL says. */
export async function checkPublicUrl({ PUBLIC_URL }: Env): Promise<DoctorCheck> {
  const name = 'public URL'
  try {
    const { status } = await get(`${PUBLIC_URL}/healthz`)
    if (status === 200) return well(name, `${PUBLIC_URL} answers`)
    return failure(name, `${PUBLIC_URL}/healthz answers ${status}`, 'Look at the proxy in front of it.')
  } catch (error) {
    const advice =
      'Start it (npm start), give this command the PORT it has, or correct DNS, proxy, certificate or PUBLIC_URL.'
    return warning(name, `${PUBLIC_URL} does not answer from here: ${reasonOf(error)}`, advice)
  }
}

/** Whether the mail server takes the sign-in of SMTP_URL. Nothing is sent. */
export async function checkMail({ SMTP_URL }: Env): Promise<DoctorCheck> {
  if (!SMTP_URL) return well('e-mail', 'SMTP_URL is not set: the service sends none')
  const times = { connectionTimeout: CHECK_MS, greetingTimeout: CHECK_MS, socketTimeout: CHECK_MS }
  const transport = createTransport({ url: SMTP_URL, ...times })
  try {
    await transport.verify()
    return well('e-mail', 'the mail server accepts the sign-in')
  } finally {
    transport.close()
  }
}

/** Whether the collector of traces takes spans: none is sent. Nothing where tracing is off. */
export async function checkCollector(env: Env): Promise<DoctorCheck[]> {
  const url = tracesUrl(env)
  if (url === null) return []
  const advice = 'Start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT: traces are lost until then.'
  return look('traces', advice, async () => {
    const headers = { 'content-type': 'application/json', ...env.OTEL_EXPORTER_OTLP_HEADERS }
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body: '{"resourceSpans":[]}',
      signal: AbortSignal.timeout(CHECK_MS),
    })
    await answer.body?.cancel()
    if (answer.ok) return well('traces', `${new URL(url).host} takes spans`)
    return failure('traces', `${url} answers ${answer.status}`, 'Correct the URL or OTEL_EXPORTER_OTLP_HEADERS.')
  })
}

const isSimulatedUrl = (url: string, { SANDBOX_URL, usesSandbox }: Env): boolean =>
  usesSandbox && new URL(url).origin === new URL(SANDBOX_URL).origin

/** Whether what simulates providers answers; nothing where none is simulated. */
export async function checkSandbox({ usesSandbox, SANDBOX_URL }: Env): Promise<DoctorCheck[]> {
  if (!usesSandbox) return []
  return look('simulated providers', 'npm start runs them, and npm run sandbox.', async () => {
    const { status } = await get(`${SANDBOX_URL}/healthz`)
    return status === 200
      ? well('simulated providers', `answer at ${SANDBOX_URL}`)
      : failure(
          'simulated providers',
          `${SANDBOX_URL}/healthz answers ${status}`,
          'Set SANDBOX_URL to another address.',
        )
  })
}

/** The headers with which an upstream of a model reads a key. */
const keyHeaders = ({ api }: Upstream, key: string | undefined): Record<string, string> => {
  if (key === undefined) return {}
  if (api === 'messages') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  return { authorization: `${api === 'fal' ? 'Key' : 'Bearer'} ${key}` }
}

/** Asks every provider of models for its list, which is free and needs the key. */
export async function checkModelProviders(env: Env): Promise<DoctorCheck[]> {
  const upstreams = new Map<string, Upstream>()
  for (const entry of readModelEntries())
    for (const upstream of entry.upstreams.filter(({ baseUrl }) => !isSimulatedUrl(baseUrl, env)))
      upstreams.set(`${upstream.baseUrl} ${upstream.apiKeyEnv}`, upstream)
  const found = await Promise.all([...upstreams.values()].map(checkUpstream))
  return found.flat()
}

async function checkUpstream(upstream: Upstream): Promise<DoctorCheck[]> {
  const { baseUrl, apiKeyEnv } = upstream
  const name = `models at ${new URL(baseUrl).host}${new URL(baseUrl).pathname}`
  const key = apiKeyEnv === null ? undefined : secretFromEnv(apiKeyEnv)
  if (apiKeyEnv !== null && key === undefined) return [failure(name, `${apiKeyEnv} is not set`, 'Set it in .env.')]
  return look(name, 'Look at the network, and at baseUrl in MODELS_FILE.', async () => {
    const answer = await get(`${baseUrl}/models`, keyHeaders(upstream, key))
    await answer.body?.cancel()
    const { status } = answer
    if (status === 401 || status === 403)
      return failure(name, `refuses the key of ${apiKeyEnv ?? 'nobody'} (${status})`, 'Renew the key in .env.')
    if (status >= 500) return warning(name, `answers ${status}`, 'Wait, or add a second upstream.')
    const date = Date.parse(answer.headers.get('date') ?? '')
    const says = status < 300 ? 'accepts the key' : `answers (${status}); npm run admin -- models check tries a call`
    // The header has whole seconds.
    const clock = Number.isNaN(date) ? [] : [clockCheck(`provider ${new URL(baseUrl).host}`, date + 500 - Date.now())]
    return [well(name, says), ...clock.filter(({ state }) => state !== 'ok')]
  })
}

/** The addresses of the providers whose tools are on. */
function usedUrls(): unknown[] {
  // web_search asks one of two.
  const other = webSettings().BRAVE_SEARCH_API_KEY ? 'SEARXNG_URL' : 'BRAVE_SEARCH_BASE_URL'
  return toolGroups
    .filter(({ tools }) => tools.some((tool) => tool.available()))
    .flatMap(({ settings }) => Object.entries(settings?.() ?? {}))
    .flatMap(([name, value]) => (name !== other && /_BASE_URL$|^SEARXNG_URL$/.test(name) ? [value] : []))
}

/** Whether each tool provider in use can be reached. Whether it takes the key costs a call. */
export async function checkToolProviders(env: Env): Promise<DoctorCheck[]> {
  const tools = toolGroups.flatMap((group) => group.tools)
  const off = tools.filter((tool) => !tool.available()).map((tool) => tool.id)
  const used = usedUrls().flatMap((url) => (typeof url === 'string' && !isSimulatedUrl(url, env) ? [url] : []))
  const origins = new Set(used.map((url) => new URL(url).origin))
  const found = await Promise.all([...origins].map(checkOrigin))
  const text = `${tools.length - off.length} of ${tools.length} are on${off.length > 0 ? `; off: ${off.join(', ')}` : ''}`
  return [well('tools', text), ...found.flat()]
}

const checkOrigin = (origin: string): Promise<DoctorCheck[]> => {
  const name = `tools at ${new URL(origin).host}`
  return look(name, 'Look at the network; tools of this provider fail until then.', async () => {
    const answer = await get(origin)
    await answer.body?.cancel()
    return well(name, 'can be reached; npm run admin -- tools check tries a call')
  })
}
