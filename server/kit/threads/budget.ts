import type { Worker } from 'node:worker_threads'

export type ThreadBudget = { cpuMs: number; wallMs: number; memoryMb: number }

export type BudgetOverrun = 'out_of_time' | 'out_of_memory'

const SAMPLE_MS = 50
const MIB = 1024 * 1024

/**
 * Watches a thread from now on and calls `onOverrun` once when it used more than its budget.
 * Sampling interrupts JavaScript, regular expressions and WebAssembly; a native call is sampled
 * when it returns, or ends with the wall time. Returns what stops the watch.
 */
export function watchBudget(worker: Worker, budget: ThreadBudget, onOverrun: (why: BudgetOverrun) => void): () => void {
  let isOver = false
  let isSampling = false
  let usedBefore: number | undefined
  const stop = () => {
    isOver = true
    clearInterval(sampler)
    clearTimeout(wall)
  }
  const overrun = (why: BudgetOverrun) => {
    if (isOver) return
    stop()
    onOverrun(why)
  }
  const sample = async () => {
    if (isSampling) return
    isSampling = true
    try {
      const [cpu, heap] = await Promise.all([worker.cpuUsage(), worker.getHeapStatistics()])
      const used = (cpu.user + cpu.system) / 1000
      usedBefore ??= used
      // `malloced_memory` is left out: V8 counts there what its compiler takes for the whole
      // process.
      const bytes = heap.used_heap_size + heap.external_memory
      if (bytes > budget.memoryMb * MIB) overrun('out_of_memory')
      else if (used - usedBefore > budget.cpuMs) overrun('out_of_time')
    } catch {
      // A thread that ended meanwhile has no usage; its exit is reported by itself.
    } finally {
      isSampling = false
    }
  }
  const sampler = setInterval(sample, SAMPLE_MS)
  const wall = setTimeout(() => overrun('out_of_time'), budget.wallMs)
  void sample()
  return stop
}
