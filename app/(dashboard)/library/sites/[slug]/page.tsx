import type { Metadata } from 'next'
import { MadeBy } from '@/components/library/made-by'
import { EndPreview, ServeVersion, TakeDown } from '@/components/library/site-actions'
import { SiteBadge } from '@/components/library/site-table'
import { May } from '@/components/shell/role'
import { ExternalLink } from '@/components/ui/external-link'
import { formatBytes } from '@/components/ui/format-bytes'
import { Facts, Section, Title } from '@/components/ui/page'
import { DataTable, Head, Row, Td, Th } from '@/components/ui/table'
import { TimeAgo } from '@/components/ui/time-ago'
import { loadLibrarySite } from '../../../load'

export const metadata: Metadata = { title: 'Site' }

export default async function SitePage({ params }: { params: Promise<{ slug: string }> }) {
  const { slug, url, live, versions, jobId } = await loadLibrarySite((await params).slug)
  return (
    <div className="max-w-[1200px]">
      <Title
        title={slug}
        note="A site that runs have published. Each publication is a version; one of them is public. A preview is seen by whoever has its address."
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <Facts
          rows={[
            ['Visitors get', <SiteBadge key="live" live={live} />],
            [
              'Address',
              live === null ? (
                url
              ) : (
                <ExternalLink key="url" href={url}>
                  {url}
                </ExternalLink>
              ),
            ],
            ['Made by', <MadeBy key="run" jobId={jobId} what={slug} />],
          ]}
        />
        <Section title="Versions">
          <DataTable label="Versions">
            <Head>
              <Th>Version</Th>
              <Th right>Files</Th>
              <Th right wide>
                Size
              </Th>
              <Th>Published</Th>
              <Th right>Public</Th>
            </Head>
            <tbody>
              {versions.map(({ version, files, bytes, preview, createdAt }) => (
                <Row key={version}>
                  <Td>
                    <span className="num">{version}</span>
                    {preview !== null && version !== live && (
                      <span className="ml-3 inline-flex flex-wrap items-center gap-x-3 gap-y-1 text-caption">
                        <ExternalLink href={preview}>Preview of version {version}</ExternalLink>
                        <May to="library.endPreview">
                          <EndPreview slug={slug} version={version} />
                        </May>
                      </span>
                    )}
                  </Td>
                  <Td right className="num">
                    {files}
                  </Td>
                  <Td right wide className="num text-muted">
                    {formatBytes(bytes)}
                  </Td>
                  <Td className="text-muted">
                    <TimeAgo at={createdAt} />
                  </Td>
                  <Td right>
                    {version === live ? (
                      'Yes'
                    ) : (
                      <May to="library.serveVersion">
                        <ServeVersion slug={slug} version={version} />
                      </May>
                    )}
                  </Td>
                </Row>
              ))}
            </tbody>
          </DataTable>
        </Section>
        {(live !== null || versions.some(({ preview }) => preview !== null)) && (
          <May to="library.takeDown">
            <TakeDown slug={slug} />
          </May>
        )}
      </div>
    </div>
  )
}
