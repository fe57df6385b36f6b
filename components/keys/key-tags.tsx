import Link from 'next/link'

/** A key's tags; each leads to the keys that have it. */
export const KeyTags = ({ tags }: { tags: readonly string[] }) => (
  <ul className="flex flex-wrap gap-1">
    {tags.map((tag) => (
      <li key={tag}>
        <Link
          href={`/keys?tag=${encodeURIComponent(tag)}`}
          prefetch={false}
          className="relative z-1 block rounded border bg-sunken px-1.5 text-caption leading-[22px] wrap-anywhere text-muted hover:border-line-strong hover:text-text"
        >
          <bdi>{tag}</bdi>
        </Link>
      </li>
    ))}
  </ul>
)
