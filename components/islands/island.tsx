import { type ComponentType, createElement } from 'react'
import type { ISLANDS } from './registry'

type Islands = typeof ISLANDS

type PropsOf<Name extends keyof Islands> = Parameters<Islands[Name]>[0]

/** `of`: the component that the registry has under this name. */
type IslandProps<Name extends keyof Islands> = {
  name: Name
  of: Islands[Name]
  props: PropsOf<Name> extends object ? PropsOf<Name> : Record<string, never>
}

/**
 * A component that reacts to input on a public page. In development it is an ordinary client
 * component. In production those pages come without React, and `start.ts` begins each island by its
 * name and props, which are therefore JSON.
 */
export const Island = <Name extends keyof Islands>({ name, of, props }: IslandProps<Name>) => (
  <div className="contents" data-island={name} data-props={JSON.stringify(props)}>
    {createElement(of as ComponentType<typeof props>, props)}
  </div>
)
