import type { Theme } from '../shell/theme'

type Props = { name: string; alt: string; theme: Theme }

const SIZE = { width: 1920, height: 1200 }

/** An image of the dashboard that `npm run shots` made, in the reader's theme. */
export function AppImage({ name, alt, theme }: Props) {
  const source = (look: 'light' | 'dark') => `/images/${name}-${look}.webp`
  return (
    <picture>
      {theme === 'system' && <source media="(prefers-color-scheme: dark)" srcSet={source('dark')} />}
      <img
        {...SIZE}
        src={source(theme === 'dark' ? 'dark' : 'light')}
        alt={alt}
        fetchPriority="high"
        className="h-auto w-full rounded border"
      />
    </picture>
  )
}
