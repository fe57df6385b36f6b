/** Whether a key pressed here belongs to a field or a dialog rather than to the page. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, select, textarea, dialog, [role=menu], [role=listbox]') !== null)

/** Whether Ctrl, Alt or ⌘ is held: then the key belongs to the browser. */
export const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => ctrlKey || metaKey || altKey
