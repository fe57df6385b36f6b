import type { Theme } from '../shell/theme'

type Props = { name: string; alt: string; theme: Theme }

const SIZE = { width: 1920, height: 1200 }

/** How wide it is drawn: `HomePage` has two columns on wide screens. */
const DRAWN = '(min-width: 1240px) 510px, (min-width: 1024px) 42vw, calc(100vw - 40px)'

/** An image of the dashboard that `npm run shots` made, in the reader's theme. */
export function AppImage({ name, alt, theme }: Props) {
  const source = (look: 'light' | 'dark') => `/images/${name}-${look}.webp`
  const sources = (look: 'light' | 'dark') => `/images/${name}-${look}-960.webp 960w, ${source(look)} 1920w`
  const shown = theme === 'dark' ? 'dark' : 'light'
  return (
    <picture>
      {theme === 'system' && <source media="(prefers-color-scheme: dark)" srcSet={sources('dark')} sizes={DRAWN} />}
      <img
        {...SIZE}
        src={source(shown)}
        srcSet={sources(shown)}
        sizes={DRAWN}
        alt={alt}
        fetchPriority="high"
        className="h-auto w-full rounded border"
      />
    </picture>
  )
}
