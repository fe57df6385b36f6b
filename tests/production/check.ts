import type { Daemon, DaemonCommand } from './daemon'
import type { DebianCommand } from './debian'

/** What a check works with. Whatever it starts here is ended when the check is over. */
export type CheckContext = {
  /** An empty folder that any user may read; removed afterwards. */
  folder: string
  /** Prints a line of the report. */
  say: (line: string) => void
  /** Starts a program in a process group of its own and waits until it is ready. */
  startDaemon: (command: DaemonCommand) => Promise<Daemon>
  /** Is called when the check is over, in reverse order. */
  onEnd: (work: () => Promise<void> | void) => void
}

/** Something shown with real systems on 127.0.0.1, which the default tests cannot count on. */
export type ProductionCheck = {
  /** As it is given on the command line. */
  name: string
  /** What it shows, in one line. */
  shows: string
  /** The commands it runs that are not part of the project. */
  needs: readonly DebianCommand[]
  /** True where it starts web or worker processes: those need `npm run build`. */
  needsBuild: boolean
  /** Throws when what it shows is not so. */
  run: (context: CheckContext) => Promise<void>
}
