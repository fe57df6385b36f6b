import type { KeyWithSecret } from '@/server/keys/shape'
import { CopyButton } from '../ui/copy'
import { FirstCallSnippets } from './first-call-snippets'

/** A new secret, shown once, and calls that contain it. */
export const NewSecret = ({ shown, baseUrl, title }: { shown: KeyWithSecret; baseUrl: string; title: string }) => (
  <section aria-label={title} className="grid gap-5">
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
      <FirstCallSnippets baseUrl={baseUrl} secret={shown.key} tools={shown.tools} />
    </div>
  </section>
)
