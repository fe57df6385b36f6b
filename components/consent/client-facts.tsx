import type { ConsentRequest, RedirectTarget } from '@/server/oauth/shape'
import { Facts, Notice } from '../ui/page'

export type ConsentAsk = Extract<ConsentRequest, { kind: 'ask' }>

const WHERE: Record<RedirectTarget['kind'], string> = {
  loopback: 'An application on this computer',
  app: 'The application that opens links of this kind',
  website: 'A website',
}

/** Who asks for access, as far as that is known. */
export const ClientFacts = ({ of: { clientName, publishedAt, redirect } }: { of: ConsentAsk }) => (
  <div className="grid gap-3">
    <Notice tone="warn">
      The name “<bdi>{clientName}</bdi>” is what the application calls itself. It is not verified. Allow it only if you
      have just started to connect it.
    </Notice>
    <Facts
      rows={[
        ['Application', <bdi key="n">{clientName}</bdi>],
        ...(publishedAt === null
          ? []
          : ([
              [
                'Published by',
                <span key="p" className="num">
                  {publishedAt}
                </span>,
              ],
            ] as const)),
        [
          'Returns to',
          <span key="r">
            <span className="num">{redirect.kind === 'app' ? `${redirect.host}:` : redirect.host}</span>
            <span className="block text-caption text-muted">{WHERE[redirect.kind]}</span>
          </span>,
        ],
      ]}
    />
  </div>
)
