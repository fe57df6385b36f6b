// The script of the public pages in production: `server/cli/bundle-islands.mjs` makes it, with
// Preact in the place of React.
import { type ComponentType, createElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { showCurrentLink } from '../docs/current-link'
import { ISLANDS } from './registry'

type TextControl = HTMLInputElement | HTMLTextAreaElement

const isIsland = (name: string): name is keyof typeof ISLANDS => name in ISLANDS

const textControlsIn = (root: HTMLElement) => [...root.querySelectorAll<TextControl>('input, textarea')]

/** What was typed before the script was there is typed again, for components that listen now. */
function keepTyped(root: HTMLElement, begin: () => void): void {
  const typed = textControlsIn(root).map(({ value, defaultValue }) => (value === defaultValue ? null : value))
  begin()
  for (const [at, control] of textControlsIn(root).entries()) {
    const text = typed[at]
    if (text === null || text === undefined) continue
    control.value = text
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

for (const root of document.querySelectorAll<HTMLElement>('[data-island]')) {
  const { island = '', props = '{}' } = root.dataset
  if (!isIsland(island)) continue
  const component = ISLANDS[island] as ComponentType<object>
  keepTyped(root, () => void hydrateRoot(root, createElement(component, JSON.parse(props) as object)))
  root.dataset.ready = ''
  // In a task of its own each, so that input is answered between them.
  await new Promise((resolve) => setTimeout(resolve))
}

for (const list of document.querySelectorAll<HTMLElement>('[data-side-links]')) showCurrentLink(list, location.pathname)
