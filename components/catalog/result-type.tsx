import { CopyBox } from '../ui/copy'
import { Section } from '../ui/page'

/** The type of what a tool returns, as its callers see it. */
export const ResultType = ({ type }: { type: string }) => (
  <div className="mt-8 max-w-[100ch]">
    <Section title="What it returns">
      <p className="mb-3 text-muted">
        As a TypeScript type; <code className="num">Time</code> is an ISO 8601 time. The response also has{' '}
        <code className="num">service.credits_charged</code>.
      </p>
      <CopyBox label="Type of the result" code={type} />
    </Section>
  </div>
)
