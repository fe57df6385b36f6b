import { lazy, Suspense } from 'react'
import type { KeyWithSecret } from '@/server/keys/shape'
import { CopyButton } from '../ui/copy'
import { RestSnippets } from './first-call-snippets'
import type { KeyOptions } from './options'

/** Where the recipes do not load, the secret stays on the page. */
const ConnectGuide = lazy(() =>
  import('../connect/connect-guide').then(
    ({ ConnectGuide }) => ({ default: ConnectGuide }),
    () => ({ default: () => <p className="text-muted">The recipes did not load. The Connect page has them.</p> }),
  ),
)

type Props = { shown: KeyWithSecret; baseUrl: string; models: KeyOptions['models']; title: string }

/** A new secret, shown once, and calls and configurations that contain it. */
export const NewSecret = ({ shown, baseUrl, models, title }: Props) => (
  <section aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-5">
    <div className="rounded border border-accent bg-raised p-4">
      <h2 className="mb-1 font-semibold">{title}</h2>
      <p className="mb-3 text-muted">Copy the secret now. Only its hash is stored, so it cannot be shown again.</p>
      <div className="flex flex-wrap items-center gap-3">
        <code data-testid="secret" className="num min-w-0 flex-1 rounded bg-sunken px-3 py-2 break-all select-all">
          {shown.key}
        </code>
        <CopyButton text={shown.key} label="Copy secret" />
      </div>
    </div>
    <div>
      <h3 className="mb-2 font-semibold">First call</h3>
      <RestSnippets baseUrl={baseUrl} secret={shown.key} tools={shown.tools} />
    </div>
    <div>
      <h3 className="mb-2 font-semibold">Connect a client</h3>
      <Suspense fallback={<p className="text-muted">Loading recipes…</p>}>
        <ConnectGuide baseUrl={baseUrl} models={models} created={{ key: shown, secret: shown.key }} />
      </Suspense>
    </div>
  </section>
)
