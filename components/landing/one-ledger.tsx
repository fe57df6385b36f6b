const WAYS = [
  ['REST', '/api/v1/query'],
  ['Chat', '/api/v1/chat/completions'],
  ['Agents', '/api/v1/agent'],
  ['MCP', '/api/v1/mcp'],
] as const

const STEPS = ['Reserve: the most it can cost', 'Run: tool, model or step', 'Settle once: what it did cost'] as const

/** Four ways to call, and the one ledger that all of them pay through. */
export const OneLedger = () => (
  <section aria-labelledby="one-ledger" className="min-w-0">
    <h2 id="one-ledger" className="mb-2 font-semibold">
      Four ways in, one ledger
    </h2>
    <div className="rounded border bg-raised p-4 text-table">
      <ul className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {WAYS.map(([name, path]) => (
          <li key={name} className="min-w-0 rounded border px-2 py-1.5 text-center">
            <span className="block font-medium">{name}</span>
            <span className="num block text-caption [overflow-wrap:anywhere] text-muted">{path}</span>
          </li>
        ))}
      </ul>
      <div aria-hidden className="mx-auto h-4 w-px bg-line-strong" />
      <p className="rounded border border-accent bg-accent-weak px-3 py-2 text-center font-medium">
        One admission: key, rate, balance, budgets
      </p>
      <div aria-hidden className="mx-auto h-4 w-px bg-line-strong" />
      <ol className="grid gap-2 sm:grid-cols-3">
        {STEPS.map((step) => (
          <li key={step} className="rounded border px-2 py-1.5 text-center">
            {step}
          </li>
        ))}
      </ol>
      <div aria-hidden className="mx-auto h-4 w-px bg-line-strong" />
      <p className="rounded border px-3 py-2 text-center">
        <span className="font-medium">Ledger</span>
        <span className="text-muted">: append-only, chained by hash, verified by one command</span>
      </p>
    </div>
  </section>
)
