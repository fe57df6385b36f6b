import Link from 'next/link'
import type { ReferenceOperation } from '@/server/api/shape'
import { Island } from '../islands/island'
import { Badge } from '../ui/badge'
import { LINK } from '../ui/external-link'
import { Markdown } from '../ui/markdown'
import { Section } from '../ui/page'
import { CodeText } from './code-text'
import { FieldList } from './field-list'
import { InlineCode } from './inline-code'
import { RequestExample } from './request-example'
import { TryIt } from './try-it'

const isHeader = ({ in: place }: { in: string }) => place === 'header'

const Types = ({ types }: Pick<ReferenceOperation, 'types'>) => (
  <Section title="Types">
    <div className="grid gap-3">
      {types.map(({ name, code, isWide }) => (
        <div key={name} id={`type-${name}`}>
          <div className="overflow-hidden rounded border bg-sunken">
            <CodeText code={code} wraps isResponse />
          </div>
          {isWide && (
            <p className="mt-1 text-table text-muted">
              The result of each tool is on{' '}
              <Link href="/docs/tools" prefetch={false} className={LINK}>
                its page
              </Link>
              .
            </p>
          )}
        </div>
      ))}
    </div>
  </Section>
)

const Successes = ({ successes }: Pick<ReferenceOperation, 'successes'>) => (
  <ul className="divide-y border-y">
    {successes.map(({ status, description, type }) => (
      <li key={status} className="py-2">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <Badge tone="good">{status}</Badge>
          {type && <span className="num min-w-0 text-caption [overflow-wrap:anywhere]">{type}</span>}
        </p>
        {description !== 'Success.' && (
          <p className="text-table text-muted">
            <InlineCode text={description} />
          </p>
        )}
      </li>
    ))}
  </ul>
)

const Errors = ({ errors }: Pick<ReferenceOperation, 'errors'>) => (
  <details>
    <summary className="py-1 text-table font-medium">Errors ({errors.length})</summary>
    <ul className="mt-1 divide-y border-y">
      {errors.map(({ status, description }) => (
        <li key={status} className="grid grid-cols-[3rem_1fr] gap-2 py-2 text-table">
          <span className="num">{status}</span>
          <span className="text-muted">
            <InlineCode text={description} />
          </span>
        </li>
      ))}
    </ul>
  </details>
)

/** One operation: what it takes and returns, as code, and to be tried. */
export function OperationView({ of, origin }: { of: ReferenceOperation; origin: string }) {
  const { method, path, body, parameters, needsKey } = of
  const example = body === null ? undefined : body.example
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
      <div className="grid min-w-0 content-start gap-8">
        {of.description && <Markdown trusted text={of.description} />}
        {parameters.length > 0 && (
          <Section title="Parameters">
            <FieldList
              fields={parameters.map((one) =>
                isHeader(one) ? { ...one, description: `Header. ${one.description}` } : one,
              )}
            />
          </Section>
        )}
        {body && (
          <Section title="Body">
            {body.fields.length > 0 ? (
              <FieldList fields={body.fields} />
            ) : (
              <p className="text-muted">
                <InlineCode text={body.description} />
              </p>
            )}
          </Section>
        )}
        <Section title="Responses">
          <Successes successes={of.successes} />
          <div className="mt-2">
            <Errors errors={of.errors} />
          </div>
        </Section>
        {of.types.length > 0 && <Types types={of.types} />}
      </div>
      <div className="min-w-0 xl:sticky xl:top-8 xl:self-start [&>:first-child>*]:mt-0">
        <RequestExample request={{ method, url: origin + path, needsKey, body: example }} />
        <h2 className="mt-6 mb-2 font-semibold">Try it</h2>
        <Island
          key={of.id}
          name="TryIt"
          of={TryIt}
          props={{
            method,
            path,
            parameters,
            body: body && JSON.stringify(example, null, 2),
            needsKey,
            cost: of.cost,
          }}
        />
      </div>
    </div>
  )
}
