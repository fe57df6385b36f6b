/**
 * What a key does on any page; `wait`: the next key says where to go. Ctrl+K and ⌘K are with early
 * events, since they count before the page has its code.
 */
export type Shortcut = { kind: 'help' | 'wait' } | { kind: 'go'; key: string }

type Press = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey'> & { isTyping: boolean }

/** What a pressed key does, if anything. `afterG`: g was pressed just before. */
export function shortcutOf({ key, metaKey, ctrlKey, altKey, isTyping }: Press, afterG: boolean): Shortcut | null {
  if (metaKey || ctrlKey || altKey || isTyping) return null
  if (key === '?') return { kind: 'help' }
  if (afterG) return { kind: 'go', key }
  return key === 'g' ? { kind: 'wait' } : null
}
