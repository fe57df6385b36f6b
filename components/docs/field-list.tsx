import type { ReferenceField } from '@/server/api/shape'
import { Badge } from '../ui/badge'
import { InlineCode } from './inline-code'

/** Parameters or fields, with their types and what they mean. */
export const FieldList = ({ fields }: { fields: readonly ReferenceField[] }) => (
  <ul className="divide-y border-y">
    {fields.map(({ name, type, required, description }) => (
      <li key={name} className="py-2">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="num font-medium">{name}</span>
          <span className="num min-w-0 text-caption whitespace-pre-wrap text-muted [overflow-wrap:anywhere]">
            {type}
          </span>
          {required && <Badge tone="accent">required</Badge>}
        </p>
        {description && (
          <p className="max-w-[80ch] text-table text-muted">
            <InlineCode text={description} />
          </p>
        )}
      </li>
    ))}
  </ul>
)
