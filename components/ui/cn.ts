import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

// Our own sizes, or they would pass for colours and push those out.
const merge = extendTailwindMerge({
  extend: { classGroups: { 'font-size': [{ text: ['caption', 'table', 'body', 'title'] }] } },
})

/** Class names joined; of two that set the same thing the later wins. */
export const cn = (...classes: ClassValue[]): string => merge(clsx(classes))
