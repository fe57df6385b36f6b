import { firstCallCurl } from '@/components/keys/first-call-snippets'
import { ButtonLink } from '@/components/ui/button'
import { CopyBox } from '@/components/ui/copy'
import { server } from '../server'
import { currentSession } from '../session'

const POINTS: [string, string][] = [
  ['One key', 'A key limits which tools it may call, how many credits it may spend, and how often it may call.'],
  [
    'Reserved, then charged',
    'A call runs only if the credits for its highest possible price are available. It is charged once, and the rest is released.',
  ],
  ['A receipt for each call', 'Every response has credits_charged and a request id, and every id has a receipt.'],
]

export default async function HomePage() {
  const [session, { signUpOpen }] = await Promise.all([currentSession(), server().signInOptions()])
  return (
    <main className="mx-auto grid w-full max-w-[880px] grid-cols-[minmax(0,1fr)] content-start gap-8 px-5 py-[8vh]">
      <div className="grid gap-3">
        <h1 className="max-w-[26ch] text-[1.75rem] leading-9 font-semibold tracking-tight text-balance">
          Tools, models and agents behind one key and one credit balance
        </h1>
        <p className="max-w-[62ch] text-muted">
          Tollgate is a gateway you host yourself. Programs call tools, chat with models and start agent runs over plain
          HTTP or MCP; each call is billed in credits against limits you set, and none can spend beyond them.
        </p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <CopyBox
          label="A call with curl"
          code={firstCallCurl({ baseUrl: server().publicUrl(), secret: null, tools: 'all' })}
        />
        <p className="text-caption text-muted">
          The response is the tool’s JSON with a <code className="num">service</code> block that says what it cost. The{' '}
          <a href="/docs" className="text-accent underline underline-offset-2">
            API documentation
          </a>{' '}
          lists all tools with prices.
        </p>
      </div>
      <dl className="grid gap-x-8 gap-y-4 border-y py-6 sm:grid-cols-3">
        {POINTS.map(([name, text]) => (
          <div key={name}>
            <dt className="mb-1 font-semibold">{name}</dt>
            <dd className="text-muted">{text}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap items-center gap-3">
        {session ? (
          <ButtonLink kind="primary" href="/overview">
            Go to the dashboard
          </ButtonLink>
        ) : (
          <>
            <ButtonLink kind="primary" href="/signin">
              Sign in
            </ButtonLink>
            {signUpOpen ? (
              <ButtonLink href="/signup">Create an account</ButtonLink>
            ) : (
              <span className="text-muted">Sign-up is closed.</span>
            )}
          </>
        )}
        <a href="/api/v1/openapi.json" className="text-accent underline underline-offset-2">
          OpenAPI document
        </a>
      </div>
    </main>
  )
}
