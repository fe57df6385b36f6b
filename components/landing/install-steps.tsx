import { CodeExample } from '../docs/code-example'
import { Island } from '../islands/island'

/** Two lines to a running service, from a clone. */
const LINES = 'cd tollgate\nnpm run quickstart'

/** How it is installed, and what that brings. */
export const InstallSteps = () => (
  <section aria-labelledby="installation" className="min-w-0">
    <h2 id="installation" className="mb-2 font-semibold">
      Installed in two lines
    </h2>
    <Island
      name="CodeExample"
      of={CodeExample}
      props={{ id: 'Installation', variants: [{ label: 'In a clone of the repository', code: LINES }] }}
    />
    <p className="mt-2 text-muted">
      It needs git, npm and Node 18 or newer, and brings database, worker and simulated providers: no account and no
      provider’s key. The end of its output is a login, a key and a call to paste.
    </p>
  </section>
)
