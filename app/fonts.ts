import localFont from 'next/font/local'

/**
 * Inter, the Latin letters, every weight in one file. It is preloaded; a system font with its
 * measures is shown until then, so that nothing moves.
 */
export const inter = localFont({
  src: '../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  weight: '100 900',
  style: 'normal',
  display: 'swap',
  adjustFontFallback: 'Arial',
  variable: '--font-inter',
  fallback: ['system-ui', '-apple-system', 'Segoe UI', 'Liberation Sans', 'sans-serif'],
})
