import { hashKey } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** A value that stays the same object as long as what it holds is the same. */
export function useUnchanged<T>(value: T): T {
  const id = hashKey([value])
  const [kept, keep] = useState({ id, value })
  if (kept.id === id) return kept.value
  keep({ id, value })
  return value
}

/** A value once it has stayed the same for a while. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
