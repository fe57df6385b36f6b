import { lazy, Suspense } from 'react'
import type { KeyWithSecret } from '@/server/keys/shape'
import { CopyButton } from '../ui/copy'
import { firstCallFor } from './first-call'
import type { KeyOptions } from './options'
import { SecretGuard } from './secret-guard'

/** Loaded once there is a key. Where code does not load, the secret stays on the page. */
const CallSnippets = lazy(() =>
  import('./call-snippets').then(
    ({ CallSnippets }) => ({ default: CallSnippets }),
    () => ({ default: () => <p className="text-muted">The code did not load. The Connect page has it.</p> }),
  ),
)

/** Where the recipes do not load, the secret stays on the page. */
const ConnectGuide = lazy(() =>
  import('../connect/connect-guide').then(
    ({ ConnectGuide }) => ({ default: ConnectGuide }),
    () => ({ default: () => <p className="text-muted">The recipes did not load. The Connect page has them.</p> }),
  ),
)

/** `client`: whose recipe comes first. */
type Props = { shown: KeyWithSecret; baseUrl: string; options: KeyOptions; title: string; client?: string }

/** A new secret, shown once. */
export const Secret = ({ title, secret }: { title: string; secret: string }) => (
  <div className="rounded border border-accent bg-raised p-4">
    <h2 className="mb-1 font-semibold">{title}</h2>
    <p className="mb-3 text-muted">Copy the secret now. Only its hash is stored, so it cannot be shown again.</p>
    <div className="flex flex-wrap items-center gap-3">
      <code data-testid="secret" className="num min-w-0 flex-1 rounded bg-sunken px-3 py-2 break-all select-all">
        {secret}
      </code>
      <CopyButton text={secret} label="Copy secret" />
    </div>
    <SecretGuard secret={secret} />
  </div>
)

/** A new secret, shown once, and calls and configurations that contain it. */
export const NewSecret = ({ shown, baseUrl, options, title, client }: Props) => (
  <section aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-5">
    <Secret title={title} secret={shown.key} />
    <div>
      <h3 className="mb-2 font-semibold">First call</h3>
      <Suspense fallback={<p className="text-muted">Loading code…</p>}>
        <CallSnippets baseUrl={baseUrl} secret={shown.key} call={firstCallFor(shown, options)} />
      </Suspense>
    </div>
    {(shown.llm || shown.tools.length > 0) && (
      <div>
        <h3 className="mb-2 font-semibold">Connect a client</h3>
        <Suspense fallback={<p className="text-muted">Loading recipes…</p>}>
          <ConnectGuide
            baseUrl={baseUrl}
            models={options.models}
            created={{ key: shown, secret: shown.key }}
            first={{ client }}
          />
        </Suspense>
      </div>
    )}
  </section>
)
