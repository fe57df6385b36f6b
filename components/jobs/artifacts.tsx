import { FileText, Globe, Image as ImageIcon, type LucideIcon, Table2, Video } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Conversation } from './shape'

type Artifact = Conversation['job']['artifacts'][number]

const KINDS: Record<Artifact['kind'], { icon: LucideIcon; label: string }> = {
  file: { icon: FileText, label: 'File' },
  image: { icon: ImageIcon, label: 'Image' },
  video: { icon: Video, label: 'Video' },
  dataset: { icon: Table2, label: 'Dataset' },
  site: { icon: Globe, label: 'Site' },
}

/**
 * Where the browser gets an artifact. Hosted files are asked for at the page's own host, which is
 * the only one whose images and videos the page may show.
 */
function hrefOf({ kind, url = '', id }: Artifact): string {
  if (kind === 'dataset') return `/datasets/${id}?format=csv`
  return kind === 'site' || !URL.canParse(url) ? url : new URL(url).pathname
}

const LINK = 'rounded px-1 text-table text-accent underline underline-offset-2'

/** What can be done with an artifact. Plain links: these are no pages of the dashboard. */
function Actions({ artifact }: { artifact: Artifact }): ReactNode {
  const { kind, id, name } = artifact
  if (kind === 'dataset') {
    return (
      <>
        <a className={LINK} href={hrefOf(artifact)} download aria-label={`Download ${name} as CSV`}>
          CSV
        </a>
        <a className={LINK} href={`/datasets/${id}?format=xlsx`} download aria-label={`Download ${name} as XLSX`}>
          XLSX
        </a>
      </>
    )
  }
  return (
    <a className={LINK} href={hrefOf(artifact)} target="_blank" rel="noreferrer" aria-label={`Open ${name}`}>
      Open
    </a>
  )
}

/** An image or a video, to be looked at here. */
function Preview({ artifact }: { artifact: Artifact }): ReactNode {
  // White: charts are drawn for paper, also those without a ground of their own.
  const frame = 'max-h-72 w-auto max-w-full rounded border bg-[oklch(1_0_0)]'
  if (artifact.kind === 'image') {
    return (
      <div className="basis-full sm:pl-7">
        {/* biome-ignore lint/performance/noImgElement: a hosted file, served as it is */}
        <img src={hrefOf(artifact)} alt="" loading="lazy" className={frame} />
      </div>
    )
  }
  if (artifact.kind === 'video') {
    return (
      <div className="basis-full sm:pl-7">
        <video src={hrefOf(artifact)} preload="metadata" muted controls aria-label={artifact.name} className={frame} />
      </div>
    )
  }
  return null
}

/** What a conversation has made: files, images, videos, datasets and sites, each with its link. */
export function Artifacts({ artifacts }: { artifacts: readonly Artifact[] }): ReactNode {
  if (artifacts.length === 0) return null
  return (
    <section aria-label="Artifacts" className="rounded border bg-raised">
      <h3 className="px-3 pt-2 text-table font-medium text-muted">Artifacts</h3>
      <ul>
        {artifacts.map((artifact) => {
          const { icon: Icon, label } = KINDS[artifact.kind]
          return (
            <li
              key={`${artifact.kind} ${artifact.id}`}
              className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-3 py-2 last:border-b-0"
            >
              <Icon className="size-4 shrink-0 text-muted" aria-hidden />
              <span className="min-w-0 flex-1 basis-40">
                <span className="block font-medium [overflow-wrap:anywhere]">
                  <bdi>{artifact.name}</bdi>
                </span>
                <span className="text-caption text-muted [overflow-wrap:anywhere]">
                  {artifact.kind === 'site' ? artifact.url : label}
                </span>
              </span>
              <span className="flex gap-2">
                <Actions artifact={artifact} />
              </span>
              <Preview artifact={artifact} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
