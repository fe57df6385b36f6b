import { type ClassValue, clsx } from 'clsx'
import { createTailwindMerge } from 'tailwind-merge'

const any = () => true
const anyOf = (...prefixes: string[]) => Object.fromEntries(prefixes.map((name) => [name, [{ [name]: [any] }]]))

const COLOURS = [
  'surface raised sunken line line-strong text muted transparent current',
  'accent accent-hover accent-weak on-accent warn warn-weak bad bad-weak on-bad good good-weak',
].flatMap((names) => names.split(' '))
const isLength = (value: string) => /^(\d+|\[[\d.]+(px|rem|em)\])$/.test(value)
const EDGES = ['border', 'border-x', 'border-y', 'border-t', 'border-r', 'border-b', 'border-l']

/** Which classes conflict. The package's complete list would add 7 kB to every page. */
const merge = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups: {
    display: ['block', 'inline-block', 'inline', 'flex', 'inline-flex', 'grid', 'table', 'contents', 'hidden'],
    'line-clamp': [{ 'line-clamp': [any] }],
    'list-style-type': [{ list: ['disc', 'decimal', 'none'] }],
    position: ['static', 'relative', 'absolute', 'fixed', 'sticky'],
    'font-size': [{ text: ['caption', 'table', 'body', 'title', isLength] }],
    'text-alignment': [{ text: ['left', 'center', 'right'] }],
    'text-color': [{ text: COLOURS }],
    'font-weight': [{ font: ['normal', 'medium', 'semibold', 'bold'] }],
    'font-family': [{ font: ['sans', 'mono'] }],
    'flex-direction': [{ flex: ['row', 'row-reverse', 'col', 'col-reverse'] }],
    flex: [{ flex: ['1', 'auto', 'none'] }],
    overflow: [{ overflow: ['auto', 'hidden', 'visible', 'scroll'] }],
    rounded: [{ rounded: ['', any] }],
    justify: [{ justify: ['start', 'end', 'center', 'between'] }],
    content: [{ content: ['start', 'end', 'center', 'between'] }],
    break: [{ break: ['words', 'all', 'normal'] }],
    resize: [{ resize: ['none', 'y', 'x'] }],
    cursor: [{ cursor: [any] }],
    'border-style': [{ border: ['solid', 'dashed', 'dotted', 'none'] }],
    'border-color': [{ border: COLOURS }],
    ...Object.fromEntries(EDGES.map((edge) => [edge, [{ [edge]: ['', isLength] }]])),
    ...anyOf('p', 'px', 'py', 'pt', 'pr', 'pb', 'pl', 'm', 'mx', 'my', 'mt', 'mr', 'mb', 'ml'),
    ...anyOf('w', 'h', 'size', 'min-w', 'max-w', 'min-h', 'max-h', 'gap', 'gap-x', 'gap-y', 'leading', 'tracking'),
    ...anyOf(
      'inset',
      'inset-x',
      'inset-y',
      'top',
      'right',
      'bottom',
      'left',
      'z',
      'bg',
      'opacity',
      'whitespace',
      'overflow-x',
      'overflow-y',
      'scroll-mt',
    ),
    ...anyOf(
      'items',
      'justify-self',
      'grid-cols',
      'col-span',
      'align',
      'shadow',
      'basis',
      'shrink',
      'grow',
      'fill',
      'rotate',
    ),
  },
  conflictingClassGroups: {
    p: ['px', 'py', 'pt', 'pr', 'pb', 'pl'],
    px: ['pr', 'pl'],
    py: ['pt', 'pb'],
    m: ['mx', 'my', 'mt', 'mr', 'mb', 'ml'],
    mx: ['mr', 'ml'],
    my: ['mt', 'mb'],
    size: ['w', 'h'],
    gap: ['gap-x', 'gap-y'],
    inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
    'inset-x': ['right', 'left'],
    'inset-y': ['top', 'bottom'],
    border: EDGES.slice(1),
    'border-x': ['border-r', 'border-l'],
    'border-y': ['border-t', 'border-b'],
    overflow: ['overflow-x', 'overflow-y'],
    'line-clamp': ['display', 'overflow'],
    flex: ['basis', 'shrink', 'grow'],
    'font-size': ['leading'],
  },
  conflictingClassGroupModifiers: {},
  orderSensitiveModifiers: ['*', '**', 'after', 'before', 'first-letter', 'first-line', 'marker', 'selection'],
}))

/** Joins class names; of two that conflict, the later wins. */
export const cn = (...classes: ClassValue[]): string => merge(clsx(classes))
