// Makes the script of the public pages, among the files of Next that browsers never ask for twice:
// it is named after what is in it. Preact takes the place of React, a link is a plain one.
import { rmSync } from 'node:fs'
import * as esbuild from 'esbuild'
import { at } from './setup/root.mjs'

const outdir = at('.next', 'static', 'islands')
const replacement = (name) => at('components', 'islands', name)

rmSync(outdir, { recursive: true, force: true })
const bundled = esbuild.build({
  absWorkingDir: at(),
  entryPoints: { islands: 'components/islands/start.ts' },
  outdir,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  jsx: 'automatic',
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': '"production"' },
  alias: {
    react: 'preact/compat',
    'react-dom/client': 'preact/compat/client',
    'react/jsx-runtime': 'preact/jsx-runtime',
    'next/link': replacement('next-link.tsx'),
    'next/navigation': replacement('next-navigation.ts'),
  },
})
// What is wrong is printed already.
await bundled.catch(() => process.exit(1))
